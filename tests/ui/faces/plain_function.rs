use warp::prelude::*;

fn helper(x: f32) -> f32 {
    x
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = helper(a[i]);
}

fn main() {}
