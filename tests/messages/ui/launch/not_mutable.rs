//! A parameter that is written takes `&mut`.

use warp::prelude::*;

#[kernel]
fn halve(a: &mut [f32]) {
    a[tid()] *= 0.5;
}

fn run(device: &Device) -> Result<(), Error> {
    let a = Array::<f32>::zeros(device, 3)?;
    halve::launch(3, &a)
}

fn main() {}
