//! Kernels on functions, types and constants of other crates.
#![deny(warnings, missing_docs, unreachable_pub, future_incompatible, unused)]

pub mod docs;
pub mod orders;
pub mod sizes;
pub mod values;

use warp::prelude::*;

use midlib::all::{Interval as Range, Spring, Stuff, density};
use midlib::{Dual as Number, slow_down as brake};

const GAIN: f32 = 100.0;

/// The judged example: a struct with operators, two functions and constants of another crate, renamed and re-exported.
#[kernel]
pub fn dual(x: &[f32], out: &mut [Number]) {
    let i = tid();
    let mut number = Number { value: x[i], slope: 1.0 };
    number = number * number * 2.0;
    number += 0.5 * -number;
    let braked = brake(number.value);
    let mixed = midlib::lerp(braked, midlib::all::TWICE_AIR, 0.5);
    out[i] = Number { value: mixed + GAIN, slope: number.slope };
}

/// Names no spring, and reads constants two crates away.
#[kernel]
pub fn robots(robots: &[midlib::Robot], out: &mut [f32]) {
    let i = tid();
    out[i] = robots[i].stance(3.0) + midlib::push(2.0, 3.0) + robots[i].left.spring.energy(2.0);
}

/// Methods in two blocks, in place, and associated functions.
#[kernel]
pub fn springs(out: &mut [f32]) {
    let i = tid();
    let mut spring = Spring::with(2.0);
    spring.stretch(i as f32);
    out[i] = spring.force(5.0) + spring.energy(5.0);
}

/// Enums of another crate.
#[kernel]
pub fn weigh(stuff: &mut [Stuff], out: &mut [f32]) {
    let i = tid();
    out[i] = density(stuff[i]);
    if stuff[i] == Stuff::Air {
        stuff[i] = Stuff::Rock;
    }
}

/// Generic functions at two types, through another crate and here, and by length.
#[kernel]
pub fn generics(out: &mut [f64]) {
    let i = tid();
    let four: [f32; 4] = [1.0, 2.0, 3.0, 4.0];
    let two: [f32; 2] = [1.0, 2.0];
    let sums = midlib::all::sum(four) * 10.0 + midlib::all::sum(two);
    out[i] = midlib::both(i as f32, i as f64) + midlib::all::lerp(1.0f64, 3.0, 0.5) + sums as f64;
}

/// A generic method of another crate, whose type has no name here, at two types and lengths.
#[kernel]
pub fn generic_methods(out: &mut [f64]) {
    let i = tid();
    let spring = midlib::all::leg(4.0).spring;
    let (single, first) = spring.mixed([1.0f32, 2.0], 0.25);
    let (double, second) = spring.mixed([1.0, i as f64, 8.0], 0.5);
    out[i] = single as f64 + double * 100.0 + (first + second) as f64 * 10000.0;
}

/// Generic structs of two crates, by other names and by none.
#[kernel]
pub fn gaits(gaits: &mut [midlib::Gait<f32>], out: &mut [f64]) {
    let i = tid();
    let mut gait = gaits[i];
    let first = gait.step(1.0);
    gait.range.low -= gait.steps.values[1].middle();
    gaits[i] = gait;
    let mut window = midlib::all::Window { values: [i as u8; 2], at: 1 };
    window.push(7);
    let Range { low, high } = Range::around(2.0f32, 0.5);
    out[i] = first as f64 + midlib::halfway(4) * 100.0 + window.values[1] as f64 + (low * high) as f64;
}

/// One kernel for two instances.
#[kernel(T = [f32, f64])]
pub fn middles<T: warp::Float>(ranges: &[Range<T>], out: &mut [T]) {
    let i = tid();
    out[i] = ranges[i].middle();
}

/// Two modules made by one macro from equal tokens.
#[kernel]
pub fn twins(out: &mut [f32]) {
    let i = tid();
    out[i] = midlib::all::twice::apply(i as f32) + 100.0 * midlib::all::thrice::apply(i as f32);
}

/// The same function by two paths is one function.
#[kernel]
pub fn paths(out: &mut [f32]) {
    let i = tid();
    out[i] = brake(i as f32) + midlib::slow_down(1.0) + midlib::all::drag(2.0) + midlib::march(i as f32);
}

/// One kernel for each of two types.
#[kernel(T = [f32, f64])]
pub fn axpy<T: warp::Float>(x: &[T], y: &mut [T], a: T) {
    let i = tid();
    y[i] = midlib::lerp(x[i], y[i], a) + T::from_f32(GAIN);
}
