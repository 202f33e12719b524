use warp::Struct;

#[derive(Clone, Copy, Struct)]
struct Point {
    x: f32,
}

fn main() {}
