//! How often turns of a loop run to reach the states from which its gradient is computed.
//!
//! The turns that the emitted code makes are counted in the evaluator up to 10,000 turns, and are exactly those of a
//! model; `warp-cpu/tests/loop_cost.rs` counts those of native code up to a million. The numbers of `docs/loop-cost.md` are
//! the model's, and so are those of the analysis that the scheme was chosen by, to a tenth.

mod model;
mod sines;

use model::{ANALYSIS, model};
use sines::{counting, sines, slope};
use warp_ir::differentiate::{Options, differentiate};
use warp_ir::evaluate::{Array, Inputs, Layout, run, way_back};

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
    let slope = slope(0.7, turns);
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
    let page = include_str!("../../../docs/loop-cost.md");
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
