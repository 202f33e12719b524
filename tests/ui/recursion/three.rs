use warp::prelude::*;

#[func]
fn a(x: f32) -> f32 {
    b(x)
}

#[func]
fn b(x: f32) -> f32 {
    c(x)
}

#[func]
fn c(x: f32) -> f32 {
    if x > 0.0 { a(x - 1.0) } else { x }
}

#[kernel]
fn k(out: &mut [f32]) {
    let i = tid();
    out[i] = a(out[i]);
}

fn main() {}
