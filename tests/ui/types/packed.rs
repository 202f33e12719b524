use warp::Struct;

#[derive(Clone, Copy, Struct)]
#[repr(C, packed)]
struct Point {
    tag: u8,
    x: f32,
}

fn main() {}
