use warp::prelude::*;

#[func]
fn column(x: f32) -> f32 {
    x
}

#[kernel]
fn vec(a: &mut [f32]) {
    a[tid()] = 1.0;
}

fn main() {}
