//! An array is written or read by a launch, not both.

use warp::prelude::*;

#[kernel]
fn copy(from: &[f32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[i];
}

fn run(device: &Device) -> Result<(), Error> {
    let mut a = Array::<f32>::zeros(device, 3)?;
    copy::launch(3, &a, &mut a)
}

fn main() {}
