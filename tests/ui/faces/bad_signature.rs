// The signature is wrong, and its callers are silent.
use warp::prelude::*;

#[func]
fn bad(x: &str) -> f32 {
    1.0
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = bad("");
}

fn main() {}
