use warp::prelude::*;

#[kernel]
fn gives(a: &[f32]) -> f32 {
    a[tid()]
}

#[kernel]
async fn waits(a: &mut [f32]) {
    a[tid()] = 1.0;
}

#[kernel]
unsafe fn dares(a: &mut [f32]) {
    a[tid()] = 1.0;
}

fn main() {}
