use warp::prelude::*;

#[func]
fn any<T>(x: T) -> T {
    x
}

#[func]
fn flag<const B: bool>(x: f32) -> f32 {
    x
}

fn main() {}
