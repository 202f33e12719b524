//! Writing to what came for reading: rustc's words, once each.
use warp::prelude::*;

#[func]
fn fill(part: &mut [f32]) {
    part[0] = 1.0;
}

#[kernel]
fn stores(out: &[f32]) {
    let i = tid();
    out[i] = 1.0;
}

#[kernel]
fn adds(total: &[u32]) {
    atomic_add(&mut total[0], 1);
}

#[kernel]
fn hands_over(out: &[f32]) {
    fill(&mut out[1..3]);
}

#[kernel]
fn takes_a_view(out: View2<f32>) {
    let (i, j) = tid2();
    out[(i, j)] = 1.0;
}

fn main() {}
