// rustc's own words, once.
use warp::prelude::*;

#[func]
fn drag(v: Vec3) -> Vec3 {
    v * -0.5
}

#[kernel]
fn k(a: &mut [Vec3], dt: f32) {
    let i = tid();
    a[i] = drag(dt) + a[i] * true;
}

#[func]
fn f(x: f32, n: i32) -> f32 {
    x * n
}

fn main() {}
