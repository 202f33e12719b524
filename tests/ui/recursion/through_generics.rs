use warp::Float;
use warp::prelude::*;

#[func]
fn even<T: Float>(x: T) -> T {
    odd(x)
}

#[func]
fn odd<T: Float>(x: T) -> T {
    even(x)
}

#[kernel]
fn k(out: &mut [f32]) {
    let i = tid();
    out[i] = even(out[i]);
}

fn main() {}
