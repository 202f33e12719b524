//! What kernels print, and what failed assertions say: Rust's own text.

use warp::prelude::*;
use warp::{Error, FaultKind, capture_output};
use warp_test_devices::{device, ended, on_every_device};

#[derive(Struct, Clone, Copy, Debug, PartialEq)]
#[repr(i8)]
enum Phase {
    Solid = -1,
    Liquid = 5,
    Gas,
}

#[derive(Struct, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Cell {
    at: IVec2,
    phase: Phase,
    weights: [f32; 2],
}

#[derive(Struct, Clone, Copy, Debug)]
#[repr(C)]
struct Pair(f32, Phase);

#[derive(Struct, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Nothing {}

#[derive(Struct, Clone, Copy, Debug)]
#[repr(C)]
struct Both<T>(T, Span<T, 2>);

#[derive(Struct, Clone, Copy, Debug)]
#[repr(C)]
struct Span<T, const N: usize> {
    values: [T; N],
}

fn cell(phase: Phase) -> Cell {
    Cell { at: IVec2::new(-1, 2), phase, weights: [0.5, 1e10] }
}

#[kernel]
fn shown(phases: &[Phase], far: i32) {
    let phase = phases[tid()];
    let (near, none) = (Some(1.5f32), None::<Phase>);
    let distance = if far > 3 { Some((far, phase)) } else { None };
    println!("{phase:?} {:?} {:>8?}|{:#?}", Some(phase), phase, phase);
    println!("{near:?} {none:?} {distance:?} {:?} {:6.2?}|", Some(None::<i32>), near);
    println!("{:?} {:?} {:?} {:?}", (far,), (phase, Some(true)), [Some(far); 2], [[1u8, 2], [3, 4]]);
    let cell = Cell { at: IVec2::new(-1, 2), phase, weights: [0.5, 1e10] };
    println!("{cell:?}\n{cell:#?}", cell = cell);
    println!("{:?} {:#?} {:04?}", Pair(2.5, phase), Pair(2.5, phase), Pair(2.5, phase));
    println!("{:#?} {:#?} {:?}", distance, ((far,), [near, None]), Nothing {});
    println!("{:?} {:#?}", Both(far, Span { values: [far; 2] }), Both(phase, Span { values: [phase; 2] }));
    print!("end {}", far);
    println!();
}

/// The same, written by Rust itself.
fn expected(phases: &[Phase], far: i32) -> String {
    let mut all = String::new();
    for &phase in phases {
        let (near, none) = (Some(1.5f32), None::<Phase>);
        let distance = if far > 3 { Some((far, phase)) } else { None };
        all += &format!("{phase:?} {:?} {:>8?}|{:#?}\n", Some(phase), phase, phase);
        all += &format!("{near:?} {none:?} {distance:?} {:?} {:6.2?}|\n", Some(None::<i32>), near);
        all += &format!("{:?} {:?} {:?} {:?}\n", (far,), (phase, Some(true)), [Some(far); 2], [[1u8, 2], [3, 4]]);
        let cell = cell(phase);
        all += &format!("{cell:?}\n{cell:#?}\n");
        all += &format!("{:?} {:#?} {:04?}\n", Pair(2.5, phase), Pair(2.5, phase), Pair(2.5, phase));
        all += &format!("{:#?} {:#?} {:?}\n", distance, ((far,), [near, None]), Nothing {});
        let (one, other) = (Both(far, Span { values: [far; 2] }), Both(phase, Span { values: [phase; 2] }));
        all += &format!("{one:?} {other:#?}\n");
        all += &format!("end {far}\n");
    }
    all
}

#[on_every_device]
fn enums_options_and_structs_print_as_rust_prints_them() {
    let phases = [Phase::Gas, Phase::Solid, Phase::Liquid];
    let device = device();
    let array = Array::from_slice(&device, &phases).unwrap();
    for far in [3, 4] {
        let (result, text) = capture_output(|| shown::launch(3, &array, far));
        result.unwrap();
        assert_eq!(text, expected(&phases, far));
    }
}

#[kernel]
fn shared_types(x: f32) {
    let (v, q) = (Vec3::new(x, 1.0, -0.5), Quat::IDENTITY);
    println!("{v} {v:?} {v:8.2} {v:8.2?} {:#?}", v);
    println!("{q} {q:?} {q:.1}", q = q);
    println!("{} {:?} {:+.1}", Mat2::from_cols(v.truncate(), Vec2::ONE), Mat2::IDENTITY, Mat2::IDENTITY);
    println!("{:?} {} {}", v.cmplt(Vec3::ZERO), v.cmplt(Vec3::ZERO), IVec2::new(3, -4));
}

#[on_every_device]
fn vectors_and_matrices_print_as_on_the_host() {
    let (result, text) = capture_output(|| shared_types::on(&device()).launch(1, 0.25));
    result.unwrap();
    let (v, q) = (Vec3::new(0.25, 1.0, -0.5), Quat::IDENTITY);
    let mut expected = format!("{v} {v:?} {v:8.2} {v:8.2?} {v:#?}\n{q} {q:?} {q:.1}\n");
    expected += &format!("{} {:?} {:+.1}\n", Mat2::from_cols(v.truncate(), Vec2::ONE), Mat2::IDENTITY, Mat2::IDENTITY);
    expected += &format!("{:?} {} {}\n", v.cmplt(Vec3::ZERO), v.cmplt(Vec3::ZERO), IVec2::new(3, -4));
    assert_eq!(text, expected);
}

#[func]
fn checked(x: f32, limit: f32) -> f32 {
    assert!(x < limit, "{x:.1} is not below {limit}: {:?}", Some(x));
    x * 2.0
}

#[kernel]
fn asserts(a: &[f32], phases: &[Phase], which: u32, out: &mut [f32]) {
    let i = tid();
    match which {
        0 => out[i] = checked(a[i], 10.0),
        1 => assert_eq!(phases[i], Phase::Solid, "cell {i}"),
        2 => assert_ne!(a[i] as i32, 12),
        3 => assert!(a[i] < 10.0, "the next is {}", a[i + 1]),
        4 => panic!("{:?} at {i}", phases[i]),
        5 => unreachable!("{}", a[i]),
        _ => assert!(out[i] > 0.0),
    }
}

/// The fault of thread 1, of launch and of the plain function.
fn messages(which: u32) -> (FaultKind, FaultKind) {
    let device = device();
    let (a, phases) = ([1.0, 12.0, 3.0f32], [Phase::Solid, Phase::Gas, Phase::Solid]);
    let mut out = Array::zeros(&device, 2).unwrap();
    let arrays = (Array::from_slice(&device, &a).unwrap(), Array::from_slice(&device, &phases).unwrap());
    let failed = ended(asserts::launch(2, &arrays.0, &arrays.1, which, &mut out));
    let Err(Error::Fault(fault)) = failed else { panic!("{which} did not fail") };
    let plain = asserts::plain(2, &a, &phases, which, &mut [0.0; 2]).unwrap_err();
    assert_eq!(fault.thread, plain.thread);
    (fault.kind, plain.kind)
}

fn said(message: &str) -> FaultKind {
    FaultKind::Assert { message: message.into() }
}

#[on_every_device]
fn assertions_say_what_their_arguments_are() {
    let (fault, plain) = messages(0);
    assert_eq!(fault, said("12.0 is not below 10: Some(12.0)"));
    assert_eq!(plain, FaultKind::Panic { message: "12.0 is not below 10: Some(12.0)".into() });
    assert_eq!(messages(1).0, said("cell 1 (left: Gas, right: Solid)"));
    assert_eq!(messages(2).0, said("a[i] as i32 != 12 (left: 12, right: 12)"));
    assert_eq!(messages(3).0, said("the next is 3"));
    assert_eq!(messages(6).0, said("out[i] > 0.0"));
}

#[on_every_device]
fn panics_say_what_their_arguments_are() {
    for (which, message) in [(4, "Solid at 0"), (5, "entered unreachable code: 1")] {
        assert_eq!(messages(which).0, said(message));
    }
}

/// Arguments of a message that is not needed are not evaluated: `a[i + 1]` does not exist in the last thread.
#[on_every_device]
fn arguments_of_messages_wait_for_the_failure() {
    let device = device();
    let mut a = Array::from_slice(&device, &[1.0, 2.0]).unwrap();
    let phases = Array::from_slice(&device, &[Phase::Gas; 2]).unwrap();
    let mut out = Array::zeros(&device, 2).unwrap();
    asserts::launch(2, &a, &phases, 3, &mut out).unwrap();
    a.copy_from_slice(&[1.0, 20.0]).unwrap();
    let failed = ended(asserts::launch(2, &a, &phases, 3, &mut out));
    let Err(Error::Fault(fault)) = failed else { panic!("thread 1 failed") };
    assert_eq!(fault.kind, FaultKind::Index { array: "a".into(), dim: None, index: 2, extent: 2 });
}

#[kernel]
fn chatter(words: u32) {
    for k in 0..words {
        println!("{k:0100} from thread {}", tid());
    }
}

#[on_every_device]
fn what_is_beyond_the_limit_is_counted() {
    let line = 100 + " from thread 0\n".len() + 32;
    let most = warp::PRINT_LIMIT / line;
    let (result, text) = capture_output(|| chatter::on(&device()).launch(9, most as u32 / 8));
    result.unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), most + 1);
    let lost = 9 * (most / 8) - most;
    assert_eq!(lines[most], format!("... and {lost} lines more: a launch prints 16 MiB at most"));
    assert!(lines[most - 1].ends_with("thread 8") && lines[0].ends_with("thread 0"));
}
