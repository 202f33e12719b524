//! Functions, types and kernels of a library that was made for another copy of the runtime than its user has.

use warp::prelude::*;

pub use warp::Array;

/// A function.
#[func]
pub fn twice(x: f32) -> f32 {
    x * 2.0
}

/// A struct.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
pub struct Mass {
    /// In kilograms.
    pub kilograms: f32,
}

#[methods]
impl Mass {
    /// In grams.
    pub fn grams(self) -> f32 {
        self.kilograms * 1000.0
    }
}

/// A length.
#[func]
pub const LENGTH: usize = 3;

/// A kernel.
#[kernel]
pub fn fill(a: &mut [f32], value: f32) {
    let i = tid();
    a[i] = value;
}
