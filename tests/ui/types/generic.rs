use warp::Float;
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Borrowed<'a, T> {
    a: &'a [T],
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Usual<T = f32> {
    a: T,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Eight<T, const N: usize = 8> {
    a: [T; N],
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Flagged<T, const FLAG: bool> {
    a: T,
}

trait Shape {}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Shaped<T: Shape> {
    a: T,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Conditional<T>
where
    T: Float,
    [T; 2]: Copy,
{
    a: T,
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Fine<T: Copy + PartialEq> {
    a: T,
}

#[kernel]
fn silent(out: &mut [f32], fine: Fine<u8>) {
    out[tid()] = fine.a as f32;
}

fn main() {}
