// Types and methods of a library that was made for another copy of the runtime.
use second_lib::Mass;
use warp::prelude::*;

#[kernel]
fn element(a: &mut [f32], masses: &[Mass]) {
    let i = tid();
    a[i] = masses[i].kilograms;
}

#[kernel]
fn method(a: &mut [f32]) {
    let i = tid();
    a[i] = Mass { kilograms: 1.0 }.grams();
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Body {
    mass: Mass,
}

fn main() {}
