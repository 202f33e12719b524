use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Cell {
    row: u32,
}

#[kernel(grad(dt, time))]
fn unknown(pos: &mut [f32], dt: f32, n: u32) {
    pos[tid()] += dt * n as f32;
}

#[kernel(grad(pos))]
fn an_array(pos: &mut [f32]) {
    pos[tid()] += 1.0;
}

#[kernel(grad(n, cell))]
fn no_floats(pos: &mut [f32], n: u32, cell: Cell) {
    pos[(n + cell.row) as usize] += 1.0;
}

#[kernel(grad(n))]
fn nothing(pos: &mut [f32]) {
    pos[tid()] += 1.0;
}

#[kernel(undo_bytes = -1)]
fn no_number(pos: &mut [f32]) {
    pos[tid()] += 1.0;
}

#[methods(grad = slope)]
impl Cell {
    fn next(self) -> u32 {
        self.row + 1
    }
}

fn main() {}
