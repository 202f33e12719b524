use warp::prelude::*;

#[func]
fn atomic_add(x: f32) -> f32 {
    x
}

fn main() {}
