//! The comparison of gradients with differences: it passes what is right, and finds what is wrong.

mod detached;
mod numbers;
mod plain;
mod programs;
mod wrong;

use warp::prelude::*;

#[kernel]
fn cubes(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * x[i] * x[i];
}
