// rustc tells what is wrong in the head of a function, and we say nothing else of it.
use warp::prelude::*;

#[kernel]
fn broken(a: &mut [f32], x f32) {
    a[tid()] = x;
}

#[func]
fn broken_function(x: f32) > f32 {
    x
}

fn main() {}
