use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Point {
    x: f32,
}

impl Point {
    fn twice(&self) -> f32 {
        self.x * 2.0
    }
}

#[kernel]
fn k(points: &[Point], out: &mut [f32]) {
    let i = tid();
    out[i] = points[i].twice();
}

fn main() {}
