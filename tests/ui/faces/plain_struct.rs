use warp::prelude::*;

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[func]
fn first(p: Point) -> f32 {
    p.x
}

#[kernel]
fn k(a: &mut [f32]) {
    let i = tid();
    a[i] = first(Point { x: 1.0 });
}

fn main() {}
