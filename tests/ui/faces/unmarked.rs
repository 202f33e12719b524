// Plain items of this file: told at their use with the way out, once, and callers are silent.
use inside::of_a_module;
use warp::prelude::*;

fn plain(x: f32) -> f32 {
    x
}

mod inside {
    pub fn of_a_module(x: f32) -> f32 {
        x
    }
}

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

struct Grid<'a> {
    cells: &'a [f32],
}

#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum Kind {
    One,
}

type Real = f32;

const LENGTH: usize = 4;

#[kernel]
fn other(a: &mut [f32]) {
    a[tid()] = 1.0;
}

#[func]
fn calls(x: f32) -> f32 {
    plain(x)
}

#[func]
fn imports(x: f32) -> f32 {
    of_a_module(x) + inside::of_a_module(x)
}

#[kernel]
fn above(a: &mut [f32]) {
    a[tid()] = calls(1.0) + imports(1.0) + first(Point { x: 1.0 });
}

#[func]
fn first(p: Point) -> f32 {
    p.x
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Pair {
    x: Real,
}

#[kernel]
fn takes(a: &mut [f32], p: &[Point], kind: Kind, grid: Grid) {
    let i = tid();
    a[i] = p[i].x + grid.cells[i];
}

#[kernel]
fn calls_a_kernel(a: &mut [f32]) {
    let i = tid();
    other(a);
}

#[kernel]
fn long(a: &mut [f32]) {
    let all = [1.0; LENGTH];
    a[tid()] = all[0];
}

#[func]
const TWICE: usize = 2 * LENGTH;

#[derive(Args)]
struct Bundle<'a> {
    points: &'a [Point],
}

// Made by a macro: the file does not settle what these are.
macro_rules! make {
    ($name:ident) => {
        fn $name(x: f32) -> f32 {
            x
        }
    };
}

make!(of_a_macro);

#[kernel]
fn calls_what_is_made(a: &mut [f32]) {
    a[tid()] = of_a_macro(1.0);
}

fn launches(a: &mut Array<f32>, p: &Array<f32>) -> Result<(), Error> {
    takes::launch(4, a, p, Kind::One, p)
}

fn main() {}
