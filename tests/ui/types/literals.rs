//! A literal beside a type with several operators has the type that Rust takes, or must say its own.
use std::ops::Mul;

use warp::prelude::*;

#[derive(Clone, Copy, Struct)]
#[repr(C)]
pub struct Both {
    pub x: f32,
}

#[methods]
impl Mul<f32> for Both {
    type Output = Both;
    fn mul(self, by: f32) -> Both {
        Both { x: self.x * by }
    }
}

#[methods]
impl Mul<f64> for Both {
    type Output = Both;
    fn mul(self, by: f64) -> Both {
        Both { x: self.x - by as f32 }
    }
}

#[kernel]
fn scale(all: &mut [Both]) {
    let i = tid();
    all[i] = all[i] * 2.0;
    all[i] = all[i] * 2.0f32 * 2.0f64;
}

fn main() {}
