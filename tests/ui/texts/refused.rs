use warp::prelude::*;

#[kernel]
fn counts(seen: &mut [f32], out: &mut [f32]) {
    let i = tid();
    out[i] = atomic_add(&mut seen[0], 1.0) * 2.0;
}

const FORWARD: &str = counts::PTX;
const BACK: &str = counts::PTX_ADJOINT;

fn main() {
    let _ = (FORWARD, BACK);
}
