use core::ops::Add;

use warp::Float;
use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Pair<T> {
    a: T,
    b: T,
}

impl<T: Float> Pair<T> {
    const WEIGHT: f32 = 2.0;
}

#[methods]
impl<T> Pair<T> {
    fn first(self) -> T {
        self.a
    }
}

#[methods]
impl<T: Copy + Add<Output = T>> Pair<T> {
    fn sum(self) -> T {
        self.a + self.b
    }
}

#[methods]
impl<'a> Pair<&'a f32> {
    fn borrowed(self) -> f32 {
        *self.a
    }
}

#[methods]
impl<T: Float> Pair<T> {
    fn weighted(self) -> f32 {
        Self::WEIGHT
    }

    fn untyped(self) -> T {
        self.a + 1.0
    }
}

#[methods]
impl<T: Copy> Pair<T> {
    fn root(self) -> T {
        self.a.sqrt()
    }
}

#[methods]
impl Pair<f32> {
    fn twice(self) -> f32 {
        self.a * 2.0
    }
}

#[methods]
impl Pair<f64> {
    fn twice(self) -> f64 {
        self.a * 2.0
    }
}

#[func]
fn through<T: Float>(x: Pair<T>) -> T {
    if x == x { x.a } else { x.b }
}

#[kernel]
fn silent(out: &mut [f32], pair: Pair<f32>) {
    out[tid()] = pair.weighted() + pair.untyped() + through(pair);
}

fn main() {}
