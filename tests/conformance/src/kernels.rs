//! Kernels as users write them, launched through typed arrays.

use warp::prelude::*;
use warp::{FaultKind, SoaArray, capture_output};

use crate::rig::Rig;

#[kernel]
fn copy(from: &[f32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[i];
}

#[kernel]
fn doubled(a: &[f32], out: &mut [f32]) {
    let i = tid();
    if i < a.len() {
        out[i] = a[i] * 2.0;
    } else {
        out[i] = a.len() as f32 - 1.0;
    }
}

/// An index that changes from thread to thread to a quick look, and does not.
#[kernel]
fn far_away(a: &[u8], far: usize, out: &mut [f32]) {
    let i = tid();
    let at = (i + far) - i;
    if at < a.len() {
        out[i] = a[at] as f32;
    }
}

#[kernel]
fn on_a_line(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel]
fn in_the_plane(out: &mut [f32]) {
    let (i, j) = tid2();
    out[i + j] = 1.0;
}

#[kernel]
fn in_space(out: &mut [f32]) {
    let (i, j, k) = tid3();
    out[i + j + k] = 1.0;
}

#[kernel]
fn in_four(out: &mut [f32]) {
    let (i, j, k, l) = tid4();
    out[i + j + k + l] = 1.0;
}

#[kernel]
fn transpose(from: View2<f32>, mut to: ViewMut2<f32>) {
    let (i, j) = tid2();
    to[(j, i)] = from[(i, j)];
}

#[derive(Struct, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Spring {
    on: bool,
    ends: [u32; 2],
    rest: f64,
    axis: Vec3,
}

#[kernel]
fn stretch(springs: &mut [Spring], like: Spring) {
    let i = tid();
    if springs[i].on {
        springs[i].axis.y = like.axis.x + springs[i].axis.x;
        springs[i].ends[1] += like.ends[0];
        springs[i].rest *= like.rest;
    }
    springs[i].on = !springs[i].on;
}

#[kernel]
fn stretch_planes(springs: &mut Soa<Spring>, like: Spring) {
    let i = tid();
    if springs[i].on {
        springs[i].axis.y = like.axis.x + springs[i].axis.x;
        springs[i].ends[1] += like.ends[0];
        springs[i].rest *= like.rest;
    }
    springs[i].on = !springs[i].on;
}

#[kernel]
#[allow(clippy::manual_is_multiple_of)]
fn shout(n: u32) {
    let i = tid();
    if i as u32 % n == 0 {
        println!("thread {i}");
        println!("  {:>8.3}|{:#06x}", i as f32 / 3.0, i);
    }
}

/// A launch with a zero among its extents runs nothing.
pub fn nothing_to_do(rig: &Rig) {
    let device = rig.device();
    let mut out = Array::full(&device, 3, 9.0f32).unwrap();
    on_a_line::launch(0, &mut out).unwrap();
    for (m, n) in [(0, 5), (5, 0), (0, 0)] {
        in_the_plane::launch((m, n), &mut out).unwrap();
        in_space::launch((4, m, n), &mut out).unwrap();
        in_space::launch((m, n, 4), &mut out).unwrap();
        in_four::launch((m, 2, n, 2), &mut out).unwrap();
    }
    assert_eq!(out.to_vec().unwrap(), [9.0; 3]);
    // And one without does.
    in_four::launch((1, 2, 1, 1), &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [1.0, 1.0, 9.0]);
}

/// They have a length, and no element.
pub fn empty_arrays(rig: &Rig) {
    let device = rig.device();
    let empty = Array::zeros(&device, 0).unwrap();
    let mut out = Array::full(&device, 3, 9.0f32).unwrap();
    doubled::launch(3, &empty, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [-1.0; 3]);
    let reached = copy::launch(1, &empty, &mut out).and_then(|()| device.check());
    let Err(Error::Fault(fault)) = reached else { panic!("an index into nothing") };
    assert_eq!(fault.kind, FaultKind::Index { array: "from".into(), dim: None, index: 0, extent: 0 });
    assert_eq!(out.to_vec().unwrap(), [-1.0; 3]);
}

/// What no thread asks for is not touched, wherever a code generator would like to load it.
pub fn loads_stay_behind_their_conditions(rig: &Rig) {
    let device = rig.device();
    let a = Array::from_slice(&device, &[5u8]).unwrap();
    let mut out = Array::from_slice(&device, &[1.0f32; 3]).unwrap();
    far_away::launch(3, &a, 1 << 44, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [1.0; 3]);
    far_away::launch(3, &a, 0, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [5.0; 3]);
}

/// Whole, cut out, and turned over by the launch.
pub fn views_in_all_directions(rig: &Rig) {
    let device = rig.device();
    let grid = Array::from_fn(&device, (5, 7), |[i, j]| (10 * i + j) as f32).unwrap();
    let mut turned = Array::zeros(&device, (7, 5)).unwrap();
    transpose::launch((5, 7), &grid, &mut turned).unwrap();
    let expected: Vec<f32> = (0..7).flat_map(|j| (0..5).map(move |i| (10 * i + j) as f32)).collect();
    assert_eq!(turned.to_vec().unwrap(), expected);
    let mut back = Array::zeros(&device, (5, 7)).unwrap();
    transpose::launch((7, 5), &turned, &mut back).unwrap();
    assert_eq!(back.to_vec().unwrap(), grid.to_vec().unwrap());
    let reached = transpose::launch((6, 7), &grid, &mut turned).and_then(|()| device.check());
    let Err(Error::Fault(fault)) = reached else { panic!("a row too many") };
    assert_eq!(fault.kind, FaultKind::Index { array: "from".into(), dim: Some(0), index: 5, extent: 5 });
    assert_eq!((fault.thread, fault.count), (35, 7));
}

/// The same fields side by side and apart, against the plain function.
pub fn structs_in_arrays_and_planes(rig: &Rig) {
    let device = rig.device();
    let spring = |i: u32| Spring {
        on: i.is_multiple_of(2),
        ends: [i, i + 1],
        rest: f64::from(i) / 4.0,
        axis: Vec3::new(i as f32, -1.0, 0.5),
    };
    let springs: Vec<Spring> = (0..40).map(spring).collect();
    let like = spring(6);
    let mut plain = springs.clone();
    stretch::plain(40, &mut plain, like).unwrap();
    assert_eq!(plain[2], Spring { on: false, ends: [2, 9], rest: 0.75, axis: Vec3::new(2.0, 8.0, 0.5) });
    let mut array = Array::from_slice(&device, &springs).unwrap();
    stretch::launch(40, &mut array, like).unwrap();
    assert_eq!(array.to_vec().unwrap(), plain);
    let mut planes = SoaArray::from_slice(&device, &springs).unwrap();
    stretch_planes::launch(40, &mut planes, like).unwrap();
    assert_eq!(planes.to_vec().unwrap(), plain);
}

/// With kernel, line, array, index, length, thread and the user's words.
pub fn a_fault_is_a_sentence(rig: &Rig) {
    let device = rig.device();
    let (a, mut b) = (Array::full(&device, 4, 3.0f32).unwrap(), Array::full(&device, 9, 1.0f32).unwrap());
    let words = copy::launch(6, &a, &mut b).and_then(|()| device.check()).unwrap_err().to_string();
    assert!(words.starts_with("kernel `copy` (tests/conformance/src/kernels.rs:"), "{words}");
    let end = "index 4 is out of range for `from` of length 4, in thread 4: `from[i]`; one more thread failed too";
    assert!(words.ends_with(end), "{words}");
    assert_eq!(b.to_vec().unwrap(), [3.0, 3.0, 3.0, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    b.fill(0.0).expect("the launch holds nothing any more");
}

/// In the order of threads, formatted as Rust does.
pub fn printed_text(rig: &Rig) {
    let device = rig.device();
    let (result, text) = capture_output(|| shout::on(&device).launch(50, 7));
    result.unwrap();
    let line = |i: usize| format!("thread {i}\n  {:>8.3}|{:#06x}\n", i as f32 / 3.0, i);
    assert_eq!(text, (0..50).step_by(7).map(line).collect::<String>());
}

/// Between host and device, within the device, in parts.
pub fn copies(rig: &Rig) {
    let device = rig.device();
    let numbers: Vec<f32> = (0..1000).map(|i| i as f32 * 0.5).collect();
    let a = Array::from_slice(&device, &numbers).unwrap();
    let mut b = a.try_clone().unwrap();
    b.slice_mut(100..200).unwrap().fill(-1.0).unwrap();
    b.slice_mut(300..310).unwrap().copy_from(&a.slice(0..10).unwrap()).unwrap();
    b.set(999, 7.0).unwrap();
    let mut expected = numbers.clone();
    expected[100..200].fill(-1.0);
    expected.copy_within(0..10, 300);
    expected[999] = 7.0;
    assert_eq!(b.to_vec().unwrap(), expected);
    assert_eq!(a.to_vec().unwrap(), numbers);
    assert_eq!((b.get(305).unwrap(), b.get(998).unwrap()), (2.5, 499.0));
}
