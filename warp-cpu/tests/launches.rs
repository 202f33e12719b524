//! Launches: coordinates, chunks, machine threads, printing, nesting.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use support::{Lines, compile, cpu, launch, launch_on, slice, source};
use warp_core::backend::{Backend, Call, Executable, LaunchStop, Printer, Program};
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, Kernel, Mem, PrintPiece, PrintSite, Scalar};

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

#[test]
fn every_thread_runs_once_with_its_coordinates() {
    let backend = cpu(3);
    for rank in 1..=4u8 {
        let executable = compile(&backend, coordinates(rank));
        for dims in [[1, 1, 1, 1], [3, 4, 5, 6], [1, 7, 1, 9], [13, 1, 2, 1], [70, 50, 3, 1], [2, 3, 100, 120]] {
            let dims: Vec<u64> = dims[4 - rank as usize..].to_vec();
            let total: u64 = dims.iter().product();
            // Several launches, so that the first estimate of costs does not decide how all of them are cut.
            for threads in [Some(1), Some(2), None] {
                let mut out = vec![0u64; total as usize];
                let words = [&slice(&mut out)[..], &dims].concat();
                launch_on(&executable, &dims, &words, threads).unwrap();
                for (number, found) in (0u64..).zip(out) {
                    let mut rest = number;
                    let mut packed = 0;
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
    let executable = compile(&cpu(2), b.finish_kernel(1));
    let mut out = vec![0u64; 5];
    launch(&executable, &[(1 << 31) + 5], &slice(&mut out)).unwrap();
    assert!((0u64..).zip(&out).all(|(k, found)| *found == (1 << 31) + k));
}

#[test]
fn launches_too_large_to_count_are_refused() {
    let executable = compile(&cpu(1), coordinates(2));
    let mut out = vec![0u64; 1];
    let words = [&slice(&mut out)[..], &[1, 1]].concat();
    let stop = launch(&executable, &[1 << 32, 1 << 32], &words).unwrap_err();
    assert!(matches!(&stop, LaunchStop::Backend(error) if error.0.contains("2^63")), "{stop:?}");
    let stop = launch(&executable, &[1, 1], &words[1..]).unwrap_err();
    assert!(matches!(&stop, LaunchStop::Backend(error) if error.0.contains("argument words")), "{stop:?}");
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

fn series_on_the_host(i: u64) -> f32 {
    (0..40).fold(0.0, |sum, k| sum + (1.0 / (i as f32).mul_add(k as f32, 1.0)).sqrt())
}

#[test]
fn bits_do_not_depend_on_machine_threads() {
    let n = 5003u64;
    let expected: Vec<u32> = (0..n).map(|i| series_on_the_host(i).to_bits()).collect();
    for threads in [1, 2, 3, 8] {
        let executable = compile(&cpu(threads), series());
        for _ in 0..6 {
            let mut out = vec![0f32; n as usize];
            launch(&executable, &[n], &slice(&mut out)).unwrap();
            assert!(out.iter().map(|x| x.to_bits()).eq(expected.iter().copied()), "{threads} threads");
        }
    }
}

#[test]
fn many_host_threads_at_a_cold_start() {
    let backend = Arc::new(cpu(2));
    let executable = compile(&backend, series());
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            let executable = &executable;
            scope.spawn(move || {
                for round in 0..20 {
                    let n = 200 * (thread + 1) + round;
                    let mut out = vec![0f32; n as usize];
                    launch(executable, &[n], &slice(&mut out)).unwrap();
                    assert!((0..n).zip(&out).all(|(i, x)| x.to_bits() == series_on_the_host(i).to_bits()));
                }
            });
        }
    });
}

/// Prints its number and twice that.
fn printing() -> Kernel {
    let mut b = Builder::new("printing");
    let arg = || PrintPiece::Arg { scalar: Scalar::U64, spec: String::new() };
    let pieces = vec![PrintPiece::Text("thread ".into()), arg(), PrintPiece::Text(": ".into()), arg()];
    let site = b.print_site(PrintSite { pieces, newline: true });
    let i = b.tid(0);
    let twice = b.add(i, i);
    b.print(site, &[i, twice]);
    b.finish_kernel(1)
}

fn launch_printing(executable: &Arc<dyn Executable>, n: u64, printer: &dyn Printer) {
    // SAFETY: the kernel has no arguments.
    unsafe { executable.launch(&Call { words: &[], dims: &[n], threads: None, printer }) }.unwrap();
}

#[test]
fn printed_lines_arrive_once_each() {
    let executable = compile(&cpu(4), printing());
    let lines = Lines::default();
    launch_printing(&executable, 1000, &lines);
    let mut lines = lines.0.into_inner().unwrap();
    lines.sort();
    assert_eq!(lines.len(), 1000);
    assert!((0..).zip(lines).all(|(i, line)| line == (i, vec![i, 2 * i])));
}

/// Launches another kernel from each line that it gets.
struct Nested<'a> {
    cpu: &'a Cpu,
    lines: Lines,
}

impl Printer for Nested<'_> {
    fn print(&self, thread: u64, site: &PrintSite, args: &[u64]) {
        if thread.is_multiple_of(100) {
            let local = compile(self.cpu, series());
            let mut out = vec![0f32; 3000];
            launch(&local, &[3000], &slice(&mut out)).unwrap();
            assert!((0..3000).zip(&out).all(|(i, x)| x.to_bits() == series_on_the_host(i).to_bits()));
        }
        self.lines.print(thread, site, args);
    }
}

#[test]
fn launches_inside_launches() {
    let backend = cpu(3);
    let executable = compile(&backend, printing());
    let nested = Nested { cpu: &backend, lines: Lines::default() };
    launch_printing(&executable, 2000, &nested);
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
    let executable = compile(&cpu(4), printing());
    let panic = catch_unwind(AssertUnwindSafe(|| launch_printing(&executable, 1000, &Panicking))).unwrap_err();
    let message = panic.downcast_ref::<String>().map_or("", |message| message);
    assert!(message.contains("does not like 77"), "{message}");
    // The backend is in order afterwards.
    let lines = Lines::default();
    launch_printing(&executable, 1000, &lines);
    assert_eq!(lines.0.into_inner().unwrap().len(), 1000);
}

#[test]
fn programs_that_do_not_fit_are_refused() {
    let backend = cpu(1);
    let program = Program { kernel: series(), slots: vec![], layouts: vec![] };
    let error = backend.compile(&program).err().unwrap();
    assert!(error.0.contains("1 array parameters, 0 layouts"), "{error}");
    let mut kernel = series();
    kernel.function.body.ops.remove(0);
    let layouts = vec![support::layout(&[Scalar::F32])];
    let error = backend.compile(&Program { kernel, slots: vec![], layouts }).err().unwrap();
    assert!(error.0.contains("series"), "{error}");
}

#[test]
fn memory_is_zeroed_and_aligned() {
    let backend = cpu(1);
    for bytes in [0usize, 1, 63, 64, 4097, 1 << 20] {
        let address = backend.allocate(bytes).unwrap();
        assert_eq!(address % 64, 0);
        let mut found = vec![1u8; bytes];
        // SAFETY: the address is valid for so many bytes.
        unsafe { backend.download(address, &mut found).unwrap() };
        assert!(found.iter().all(|byte| *byte == 0));
        let pattern: Vec<u8> = (0..bytes).map(|k| k as u8).collect();
        let other = backend.allocate(bytes).unwrap();
        // SAFETY: both addresses are valid for so many bytes, and are freed once.
        unsafe {
            backend.upload(address, &pattern).unwrap();
            backend.copy(address, other, bytes).unwrap();
            backend.download(other, &mut found).unwrap();
            backend.free(address, bytes);
            backend.free(other, bytes);
        }
        assert_eq!(found, pattern);
    }
    assert!(backend.allocate(usize::MAX).unwrap_err().0.contains("no 18446744073709551615 bytes"));
}
