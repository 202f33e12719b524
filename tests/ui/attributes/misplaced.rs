use warp::prelude::*;

#[kernel]
struct A;

#[func]
const B: f32 = 1.0;

fn main() {}
