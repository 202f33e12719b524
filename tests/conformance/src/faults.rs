//! Failed checks: which thread is reported, what is left alone, how many are counted.

use warp::backend::LaunchStop;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Access, ArrayId, CheckKind, Kernel, LocalId, Mem, PrintPiece, Scalar};

use crate::rig::{Compiled, Rig, check_division, source};

/// A launch that has to end with a fault: thread, kind, text of the source, operands, count.
type Told = (u64, CheckKind, String, Vec<(Scalar, u64)>, u64);

fn told(compiled: &Compiled, dims: &[u64], words: &[u64]) -> Told {
    match compiled.launch(dims, words) {
        Err(LaunchStop::Fault { thread, kind, source, operands, count }) => {
            (thread, kind, source.text, operands, count)
        }
        other => panic!("the launch should have ended with a fault: {other:?}"),
    }
}

/// `out[i + shift] = i as u32`, without a test of the length.
fn shifted() -> Kernel {
    let mut b = Builder::new("shifted");
    let out = b.slice("out", Scalar::U32, Access::Write);
    let shift = b.param("shift", Scalar::U64);
    let (i, at) = (b.tid(0), source(&mut b, "out[i + shift]"));
    let index = b.add(i, shift);
    b.check_index(Mem::Array(out), 0, index, at);
    let value = b.cast(Scalar::U32, i);
    b.store(Mem::Array(out), index, 0, value);
    b.finish_kernel(1)
}

/// All other threads run.
pub fn the_smallest_thread_is_reported_and_nothing_is_written_outside(rig: &Rig) {
    let (n, shift) = (20_000u64, 123u64);
    let compiled = rig.compile(shifted());
    for _ in 0..4 {
        let out = rig.buffer(&vec![u32::MAX; n as usize]);
        let fault = told(&compiled, &[n], &[&out.words()[..], &[shift]].concat());
        let kind = CheckKind::Index { mem: Mem::Array(ArrayId(0)), dim: 0 };
        let operands = vec![(Scalar::U64, n), (Scalar::U64, n)];
        assert_eq!(fault, (n - shift, kind, "out[i + shift]".into(), operands, shift));
        let found = out.read();
        assert!(found[..shift as usize].iter().all(|x| *x == u32::MAX));
        assert!((0u32..).zip(&found[shift as usize..]).all(|(i, x)| *x == i));
    }
}

/// Each thread divides; those with a zero stop before their store. An earlier store may show or not: it would have been
/// overwritten.
pub fn a_thread_stops_where_its_check_fails(rig: &Rig) {
    let mut b = Builder::new("divide");
    let (a, out) = (b.slice("a", Scalar::I32, Access::Read), b.slice("out", Scalar::I32, Access::Write));
    let (i, at) = (b.tid(0), source(&mut b, "100 / a[i]"));
    b.check_index(Mem::Array(a), 0, i, at);
    b.check_index(Mem::Array(out), 0, i, at);
    let before = b.const_(Scalar::I32, 5);
    b.store(Mem::Array(out), i, 0, before);
    let (hundred, x) = (b.const_(Scalar::I32, 100), b.load(Mem::Array(a), i, 0));
    check_division(&mut b, hundred, x, at);
    let quotient = b.pure(Builtin::Div, &[hundred, x]);
    b.store(Mem::Array(out), i, 0, quotient);
    let compiled = rig.compile(b.finish_kernel(1));
    let (divisors, quotients) = (rig.buffer(&[7, 0, -3, 0, 1]), rig.buffer(&[0i32; 5]));
    let fault = told(&compiled, &[5], &[divisors.words(), quotients.words()].concat());
    assert_eq!((fault.0, fault.1, fault.4), (1, CheckKind::DivideByZero, 2));
    let found = quotients.read();
    assert_eq!([found[0], found[2], found[4]], [14, -33, 100]);
    assert!([found[1], found[3]].iter().all(|old| [0, 5].contains(old)), "{found:?}");
}

/// Faults inside loops, in the middle of a grid, with operands of other types.
pub fn operands_have_their_bits_and_types(rig: &Rig) {
    let mut b = Builder::new("bounds");
    let at = source(&mut b, "x.clamp(low, high)");
    let (i, j) = (b.tid(0), b.tid(1));
    let (low, high) = (b.cast(Scalar::F32, i), b.cast(Scalar::F32, j));
    let turns = b.u64(3);
    b.counted(turns, &[], |b, _, _| {
        let ordered = b.le(low, high);
        b.check(ordered, CheckKind::ClampBounds, &[low, high], at);
        vec![]
    });
    let compiled = rig.compile(b.finish_kernel(2));
    let (thread, _, _, operands, count) = told(&compiled, &[40, 30], &[]);
    assert_eq!(thread, 30);
    assert_eq!(operands, [(Scalar::F32, u64::from(1f32.to_bits())), (Scalar::F32, 0)]);
    // Below the diagonal: 1 + 2 + .. + 29 in the first 30 rows, whole rows after it.
    assert_eq!(count, 29 * 30 / 2 + 10 * 30);
}

/// The text of an assertion.
pub fn messages_of_assertions_arrive(rig: &Rig) {
    let mut b = Builder::new("assertion");
    let at = source(&mut b, "assert!(false)");
    let never = b.bool(false);
    let kind = CheckKind::Assert { message: vec![PrintPiece::Text("never here".into())] };
    b.check(never, kind.clone(), &[], at);
    let compiled = rig.compile(b.finish_kernel(1));
    assert_eq!(told(&compiled, &[3], &[]), (0, kind, "assert!(false)".into(), vec![], 3));
}

/// A backend may drop local arrays that nothing needs; reports still speak of the kernel as it was given.
pub fn local_arrays_keep_their_numbers(rig: &Rig) {
    let mut b = Builder::new("locals");
    let out = b.slice("out", Scalar::U32, Access::Write);
    let index = b.param("index", Scalar::U64);
    let unused = b.local("unused", &[Scalar::U8], 3);
    let used = b.local("used", &[Scalar::U32], 5);
    let (i, at) = (b.tid(0), source(&mut b, "used[index]"));
    let (none, seven) = (b.const_(Scalar::U8, 0), b.const_(Scalar::U32, 7));
    b.fill(unused, 0, none);
    b.fill(used, 0, seven);
    b.check_index(Mem::Local(used), 0, index, at);
    let x = b.load(Mem::Local(used), index, 0);
    b.check_index(Mem::Array(out), 0, i, at);
    b.store(Mem::Array(out), i, 0, x);
    let compiled = rig.compile(b.finish_kernel(1));
    let out = rig.buffer(&[0u32; 1]);
    let [address, length] = out.words();
    compiled.launch(&[1], &[address, length, 4]).unwrap_or_else(|stop| panic!("{stop:?}"));
    assert_eq!(out.read(), [7]);
    let (_, kind, _, operands, _) = told(&compiled, &[1], &[address, length, 5]);
    assert_eq!(kind, CheckKind::Index { mem: Mem::Local(LocalId(used.0)), dim: 0 });
    assert_eq!(operands, [(Scalar::U64, 5), (Scalar::U64, 5)]);
}

/// A fault leaves the device and the program as they were.
pub fn a_good_launch_follows_a_fault(rig: &Rig) {
    let compiled = rig.compile(shifted());
    for round in 0..3u64 {
        let out = rig.buffer(&[9u32; 10]);
        let (thread, _, _, _, count) = told(&compiled, &[10], &[&out.words()[..], &[4 + round]].concat());
        assert_eq!((thread, count), (6 - round, 4 + round));
        compiled.launch(&[10], &[&out.words()[..], &[0]].concat()).unwrap_or_else(|stop| panic!("{stop:?}"));
        assert_eq!(out.read(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        rig.backend().check().expect("nothing is left to tell");
    }
}
