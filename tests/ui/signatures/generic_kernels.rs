use warp::Float;
use warp::prelude::*;

#[kernel]
fn unlisted<T: Float>(a: &mut [T]) {
    let i = tid();
    a[i] = a[i] + a[i];
}

#[kernel(T = [f32])]
fn two<T: Float, U: Float>(a: &mut [T], b: &[U]) {
    let i = tid();
    a[i] = a[i] + a[i];
}

#[kernel]
fn length<const N: usize>(a: &mut [f32]) {
    a[N] = 1.0;
}

#[kernel(S = [f32])]
fn other(a: &mut [f32]) {
    a[0] = 1.0;
}

fn main() {}
