//! Threads of a group that part: what they write, each for itself, in arms and in loops that others have left.

use warp_conformance::Rig;
use warp_conformance::rig::{layout, noise, source};
use warp_core::backend::Program;
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::ir::*;
use warp_ir::planted::{self, Bug};

fn cpu(groups: usize) -> Cpu {
    Cpu::with_threads(1).verifying().lanes().side_by_side(groups)
}

/// Numbers without a pattern, each of them for some threads in a row.
fn runs(seed: u32, n: usize, run: usize) -> Vec<u32> {
    let some = noise(seed, n);
    (0..n).map(|i| some[i / run]).collect()
}

/// Small numbers are counted and stored; larger ones are stored elsewhere, but for the largest.
fn sorts() -> Kernel {
    let mut b = Builder::new("sorts");
    let a = b.slice("a", Scalar::U32, Access::Read);
    let counts = b.slice("counts", Scalar::U32, Access::Write);
    let out = b.elements("out", &[Scalar::U32, Scalar::F32], Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    for each in [a, out] {
        b.check_index(Mem::Array(each), 0, i, at);
    }
    let x = b.load(Mem::Array(a), i, 0);
    let (ten, twenty, one) = (b.const_(Scalar::U32, 10), b.const_(Scalar::U32, 20), b.const_(Scalar::U32, 1));
    let (small, medium) = (b.lt(x, ten), b.lt(x, twenty));
    b.if_(
        small,
        |b| {
            let index = b.cast(Scalar::U64, x);
            b.check_index(Mem::Array(counts), 0, index, at);
            b.atomic(AtomicKind::Add, Mem::Array(counts), index, 0, one);
            let twice = b.add(x, x);
            b.store(Mem::Array(out), i, 0, twice);
            vec![]
        },
        |b| {
            b.if_(
                medium,
                |b| {
                    let float = b.cast(Scalar::F32, x);
                    b.store(Mem::Array(out), i, 1, float);
                    vec![]
                },
                |_| vec![],
            );
            vec![]
        },
    );
    b.finish_kernel(1)
}

#[test]
fn threads_that_part_write_for_themselves() {
    for groups in 1..=4 {
        let rig = Rig::new(cpu(groups));
        let compiled = rig.compile(sorts());
        for n in 1..70usize {
            for run in [1usize, 5, 64] {
                let a: Vec<u32> = runs(n as u32, n, run).iter().map(|x| x % 30).collect();
                let (input, counts) = (rig.buffer(&a), rig.buffer(&[0u32; 10]));
                let out = rig.buffer(&vec![[5u32, 6]; n]);
                let words = [input.words(), counts.words(), out.words()].concat();
                compiled.launch(&[n as u64], &words).unwrap();
                let expected: Vec<[u32; 2]> = a
                    .iter()
                    .map(|x| match x {
                        0..10 => [2 * x, 6],
                        10..20 => [5, (*x as f32).to_bits()],
                        _ => [5, 6],
                    })
                    .collect();
                assert_eq!(out.read(), expected, "{n} threads in runs of {run}, {groups} groups");
                let counted: [u32; 10] = std::array::from_fn(|k| a.iter().filter(|x| **x == k as u32).count() as u32);
                assert_eq!(counts.read(), counted, "{n} threads in runs of {run}, {groups} groups");
            }
        }
    }
}

/// Each thread counts down to zero, eight turns at most, and writes each number; in the end, how many there were.
fn descents() -> Kernel {
    let mut b = Builder::new("descents");
    let a = b.slice("a", Scalar::U32, Access::Read);
    let out = b.elements("out", &[Scalar::U32, Scalar::U32], Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    for each in [a, out] {
        b.check_index(Mem::Array(each), 0, i, at);
    }
    let start = b.load(Mem::Array(a), i, 0);
    let (zero, one, no) = (b.zero(Scalar::U32), b.const_(Scalar::U32, 1), b.const_(Scalar::Bool, 0));
    let limit = b.const_(Scalar::U32, 8);
    let results = b.loop_(
        &[start, zero, no],
        |b, carried| {
            let (within, not) = (b.lt(carried[1], limit), b.not(carried[2]));
            b.and(within, not)
        },
        |b, carried| {
            let stops = b.eq(carried[0], zero);
            let next = b.if_(
                stops,
                |_| vec![carried[0], carried[1]],
                |b| {
                    b.store(Mem::Array(out), i, 1, carried[0]);
                    vec![b.sub(carried[0], one), b.add(carried[1], one)]
                },
            );
            vec![next[0], next[1], stops]
        },
    );
    b.store(Mem::Array(out), i, 0, results[1]);
    b.finish_kernel(1)
}

/// Whether so many threads descend as each would alone.
fn descend(groups: usize, n: usize) -> bool {
    let rig = Rig::new(cpu(groups));
    let compiled = rig.compile(descents());
    let a: Vec<u32> = runs(n as u32, n, 1).iter().map(|x| x % 12).collect();
    let (input, out) = (rig.buffer(&a), rig.buffer(&vec![[99u32; 2]; n]));
    compiled.launch(&[n as u64], &[input.words(), out.words()].concat()).unwrap();
    let expected: Vec<[u32; 2]> = a
        .iter()
        .map(|x| match x {
            0 => [0, 99],
            1..=8 => [*x, 1],
            _ => [8, x - 7],
        })
        .collect();
    out.read() == expected
}

#[test]
fn threads_write_in_loops_that_others_have_left() {
    for groups in 1..=3 {
        for n in 1..50usize {
            assert!(descend(groups, n), "{n} threads, {groups} groups");
        }
    }
}

/// Random kernels would write far beyond their arrays.
#[test]
fn a_mask_that_is_not_applied_is_found() {
    planted::set(Some(Bug::CpuGroupsWriteUnmasked));
    let works = descend(1, 49);
    planted::set(None);
    assert!(!works);
}

/// The same where a break chooses what is needed after the loop: the number of turns, and what was there before it.
#[test]
fn what_a_break_leaves_behind_is_what_each_thread_had() {
    let mut b = Builder::new("halves");
    let a = b.slice("a", Scalar::F32, Access::Read);
    let out = b.elements("out", &[Scalar::F32, Scalar::U32], Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    for each in [a, out] {
        b.check_index(Mem::Array(each), 0, i, at);
    }
    let start = b.load(Mem::Array(a), i, 0);
    let (zero, one, no) = (b.zero(Scalar::U32), b.const_(Scalar::U32, 1), b.const_(Scalar::Bool, 0));
    let (half, least) =
        (b.const_(Scalar::F32, u64::from(0.5f32.to_bits())), b.const_(Scalar::F32, u64::from(1f32.to_bits())));
    let limit = b.const_(Scalar::U32, 20);
    let results = b.loop_(
        &[start, zero, no],
        |b, carried| {
            let (within, not) = (b.lt(carried[1], limit), b.not(carried[2]));
            b.and(within, not)
        },
        |b, carried| {
            let stops = b.lt(carried[0], least);
            let next = b.if_(
                stops,
                |_| vec![carried[0], carried[1]],
                |b| vec![b.mul(carried[0], half), b.add(carried[1], one)],
            );
            vec![next[0], next[1], stops]
        },
    );
    b.store(Mem::Array(out), i, 0, results[0]);
    b.store(Mem::Array(out), i, 1, results[1]);
    let kernel = b.finish_kernel(1);
    for groups in 1..=3 {
        let rig = Rig::new(cpu(groups));
        let compiled = rig.compile(kernel.clone());
        for n in 1..50usize {
            let a: Vec<f32> = runs(n as u32, n, 1).iter().map(|x| (x % 4096) as f32 / 2.0).collect();
            let (input, out) = (rig.buffer(&a), rig.buffer(&vec![[99u32; 2]; n]));
            compiled.launch(&[n as u64], &[input.words(), out.words()].concat()).unwrap();
            let halves = |start: f32| std::iter::successors(Some(start), |x| (*x >= 1.0).then_some(x * 0.5));
            let expected: Vec<[u32; 2]> = a
                .iter()
                .map(|x| {
                    let all: Vec<f32> = halves(*x).collect();
                    [all[all.len() - 1].to_bits(), all.len() as u32 - 1]
                })
                .collect();
            assert_eq!(out.read(), expected, "{n} threads, {groups} groups");
        }
    }
}

#[test]
fn kernels_whose_threads_part_run_in_lanes() {
    for kernel in [sorts(), descents()] {
        let layouts = kernel.function.arrays.iter().map(|array| layout(&array.leaves)).collect();
        let why_not = cpu(1).no_lanes(&Program { kernel, slots: vec![], layouts }).unwrap();
        assert_eq!(why_not, None);
    }
}
