//! Lanes that take up other threads, with all that may stand around and in a loop: checks behind it, launches of several
//! dimensions, carried values of all types, and sums. Every thread does what it would do alone.

use bytemuck::{Pod, Zeroable};
use warp_conformance::Rig;
use warp_conformance::recorded;
use warp_conformance::rig::{layout, number, source};
use warp_core::backend::{How, LaunchStop, Program};
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::*;
use warp_ir::planted::{self, Bug};

/// Backends with so many machine threads and groups side by side.
fn backends() -> impl Iterator<Item = Cpu> {
    let cpu = |threads, groups| Cpu::with_threads(threads).verifying().eager().refilling().side_by_side(groups);
    [(1, 1), (1, 2), (1, 3), (3, 2)].into_iter().map(move |(threads, groups)| cpu(threads, groups))
}

/// What threads carry from turn to turn.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
struct State {
    count: i64,
    bits: u32,
    half: u16,
    byte: u8,
    truth: u8,
}

const LEAVES: [Scalar; 5] = [Scalar::I64, Scalar::U32, Scalar::U16, Scalar::U8, Scalar::Bool];

/// Numbers without a pattern; the number of turns is in their lowest bits.
fn noise(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| (i + 1).wrapping_mul(0x9e37_79b9).rotate_left(11).wrapping_mul(0x85eb_ca6b)).collect()
}

/// Where a thread starts, and how many turns it takes.
fn begin(noise: u32) -> (State, i64) {
    let state = State { count: 0, bits: noise, half: 1, byte: noise as u8, truth: (noise >> 9 & 1) as u8 };
    (state, i64::from(noise & 63))
}

/// What a thread ends with.
fn alone(noise: u32) -> State {
    let (mut is, turns) = begin(noise);
    while is.count < turns {
        let odd = is.byte & 1 == 1;
        is = State {
            count: is.count + 1,
            bits: is.bits.wrapping_mul(5).wrapping_add(1),
            half: is.half.wrapping_mul(3),
            byte: is.byte.wrapping_add(77).rotate_left(1),
            truth: is.truth ^ u8::from(odd),
        };
    }
    is
}

/// What stands behind the loop.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Behind {
    /// Nothing but the writes.
    Writes,
    /// A check that the byte in the end is not 7; nothing is written where it is.
    Check,
    /// `sum[0] += bits as f32`, and the writes.
    Sum,
}

/// `out[n]` is what `alone` gives for `input[n]`.
fn kernel(dims: &[u64], behind: Behind) -> Kernel {
    let mut b = Builder::new("turns");
    let input = b.slice("input", Scalar::U32, Access::Read);
    let out = b.elements("out", &LEAVES, Access::Write);
    let sum = (behind == Behind::Sum).then(|| b.slice("sum", Scalar::F32, Access::Write));
    let (n, at) = (number(&mut b, dims), source(&mut b, "input[n]"));
    b.check_index(Mem::Array(input), 0, n, at);
    let noise = b.load(Mem::Array(input), n, 0);
    let sixty_three = b.const_(Scalar::U32, 63);
    let turns = b.pure(Builtin::And, &[noise, sixty_three]);
    let turns = b.cast(Scalar::I64, turns);
    let (bit, none) = (b.const_(Scalar::U32, 1 << 9), b.zero(Scalar::U32));
    let low = b.pure(Builtin::And, &[noise, bit]);
    let truth = b.pure(Builtin::Ne, &[low, none]);
    let (count, half, byte) = (b.zero(Scalar::I64), b.const_(Scalar::U16, 1), b.cast(Scalar::U8, noise));
    let results = b.loop_(
        &[count, noise, half, byte, truth],
        |b, carried| b.lt(carried[0], turns),
        |b, carried| {
            let (one, five, step) = (b.int(Scalar::I64, 1), b.const_(Scalar::U32, 5), b.const_(Scalar::U32, 1));
            let count = b.add(carried[0], one);
            let bits = b.mul(carried[1], five);
            let bits = b.add(bits, step);
            let three = b.const_(Scalar::U16, 3);
            let half = b.mul(carried[2], three);
            let (add, low) = (b.const_(Scalar::U8, 77), b.const_(Scalar::U8, 1));
            let more = b.add(carried[3], add);
            let seven = b.const_(Scalar::U8, 7);
            let one = b.const_(Scalar::U8, 1);
            let (up, down) = (b.pure(Builtin::Shl, &[more, one]), b.pure(Builtin::Shr, &[more, seven]));
            let byte = b.pure(Builtin::Or, &[up, down]);
            let odd = b.pure(Builtin::And, &[carried[3], low]);
            let odd = b.eq(odd, low);
            let truth = b.pure(Builtin::Ne, &[carried[4], odd]);
            vec![count, bits, half, byte, truth]
        },
    );
    if behind == Behind::Check {
        let seven = b.const_(Scalar::U8, 7);
        let fine = b.pure(Builtin::Ne, &[results[3], seven]);
        b.check(fine, CheckKind::Assert { message: vec![] }, &[], at);
    }
    b.check_index(Mem::Array(out), 0, n, at);
    for (leaf, result) in results.iter().enumerate() {
        b.store(Mem::Array(out), n, leaf as u16, *result);
    }
    if let Some(sum) = sum {
        let zero = b.u64(0);
        b.check_index(Mem::Array(sum), 0, zero, at);
        let float = b.cast(Scalar::F32, results[1]);
        b.atomic(AtomicKind::Add, Mem::Array(sum), zero, 0, float);
    }
    b.finish_kernel(dims.len() as u8)
}

fn program(kernel: Kernel) -> Program {
    let layouts = kernel.function.arrays.iter().map(|array| layout(&array.leaves)).collect();
    Program { kernel, slots: vec![], layouts }
}

#[test]
fn all_of_these_kernels_have_such_code() {
    for behind in [Behind::Writes, Behind::Check, Behind::Sum] {
        for dims in [&[9][..], &[3, 9], &[2, 3, 9], &[2, 2, 3, 9]] {
            let cpu = Cpu::with_threads(1).verifying().side_by_side(2);
            assert_eq!(cpu.no_refills(&program(kernel(dims, behind))).unwrap(), None, "{dims:?}, {behind:?}");
        }
    }
}

/// Whether a launch does what each thread would alone.
fn agrees(cpu: Cpu, dims: &[u64], behind: Behind) -> bool {
    let input = noise(dims.iter().product::<u64>() as usize);
    let ends: Vec<State> = input.iter().map(|noise| alone(*noise)).collect();
    let fails = |state: &State| behind == Behind::Check && state.byte == 7;
    let expected: Vec<State> = ends.iter().map(|end| if fails(end) { State::default() } else { *end }).collect();
    let rig = Rig::new(cpu);
    let compiled = rig.compile(kernel(dims, behind));
    let (input, out) = (rig.buffer(&input), rig.buffer(&vec![State::default(); input.len()]));
    let told = match compiled.launch(dims, &[input.words(), out.words()].concat()) {
        Ok(()) => None,
        Err(LaunchStop::Fault { thread, count, .. }) => Some((thread as usize, count as usize)),
        Err(stop) => panic!("{stop:?}"),
    };
    let failing = ends.iter().position(fails).map(|first| (first, ends.iter().filter(|end| fails(end)).count()));
    told == failing && out.read() == expected
}

/// Launches of which, with a check behind the loop, some threads fail.
const LONG: [&[u64]; 3] = [&[3000], &[5, 600], &[4, 5, 150]];

#[test]
fn rows_of_all_lengths_carry_all_types() {
    let launches: [&[u64]; 8] =
        [&[1], &[999], &[1, 1600], &[5, 3], &[7, 513], &[3, 5, 130], &[40, 2, 17], &[2, 3, 2, 519]];
    for dims in launches.into_iter().chain(LONG) {
        backends().for_each(|cpu| assert!(agrees(cpu, dims, Behind::Writes), "{dims:?}"));
    }
}

#[test]
fn threads_that_fail_behind_the_loop_fail_alone() {
    let failing = noise(3000).into_iter().filter(|noise| alone(*noise).byte == 7).count();
    assert!(failing > 3, "{failing} fail");
    for dims in LONG {
        backends().for_each(|cpu| assert!(agrees(cpu, dims, Behind::Check), "{dims:?}"));
    }
}

#[test]
fn planted_bugs_are_found() {
    // On the machine thread of the test, where the mistake is planted.
    let works = |dims, behind| agrees(Cpu::with_threads(1).refilling().side_by_side(2), dims, behind);
    let bugs = [
        (Bug::CpuRefillsKeepValues, Behind::Writes),
        (Bug::CpuRefillsSwapPlaces, Behind::Writes),
        (Bug::CpuRefillsSkipThreads, Behind::Writes),
        (Bug::CpuIgnoresFault, Behind::Check),
        (Bug::CpuReportsLastFault, Behind::Check),
    ];
    for (bug, behind) in bugs {
        for dims in LONG {
            planted::set(Some(bug));
            let found = !works(dims, behind);
            planted::set(None);
            assert!(found, "{bug:?}, {dims:?}");
        }
    }
}

/// Stretches of deterministic launches.
const STRETCHES: usize = 8;

#[test]
fn deterministic_sums_behind_the_loop_come_in_the_order_of_threads() {
    let n = 5003;
    let input = noise(n);
    let floats: Vec<f32> = input.iter().map(|noise| alone(*noise).bits as f32).collect();
    let length = n.div_ceil(STRETCHES).next_multiple_of(64);
    let expected =
        floats.chunks(length).map(|stretch| stretch.iter().fold(-0.0, |sum, x| sum + x)).reduce(|a, b| a + b);
    for cpu in backends() {
        let rig = Rig::new(cpu);
        let compiled = rig.compile(kernel(&[n as u64], Behind::Sum));
        let (input, out) = (rig.buffer(&input), rig.buffer(&vec![State::default(); n]));
        let sum = rig.buffer(&[-0.0f32]);
        let words = [input.words(), out.words(), sum.words()].concat();
        compiled.launch_so(&[n as u64], &words, How { deterministic: true, ..How::default() }).unwrap();
        assert_eq!(sum.read().first().copied(), expected);
    }
}

/// How many programs of the conformance suite have code for lanes that take up other threads.
const REFILLED: usize = 9;

#[test]
fn programs_of_the_suite_have_such_code() {
    let programs = recorded::launches(|| Cpu::with_threads(1).scalar());
    let cpu = Cpu::with_threads(1).side_by_side(2);
    let refilled = programs.iter().filter(|one| cpu.no_refills(&one.program).unwrap().is_none()).count();
    assert!(refilled >= REFILLED, "{refilled} of {} programs, there were {REFILLED}", programs.len());
}
