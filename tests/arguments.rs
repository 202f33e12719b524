//! Arguments of every type: what the host passes is what the kernel sees, in arrays, in planes, by value and in bundles.

use warp::prelude::*;
use warp::{Fault, SoaArray};
use warp_test_devices::{device, ended, on_every_device};

#[derive(Struct, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Spring {
    on: bool,
    ends: [u32; 2],
    rest: f64,
    kind: Kind,
    axis: Vec3,
}

#[derive(Struct, Clone, Copy, PartialEq, Debug)]
#[repr(u8)]
enum Kind {
    Soft = 3,
    Stiff = 7,
}

fn springs() -> Vec<Spring> {
    (0..6u32)
        .map(|i| Spring {
            on: i % 2 == 0,
            ends: [i, i + 1],
            rest: i as f64 / 4.0,
            kind: if i < 3 { Kind::Soft } else { Kind::Stiff },
            axis: Vec3::new(i as f32, -1.0, 0.5),
        })
        .collect()
}

#[kernel]
fn adjust(springs: &mut [Spring], like: Spring, kind: Kind) {
    let i = tid();
    if springs[i].on && springs[i].kind == kind {
        springs[i].axis.y = like.axis.x + springs[i].axis.x;
        springs[i].ends[1] += like.ends[0];
        springs[i].rest *= like.rest;
    } else {
        springs[i].kind = like.kind;
        springs[i].on = like.on;
    }
}

#[kernel]
fn adjust_planes(springs: &mut Soa<Spring>, by: f64) {
    let i = tid();
    springs[i].rest += by;
    springs[i].axis *= 2.0;
    springs[i].on = !springs[i].on;
}

/// Every way to read and write planes: whole elements, parts of them, parts of parts, in place, and through a function.
#[kernel(no_fma)]
fn mirror_planes(from: &Soa<Spring>, to: &mut Soa<Spring>, sums: &mut [f64]) {
    let i = tid();
    let other = from[from.len() - 1 - i];
    to[i] = other;
    to[i].ends[1] = from[i].ends[0];
    to[i].axis.z -= from[i].axis.x * 0.3;
    let kept = to[i];
    to[i].axis += kept.axis * 0.1;
    to[i].ends[0] += to[i].ends[1] * kept.ends[0];
    if let Kind::Soft = from[i].kind {
        to[i].rest /= 3.0;
    }
    sums[i] = total(from, i) + to[i].rest;
}

#[func]
fn total(springs: &Soa<Spring>, upto: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..upto {
        sum += springs[i].rest * springs[i].axis.x as f64;
    }
    sum
}

#[derive(Args)]
struct Mesh<'a> {
    points: &'a mut [Vec3],
    faces: &'a [[u32; 3]],
    scale: f32,
}

// An index is what the case is about.
#[allow(clippy::needless_range_loop)]
#[kernel]
fn swell(mesh: Mesh, by: f32) {
    let face = mesh.faces[tid()];
    for corner in 0..3 {
        mesh.points[face[corner] as usize] *= mesh.scale + by;
    }
}

#[kernel]
fn scalars(out: &mut [f64], a: i8, b: u16, c: bool, d: f32, e: Vec3, f: usize) {
    if c {
        out[0] = a as f64;
        out[1] = b as f64;
        out[2] = d as f64;
        out[3] = e.z as f64;
        out[4] = f as f64;
    }
}

#[kernel]
fn flip(flags: &mut [bool], bytes: &mut [u8]) {
    let i = tid();
    flags[i] = !flags[i];
    bytes[i] = if flags[i] { bytes[i] + 1 } else { 0 };
}

#[on_every_device]
fn structs_and_enums_lie_as_rustc_lays_them() {
    let device = device();
    let (like, kind) = (springs()[5], Kind::Soft);
    let mut array = Array::from_slice(&device, &springs()).unwrap();
    adjust::launch(6, &mut array, like, kind).unwrap();
    let mut plain = springs();
    adjust::plain(6, &mut plain, like, kind).unwrap();
    assert_eq!(array.to_vec().unwrap(), plain);
    assert_eq!(plain[2].ends, [2, 8], "a spring that is on and soft");
    assert_eq!((plain[1].kind, plain[1].on), (Kind::Stiff, false));
}

#[on_every_device]
fn planes_hold_what_elements_hold() {
    let device = device();
    let mut array = SoaArray::from_slice(&device, &springs()).unwrap();
    adjust_planes::launch(6, &mut array, 0.5).unwrap();
    let mut plain = Soa::from_slice(&springs());
    adjust_planes::plain(6, &mut plain, 0.5).unwrap();
    assert_eq!(array.to_vec().unwrap(), plain.as_slice());
    assert_eq!((plain.get(3).rest, plain.get(3).on, plain.get(3).axis.x), (1.25, true, 6.0));
    let error = ended(adjust_planes::launch(7, &mut array, 0.5)).unwrap_err();
    assert!(error.to_string().contains("index 6 is out of range for `springs` of length 6"), "{error}");
}

#[on_every_device]
fn planes_are_read_and_written_by_element_and_by_part() {
    let device = device();
    let from = SoaArray::from_slice(&device, &springs()).unwrap();
    let mut to = SoaArray::from_slice(&device, &springs()).unwrap();
    let mut sums = Array::<f64>::zeros(&device, 6).unwrap();
    mirror_planes::launch(6, &from, &mut to, &mut sums).unwrap();
    let (plain_from, mut plain_to) = (Soa::from_slice(&springs()), Soa::from_slice(&springs()));
    let mut plain_sums = [0.0; 6];
    mirror_planes::plain(6, &plain_from, &mut plain_to, &mut plain_sums).unwrap();
    for (launched, plain) in to.to_vec().unwrap().iter().zip(plain_to.as_slice()) {
        assert_eq!(launched, plain);
        let bits = |spring: &Spring| (spring.axis.to_array().map(f32::to_bits), spring.rest.to_bits());
        assert_eq!(bits(launched), bits(plain));
    }
    let bits = |sums: &[f64]| sums.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&sums.to_vec().unwrap()), bits(&plain_sums));
    // By hand, for the second: the fifth's, with the second's first end.
    let second = plain_to.get(1);
    assert_eq!((second.ends, second.kind, second.on), ([4 + 4, 1], Kind::Stiff, true));
    assert_eq!(second.rest, 1.0 / 3.0);
    assert_eq!(plain_sums[2], 0.25 * 1.0 + 0.75 / 3.0);
}

#[on_every_device]
fn bundles_bring_their_arrays() {
    let device = device();
    let (corners, triangles) = ([Vec3::ONE, Vec3::X, Vec3::Y, Vec3::Z], [[0, 1, 2], [0, 3, 3]]);
    let mut points = Array::from_slice(&device, &corners).unwrap();
    let faces = Array::from_slice(&device, &triangles).unwrap();
    // One after another, since both faces scale the first point.
    swell::launch(1, MeshArrays { points: &mut points, faces: &faces, scale: 1.5 }, 0.5).unwrap();
    assert_eq!(points.to_vec().unwrap(), [Vec3::splat(2.0), Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::Z]);
    let mut plain = corners;
    swell::plain(2, Mesh { points: &mut plain, faces: &triangles, scale: 1.5 }, 0.5).unwrap();
    assert_eq!(plain, [Vec3::splat(4.0), Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::Z * 4.0]);
    let bad = Array::from_slice(&device, &[[0u32, 9, 0]]).unwrap();
    let mesh = MeshArrays { points: &mut points, faces: &bad, scale: 1.0 };
    let error = ended(swell::launch(1, mesh, 0.0)).unwrap_err();
    assert!(error.to_string().contains("index 9 is out of range for `mesh.points` of length 4"), "{error}");
    let far = Array::from_slice(&Device::cpu_with_threads(1), &triangles).unwrap();
    let error = swell::launch(1, MeshArrays { points: &mut points, faces: &far, scale: 1.0 }, 0.0).unwrap_err();
    assert!(error.to_string().contains("argument `mesh.faces` is on device cpu#"), "{error}");
}

#[on_every_device]
fn values_keep_their_bits() {
    let device = device();
    let mut out = Array::<f64>::zeros(&device, 5).unwrap();
    scalars::launch(1, &mut out, -5, 65_535, true, -0.1, Vec3::new(1.0, 2.0, 3.5), 1 << 40).unwrap();
    assert_eq!(out.to_vec().unwrap(), [-5.0, 65_535.0, -0.1f32 as f64, 3.5, (1u64 << 40) as f64]);
    scalars::launch(1, &mut out, 1, 1, false, 1.0, Vec3::ONE, 1).unwrap();
    assert_eq!(out.get(0).unwrap(), -5.0);
}

#[on_every_device]
fn truth_values_stay_truth_values() {
    let device = device();
    let flags: Vec<bool> = (0..9).map(|i| i % 3 == 0).collect();
    let (mut f, mut b) = (Array::from_slice(&device, &flags).unwrap(), Array::full(&device, 9, 255u8).unwrap());
    flip::launch(9, &mut f, &mut b).unwrap();
    assert_eq!(f.to_vec().unwrap(), flags.iter().map(|f| !f).collect::<Vec<_>>());
    assert_eq!(b.to_vec().unwrap(), [0; 9]);
    let plain: Result<(), Box<Fault>> = flip::plain(9, &mut flags.clone(), &mut [1; 9]);
    plain.unwrap();
}
