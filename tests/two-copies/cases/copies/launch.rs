// A kernel of a library that was made for another copy of the runtime gets arrays of this one.
use warp::prelude::*;

fn launches(a: &mut Array<f32>) -> Result<(), Error> {
    second_lib::fill::launch(4, a, 1.0).unwrap();
    Ok(())
}

fn main() {}
