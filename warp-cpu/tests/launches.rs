//! Launches as the CPU takes them: very large ones, those inside others, printers that panic, words of refusals.

use std::panic::{AssertUnwindSafe, catch_unwind};

use warp_conformance::Rig;
use warp_conformance::rig::{Compiled, Lines, layout, source};
use warp_core::backend::{Call, How, LaunchStop, Printer, Program};
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, Kernel, Mem, PrintPiece, PrintSite, Scalar};

fn rig(threads: usize) -> Rig {
    Rig::new(Cpu::with_threads(threads).verifying())
}

#[test]
fn more_threads_than_fit_31_bits() {
    let mut b = Builder::new("far");
    let out = b.slice("out", Scalar::U64, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "out[i - start]"));
    let start = b.u64(1 << 31);
    let far = b.le(start, i);
    b.if_then(far, |b| {
        let index = b.sub(i, start);
        b.check_index(Mem::Array(out), 0, index, at);
        b.store(Mem::Array(out), index, 0, i);
    });
    let rig = rig(2);
    let compiled = rig.compile(b.finish_kernel(1));
    let out = rig.buffer(&[0u64; 5]);
    compiled.launch(&[(1 << 31) + 5], &out.words()).unwrap();
    assert!((0u64..).zip(out.read()).all(|(k, found)| found == (1 << 31) + k));
}

/// `out[i] = i`, on a launch of two dimensions.
fn numbers() -> Kernel {
    let mut b = Builder::new("numbers");
    let out = b.slice("out", Scalar::U64, Access::Write);
    let (i, at) = (b.tid(1), source(&mut b, "out[i]"));
    b.check_index(Mem::Array(out), 0, i, at);
    b.store(Mem::Array(out), i, 0, i);
    b.finish_kernel(2)
}

#[test]
fn launches_too_large_to_count_are_refused() {
    let rig = rig(1);
    let compiled = rig.compile(numbers());
    let out = rig.buffer(&[0u64; 1]);
    let stop = compiled.launch(&[1 << 32, 1 << 32], &out.words()).unwrap_err();
    assert!(matches!(&stop, LaunchStop::Backend(error) if error.0.contains("2^63")), "{stop:?}");
    let stop = compiled.launch(&[1, 1], &out.words()[1..]).unwrap_err();
    assert!(matches!(&stop, LaunchStop::Backend(error) if error.0.contains("argument words")), "{stop:?}");
}

#[test]
fn refusals_of_programs_are_sentences() {
    let rig = rig(1);
    let refused = |program: &Program| rig.try_compile(program).map(|_| ()).unwrap_err();
    let error = refused(&Program { kernel: numbers(), slots: vec![], layouts: vec![] });
    assert!(error.0.contains("1 array parameters, 0 layouts"), "{error}");
    let mut kernel = numbers();
    kernel.function.body.ops.remove(0);
    let error = refused(&Program { kernel, slots: vec![], layouts: vec![layout(&[Scalar::U64])] });
    assert!(error.0.contains("numbers"), "{error}");
}

/// Each thread prints its number.
fn printing() -> Kernel {
    let mut b = Builder::new("printing");
    let pieces = vec![PrintPiece::Arg { scalar: Scalar::U64, spec: String::new() }];
    let site = b.print_site(PrintSite { pieces, newline: true });
    let i = b.tid(0);
    b.print(site, &[i]);
    b.finish_kernel(1)
}

fn launch_printing(compiled: &Compiled, n: u64, printer: &dyn Printer) {
    compiled.call(&Call { words: &[], dims: &[n], how: How::default(), printer, queued: None }).unwrap();
}

/// Launches another kernel from each hundredth line that it gets.
struct Nested<'a> {
    rig: &'a Rig,
    lines: Lines,
}

impl Printer for Nested<'_> {
    fn print(&self, thread: u64, site: &PrintSite, args: &[u64]) {
        if thread.is_multiple_of(100) {
            let out = self.rig.buffer(&[9u64; 3000]);
            self.rig.compile(numbers()).launch(&[1, 3000], &out.words()).unwrap();
            assert!((0u64..).zip(out.read()).all(|(i, x)| x == i));
        }
        self.lines.print(thread, site, args);
    }
}

#[test]
fn launches_inside_launches() {
    let rig = rig(3);
    let compiled = rig.compile(printing());
    let nested = Nested { rig: &rig, lines: Lines::default() };
    launch_printing(&compiled, 2000, &nested);
    assert_eq!(nested.lines.0.into_inner().unwrap().len(), 2000);
}

struct Panicking;

impl Printer for Panicking {
    fn print(&self, thread: u64, _site: &PrintSite, _args: &[u64]) {
        assert_ne!(thread, 77, "the printer does not like 77");
    }
}

#[test]
fn a_panic_of_the_printer_reaches_the_caller() {
    let compiled = rig(4).compile(printing());
    let panic = catch_unwind(AssertUnwindSafe(|| launch_printing(&compiled, 1000, &Panicking))).unwrap_err();
    let message = panic.downcast_ref::<String>().map_or("", |message| message);
    assert!(message.contains("does not like 77"), "{message}");
    // The backend is in order afterwards.
    let lines = Lines::default();
    launch_printing(&compiled, 1000, &lines);
    assert_eq!(lines.0.into_inner().unwrap().len(), 1000);
}
