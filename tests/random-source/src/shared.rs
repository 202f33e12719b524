//! What random kernels share: a user's types and functions, defined in another crate than the kernels that use them.

use std::ops::Add;

use warp::prelude::*;

use crate::bounded::{F32, Vec3B};

/// A fieldless enum.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(u8)]
pub enum Mode {
    /// 0
    Off,
    /// 1
    Slow,
    /// 2
    Fast,
}

/// A nested struct.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Inner {
    /// A float.
    pub c: f32,
    /// A narrow integer, so that the struct has padding.
    pub n: u16,
}

/// A struct with a vector, scalars and a struct inside.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Body {
    /// A vector.
    pub p: Vec3,
    /// A float.
    pub m: f32,
    /// An integer.
    pub k: i32,
    /// A struct.
    pub q: Inner,
}

#[methods]
impl Add for Body {
    type Output = Body;
    fn add(self, o: Body) -> Body {
        let q = Inner { c: self.q.c + o.q.c, n: self.q.n + o.q.n };
        Body { p: self.p + o.p, m: self.m + o.m, k: self.k + o.k, q }
    }
}

#[methods]
impl Body {
    /// Some number of it.
    pub fn energy(self) -> f32 {
        self.p.dot(self.p) * self.m + self.q.c
    }
}

/// Adds in place and gives the sum.
#[func]
pub fn bump(x: &mut i32, by: i32) -> i32 {
    *x += by;
    *x
}

/// From `a` to `b`.
#[func]
pub fn blend(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// [`blend`] for bounded numbers.
pub fn blend_b(a: F32, b: F32, t: F32) -> F32 {
    a + (b - a) * t
}

/// [`Inner`] of bounded numbers.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct InnerB {
    pub c: F32,
    pub n: u16,
}

/// [`Body`] of bounded numbers.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct BodyB {
    pub p: Vec3B,
    pub m: F32,
    pub k: i32,
    pub q: InnerB,
}

impl Add for BodyB {
    type Output = BodyB;
    fn add(self, o: BodyB) -> BodyB {
        let q = InnerB { c: self.q.c + o.q.c, n: self.q.n + o.q.n };
        BodyB { p: self.p + o.p, m: self.m + o.m, k: self.k + o.k, q }
    }
}

impl BodyB {
    /// [`Body::energy`].
    pub fn energy(self) -> F32 {
        self.p.dot(self.p) * self.m + self.q.c
    }
}
