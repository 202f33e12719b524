//! A program beside the library of its name: to the macros both look like one crate.

use app::values;
use warp::prelude::*;

#[func]
fn program_only(x: f32) -> f32 {
    midlib::march(x) + 0.5
}

#[kernel]
fn program(out: &mut [f32]) {
    let i = tid();
    out[i] = program_only(i as f32);
}

fn main() -> Result<(), Error> {
    let mut out = Array::zeros(&Device::cpu(), 2)?;
    program::launch(2, &mut out)?;
    assert_eq!(out.to_vec()?, [6.0, 10.0]);
    values::own_names::launch(1, &mut out)?;
    println!("{:?}", out.to_vec()?);
    Ok(())
}
