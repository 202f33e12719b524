use warp::Float;
use warp::prelude::*;

#[func]
fn wrong<T: Float>(x: T) -> T {
    x + true
}

fn main() {}
