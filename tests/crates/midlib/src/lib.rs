//! A library between: re-exports, renames, and functions on top of another library.
#![deny(warnings, missing_docs, unreachable_pub, future_incompatible, unused)]

use warp::prelude::*;

pub use physlib::{Dual, drag as slow_down, lerp};

/// Re-exported by a glob.
pub mod all {
    pub use physlib::*;
}

/// A constant of this crate.
pub const STEPS: usize = 4;

/// Calls the other crate by a path, and itself has a constant.
#[func]
pub fn march(x: f32) -> f32 {
    physlib::drag(x) + STEPS as f32
}

/// Names no spring, and calls its methods.
#[func]
pub fn push(stiffness: f32, length: f32) -> f32 {
    physlib::leg(stiffness).spring.energy(length)
}

/// A robot stands on legs of the other crate.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
pub struct Robot {
    /// Its mass.
    pub mass: f32,
    /// Its left leg.
    pub left: physlib::Leg,
}

#[methods]
impl Robot {
    /// The force of a leg.
    pub fn stance(&self, length: f32) -> f32 {
        self.left.spring.force(length) - self.mass * GRAVITY
    }
}

const GRAVITY: f32 = 10.0;

/// Instances of structs of the other crate as fields of a generic one here.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Gait<T> {
    /// Where the legs may be.
    pub range: physlib::Interval<T>,
    /// Where they were.
    pub steps: physlib::Window<physlib::Interval<T>, 3>,
}

#[methods]
impl<T: warp::Float> Gait<T> {
    /// Forgets the oldest step, and gives its middle.
    pub fn step(&mut self, to: T) -> T {
        self.range.shift(to);
        let scaled = self.range * T::from_f32(SCALE);
        self.steps.push(scaled).middle()
    }
}

const SCALE: f32 = 2.0;

/// Names no interval, and calls its methods.
#[func]
pub fn halfway(number: u8) -> f64 {
    let mut reach = physlib::reach(physlib::Leg { number, ..physlib::leg(1.0) });
    reach.shift(number as f64);
    (reach * 3.0).middle()
}

/// Both lerps of the other crate, at two types.
#[func]
pub fn both(a: f32, b: f64) -> f64 {
    physlib::lerp(a, 1.0, 0.25) as f64 + physlib::lerp(b, 1.0, 0.5)
}
