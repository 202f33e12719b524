// Refused names are told where they are, and those who use them are silent.
use warp::prelude::*;

#[func]
fn column(x: f32) -> f32 {
    x
}

#[func]
fn vec(x: f32) -> f32 {
    x
}

#[func]
fn f64(x: f32) -> f32 {
    x
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Hash {
    x: f32,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Outer {
    hash: Hash,
}

#[methods]
impl Hash {
    fn doubled(&self) -> f32 {
        vec(self.x) * 2.0
    }
}

#[func]
fn caller(x: f32, outer: Outer) -> f32 {
    column(x) + f64(outer.hash.x)
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = caller(a[i], Outer { hash: Hash { x: 1.0 } }) + vec(1.0);
}

fn main() {}
