// rustc says it once, in the method.
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Point {
    x: f32,
}

#[methods]
impl Point {
    fn wrong(&self) -> f32 {
        self.x * true
    }
}

#[kernel]
fn k(points: &[Point], out: &mut [f32]) {
    let i = tid();
    out[i] = points[i].wrong();
}

fn main() {}
