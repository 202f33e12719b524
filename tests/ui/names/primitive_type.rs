use warp::prelude::*;

#[func]
fn f64(x: f32) -> f32 {
    x
}

fn main() {}
