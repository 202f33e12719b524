//! Atomics on one machine thread and in sums of floats: in the order of threads. What they do in any order is part of
//! what every backend must do.

use warp_conformance::atomics::{after, kernel};
use warp_conformance::scalars::{pack, unpack};
use warp_conformance::{Rig, rig::Compiled};
use warp_cpu::Cpu;
use warp_ir::ir::AtomicKind::{self, *};
use warp_ir::ir::Scalar;

/// Bins that many threads share.
const BINS: usize = 7;

fn bits(scalar: Scalar, x: f64) -> u64 {
    match scalar {
        Scalar::F32 => u64::from((x as f32).to_bits()),
        Scalar::F64 => x.to_bits(),
        _ => x as i64 as u64 & scalar.mask(),
    }
}

/// The bins and the old values.
fn run(rig: &Rig, compiled: &Compiled, scalar: Scalar, values: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let (memory, input) = (rig.buffer(&pack(scalar, &[0; BINS])), rig.buffer(&pack(scalar, values)));
    let old = rig.buffer(&pack(scalar, values));
    let n = values.len() as u64;
    let words = [memory.address(), BINS as u64, input.address(), n, old.address(), n];
    compiled.launch(&[n], &words).unwrap();
    (unpack(scalar, &memory.read()), unpack(scalar, &old.read()))
}

/// Thread after thread.
fn in_order(kind: AtomicKind, scalar: Scalar, values: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let mut bins = vec![0; BINS];
    let old = values.iter().enumerate().map(|(i, value)| {
        let new = after(kind, scalar, bins[i % BINS], *value);
        std::mem::replace(&mut bins[i % BINS], new)
    });
    let old = old.collect();
    (bins, old)
}

fn values(scalar: Scalar) -> Vec<u64> {
    (0..6000).map(|k| bits(scalar, (k * 7919 % 2000) as f64 * 0.37 - 300.0)).collect()
}

#[test]
fn one_machine_thread_takes_them_in_order() {
    let rig = Rig::new(Cpu::with_threads(1).verifying());
    let kinds = [Add, Sub, Min, Max, Exchange, CompareExchange];
    for scalar in [Scalar::U8, Scalar::I16, Scalar::I32, Scalar::U64, Scalar::F32, Scalar::F64] {
        // Floats have no compare-exchange.
        for kind in kinds.into_iter().filter(|kind| !scalar.is_float() || *kind != CompareExchange) {
            let (compiled, values) = (rig.compile(kernel(kind, scalar)), values(scalar));
            assert_eq!(
                run(&rig, &compiled, scalar, &values),
                in_order(kind, scalar, &values),
                "{kind:?} on {scalar:?}"
            );
        }
    }
}

/// On few cores sums of floats run on one, so that their bits do not depend on the order of arrival.
#[test]
fn sums_of_floats_on_few_machine_threads_are_in_order() {
    let rig = Rig::new(Cpu::with_threads(4).verifying().eager());
    for scalar in [Scalar::F32, Scalar::F64] {
        for kind in [Add, Sub] {
            let (compiled, values) = (rig.compile(kernel(kind, scalar)), values(scalar));
            for _ in 0..5 {
                assert_eq!(run(&rig, &compiled, scalar, &values), in_order(kind, scalar, &values));
            }
        }
    }
}

#[test]
fn sums_of_floats_on_many_machine_threads_lose_nothing() {
    // Multiples of a quarter: exact in any order.
    for scalar in [Scalar::F32, Scalar::F64] {
        let rig = Rig::new(Cpu::with_threads(16).verifying());
        let compiled = rig.compile(kernel(Add, scalar));
        let n = 20_000usize;
        let quarter = |k: usize| (k % 9) as f64 * 0.25;
        let values: Vec<u64> = (0..n).map(|k| bits(scalar, quarter(k))).collect();
        for _ in 0..4 {
            for (bin, found) in run(&rig, &compiled, scalar, &values).0.into_iter().enumerate() {
                let expected: f64 = (bin..n).step_by(BINS).map(quarter).sum();
                assert_eq!(found, bits(scalar, expected), "bin {bin}");
            }
        }
    }
}
