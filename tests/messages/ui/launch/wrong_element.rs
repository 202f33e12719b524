//! An array of another element type.

use warp::prelude::*;

#[kernel]
fn halve(a: &mut [f32]) {
    a[tid()] *= 0.5;
}

fn run(device: &Device) -> Result<(), Error> {
    let mut a = Array::<f64>::zeros(device, 3)?;
    halve::launch(3, &mut a)
}

fn main() {}
