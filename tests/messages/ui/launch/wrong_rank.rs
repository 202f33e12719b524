//! A launch has as many dimensions as the kernel.

use warp::prelude::*;

#[kernel]
fn halve(a: &mut [f32]) {
    a[tid()] *= 0.5;
}

fn run(device: &Device) -> Result<(), Error> {
    let mut a = Array::<f32>::zeros(device, 3)?;
    halve::launch((3, 4), &mut a)?;
    let n: i32 = 3;
    halve::launch(n, &mut a)
}

fn main() {}
