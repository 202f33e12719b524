use warp::prelude::*;

const N: i32 = 3;

#[kernel]
fn k(out: &mut [f32]) {
    let i = tid();
    out[i] = out[i] * N;
}

fn main() {}
