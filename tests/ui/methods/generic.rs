use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Point {
    x: f32,
}

#[methods]
impl Point {
    fn scaled<T: warp::Float>(&self, by: T) -> T {
        by
    }
}

fn main() {}
