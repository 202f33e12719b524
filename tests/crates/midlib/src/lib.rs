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

/// Both lerps of the other crate, at two types.
#[func]
pub fn both(a: f32, b: f64) -> f64 {
    physlib::lerp(a, 1.0, 0.25) as f64 + physlib::lerp(b, 1.0, 0.5)
}
