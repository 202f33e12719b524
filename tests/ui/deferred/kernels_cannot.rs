// Valid Rust that kernels do not have: said by us, since rustc says nothing.
use warp::prelude::*;

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = a[i].to_ne_bytes()[0] as f32;
}

#[kernel]
fn sum(a: &mut [f32]) {
    a[0] = a.iter().sum();
}

fn main() {}
