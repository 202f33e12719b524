//! Atomics: nothing is lost, whichever thread comes first.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::AtomicKind::{self, *};
use warp_ir::ir::{Access, Kernel, Mem, Scalar};
use warp_ir::random::Rng;

use crate::rig::{Rig, check_division, source};
use crate::scalars::{pack, unpack};

/// `old[i] = atomic(bins[i % bins.len()], values[i])`.
pub fn kernel(kind: AtomicKind, scalar: Scalar) -> Kernel {
    let mut b = Builder::new("atomic");
    let bins = b.slice("bins", scalar, Access::Write);
    let values = b.slice("values", scalar, Access::Read);
    let old = b.slice("old", scalar, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "bins[i % n]"));
    b.check_index(Mem::Array(values), 0, i, at);
    b.check_index(Mem::Array(old), 0, i, at);
    let n = b.extent(bins, 0);
    check_division(&mut b, i, n, at);
    let bin = b.pure(Builtin::Rem, &[i, n]);
    b.check_index(Mem::Array(bins), 0, bin, at);
    let value = b.load(Mem::Array(values), i, 0);
    let before = if kind == CompareExchange {
        let free = b.zero(scalar);
        b.compare_exchange(Mem::Array(bins), bin, 0, free, value)
    } else {
        b.atomic(kind, Mem::Array(bins), bin, 0, value)
    };
    b.store(Mem::Array(old), i, 0, before);
    b.finish_kernel(1)
}

/// What an atomic leaves where it found `old`.
pub fn after(kind: AtomicKind, scalar: Scalar, old: u64, value: u64) -> u64 {
    let builtin = match kind {
        Add => Builtin::Add,
        Sub => Builtin::Sub,
        Min => Builtin::Min,
        Max => Builtin::Max,
        And => Builtin::And,
        Or => Builtin::Or,
        Xor => Builtin::Xor,
        Exchange => return value,
        CompareExchange if old == 0 => return value,
        CompareExchange => return old,
    };
    builtin.eval(&[scalar, scalar], scalar, &[old, value]).expect("atomics are total")
}

/// Bins that many threads share.
const BINS: usize = 7;
/// Threads.
const N: usize = 6000;

/// In each bin the old values are what the start and all but one of the new values are, so that each thread found what
/// some other left; and where the order does not matter, the last value is that of the threads one after another.
fn check(rig: &Rig, kind: AtomicKind, scalar: Scalar, values: &[u64]) {
    let compiled = rig.compile(kernel(kind, scalar));
    for _ in 0..3 {
        let (memory, input) = (rig.buffer(&pack(scalar, &[0; BINS])), rig.buffer(&pack(scalar, values)));
        let old = rig.buffer(&pack(scalar, values));
        let n = values.len() as u64;
        let words = [memory.address(), BINS as u64, input.address(), n, old.address(), n];
        compiled.launch(&[n], &words).unwrap_or_else(|stop| panic!("{stop:?}"));
        let (found, old) = (unpack(scalar, &memory.read()), unpack(scalar, &old.read()));
        for (bin, last) in found.into_iter().enumerate() {
            let pairs = || old.iter().zip(values).skip(bin).step_by(BINS);
            let left = pairs().map(|(old, value)| after(kind, scalar, *old, *value));
            let mut left: Vec<u64> = left.chain([0]).collect();
            let mut seen: Vec<u64> = pairs().map(|(old, _)| *old).chain([last]).collect();
            left.sort();
            seen.sort();
            assert!(left == seen, "{kind:?} on {scalar:?}: an old value is not what another thread left");
            if !matches!(kind, Exchange | CompareExchange) {
                let expected = pairs().fold(0, |sum, (_, value)| after(kind, scalar, sum, *value));
                assert_eq!(last, expected, "{kind:?} on {scalar:?}, bin {bin}");
            }
        }
    }
}

/// All kinds.
pub fn integers_of_all_widths(rig: &Rig) {
    for scalar in Scalar::ALL.into_iter().filter(|scalar| scalar.is_int()) {
        let mut rng = Rng::new(scalar.bits().into());
        let values: Vec<u64> = (0..N).map(|_| rng.bits() & scalar.mask()).collect();
        for kind in [Add, Sub, Min, Max, And, Or, Xor, Exchange, CompareExchange] {
            check(rig, kind, scalar, &values);
        }
    }
}

fn bits(scalar: Scalar, x: f64) -> u64 {
    if scalar == Scalar::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() }
}

/// And exchanges.
pub fn extrema_of_floats(rig: &Rig) {
    for scalar in [Scalar::F32, Scalar::F64] {
        let mut rng = Rng::new(5);
        let values: Vec<u64> = (0..N).map(|_| bits(scalar, rng.below(2000) as f64 * 0.37 - 300.0)).collect();
        for kind in [Min, Max, Exchange] {
            check(rig, kind, scalar, &values);
        }
    }
}

/// Multiples of a quarter, whose sums are exact in any order.
pub fn sums_of_floats_lose_nothing(rig: &Rig) {
    for scalar in [Scalar::F32, Scalar::F64] {
        let values: Vec<u64> = (0..N).map(|k| bits(scalar, (k % 9 + 1) as f64 * 0.25)).collect();
        for kind in [Add, Sub] {
            check(rig, kind, scalar, &values);
        }
    }
}
