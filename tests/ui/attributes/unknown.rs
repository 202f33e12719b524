use warp::prelude::*;

#[kernel(fast)]
fn a(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel(checkpoint_bytes = "many")]
fn b(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel(grad(1))]
fn c(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[func(inline)]
fn d(x: f32) -> f32 {
    x
}

fn main() {}
