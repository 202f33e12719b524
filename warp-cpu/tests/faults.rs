//! Failed checks: which thread is reported, what is left alone, how many are counted.

mod support;

use support::{compile, cpu, launch_on, slice, source};
use warp_core::backend::LaunchStop;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Access, CheckKind, Kernel, Mem, PrintPiece, Scalar};

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

#[test]
fn the_smallest_thread_is_reported_and_nothing_is_written_outside() {
    let (n, shift) = (20_000u64, 123u64);
    for threads in [1, 4] {
        let executable = compile(&cpu(threads), shifted());
        for _ in 0..4 {
            let mut memory = vec![u32::MAX; n as usize + 1000];
            let (inside, outside) = memory.split_at_mut(n as usize);
            let words = [&slice(inside)[..], &[shift]].concat();
            let stop = launch_on(&executable, &[n], &words, None).unwrap_err();
            let LaunchStop::Fault { thread, kind, source, operands, count } = stop else { panic!("{stop:?}") };
            assert_eq!(thread, n - shift);
            assert_eq!(count, shift);
            assert_eq!(kind, CheckKind::Index { mem: Mem::Array(warp_ir::ir::ArrayId(0)), dim: 0 });
            assert_eq!(source.text, "out[i + shift]");
            assert_eq!(operands, [(Scalar::U64, n), (Scalar::U64, n)]);
            assert!(outside.iter().all(|x| *x == u32::MAX));
            // All other threads have run.
            assert!(inside[..shift as usize].iter().all(|x| *x == u32::MAX));
            assert!((0u32..).zip(&inside[shift as usize..]).all(|(i, x)| *x == i));
        }
    }
}

/// Each thread divides; those with a zero stop before their store. An earlier store may show or not: it would have been
/// overwritten.
#[test]
fn a_thread_stops_where_its_check_fails() {
    let mut b = Builder::new("divide");
    let (a, out) = (b.slice("a", Scalar::I32, Access::Read), b.slice("out", Scalar::I32, Access::Write));
    let (i, at) = (b.tid(0), source(&mut b, "100 / a[i]"));
    b.check_index(Mem::Array(a), 0, i, at);
    b.check_index(Mem::Array(out), 0, i, at);
    let before = b.const_(Scalar::I32, 5);
    b.store(Mem::Array(out), i, 0, before);
    let (hundred, x) = (b.const_(Scalar::I32, 100), b.load(Mem::Array(a), i, 0));
    support::check_division(&mut b, hundred, x, at);
    let quotient = b.pure(Builtin::Div, &[hundred, x]);
    b.store(Mem::Array(out), i, 0, quotient);
    let executable = compile(&cpu(1), b.finish_kernel(1));
    let mut divisors = [7, 0, -3, 0, 1];
    let mut quotients = [0i32; 5];
    let words = [slice(&mut divisors), slice(&mut quotients)].concat();
    let stop = launch_on(&executable, &[5], &words, None).unwrap_err();
    assert!(matches!(stop, LaunchStop::Fault { thread: 1, kind: CheckKind::DivideByZero, count: 2, .. }), "{stop:?}");
    assert_eq!([quotients[0], quotients[2], quotients[4]], [14, -33, 100]);
    assert!([quotients[1], quotients[3]].iter().all(|old| [0, 5].contains(old)));
}

/// Faults inside loops, in the middle of a grid, with operands of other types.
#[test]
fn operands_have_their_bits_and_types() {
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
    let executable = compile(&cpu(2), b.finish_kernel(2));
    let stop = launch_on(&executable, &[40, 30], &[], None).unwrap_err();
    let LaunchStop::Fault { thread, operands, count, .. } = stop else { panic!("{stop:?}") };
    assert_eq!(thread, 30);
    assert_eq!(operands, [(Scalar::F32, u64::from(1f32.to_bits())), (Scalar::F32, 0)]);
    // Below the diagonal: 1 + 2 + .. + 29 in the first 30 rows, whole rows after it.
    assert_eq!(count, 29 * 30 / 2 + 10 * 30);
}

#[test]
fn messages_of_assertions_arrive() {
    let mut b = Builder::new("assertion");
    let at = source(&mut b, "assert!(false)");
    let never = b.bool(false);
    b.check(never, CheckKind::Assert { message: vec![PrintPiece::Text("never here".into())] }, &[], at);
    let executable = compile(&cpu(1), b.finish_kernel(1));
    let stop = launch_on(&executable, &[3], &[], Some(1)).unwrap_err();
    let LaunchStop::Fault { thread: 0, kind, count: 3, .. } = stop else { panic!("{stop:?}") };
    assert_eq!(kind, CheckKind::Assert { message: vec![PrintPiece::Text("never here".into())] });
}
