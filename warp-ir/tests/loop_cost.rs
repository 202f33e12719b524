//! How often turns of a loop run to reach the states from which its gradient is computed.
//!
//! The turns that the emitted code makes are counted in the evaluator up to 10,000 turns, and are exactly those of a
//! model; the model goes on to a million. The numbers of `docs/loop-cost.md` are the model's, and so are those of the
//! analysis that the scheme was chosen by, to a tenth.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::differentiate::{Options, differentiate};
use warp_ir::evaluate::{Array, Inputs, Layout, run, way_back};
use warp_ir::ir::*;
use warp_ir::passes::simplify;
use warp_ir::validate::Valid;

/// The binomial rule: how far from a stored turn the next one is stored, with `turns` to go and `free` slots.
fn spacing(turns: u64, free: u64) -> u64 {
    let room = free + 1;
    if free == 0 {
        return turns;
    }
    if turns <= room {
        return 1;
    }
    let (mut r, mut ways) = (0, 1);
    while ways < turns {
        r += 1;
        ways = ways * (room + r) / r;
    }
    (turns * r / (room + r)).max(1)
}

/// Turns that run to reach the state of each of `turns`, with so many slots.
fn model(turns: u64, slots: u64) -> u64 {
    let full = (slots * 3 / 4) as usize & !1;
    let (mut stored, mut stride) = (vec![], 1u64);
    for turn in 0..turns {
        if turn % stride == 0 && stored.len() == full {
            stored = stored.into_iter().step_by(2).collect();
            stride *= 2;
        }
        if turn % stride == 0 {
            stored.push(turn);
        }
    }
    let mut run = turns;
    for left in (1..=turns).rev() {
        let turn = left - 1;
        let mut at = *stored.last().expect("turn 0 is stored");
        let next_after = |at: u64, filled: usize| at + spacing(left - at, slots - filled as u64);
        let mut next = next_after(at, stored.len());
        while at < turn {
            run += 1;
            at += 1;
            if at == next && at < turn {
                stored.push(at);
                next = next_after(at, stored.len());
            }
        }
        if stored.last() == Some(&turn) {
            stored.pop();
        }
    }
    run
}

/// `x = sin x` over and over; the derivative reads `x`, and has a cosine.
fn sines() -> Valid<Kernel> {
    let mut b = Builder::new("sines");
    let n = b.param("n", Scalar::U64);
    let x = b.slice("x", Scalar::F64, Access::Write);
    let source = b.source(Source::default());
    let i = b.tid(0);
    b.check_index(Mem::Array(x), 0, i, source);
    let start = b.load(Mem::Array(x), i, 0);
    let last = b.counted(n, &[start], |b, _, carried| vec![b.pure(Builtin::Sin, &[carried[0]])]);
    b.store(Mem::Array(x), i, 0, last[0]);
    let mut kernel = b.finish_kernel(1);
    simplify(&mut kernel);
    Valid::<Kernel>::new(kernel).unwrap()
}

/// The kernel, with a further array whose element counts the sines.
fn counting(kernel: &Kernel) -> Valid<Kernel> {
    let mut counting = kernel.clone();
    let function = &mut counting.function;
    let like = function.arrays[0].clone();
    function.arrays.push(ArrayParam { name: "turns".into(), leaves: vec![Scalar::U64], access: Access::Write, ..like });
    let turns = Mem::Array(ArrayId(function.arrays.len() as u32 - 1));
    let mut body = std::mem::take(&mut function.body);
    count_in(function, &mut body, turns);
    function.body = body;
    Valid::<Kernel>::new(counting).unwrap()
}

fn count_in(function: &mut Function, region: &mut Region, turns: Mem) {
    for mut op in std::mem::take(&mut region.ops) {
        op.regions_mut().into_iter().for_each(|inner| count_in(function, inner, turns));
        let counts = matches!(op, Op::Pure { builtin: Builtin::Sin, .. });
        region.ops.push(op);
        if counts {
            let [zero, one, before, after] = [(); 4].map(|()| function.value(Scalar::U64));
            region.ops.extend([
                Op::Const { bits: 0, result: zero },
                Op::Const { bits: 1, result: one },
                Op::Load { mem: turns, index: zero, leaf: 0, result: before },
                Op::Pure { builtin: Builtin::Add, args: vec![before, one], result: after },
                Op::Store { mem: turns, index: zero, leaf: 0, value: after },
            ]);
        }
    }
}

fn words(word: u64) -> Array {
    let layout = Layout { size: 8, offsets: vec![0] };
    Array { buffers: vec![word.to_le_bytes().into()], start: 0, extents: vec![1], strides: vec![], layout }
}

/// The sines of the adjoint: turns of the first sweep, and those that run again.
fn counted(turns: u64, slots: u32) -> u64 {
    let kernel = sines();
    let adjoint = differentiate(&kernel, &Options { slots: Some(slots), ..Options::of(&kernel) }).unwrap();
    let (x, seed) = (words(0.7f64.to_bits()), words(1f64.to_bits()));
    let mut inputs = Inputs { dims: vec![1], scalars: vec![turns], slots: vec![], arrays: vec![x] };
    let (_, mut back, _) = way_back(&kernel, &adjoint, &mut inputs, &[Some(seed)], u64::MAX).unwrap();
    back.arrays.push(words(0));
    run(&counting(&adjoint.kernel), &mut back, u64::MAX).unwrap();
    let word = |array: &Array| u64::from_le_bytes(array.buffers[0][..].try_into().unwrap());
    // The derivative of sines in a row is the product of cosines.
    let (mut at, mut slope) = (0.7f64, 1.0);
    for _ in 0..turns {
        slope *= at.cos();
        at = at.sin();
    }
    let found = f64::from_bits(word(&back.arrays[1]));
    assert!((found - slope).abs() <= 1e-9 * slope.abs(), "{turns} turns, {slots} slots: {found}, expected {slope}");
    word(&back.arrays[2])
}

#[test]
fn the_emitted_code_makes_the_turns_of_the_model() {
    for slots in [8, 16, 32] {
        for turns in [1, 2, 7, 10, 100, 777, 1000] {
            assert_eq!(counted(turns, slots), model(turns, u64::from(slots)), "{turns} turns, {slots} slots");
        }
    }
    assert_eq!(counted(0, 8), 0);
    assert_eq!(counted(10_000, 8), model(10_000, 8));
    assert_eq!(counted(10_000, 32), model(10_000, 32));
}

/// Turns for each turn, of the analysis: of the scheme, and of the best schedule that knows the number of turns.
const ANALYSIS: [(u64, [f64; 3], [f64; 3]); 5] = [
    (10, [1.5, 1.0, 1.0], [1.0, 0.9, 0.9]),
    (100, [2.7, 2.0, 1.9], [2.5, 1.8, 1.7]),
    (1000, [4.6, 3.1, 2.6], [4.3, 2.9, 2.4]),
    (10_000, [7.7, 4.6, 3.4], [6.9, 4.4, 3.3]),
    (1_000_000, [17.4, 8.4, 5.6], [15.0, 7.9, 5.5]),
];

#[test]
fn turns_are_as_few_as_planned() {
    for (turns, planned, best) in ANALYSIS {
        for (k, slots) in [8, 16, 32].into_iter().enumerate() {
            let found = model(turns, slots) as f64 / turns as f64;
            let planned = planned[k];
            assert!(
                (found - planned).abs() <= 0.1 * planned,
                "{turns} turns, {slots} slots: {found}, planned {planned}"
            );
            if turns >= 1000 && slots >= 16 {
                assert!(found <= 1.1 * best[k], "{turns} turns, {slots} slots: {found}, at best {}", best[k]);
            }
        }
    }
}

#[test]
fn the_page_says_what_loops_cost() {
    let page = include_str!("../../docs/loop-cost.md");
    let rows = page.lines().filter(|line| line.starts_with("| 1"));
    let mut count = 0;
    for row in rows {
        let cells: Vec<f64> = row.split('|').filter_map(|cell| cell.trim().replace(',', "").parse().ok()).collect();
        let turns = cells[0] as u64;
        for (slots, said) in [8, 16, 32, 64].into_iter().zip(&cells[1..]) {
            let found = model(turns, slots) as f64 / turns as f64;
            assert!((found - said).abs() < 0.006, "{turns} turns, {slots} slots: {found}, the page says {said}");
            count += 1;
        }
    }
    assert_eq!(count, 24);
}
