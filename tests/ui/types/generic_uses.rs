//! Instances of generic structs that do not fit.
use warp::Float;
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Dual<T: Float> {
    v: T,
    d: T,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Ring<T, const N: usize> {
    data: [T; N],
}

#[methods]
impl<T: Float> Pair<T> {
    fn sum(&self) -> T {
        self.a + self.b
    }
}

#[func]
fn bare(pair: Pair) -> f32 {
    pair.a
}

#[func]
fn too_many(ring: Ring<f32, 4, 5>) -> f32 {
    ring.data[0]
}

#[func]
fn no_length(ring: Ring<f32, f32>) -> f32 {
    ring.data[0]
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Holder {
    ring: Ring<f32>,
}

#[func]
fn bound_not_met(x: Dual<u32>) -> u32 {
    x.v
}

#[kernel]
fn other_instance(pairs: &mut [Pair<f32>], others: &[Pair<f64>]) {
    let i = tid();
    pairs[i] = others[i];
}

#[kernel]
fn mixed_fields(pairs: &mut [Pair<f32>], x: f64) {
    pairs[tid()] = Pair { a: 1.0, b: x };
}

#[kernel]
fn other_length(rings: &mut [Ring<f32, 4>], other: Ring<f32, 3>) {
    rings[tid()] = other;
}

#[kernel]
fn no_such_method(points: &[Pair<Vec3>], out: &mut [Vec3]) {
    let i = tid();
    out[i] = points[i].sum();
}

#[func]
fn of_references(pair: Pair<&mut f32>) -> f32 {
    *pair.a
}

#[kernel]
fn in_a_body(out: &mut [f32]) {
    let pair = Pair::<f32, f32> { a: 1.0, b: 2.0 };
    out[tid()] = pair.a;
}

fn main() {}
