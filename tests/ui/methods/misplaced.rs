use warp::prelude::*;

#[methods]
fn alone() {}

#[methods]
impl core::ops::Neg for &'static str {
    type Output = f32;
    fn neg(self) -> f32 {
        1.0
    }
}

fn main() {}
