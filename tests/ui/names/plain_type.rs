// Nobody refused this name at its definition.
use warp::prelude::*;

#[derive(Clone, Copy)]
struct Debug {
    x: f32,
}

#[func]
fn f(debug: Debug) -> f32 {
    debug.x
}

fn main() {}
