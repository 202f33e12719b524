use warp::Struct;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
union Either {
    a: f32,
    b: u32,
}

fn main() {}
