use warp::Struct;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Pair<T> {
    a: T,
    b: T,
}

fn main() {}
