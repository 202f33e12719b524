//! Methods of the user's own traits that have the name of one that kernels know.

use warp::{kernel, tid};

trait Ext {
    fn step(self, edge: f32) -> f32;
}

impl Ext for f32 {
    fn step(self, edge: f32) -> f32 {
        if self < edge { 0.0 } else { 1.0 }
    }
}

#[kernel]
fn threshold(x: &mut [f32]) {
    x[tid()] = x[tid()].step(0.5);
}

fn main() {}
