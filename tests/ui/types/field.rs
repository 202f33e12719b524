use warp::Struct;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Point<'a> {
    x: &'a [f32],
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Text {
    x: char,
}

fn main() {}
