//! Depends on the framework alone, and reaches the library through it.
#![deny(warnings, missing_docs, unreachable_pub, future_incompatible, unused)]

use framework::simulation::prelude::*;
use framework::{Body, Kind};

/// Lanes.
#[func(crate = framework::simulation)]
pub const LANES: usize = 2;

/// Several arrays.
#[derive(Args)]
#[warp(crate = framework::simulation)]
pub struct World<'a> {
    /// All bodies.
    pub bodies: &'a mut [Body],
    /// Where they are.
    pub heights: &'a [[f32; LANES]],
}

/// One step.
#[kernel(crate = framework::simulation)]
pub fn step(world: World, time: f32) {
    let i = tid();
    if world.bodies[i].kind == Kind::Free && world.heights[i][1] > 0.0 {
        world.bodies[i] = world.bodies[i].after(time);
    }
}

/// For each type.
#[kernel(crate = framework::simulation, T = [f32, f64])]
pub fn fall<T: framework::simulation::Float>(speeds: &mut [T], time: T) {
    let i = tid();
    speeds[i] = framework::fall(speeds[i], time);
}

/// No longer to be launched, which is no warning here.
#[deprecated = "launch `hashed`"]
#[kernel(crate = framework::simulation)]
pub fn doubled(x: &mut [f32]) {
    x[tid()] *= 2.0;
}

/// Times the highest bit of a hash, whose sum overflows from the third thread on.
#[kernel(crate = framework::simulation)]
pub fn hashed(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let hash = i as u32 * 747796405 + 2891336453;
    y[i] = x[i] * (hash >> 31) as f32;
}
