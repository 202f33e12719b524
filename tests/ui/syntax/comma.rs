// rustc tells what is wrong; nobody else complains, neither of the launch nor of the call.
use warp::prelude::*;

#[kernel]
fn broken(a: &mut [f32]) {
    let i = tid();
    a[i, 0] = 1.0;
}

#[func]
fn broken_function(x: f32) -> f32 {
    x +
}

#[kernel]
fn caller(a: &mut [f32]) {
    a[tid()] = broken_function(1.0);
}

fn launches(a: &mut Array<f32>) -> Result<(), Error> {
    broken::launch(4, a)
}

fn main() {}
