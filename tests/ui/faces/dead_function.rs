// One plain function, out of sight, below two functions and two kernels: the true error, and one at the function that
// calls it.
use warp::prelude::*;

macro_rules! make {
    ($name:ident) => {
        fn $name(x: f32) -> f32 {
            x
        }
    };
}

make!(helper);

#[func]
fn dead(x: f32) -> f32 {
    helper(x)
}

#[func]
fn caller(x: f32) -> f32 {
    dead(x) + 1.0
}

#[func]
fn other_caller(x: f32) -> f32 {
    dead(x) + 2.0
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = caller(a[i]) + dead(1.0);
}

#[kernel]
fn l(a: &mut [f32]) {
    let i = tid();
    a[i] = other_caller(a[i]);
}

fn main() {}
