//! What would mean something else in a kernel than in Rust is refused.
use warp::prelude::*;

const N: u32 = 5;

#[kernel]
fn constant(x: &[u32], out: &mut [u32]) {
    let i = tid();
    out[i] = match x[i] {
        N => 1,
        _ => 0,
    };
}

#[kernel]
fn guard(x: &[u32], out: &mut [u32]) {
    let i = tid();
    out[i] = match (x[i], x[0]) {
        (a, _) | (_, a) if a > 3 => a,
        _ => 0,
    };
}

#[kernel]
fn walk(out: &mut [u32]) {
    let mut a = [1u32, 2, 3];
    for x in a {
        a[2] = 10;
        out[tid()] += x;
    }
}

#[kernel]
fn index(x: &[u32], out: &mut [u32]) {
    out[match x[tid()] {
        0 => return,
        k => k as usize,
    }] = 1;
}

fn main() {}
