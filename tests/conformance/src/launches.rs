//! Launches: coordinates, lengths, hundreds of parameters, host threads.

use warp::backend::{LaunchStop, Program};
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, ArrayId, CheckKind, Kernel, Mem, Scalar};

use crate::rig::{Rig, layout, source};

/// `out[row-major number] = the coordinates, one byte each, plus one more than was there`.
fn coordinates(rank: u8) -> Kernel {
    let mut b = Builder::new("coordinates");
    let out = b.slice("out", Scalar::U64, Access::Write);
    let extents: Vec<_> = (0..rank).map(|dim| b.param(&format!("n{dim}"), Scalar::U64)).collect();
    let at = source(&mut b, "out[n]");
    let (mut number, mut packed) = (b.u64(0), b.u64(0));
    let bytes = b.u64(256);
    for dim in 0..rank {
        let tid = b.tid(dim);
        let scaled = b.mul(number, extents[dim as usize]);
        number = b.add(scaled, tid);
        let shifted = b.mul(packed, bytes);
        packed = b.add(shifted, tid);
    }
    b.check_index(Mem::Array(out), 0, number, at);
    let before = b.load(Mem::Array(out), number, 0);
    let one = b.u64(1 << 40);
    let more = b.add(before, one);
    let value = b.add(more, packed);
    b.store(Mem::Array(out), number, 0, value);
    b.finish_kernel(rank)
}

/// In one to four dimensions, several times each, so that a backend's first estimate of costs does not decide alone.
pub fn every_thread_runs_once_with_its_coordinates(rig: &Rig) {
    for rank in 1..=4u8 {
        let compiled = rig.compile(coordinates(rank));
        for dims in [[1, 1, 1, 1], [3, 4, 5, 6], [1, 7, 1, 9], [13, 1, 2, 1], [70, 50, 3, 1], [2, 3, 100, 120]] {
            let dims: Vec<u64> = dims[4 - rank as usize..].to_vec();
            let total: u64 = dims.iter().product();
            for threads in [Some(1), Some(2), None] {
                let out = rig.buffer(&vec![0u64; total as usize]);
                let words = [&out.words()[..], &dims].concat();
                compiled.launch_on(&dims, &words, threads).unwrap_or_else(|stop| panic!("{stop:?}"));
                for (number, found) in (0u64..).zip(out.read()) {
                    let (mut rest, mut packed) = (number, 0);
                    for (place, dim) in dims.iter().rev().enumerate() {
                        packed += (rest % dim) << (8 * place);
                        rest /= dim;
                    }
                    assert_eq!(found, packed + (1 << 40), "{dims:?}, thread {number}");
                }
            }
        }
    }
}

/// `y[i] = x[i] + 1`, without a test of the lengths.
fn increment() -> Kernel {
    let mut b = Builder::new("increment");
    let (x, y) = (b.slice("x", Scalar::U32, Access::Read), b.slice("y", Scalar::U32, Access::Write));
    let (i, at) = (b.tid(0), source(&mut b, "y[i]"));
    b.check_index(Mem::Array(x), 0, i, at);
    let xi = b.load(Mem::Array(x), i, 0);
    let one = b.const_(Scalar::U32, 1);
    let sum = b.add(xi, one);
    b.check_index(Mem::Array(y), 0, i, at);
    b.store(Mem::Array(y), i, 0, sum);
    b.finish_kernel(1)
}

/// One compiled kernel on arrays that cover the launch and on arrays that do not: a backend may have a form with fewer
/// checks for the first.
pub fn lengths_decide_each_time(rig: &Rig) {
    let compiled = rig.compile(increment());
    for (x_len, y_len, n) in [(100, 100, 100), (100, 100, 101), (500, 90, 100), (90, 500, 100), (500, 500, 100)] {
        let (x, y) = (rig.buffer(&(0..x_len).collect::<Vec<u32>>()), rig.buffer(&vec![u32::MAX; y_len]));
        let result = compiled.launch(&[n], &[x.words(), y.words()].concat());
        let reach = u64::from(x_len).min(y_len as u64).min(n);
        match result {
            Ok(()) => assert_eq!(reach, n),
            Err(LaunchStop::Fault { thread, kind, operands, count, .. }) => {
                assert_eq!((thread, count), (reach, n - reach));
                let array = if u64::from(x_len) == reach { 0 } else { 1 };
                assert_eq!(kind, CheckKind::Index { mem: Mem::Array(ArrayId(array)), dim: 0 });
                assert_eq!(operands, [(Scalar::U64, reach), (Scalar::U64, reach)]);
            }
            Err(other) => panic!("{other:?}"),
        }
        for (i, found) in (0u32..).zip(y.read()) {
            assert_eq!(found, if u64::from(i) < reach { i + 1 } else { u32::MAX });
        }
    }
}

/// 300 arrays and 300 numbers: 7,200 bytes of arguments.
pub fn hundreds_of_parameters(rig: &Rig) {
    let mut b = Builder::new("many");
    let arrays: Vec<_> = (0..300).map(|k| b.slice(&format!("a{k}"), Scalar::I32, Access::Write)).collect();
    let params: Vec<_> = (0..300).map(|k| b.param(&format!("x{k}"), Scalar::I32)).collect();
    let (i, at) = (b.tid(0), source(&mut b, "a[i] += x"));
    for (array, param) in arrays.into_iter().zip(params) {
        let mem = Mem::Array(array);
        b.check_index(mem, 0, i, at);
        let before = b.load(mem, i, 0);
        let sum = b.add(before, param);
        b.store(mem, i, 0, sum);
    }
    let compiled = rig.compile(b.finish_kernel(1));
    let buffers: Vec<_> = (0..300).map(|k| rig.buffer(&[k, 10 * k, -k])).collect();
    let numbers = (0..300).map(|k: i32| u64::from((7 * k - 1000) as u32));
    let words: Vec<u64> = buffers.iter().flat_map(|buffer| buffer.words()).chain(numbers).collect();
    compiled.launch(&[3], &words).unwrap_or_else(|stop| panic!("{stop:?}"));
    for (k, buffer) in (0i32..).zip(&buffers) {
        let x = 7 * k - 1000;
        assert_eq!(buffer.read(), [k + x, 10 * k + x, x - k], "array {k}");
    }
}

/// A sum of rounded terms that any other order or rounding would change.
fn series() -> Kernel {
    let mut b = Builder::new("series");
    let out = b.slice("out", Scalar::F32, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "out[i]"));
    b.check_index(Mem::Array(out), 0, i, at);
    let (limit, zero) = (b.u64(40), b.f32(0.0));
    let x = b.cast(Scalar::F32, i);
    let sums = b.counted(limit, &[zero], |b, k, carried| {
        let one = b.f32(1.0);
        let k = b.cast(Scalar::F32, k);
        let d = b.fma(x, k, one);
        let term = b.div(one, d);
        let root = b.sqrt(term);
        vec![b.add(carried[0], root)]
    });
    b.store(Mem::Array(out), i, 0, sums[0]);
    b.finish_kernel(1)
}

fn series_on_the_host(i: u64) -> u32 {
    let sum: f32 = (0..40).fold(0.0, |sum, k| sum + (1.0 / (i as f32).mul_add(k as f32, 1.0)).sqrt());
    sum.to_bits()
}

/// However a launch is spread, and each time.
pub fn sums_keep_their_order(rig: &Rig) {
    let n = 5003u64;
    let expected: Vec<u32> = (0..n).map(series_on_the_host).collect();
    let compiled = rig.compile(series());
    for _ in 0..6 {
        let out = rig.buffer(&vec![0f32; n as usize]);
        compiled.launch(&[n], &out.words()).unwrap_or_else(|stop| panic!("{stop:?}"));
        assert!(out.read().iter().map(|x| x.to_bits()).eq(expected.iter().copied()));
    }
}

/// Eight host threads launch one program that nobody has launched before.
pub fn many_host_threads_at_a_cold_start(rig: &Rig) {
    let compiled = rig.compile(series());
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            let compiled = &compiled;
            scope.spawn(move || {
                for round in 0..20 {
                    let n = 200 * (thread + 1) + round;
                    let out = rig.buffer(&vec![0f32; n as usize]);
                    compiled.launch(&[n], &out.words()).unwrap_or_else(|stop| panic!("{stop:?}"));
                    assert!((0..n).zip(out.read()).all(|(i, x)| x.to_bits() == series_on_the_host(i)));
                }
            });
        }
    });
}

/// Too few layouts, and a kernel that uses a value that nothing defines.
pub fn programs_that_do_not_fit_are_refused(rig: &Rig) {
    let program = Program { kernel: series(), slots: vec![], layouts: vec![] };
    assert!(rig.try_compile(&program).is_err(), "a program without layouts was taken");
    let mut kernel = series();
    kernel.function.body.ops.remove(0);
    let layouts = vec![layout(&[Scalar::F32])];
    assert!(rig.try_compile(&Program { kernel, slots: vec![], layouts }).is_err(), "an invalid kernel was taken");
}
