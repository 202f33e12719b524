//! Whether two launches did the same, with all NaNs alike.

use crate::evaluate::{Fault, Inputs, Outcome, Printed};
use crate::ir::{ArrayParam, Function, Kernel, PrintPiece, Scalar};

/// Whether two launches of a kernel did the same: the same fault by the same thread, or, where no thread faulted, the
/// same contents of all arrays, byte for byte, and the same prints. NaNs of one type count as one. The message of the
/// first difference, with `a` as what was expected.
pub fn same(kernel: &Kernel, a: (&Inputs, &Outcome), b: (&Inputs, &Outcome)) -> Result<(), String> {
    let ((a, expected), (b, found)) = (a, b);
    if expected.faults != found.faults {
        return Err(format!("{} threads fault, expected {}", found.faults, expected.faults));
    }
    match (&expected.fault, &found.fault) {
        (None, None) => {}
        (Some(x), Some(y)) if same_fault(x, y) => return Ok(()),
        (x, y) => return Err(format!("fault {y:?}, expected {x:?}")),
    }
    for (k, param) in kernel.function.arrays.iter().enumerate() {
        same_array(param, a, b, k)?;
    }
    same_prints(&kernel.function, &expected.prints, &found.prints)
}

/// Whether bits of a type are the same, or both NaN.
pub fn alike(scalar: Scalar, a: u64, b: u64) -> bool {
    let nan = |bits: u64| match scalar {
        Scalar::F16 => bits & 0x7fff > 0x7c00,
        Scalar::BF16 => bits & 0x7fff > 0x7f80,
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    };
    a == b || (nan(a) && nan(b))
}

fn same_fault(a: &Fault, b: &Fault) -> bool {
    let operands = a.operands.len() == b.operands.len()
        && a.operands.iter().zip(&b.operands).all(|(x, y)| x.0 == y.0 && alike(x.0, x.1, y.1));
    (a.thread, &a.kind, a.source) == (b.thread, &b.kind, b.source) && operands
}

fn same_array(param: &ArrayParam, a: &Inputs, b: &Inputs, k: usize) -> Result<(), String> {
    let (a, b) = (&a.arrays[k], &b.arrays[k]);
    if a == b {
        return Ok(());
    }
    // Where leaves are alike, the bytes of one are put into the other; what differs then is not a leaf.
    let mut b = b.clone();
    for index in indices(&a.extents, &a.strides) {
        for (leaf, &scalar) in param.leaves.iter().enumerate() {
            let leaf = leaf as u16;
            let (x, y) = (a.get(param, index, leaf), b.get(param, index, leaf));
            match (x, y) {
                (Some(x), Some(y)) if alike(scalar, x, y) => {
                    let _ = b.set(param, index, leaf, x);
                }
                _ => {
                    let name = &param.name;
                    return Err(format!(
                        "`{name}`, flat index {index}, leaf {leaf} ({scalar:?}): {y:x?}, expected {x:x?}"
                    ));
                }
            }
        }
    }
    if *a == b { Ok(()) } else { Err(format!("`{}`: bytes outside all leaves have changed", param.name)) }
}

/// The flat indices of all elements.
fn indices(extents: &[u64], strides: &[u64]) -> Vec<u64> {
    let mut flat = vec![0u64];
    for (dim, &extent) in extents.iter().enumerate() {
        let stride = strides.get(dim).copied();
        flat = flat
            .into_iter()
            .flat_map(|base| {
                (0..extent).map(move |i| match stride {
                    Some(stride) => base.wrapping_add(i.wrapping_mul(stride)),
                    None => base * extent + i,
                })
            })
            .collect();
    }
    flat
}

fn same_prints(function: &Function, a: &[Printed], b: &[Printed]) -> Result<(), String> {
    let sorted = |prints: &[Printed]| {
        let mut prints = prints.to_vec();
        // Threads print in any order, each its own lines in order.
        prints.sort_by_key(|p| p.thread);
        prints
    };
    let (a, b) = (sorted(a), sorted(b));
    let differs = a.iter().zip(&b).position(|(x, y)| !same_print(function, x, y));
    match differs {
        Some(at) => Err(format!("print {at} is {:?}, expected {:?}", b[at], a[at])),
        None if a.len() != b.len() => Err(format!("{} prints, expected {}", b.len(), a.len())),
        None => Ok(()),
    }
}

fn same_print(function: &Function, a: &Printed, b: &Printed) -> bool {
    let scalars = function.prints[a.site.0 as usize].pieces.iter().filter_map(PrintPiece::argument);
    (a.thread, a.site, a.args.len()) == (b.thread, b.site, b.args.len())
        && scalars.zip(a.args.iter().zip(&b.args)).all(|(scalar, (&x, &y))| alike(scalar, x, y))
}
