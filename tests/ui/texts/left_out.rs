use warp::prelude::*;

#[kernel(no_adjoint)]
fn one_way(out: &mut [f32]) {
    out[tid()] = 1.0;
}

const BACK: &str = one_way::PTX_ADJOINT;

fn main() {
    let _ = (one_way::PTX, BACK);
}
