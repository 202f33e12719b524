//! How often native code runs the turns of a loop to find its gradient: up to a million of them, with a counter in the
//! adjoint that its plan knows nothing of.

#[path = "../../warp-ir/tests/loop_cost/model.rs"]
mod model;
#[path = "../../warp-ir/tests/loop_cost/sines.rs"]
mod sines;

use model::{ANALYSIS, model};
use sines::{counting, sines, slope};
use warp_core::backend::{Backend, Call, ElementLayout, How, Printer, Program};
use warp_cpu::Cpu;
use warp_ir::differentiate::{Options, differentiate};
use warp_ir::ir::{Kernel, PrintSite};

struct Silent;

impl Printer for Silent {
    fn print(&self, _thread: u64, _site: &PrintSite, _args: &[u64]) {}
}

const START: f64 = 0.7;

/// Runs a kernel of one thread on arrays of one word each, and a scalar.
fn run(cpu: &Cpu, kernel: &Kernel, arrays: &mut [u64], scalar: u64) {
    assert!(kernel.function.arrays.iter().all(|array| array.leaves.len() == 1 && array.leaves[0].size() == 8));
    assert_eq!(kernel.function.arrays.len(), arrays.len());
    let layouts = arrays.iter().map(|_| ElementLayout { size: 8, align: 8, offsets: vec![0] }).collect();
    let executable = cpu.compile(&Program { kernel: kernel.clone(), slots: vec![], layouts }).unwrap();
    let words = arrays.iter_mut().flat_map(|word| [std::ptr::from_mut(word).expose_provenance() as u64, 1]);
    let words: Vec<u64> = words.chain([scalar]).collect();
    // SAFETY: each array is a word of its own, which this function holds for writing until it returns.
    unsafe {
        executable.launch(&Call { words: &words, dims: &[1], how: How::default(), printer: &Silent, queued: None })
    }
    .expect("no thread stops");
}

/// Turns that run to reach the states, the first sweep included; and the gradient.
fn counted(cpu: &Cpu, turns: u64, slots: u32) -> (u64, f64) {
    let kernel = sines();
    let adjoint = differentiate(&kernel, &Options { slots: Some(slots), ..Options::of(&kernel) }).unwrap();
    assert!(adjoint.recording.is_none() && adjoint.arrays[0].contents);
    let mut arrays = [START.to_bits(), 1f64.to_bits(), 0];
    run(cpu, &counting(&adjoint.kernel), &mut arrays, turns);
    (arrays[2], f64::from_bits(arrays[1]))
}

#[test]
fn native_code_makes_the_turns_that_are_planned_and_finds_one_gradient() {
    let cpu = Cpu::with_threads(1);
    for (turns, planned, _) in ANALYSIS {
        let expected = slope(START, turns);
        let mut first = None;
        for (slots, planned) in [8, 16, 32].into_iter().zip(planned) {
            let (made, gradient) = counted(&cpu, turns, slots);
            assert_eq!(made, model(turns, slots.into()), "{turns} turns, {slots} slots");
            let each = made as f64 / turns as f64;
            assert!((each - planned).abs() <= 0.1 * planned, "{turns} turns, {slots} slots: {each}, planned {planned}");
            assert!((gradient - expected).abs() <= 1e-9 * expected, "{turns} turns: {gradient}, expected {expected}");
            assert_eq!(gradient.to_bits(), first.get_or_insert(gradient).to_bits(), "{turns} turns, {slots} slots");
        }
    }
}

#[test]
fn any_number_of_slots_gives_the_same_bits() {
    let cpu = Cpu::with_threads(1);
    for turns in [1, 9, 64, 999] {
        let (_, expected) = counted(&cpu, turns, 8);
        for slots in [2, 3, 4, 12, 16, 31, 32, 64] {
            assert_eq!(counted(&cpu, turns, slots).1.to_bits(), expected.to_bits(), "{turns} turns, {slots} slots");
        }
    }
}
