//! An element with more numbers than kernels take, and more local arrays than a thread may hold.
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Cell {
    table: [[f32; 100]; 100],
    count: u8,
}

#[kernel]
fn count(cells: &mut [Cell]) {
    cells[tid()].count += 1;
}

#[func]
fn scratch(i: usize) -> u8 {
    let mut bytes = [1u8; 60000];
    bytes[i] = 3;
    bytes[i + 1]
}

#[func]
fn five(i: usize) -> u8 {
    scratch(i) + scratch(i + 2) + scratch(i + 4) + scratch(i + 6) + scratch(i + 8)
}

#[kernel]
fn twenty(out: &mut [u8]) {
    let i = tid();
    out[i] = five(i) + five(i + 10) + five(i + 20) + five(i + 30);
}

fn main() {}
