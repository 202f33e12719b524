use warp::prelude::*;

#[func(grad = derivative)]
fn changes(x: &mut f32) {
    *x = 1.0;
}

#[func(grad = derivative)]
fn whole(n: u32) -> u32 {
    n + 1
}

#[func]
fn derivative(x: f32) -> f32 {
    x
}

fn main() {}
