//! The twins find a CUDA backend that goes wrong, and let pass what is left open.

use std::panic::{AssertUnwindSafe, catch_unwind};

use warp_conformance::Rig;
use warp_conformance::rig::source;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Access, AtomicKind, Kernel, Mem, PrintPiece, PrintSite, Scalar};
use warp_ir::planted::{self, Bug};
use warp_test_devices::Twins;

/// What a panic of `body` says; nothing where there is none.
fn said(body: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(body)).err()?;
    panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).into()))
}

/// `out[3 i + j] = i` over two dimensions, with a line of each thread where it prints.
fn rows(prints: bool) -> Kernel {
    let mut b = Builder::new("rows");
    let out = b.slice("out", Scalar::U32, Access::Write);
    let (i, j, three, at) = (b.tid(0), b.tid(1), b.u64(3), source(&mut b, "out[3 * i + j]"));
    let row = b.mul(i, three);
    let index = b.add(row, j);
    b.check_index(Mem::Array(out), 0, index, at);
    if prints {
        let pieces = vec![PrintPiece::Arg { scalar: Scalar::U64, spec: String::new() }];
        let site = b.print_site(PrintSite { pieces, newline: true });
        b.print(site, &[i]);
    } else {
        let value = b.cast(Scalar::U32, i);
        b.store(Mem::Array(out), index, 0, value);
    }
    b.finish_kernel(2)
}

/// Launches over 4 by 3 threads on an array of so many elements.
fn launch(kernel: Kernel, elements: usize) {
    let rig = Rig::new(Twins::new());
    let out = rig.buffer(&vec![9u32; elements]);
    let compiled = rig.compile(kernel);
    let _fault_or_not = compiled.launch(&[4, 3], &out.words());
}

#[test]
fn a_bug_in_code_for_gpus_is_found() {
    for (prints, elements, what) in [
        (false, 12, "of `out`, byte 0 of it: 0x"),
        (true, 12, "printed on the CPU: (1, "),
        // Beyond the array: which thread is the first, differs.
        (false, 7, "the CPU ended with Err(Fault { thread: 7"),
    ] {
        assert_eq!(said(|| launch(rows(prints), elements)), None);
        planted::set(Some(Bug::PtxSwapsCoordinates));
        let found = said(|| launch(rows(prints), elements));
        planted::set(None);
        let found = found.unwrap_or_else(|| panic!("{what}: not found"));
        assert!(found.starts_with("kernel `rows` over [4, 3]: ") && found.contains(what), "{found}");
    }
}

/// Which bits a NaN has is left open; the two devices go on with the same.
#[test]
fn a_nan_is_a_nan() {
    let mut b = Builder::new("nans");
    let out = b.slice("out", Scalar::F32, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "out[i]"));
    b.check_index(Mem::Array(out), 0, i, at);
    let x = b.load(Mem::Array(out), i, 0);
    let rest = b.pure(Builtin::Sub, &[x, x]);
    b.store(Mem::Array(out), i, 0, rest);
    let rig = Rig::new(Twins::new());
    let out = rig.buffer(&[f32::INFINITY, 1.0, f32::NAN]);
    let compiled = rig.compile(b.finish_kernel(1));
    compiled.launch(&[3], &out.words()).unwrap_or_else(|stop| panic!("{stop:?}"));
    let found = out.read();
    assert!(found[0].is_nan() && found[1] == 0.0 && found[2].is_nan(), "{found:?}");
}

/// Sums of floats whose value depends on the order in which threads come.
#[test]
fn threads_with_atomics_keep_their_order() {
    let mut b = Builder::new("sum");
    let (values, out) = (b.slice("values", Scalar::F32, Access::Read), b.slice("out", Scalar::F32, Access::Write));
    let (i, zero, at) = (b.tid(0), b.u64(0), source(&mut b, "out[0] += values[i]"));
    b.check_index(Mem::Array(values), 0, i, at);
    b.check_index(Mem::Array(out), 0, zero, at);
    let x = b.load(Mem::Array(values), i, 0);
    b.atomic(AtomicKind::Add, Mem::Array(out), zero, 0, x);
    let rig = Rig::new(Twins::new());
    let numbers: Vec<f32> = (0..500).map(|k| 1.0 / (1.0 + k as f32) * if k % 3 == 0 { -1e4 } else { 1.0 }).collect();
    let (values, out) = (rig.buffer(&numbers), rig.buffer(&[0f32]));
    let compiled = rig.compile(b.finish_kernel(1));
    for _ in 0..3 {
        compiled.launch(&[500], &[values.words(), out.words()].concat()).unwrap_or_else(|stop| panic!("{stop:?}"));
    }
    let in_order = (0..3).flat_map(|_| &numbers).fold(0f32, |sum, x| sum + x);
    assert_eq!(out.read(), [in_order]);
}
