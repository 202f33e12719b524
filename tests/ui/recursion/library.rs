// No kernel calls these: the first function of a cycle says it, and the others are silent.
use warp::Float;
use warp::prelude::*;

#[func]
pub fn leaf(x: f32) -> f32 {
    x + 1.0
}

#[func]
pub fn above(x: f32) -> f32 {
    leaf(x) + f(x)
}

#[func]
pub fn f(x: f32) -> f32 {
    if x > 1.0 { leaf(x) } else { g(x) }
}

#[func]
pub fn g(x: f32) -> f32 {
    leaf(leaf(x)) + f(x - 1.0)
}

#[func]
pub fn even<T: Float>(x: T) -> T {
    odd(x)
}

#[func]
pub fn odd<T: Float>(x: T) -> T {
    even(x)
}

fn main() {}
