use warp::prelude::*;

#[func(grad = without_adjoint)]
fn f(x: f32, v: Vec3) -> f32 {
    x + v.x
}

#[func]
fn without_adjoint(x: f32, v: Vec3) -> (f32, Vec3) {
    (x, v)
}

#[func(grad = of_an_integer)]
fn g(x: f32, n: u32) -> f32 {
    x * n as f32
}

#[func]
fn of_an_integer(x: f32, n: u32, adjoint: f32) -> (f32, u32) {
    (x * adjoint, n)
}

fn main() {}
