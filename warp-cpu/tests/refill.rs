//! Lanes that take up other threads where theirs has left the kernel's loop: every thread does what it would do alone.

use warp_conformance::Rig;
use warp_conformance::rig::{layout, noise, source};
use warp_core::backend::{LaunchStop, Program};
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::*;
use warp_ir::planted::{self, Bug};

fn cpu(groups: usize) -> Cpu {
    Cpu::with_threads(1).verifying().refilling().side_by_side(groups)
}

/// Turns up to the thread's own limit, which a break may end before; a thread whose number is 7 in a turn fails. What is
/// carried and what is read from outside has all widths, and rises from thread to thread or does not.
fn rounds() -> Kernel {
    let mut b = Builder::new("rounds");
    let input = b.elements("input", &[Scalar::U32, Scalar::F64], Access::Read);
    let out = b.elements("out", &[Scalar::U32, Scalar::U32, Scalar::U64, Scalar::F64], Access::Write);
    let step = b.param("step", Scalar::U32);
    let (i, at) = (b.tid(0), source(&mut b, "input[i]"));
    b.check_index(Mem::Array(input), 0, i, at);
    let start = b.load(Mem::Array(input), i, 0);
    let weight = b.load(Mem::Array(input), i, 1);
    let mask = b.const_(Scalar::U32, 63);
    let limit = b.pure(Builtin::And, &[start, mask]);
    let odd = {
        let one = b.const_(Scalar::U32, 1);
        let low = b.pure(Builtin::And, &[start, one]);
        b.eq(low, one)
    };
    let (zero, sum, total, no) =
        (b.zero(Scalar::U32), b.zero(Scalar::U64), b.zero(Scalar::F64), b.const_(Scalar::Bool, 0));
    let results = b.loop_(
        &[zero, start, sum, total, no],
        |b, carried| {
            let (within, not) = (b.lt(carried[0], limit), b.not(carried[4]));
            b.and(within, not)
        },
        |b, carried| {
            let (seven, one, fifteen) = (b.const_(Scalar::U32, 7), b.const_(Scalar::U32, 1), b.const_(Scalar::U32, 15));
            let fine = b.pure(Builtin::Ne, &[carried[1], seven]);
            b.check(fine, CheckKind::Assert { message: vec![] }, &[], at);
            let low = b.pure(Builtin::And, &[carried[1], fifteen]);
            let stops = b.eq(low, fifteen);
            let next = b.if_(
                stops,
                |_| carried[..4].to_vec(),
                |b| {
                    let five = b.const_(Scalar::U32, 5);
                    let scaled = b.mul(carried[1], five);
                    let x = b.add(scaled, step);
                    let count = b.add(carried[0], one);
                    let far = b.add(carried[2], i);
                    let heavier = b.add(carried[3], weight);
                    let total = b.pure(Builtin::Select, &[odd, heavier, carried[3]]);
                    vec![count, x, far, total]
                },
            );
            vec![next[0], next[1], next[2], next[3], stops]
        },
    );
    b.check_index(Mem::Array(out), 0, i, at);
    for (leaf, result) in results[..4].iter().enumerate() {
        b.store(Mem::Array(out), i, leaf as u16, *result);
    }
    b.finish_kernel(1)
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct Input {
    start: u32,
    unused: u32,
    weight: f64,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
struct Output {
    count: u32,
    x: u32,
    far: u64,
    total: f64,
}

/// What a thread writes, or `None` if it fails.
fn alone(i: usize, input: &Input, step: u32) -> Option<Output> {
    let mut is = Output { x: input.start, ..Output::default() };
    while is.count < input.start & 63 {
        if is.x == 7 {
            return None;
        }
        if is.x & 15 == 15 {
            break;
        }
        is.x = is.x.wrapping_mul(5).wrapping_add(step);
        is.count += 1;
        is.far += i as u64;
        is.total += if input.start & 1 == 1 { input.weight } else { 0.0 };
    }
    Some(is)
}

/// Whether so many threads, of which some fail, do what each would alone.
fn agrees(groups: usize, n: usize, starts: impl Fn(usize) -> u32) -> bool {
    let rig = Rig::new(cpu(groups));
    let compiled = rig.compile(rounds());
    let inputs: Vec<Input> = (0..n).map(|i| Input { start: starts(i), unused: 0, weight: 0.1 * i as f64 }).collect();
    [1u32, 2, 6].into_iter().all(|step| {
        let (input, out) = (rig.buffer(&inputs), rig.buffer(&vec![Output::default(); n]));
        let words = [&input.words()[..], &out.words()[..], &[u64::from(step)]].concat();
        let outcome = compiled.launch(&[n as u64], &words);
        let expected: Vec<Option<Output>> = inputs.iter().enumerate().map(|(i, input)| alone(i, input, step)).collect();
        let failing = expected.iter().filter(|one| one.is_none()).count() as u64;
        let told = match outcome {
            Ok(()) => failing == 0,
            Err(LaunchStop::Fault { thread, count, .. }) => {
                (Some(thread as usize), count) == (expected.iter().position(Option::is_none), failing)
            }
            Err(stop) => panic!("{stop:?}"),
        };
        let expected: Vec<Output> = expected.into_iter().map(Option::unwrap_or_default).collect();
        told && out.read() == expected
    })
}

#[test]
fn every_thread_takes_its_own_turns() {
    for groups in 1..=4 {
        for n in (1..40).chain([511, 512, 513, 1000, 3001]) {
            let noise = noise(n as u32, n);
            assert!(agrees(groups, n, |i| noise[i] & !15 | 8), "{n} threads, {groups} groups");
            assert!(agrees(groups, n, |i| noise[i]), "{n} threads, {groups} groups, with breaks");
        }
    }
}

#[test]
fn threads_that_fail_stop_alone() {
    for groups in 1..=3 {
        for bad in [0usize, 5, 300, 511, 512, 999] {
            let noise = noise(bad as u32, 1000);
            let starts = |i: usize| if i == bad || i == 700 { 7 } else { noise[i] & !15 | 8 };
            assert!(agrees(groups, 1000, starts), "thread {bad}, {groups} groups");
        }
    }
}

#[test]
fn planted_bugs_are_found() {
    let noise = noise(1, 1000);
    let works = || agrees(2, 1000, |i| noise[i]);
    assert!(works());
    let bugs = [
        Bug::CpuRefillsKeepValues,
        Bug::CpuRefillsSwapPlaces,
        Bug::CpuRefillsSkipThreads,
        Bug::CpuGroupsForgetLeavers,
        Bug::CpuGroupsForgetExits,
    ];
    for bug in bugs {
        planted::set(Some(bug));
        let found = !works();
        planted::set(None);
        assert!(found, "{bug:?}");
    }
}

#[test]
fn the_kernel_has_code_for_groups() {
    let kernel = rounds();
    let layouts = kernel.function.arrays.iter().map(|array| layout(&array.leaves)).collect();
    assert_eq!(cpu(2).no_lanes(&Program { kernel, slots: vec![], layouts }).unwrap(), None);
}
