//! What the tests of this crate share: compiling a kernel from the IR's builder and launching it over host memory.

#![allow(dead_code)]

pub mod evaluated;

use std::sync::{Arc, Mutex};

use warp_core::backend::{Backend, Call, ElementLayout, Executable, LaunchStop, Printer, Program};
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{CheckKind, Kernel, PrintSite, Scalar, Source, SourceId, Value};

/// A backend whose code is verified before it runs.
pub fn cpu(threads: usize) -> Cpu {
    Cpu::with_threads(threads).verifying()
}

/// Compiles a kernel without user constants, its elements laid out as `repr(C)` does.
pub fn compile(cpu: &Cpu, kernel: Kernel) -> Arc<dyn Executable> {
    compile_with(cpu, kernel, Vec::new())
}

/// Compiles a kernel with user constants.
pub fn compile_with(cpu: &Cpu, kernel: Kernel, slots: Vec<u64>) -> Arc<dyn Executable> {
    let layouts = kernel.function.arrays.iter().map(|array| layout(&array.leaves)).collect();
    cpu.compile(&Program { kernel, slots, layouts }).unwrap_or_else(|error| panic!("{error}"))
}

/// The `repr(C)` layout of a struct with these fields.
pub fn layout(leaves: &[Scalar]) -> ElementLayout {
    let align = leaves.iter().map(|leaf| leaf.size()).max().unwrap_or(1);
    let mut end: usize = 0;
    let mut offsets = Vec::new();
    for leaf in leaves {
        let offset = end.next_multiple_of(leaf.size());
        offsets.push(offset);
        end = offset + leaf.size();
    }
    ElementLayout { size: end.next_multiple_of(align), align, offsets }
}

/// Lines that threads printed.
#[derive(Default)]
pub struct Lines(pub Mutex<Vec<(u64, Vec<u64>)>>);

impl Printer for Lines {
    fn print(&self, thread: u64, _site: &PrintSite, args: &[u64]) {
        self.0.lock().unwrap().push((thread, args.to_vec()));
    }
}

/// Launches over as many machine threads as the backend likes.
pub fn launch(executable: &Arc<dyn Executable>, dims: &[u64], words: &[u64]) -> Result<(), LaunchStop> {
    launch_on(executable, dims, words, None)
}

/// Launches over at most so many machine threads.
pub fn launch_on(
    executable: &Arc<dyn Executable>,
    dims: &[u64],
    words: &[u64],
    threads: Option<usize>,
) -> Result<(), LaunchStop> {
    let printer = Lines::default();
    let call = Call { words, dims, threads, printer: &printer };
    // SAFETY: tests pass addresses and lengths of slices that they hold, and no two launches write the same one.
    unsafe { executable.launch(&call) }
}

/// The two words of a slice.
pub fn slice<T>(slice: &mut [T]) -> [u64; 2] {
    [slice.as_mut_ptr().expose_provenance() as u64, slice.len() as u64]
}

/// A source to name in checks.
pub fn source(b: &mut Builder, text: &str) -> SourceId {
    b.source(Source { file: "test.rs".into(), line: 1, column: 1, text: text.into() })
}

/// Random 64-bit words.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The checks that an integer division needs.
pub fn check_division(b: &mut Builder, dividend: Value, divisor: Value, source: SourceId) {
    let scalar = b.scalar(divisor);
    let zero = b.zero(scalar);
    let fine = b.pure(Builtin::Ne, &[divisor, zero]);
    b.check(fine, CheckKind::DivideByZero, &[], source);
    if scalar.is_signed() {
        let (min, minus_one) = (b.const_(scalar, 1 << (scalar.bits() - 1)), b.const_(scalar, scalar.mask()));
        let (not_min, not_minus_one) =
            (b.pure(Builtin::Ne, &[dividend, min]), b.pure(Builtin::Ne, &[divisor, minus_one]));
        let fine = b.pure(Builtin::Or, &[not_min, not_minus_one]);
        b.check(fine, CheckKind::DivideOverflow, &[], source);
    }
}
