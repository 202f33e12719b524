use warp::Struct;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Hash {
    x: f32,
}

fn main() {}
