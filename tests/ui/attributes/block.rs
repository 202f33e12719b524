use warp::prelude::*;

#[kernel(block = 0)]
fn none(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel(block = 2048, min_blocks = 2)]
fn large(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel(block = "128")]
fn text(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel(min_blocks = 2)]
fn of_what_size(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel(min_blocks = 40, block = 32)]
fn many(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel(block = 512, min_blocks = 5)]
fn more_than_fit(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel(block = 256, min_blocks = 8)]
fn right(out: &mut [f32]) {
    out[tid()] = 1.0;
}

fn main() {}
