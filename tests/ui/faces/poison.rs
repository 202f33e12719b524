// One message, however many kernels stand above.
use warp::prelude::*;

#[func]
fn broken(x: f32) -> f32 {
    let name = "text";
    x
}

#[func]
fn caller(x: f32) -> f32 {
    broken(x)
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = caller(a[i]) + broken(1.0);
}

#[kernel]
fn l(a: &mut [f32]) {
    let i = tid();
    a[i] = caller(a[i]);
}

fn main() {
    let _ = k::plain(1, &mut [0.0]);
}
