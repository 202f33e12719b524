//! Each builtin on each list of types that it takes, on values where things go wrong, against its meaning on the host.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin::{self, *};
use warp_ir::ir::Scalar::{self, *};
use warp_ir::ir::{Access, Kernel, Mem, SourceId, Value};
use warp_ir::random::{Rng, edges, instances};
use warp_ir::validate::{Valid, guarded};

use crate::rig::{Rig, check_division, source};
use crate::scalars::{pack, ulps, unpack};

/// A row with operands and result of chosen types.
struct Instance {
    builtin: Builtin,
    operands: Vec<Scalar>,
    result: Scalar,
}

/// Every builtin that there is.
fn all() -> impl Iterator<Item = Instance> {
    let of = |builtin: &Builtin| {
        let builtin = *builtin;
        instances(builtin.row()).into_iter().map(move |(operands, result)| Instance { builtin, operands, result })
    };
    Builtin::ALL.iter().flat_map(of)
}

/// Each row with operands from memory.
pub fn on_edges(rig: &Rig) {
    for instance in all() {
        let cases = instance.cases(None);
        instance.compare(rig, &cases, None);
    }
}

/// Each row of two operands with one of them constant, which may take another way through a code generator.
pub fn with_a_constant(rig: &Rig) {
    for instance in all().filter(|instance| instance.operands.len() == 2) {
        for at in 0..2 {
            let constants = edges(instance.operands[at]);
            for constant in constants.iter().step_by(constants.len().div_ceil(12)) {
                let cases = instance.cases(Some((at, *constant)));
                if !cases.is_empty() {
                    instance.compare(rig, &cases, Some((at, *constant)));
                }
            }
        }
    }
}

/// Operands and the result that the host knows for them.
type Case = (Vec<u64>, u64);
/// Which operand is a constant, and its bits.
type Constant = Option<(usize, u64)>;

impl Instance {
    /// All combinations of edges, thinned out where there are many, for which the host knows the result.
    fn cases(&self, constant: Constant) -> Vec<Case> {
        let mut rng = Rng::new(self.builtin as u64);
        let mut rows: Vec<Vec<u64>> = vec![vec![]];
        for (at, scalar) in self.operands.iter().enumerate() {
            let mut values = edges(*scalar);
            values.extend((0..8).map(|_| rng.bits() & scalar.mask()));
            if self.operands.len() == 3 {
                let thin = values.len().div_ceil(18);
                values = values.into_iter().skip(thin / 2).step_by(thin).collect();
            }
            if let Some((which, bits)) = constant
                && which == at
            {
                values = vec![bits];
            }
            rows = rows.iter().flat_map(|row| values.iter().map(|x| [&row[..], &[*x]].concat())).collect();
        }
        rows.into_iter().filter_map(|row| self.expected(&row).map(|value| (row, value))).collect()
    }

    fn expected(&self, row: &[u64]) -> Option<u64> {
        match (self.builtin, self.operands[0]) {
            (Cast, F64) if self.result.is_half() => Some(nearest_half(self.result, f64::from_bits(row[0]))),
            _ => self.builtin.eval(&self.operands, self.result, row),
        }
    }

    /// `out[i] = builtin(a[i], b[i], ..)`, with the checks that division needs.
    fn kernel(&self, constant: Constant) -> Kernel {
        let mut b = Builder::new("row");
        let names = ["a", "b", "c"];
        let arrays: Vec<_> = (self.operands.iter().zip(names))
            .map(|(scalar, name)| Mem::Array(b.slice(name, *scalar, Access::Read)))
            .collect();
        let out = Mem::Array(b.slice("out", self.result, Access::Write));
        let (i, at) = (b.tid(0), source(&mut b, "x"));
        arrays.iter().chain([&out]).for_each(|array| b.check_index(*array, 0, i, at));
        let mut args: Vec<_> = arrays.iter().map(|array| b.load(*array, i, 0)).collect();
        if let Some((which, bits)) = constant {
            args[which] = b.const_(self.operands[which], bits);
        }
        self.check_division(&mut b, &args, at);
        let value = b.pure_as(self.result, self.builtin, &args);
        b.store(out, i, 0, value);
        b.finish_kernel(1)
    }

    fn check_division(&self, b: &mut Builder, args: &[Value], at: SourceId) {
        if matches!(self.builtin, Div | Rem) && self.operands[0].is_int() {
            check_division(b, args[0], args[1], at);
        }
    }

    fn compare(&self, rig: &Rig, cases: &[Case], constant: Constant) {
        let Instance { builtin, operands, result } = self;
        assert!(!cases.is_empty(), "{builtin:?} {operands:?}: no case");
        let kernel = Valid::<Kernel>::new(self.kernel(constant)).unwrap_or_else(|error| panic!("{error}"));
        guarded(&kernel).unwrap_or_else(|error| panic!("{error}"));
        let compiled = rig.compile(kernel.into_inner());
        let n = cases.len() as u64;
        let column = |(k, scalar): (usize, &Scalar)| {
            rig.buffer(&pack(*scalar, &cases.iter().map(|(row, _)| row[k]).collect::<Vec<_>>()))
        };
        let buffers: Vec<_> = operands.iter().enumerate().map(column).collect();
        let out = rig.buffer(&vec![0u8; cases.len() * result.size()]);
        let words: Vec<u64> = buffers.iter().chain([&out]).flat_map(|buffer| [buffer.address(), n]).collect();
        compiled.launch(&[n], &words).unwrap_or_else(|stop| panic!("{builtin:?} {operands:?}: {stop:?}"));
        let allowed = u64::from(builtin.row().ulp);
        for ((row, expected), found) in cases.iter().zip(unpack(*result, &out.read())) {
            assert!(
                ulps(*result, *expected, found) <= allowed,
                "{builtin:?} {operands:?} -> {result:?} of {row:x?}, constant {constant:x?}: expected {expected:#x}, \
                 found {found:#x}"
            );
        }
    }
}

/// The nearest half float, found among all of them.
fn nearest_half(half: Scalar, x: f64) -> u64 {
    let (infinity, bias, digits) = if half == F16 { (0x7c00u64, 15, 10) } else { (0x7f80, 127, 7) };
    let sign = u64::from(x.is_sign_negative()) << 15;
    if x.is_nan() {
        return infinity + 1;
    }
    // Infinity stands for the number that would follow the largest one.
    let value = |bits: u64| {
        let (exponent, fraction) = ((bits >> digits) as i32, (bits & ((1 << digits) - 1)) as f64);
        let implicit = if exponent == 0 { 0.0 } else { f64::from(1u32 << digits) };
        (fraction + implicit) * 2f64.powi(exponent.max(1) - bias - digits)
    };
    let x = x.abs().min(2.0 * value(infinity));
    let away = |bits: u64| ((value(bits) - x).abs(), bits & 1);
    let near = (0..=infinity).min_by(|a, b| away(*a).partial_cmp(&away(*b)).expect("numbers compare"));
    sign | near.expect("there are half floats")
}

/// A select whose condition compares its own operands, which a code generator may take for an extremum.
pub fn selects_by_a_comparison(rig: &Rig) {
    for scalar in [F32, F64, I32, U64] {
        for comparison in [Eq, Ne, Lt, Le] {
            for swapped in [false, true] {
                select_by(rig, scalar, comparison, swapped);
            }
        }
    }
}

fn select_by(rig: &Rig, scalar: Scalar, comparison: Builtin, swapped: bool) {
    let mut b = Builder::new("select");
    let (a, c) = (b.slice("a", scalar, Access::Read), b.slice("c", scalar, Access::Read));
    let out = b.slice("out", scalar, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "x"));
    [a, c, out].into_iter().for_each(|array| b.check_index(Mem::Array(array), 0, i, at));
    let (x, y) = (b.load(Mem::Array(a), i, 0), b.load(Mem::Array(c), i, 0));
    let cond = b.pure(comparison, &[x, y]);
    let value = if swapped { b.select(cond, y, x) } else { b.select(cond, x, y) };
    b.store(Mem::Array(out), i, 0, value);
    let compiled = rig.compile(b.finish_kernel(1));
    let values = edges(scalar);
    let pairs: Vec<[u64; 2]> = values.iter().flat_map(|x| values.iter().map(|y| [*x, *y])).collect();
    let column = |k: usize| rig.buffer(&pack(scalar, &pairs.iter().map(|pair| pair[k]).collect::<Vec<_>>()));
    let buffers = [column(0), column(1), column(0)];
    let n = pairs.len() as u64;
    let words: Vec<u64> = buffers.iter().flat_map(|buffer| [buffer.address(), n]).collect();
    compiled.launch(&[n], &words).unwrap_or_else(|stop| panic!("{stop:?}"));
    for ([x, y], found) in pairs.iter().zip(unpack(scalar, &buffers[2].read())) {
        let (then, otherwise) = if swapped { (y, x) } else { (x, y) };
        let holds = comparison.eval(&[scalar, scalar], Bool, &[*x, *y]) == Some(1);
        let expected = if holds { *then } else { *otherwise };
        assert_eq!(ulps(scalar, expected, found), 0, "{comparison:?} of {x:x} {y:x}: found {found:#x}");
    }
}
