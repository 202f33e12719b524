// A macro of the user's hides a function's own: kernels ask the wrong one, which rustc tells.
use warp::prelude::*;

macro_rules! scaled {
    ($x:expr) => {
        $x * 2.0
    };
}

#[func]
fn scaled(x: f32) -> f32 {
    x * 2.0
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = scaled(a[i]);
}

fn main() {
    let _ = scaled!(1.0);
}
