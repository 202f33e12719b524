//! Arrays hold types that kernels know.

use warp::prelude::*;

#[derive(Clone, Copy)]
struct Spring {
    rest: f32,
}

fn longest(_: &Array<Spring>) {}

fn main() {}
