use warp::prelude::*;

#[func]
fn factorial(n: u32) -> u32 {
    if n < 2 { 1 } else { n * factorial(n - 1) }
}

#[kernel]
fn k(out: &mut [u32]) {
    let i = tid();
    out[i] = factorial(out[i]);
}

fn main() {}
