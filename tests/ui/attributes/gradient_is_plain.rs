use warp::prelude::*;

#[func(grad = plain)]
fn f(x: f32) -> f32 {
    x
}

fn plain(x: f32, adjoint: f32) -> f32 {
    x * adjoint
}

fn main() {}
