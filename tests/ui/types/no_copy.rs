use warp::Struct;

#[derive(Struct)]
#[repr(C)]
struct Point {
    x: f32,
}

fn main() {}
