//! What counts as the same: all bits, but any NaN for any other.

use warp_core::backend::LaunchStop;
use warp_ir::ir::{PrintSite, Scalar};

/// Where the leaves of elements lie in a block.
pub struct Elements<'a> {
    /// Bytes from one element to the next.
    pub size: usize,
    /// Where in the block some element starts.
    pub at: u64,
    pub leaves: Vec<(usize, Scalar)>,
    /// The array's name, for messages.
    pub name: &'a str,
}

impl Elements<'_> {
    /// Compares the contents of a block; an error says where they differ. `None` if they are equal; else they differ in
    /// NaNs alone.
    pub fn same(&self, cpu: &[u8], cuda: &[u8]) -> Result<bool, String> {
        let size = self.size.max(1);
        let phase = (self.at % size as u64) as usize;
        let mut equal = true;
        let mut from = 0;
        while let Some(more) = cpu[from..].iter().zip(&cuda[from..]).position(|(a, b)| a != b) {
            let at = from + more;
            let inside = (at + size - phase) % size;
            let start = at as isize - inside as isize;
            let leaf = self.leaves.iter().find(|(offset, scalar)| (*offset..offset + scalar.size()).contains(&inside));
            let values = leaf.and_then(|(offset, scalar)| {
                let range = usize::try_from(start + *offset as isize).ok()?;
                let value = |bytes: &[u8]| Some(bits(bytes.get(range..range + scalar.size())?));
                Some((*scalar, value(cpu)?, value(cuda)?, range + scalar.size()))
            });
            match values {
                Some((scalar, a, b, end)) if is_nan(scalar, a) && is_nan(scalar, b) => {
                    equal = false;
                    from = end;
                }
                _ => {
                    let element = (at as i64 - self.at as i64).div_euclid(size as i64);
                    let told = values.map_or("bytes".into(), |(scalar, a, b, _)| {
                        format!("{} on the CPU, {} on CUDA", shown(scalar, a), shown(scalar, b))
                    });
                    return Err(format!("element {element} of `{}`, byte {inside} of it: {told}", self.name));
                }
            }
        }
        Ok(equal)
    }
}

fn bits(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Whether bits are a NaN of a type.
fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F16 => bits & 0x7fff > 0x7c00,
        Scalar::BF16 => bits & 0x7fff > 0x7f80,
        _ => false,
    }
}

fn shown(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::F64 => format!("{:?} ({bits:#018x})", f64::from_bits(bits)),
        Scalar::F32 => format!("{:?} ({bits:#010x})", f32::from_bits(bits as u32)),
        _ => format!("{bits:#x}"),
    }
}

/// Whether two values are the same.
fn alike(scalar: Scalar, a: u64, b: u64) -> bool {
    a == b || is_nan(scalar, a) && is_nan(scalar, b)
}

/// A printed line.
pub type Line = (u64, PrintSite, Vec<u64>);

/// Whether two devices printed the same; both are sorted by thread.
pub fn same_prints(cpu: &[Line], cuda: &[Line]) -> Result<(), String> {
    let same = |a: &Line, b: &Line| {
        let scalars = a.1.pieces.iter().filter_map(|piece| piece.argument());
        (a.0, &a.1, a.2.len()) == (b.0, &b.1, b.2.len())
            && scalars.zip(a.2.iter().zip(&b.2)).all(|(scalar, (a, b))| alike(scalar, *a, *b))
    };
    match cpu.iter().zip(cuda).find(|(a, b)| !same(a, b)) {
        Some((a, b)) => Err(format!("printed on the CPU: {a:?}; on CUDA: {b:?}")),
        None if cpu.len() != cuda.len() => Err(format!("{} lines on the CPU, {} on CUDA", cpu.len(), cuda.len())),
        None => Ok(()),
    }
}

/// Whether launches ended alike.
pub fn same_end(cpu: &Result<(), LaunchStop>, cuda: &Result<(), LaunchStop>) -> Result<(), String> {
    let same = match (cpu, cuda) {
        (Ok(()), Ok(())) => true,
        (Err(LaunchStop::Fault { operands: a, .. }), Err(LaunchStop::Fault { operands: b, .. })) => {
            let operands = a.iter().zip(b).all(|(a, b)| a.0 == b.0 && alike(a.0, a.1, b.1));
            operands && a.len() == b.len() && without_operands(cpu) == without_operands(cuda)
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("the CPU ended with {cpu:?}; CUDA with {cuda:?}")) }
}

fn without_operands(end: &Result<(), LaunchStop>) -> Result<(), LaunchStop> {
    let mut end = end.clone();
    if let Err(LaunchStop::Fault { operands, .. }) = &mut end {
        operands.clear();
    }
    end
}
