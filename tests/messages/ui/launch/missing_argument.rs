//! Every parameter has its argument.

use warp::prelude::*;

#[kernel]
fn scale(a: &mut [f32], by: f32) {
    a[tid()] *= by;
}

fn run(device: &Device) -> Result<(), Error> {
    let mut a = Array::<f32>::zeros(device, 3)?;
    scale::launch(3, &mut a)
}

fn main() {}
