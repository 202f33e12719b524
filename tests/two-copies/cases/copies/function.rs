// A function of a library that was made for another copy of the runtime.
use warp::prelude::*;

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = second_lib::twice(a[i]);
}

fn main() {}
