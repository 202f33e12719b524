//! What random kernels share: a user's types and functions, defined in another crate than the kernels that use them.

#![allow(clippy::into_iter_on_ref, clippy::should_implement_trait, reason = "the forms are what is tested")]

use std::ops::{Add, Mul};

use warp::Scalar;
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

    /// Some number of it and another one.
    pub fn weigh(self, by: f32) -> f32 {
        self.m * by - self.q.c
    }

    /// Changes it, and gives a number of it.
    pub fn grow(&mut self, by: f32) -> f32 {
        self.m += by;
        self.k += 1;
        self.m
    }
}

/// A struct with arrays inside.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Rig {
    /// Floats.
    pub t: [f32; 4],
    /// Integers.
    pub w: [i32; 6],
    /// A vector.
    pub c: Vec3,
}

/// The sum, from the first to the last.
#[func]
pub fn total(a: &[f32]) -> f32 {
    let mut sum = 0.0;
    for x in a {
        sum += *x;
    }
    sum
}

/// Raises each element by what the one before it became; gives the last.
#[func]
pub fn lift(a: &mut [f32], by: f32) -> f32 {
    let mut sum = by;
    for x in a.iter_mut() {
        *x += sum;
        sum = *x;
    }
    sum
}

/// A number of all elements and their order.
#[func]
pub fn tally(a: &[i32]) -> i32 {
    let mut sum = a.len() as i32;
    for (k, x) in a.iter().enumerate() {
        sum = sum * 3 + *x + k as i32;
    }
    sum
}

/// Changes each element, and swaps the ends.
#[func]
pub fn stir(a: &mut [i32], by: i32) -> i32 {
    for x in a.iter_mut() {
        *x += by;
    }
    if a.len() > 1 {
        a.swap(0, a.len() - 1);
        a[1] ^= 5;
    }
    a.len() as i32 - by
}

/// Two values of one type.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Duo<T> {
    /// The first.
    pub a: T,
    /// The second.
    pub b: T,
}

#[methods]
impl<T: Copy> Duo<T> {
    /// Of two values.
    pub fn new(a: T, b: T) -> Duo<T> {
        Duo { a, b }
    }

    /// The other way round.
    pub fn swapped(self) -> Self {
        Self::new(self.b, self.a)
    }
}

#[methods]
impl<T: Scalar> Duo<T> {
    /// Of both.
    pub fn sum(self) -> T {
        self.a + self.b
    }
}

#[methods]
impl<T: Scalar> Add for Duo<T> {
    type Output = Duo<T>;
    fn add(self, o: Duo<T>) -> Duo<T> {
        Duo { a: self.a + o.a, b: self.b + o.b }
    }
}

#[methods]
impl<T: Scalar> Mul<T> for Duo<T> {
    type Output = Duo<T>;
    fn mul(self, factor: T) -> Duo<T> {
        Duo::new(self.a * factor, self.b * factor)
    }
}

/// Adds in place and gives the sum.
#[func]
pub fn bump(x: &mut i32, by: i32) -> i32 {
    *x += by;
    *x
}

/// Adds to all elements, over the slice by its name.
#[func]
pub fn add_all(a: &mut [i32], by: i32) {
    for x in a {
        *x += by;
    }
}

/// Takes an array apart behind its reference, hands it on, and walks over it by its name.
#[func]
pub fn turned(v: &mut [i32; 4], by: i32) -> i32 {
    let &mut [a, b, c, d] = v;
    add_all(v, by);
    v[0] = d;
    v[3] ^= a;
    let mut sum = 0;
    for (k, x) in v.into_iter().enumerate() {
        if *x > b {
            continue;
        }
        sum += *x;
        *x -= k as i32 * c;
    }
    sum
}

/// Changes copies of the elements alone.
#[func]
pub fn mixed(v: &mut [i32], by: i32) -> i32 {
    let mut sum = by;
    for (k, &mut mut x) in v.iter_mut().enumerate() {
        x = x * 3 + k as i32;
        sum ^= x;
    }
    for v in [v[0], sum] {
        sum = sum * 5 + v;
    }
    sum
}

/// Counts from `at` up to `end`.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub struct Steps {
    /// The last number.
    pub at: i32,
    /// No number is larger.
    pub end: i32,
}

#[methods]
impl Steps {
    /// The next number.
    pub fn next(&mut self) -> Option<i32> {
        if self.at >= self.end {
            return None;
        }
        self.at += 1;
        Some(self.at)
    }
}

impl Iterator for Steps {
    type Item = i32;
    fn next(&mut self) -> Option<i32> {
        Steps::next(self)
    }
}

/// Some numbers of a sequence, which goes on behind them.
#[func]
pub fn some(steps: &mut Steps, sum: &mut i32) {
    for x in steps {
        *sum = *sum * 7 + x;
        if *sum & 3 == 1 {
            return;
        }
    }
}

/// What [`some`] sums up, called twice.
#[func]
pub fn stepped(from: i32, by: i32) -> i32 {
    let (mut steps, mut sum) = (Steps { at: from & 15, end: (from & 15) + 6 }, by);
    some(&mut steps, &mut sum);
    sum ^= steps.at;
    some(&mut steps, &mut sum);
    sum - steps.at
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

/// [`Duo`] of bounded numbers.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct DuoB<T> {
    pub a: T,
    pub b: T,
}

impl<T: Copy + Add<Output = T>> DuoB<T> {
    /// [`Duo::new`].
    pub fn new(a: T, b: T) -> DuoB<T> {
        DuoB { a, b }
    }

    /// [`Duo::swapped`].
    pub fn swapped(self) -> DuoB<T> {
        DuoB { a: self.b, b: self.a }
    }

    /// [`Duo::sum`].
    pub fn sum(self) -> T {
        self.a + self.b
    }
}

impl<T: Add<Output = T>> Add for DuoB<T> {
    type Output = DuoB<T>;
    fn add(self, o: DuoB<T>) -> DuoB<T> {
        DuoB { a: self.a + o.a, b: self.b + o.b }
    }
}

impl<T: Copy + Mul<Output = T>> Mul<T> for DuoB<T> {
    type Output = DuoB<T>;
    fn mul(self, factor: T) -> DuoB<T> {
        DuoB { a: self.a * factor, b: self.b * factor }
    }
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

    /// [`Body::weigh`].
    pub fn weigh(self, by: F32) -> F32 {
        self.m * by - self.q.c
    }

    /// [`Body::grow`].
    pub fn grow(&mut self, by: F32) -> F32 {
        self.m += by;
        self.k += 1;
        self.m
    }
}

/// [`Rig`] of bounded numbers.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct RigB {
    pub t: [F32; 4],
    pub w: [i32; 6],
    pub c: Vec3B,
}

/// [`total`] of bounded numbers.
pub fn total_b(a: &[F32]) -> F32 {
    let mut sum = F32::exact(0.0);
    for x in a {
        sum += *x;
    }
    sum
}

/// [`lift`] of bounded numbers.
pub fn lift_b(a: &mut [F32], by: F32) -> F32 {
    let mut sum = by;
    for x in a.iter_mut() {
        *x += sum;
        sum = *x;
    }
    sum
}
