//! Forms of a kernel: with fewer checks where the arrays cover the launch, and with all of them where they do not.

mod support;

use support::{compile, cpu, launch, launch_on, slice, source};
use warp_core::backend::LaunchStop;
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, ArrayId, CheckKind, Kernel, LocalId, Mem, Scalar};

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

#[test]
fn launches_choose_by_lengths_each_time() {
    for threads in [1, 4] {
        let executable = compile(&cpu(threads).eager(), increment());
        for (x_len, y_len, n) in [(100, 100, 100), (100, 100, 101), (500, 90, 100), (90, 500, 100), (500, 500, 100)] {
            let mut x: Vec<u32> = (0..x_len).collect();
            let mut memory = vec![u32::MAX; y_len + 50];
            let (y, beyond) = memory.split_at_mut(y_len);
            let result = launch_on(&executable, &[n], &[slice(&mut x), slice(y)].concat(), None);
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
            for (i, found) in (0u32..).zip(y.iter()) {
                assert_eq!(*found, if u64::from(i) < reach { i + 1 } else { u32::MAX });
            }
            assert!(beyond.iter().all(|word| *word == u32::MAX));
        }
    }
}

/// Passes drop local arrays that nothing needs; reports still speak of the kernel as it was given.
#[test]
fn reports_name_local_arrays_by_the_programs_numbers() {
    let mut b = Builder::new("locals");
    let out = b.slice("out", Scalar::U32, Access::Write);
    let index = b.param("index", Scalar::U64);
    let unused = b.local("unused", &[Scalar::U8], 3);
    let used = b.local("used", &[Scalar::U32], 5);
    let (i, at) = (b.tid(0), source(&mut b, "used[index]"));
    let (none, seven) = (b.const_(Scalar::U8, 0), b.const_(Scalar::U32, 7));
    b.fill(unused, 0, none);
    b.fill(used, 0, seven);
    b.check_index(Mem::Local(used), 0, index, at);
    let x = b.load(Mem::Local(used), index, 0);
    b.check_index(Mem::Array(out), 0, i, at);
    b.store(Mem::Array(out), i, 0, x);
    let executable = compile(&cpu(1), b.finish_kernel(1));
    let mut out = [0u32; 1];
    let [address, length] = slice(&mut out);
    launch(&executable, &[1], &[address, length, 4]).unwrap();
    assert_eq!(out, [7]);
    let stop = launch(&executable, &[1], &[address, length, 5]).unwrap_err();
    let LaunchStop::Fault { kind, operands, .. } = stop else { panic!("{stop:?}") };
    assert_eq!(kind, CheckKind::Index { mem: Mem::Local(LocalId(used.0)), dim: 0 });
    assert_eq!(operands, [(Scalar::U64, 5), (Scalar::U64, 5)]);
}

/// Two loops with a flag each, one inside the other, and a condition from outside that is used again afterwards.
#[test]
fn flags_that_end_loops() {
    let mut b = Builder::new("flags");
    let out = b.slice("out", Scalar::U64, Access::Write);
    let (limit, outside) = (b.param("limit", Scalar::U64), b.param("outside", Scalar::Bool));
    let (i, at) = (b.tid(0), source(&mut b, "out[i]"));
    let (zero, one, running) = (b.u64(0), b.u64(1), b.bool(true));
    let search = |b: &mut Builder, start, step: u64| {
        b.loop_(
            &[start, zero, running],
            |b, c| {
                let more = b.lt(c[1], limit);
                b.and(more, c[2])
            },
            |b, c| {
                let step = b.u64(step);
                let next = b.add(c[0], step);
                let turns = b.add(c[1], one);
                let hundred = b.u64(100);
                let beyond = b.lt(hundred, next);
                b.if_(
                    outside,
                    |b| {
                        let stop = b.if_(beyond, |b| vec![b.bool(false)], |b| vec![b.bool(true)]);
                        vec![next, turns, stop[0]]
                    },
                    |b| vec![next, turns, b.bool(true)],
                )
            },
        )
    };
    let first = search(&mut b, i, 3);
    let second = search(&mut b, first[0], 50);
    let turns = b.add(first[1], second[1]);
    let thousand = b.u64(1000);
    let scaled = b.mul(turns, thousand);
    let sum = b.add(scaled, second[0]);
    let extra = b.u64(1 << 40);
    let more = b.add(sum, extra);
    let value = b.select(outside, more, sum);
    b.check_index(Mem::Array(out), 0, i, at);
    b.store(Mem::Array(out), i, 0, value);
    let executable = compile(&cpu(1), b.finish_kernel(1));
    for outside in [false, true] {
        for limit in [0u64, 1, 5, 40, 1000] {
            let mut out = [0u64; 120];
            let words = [&slice(&mut out)[..], &[limit, u64::from(outside)]].concat();
            launch(&executable, &[120], &words).unwrap();
            for (i, found) in (0u64..).zip(out) {
                let search = |start: u64, step: u64| {
                    let (mut x, mut turns) = (start, 0);
                    while turns < limit {
                        x += step;
                        turns += 1;
                        if outside && x > 100 {
                            break;
                        }
                    }
                    (x, turns)
                };
                let (first, a) = search(i, 3);
                let (second, b) = search(first, 50);
                let expected = 1000 * (a + b) + second + if outside { 1 << 40 } else { 0 };
                assert_eq!(found, expected, "thread {i}, limit {limit}, {outside}");
            }
        }
    }
}
