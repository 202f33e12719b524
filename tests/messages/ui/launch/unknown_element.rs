//! Arrays hold types that kernels know.

use warp::prelude::*;

#[derive(Clone, Copy)]
struct Spring {
    rest: f32,
}

fn longest(springs: &Array<Spring>) {}

fn main() {}
