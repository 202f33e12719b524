//! Methods of floats in kernels: each launch against the same kernel as plain Rust.

use warp::Float;
use warp::prelude::*;

use crate::agree::{Samples, agree};

#[kernel(no_fma)]
fn f32_methods(a_in: &[f32], b_in: &[f32], c_in: &[f32], x: &mut [f32], u: &mut [u32]) {
    let t = tid();
    let a = a_in[t];
    let b = b_in[t];
    let c = c_in[t];
    x[t * 19] = a.abs();
    x[t * 19 + 1] = a.sqrt();
    x[t * 19 + 2] = a.floor();
    x[t * 19 + 3] = a.ceil();
    x[t * 19 + 4] = a.trunc();
    x[t * 19 + 5] = a.round();
    x[t * 19 + 6] = a.round_ties_even();
    x[t * 19 + 7] = a.fract();
    x[t * 19 + 8] = a.signum();
    x[t * 19 + 9] = a.recip();
    x[t * 19 + 10] = a.to_degrees();
    x[t * 19 + 11] = a.to_radians();
    x[t * 19 + 12] = a.copysign(b);
    x[t * 19 + 13] = a.mul_add(b, c);
    x[t * 19 + 14] = a % b;
    x[t * 19 + 15] = a.rem_euclid(b);
    x[t * 19 + 16] = a.div_euclid(b);
    x[t * 19 + 17] = a.clamp(f32::MIN, f32::MAX);
    x[t * 19 + 18] = a.clamp(-0.5, 0.5);
    u[t * 7] = a.is_nan() as u32;
    u[t * 7 + 1] = a.is_finite() as u32;
    u[t * 7 + 2] = a.is_infinite() as u32;
    u[t * 7 + 3] = a.is_sign_negative() as u32;
    u[t * 7 + 4] = a.is_sign_positive() as u32;
    u[t * 7 + 5] = (a < b) as u32;
    u[t * 7 + 6] = (a != b) as u32;
}

#[test]
fn f32_agrees() {
    let mut samples = Samples(21);
    let mut floats = || (0..2000).map(|_| samples.float() as f32).collect::<Vec<f32>>();
    let (mut a, mut b, mut c) = (floats(), floats(), floats());
    // The sign of a NaN is not specified, so none goes in.
    for list in [&mut a, &mut b, &mut c] {
        list.iter_mut().filter(|v| v.is_nan()).for_each(|v| *v = 0.75);
    }
    agree!(f32_methods, a, b, c; x: 0.0, 19, u: 0u32, 7);
}

#[kernel(no_fma)]
fn f64_methods(a_in: &[f64], b_in: &[f64], c_in: &[f64], x: &mut [f64], u: &mut [u32]) {
    let t = tid();
    let a = a_in[t];
    let b = b_in[t];
    let c = c_in[t];
    x[t * 19] = a.abs();
    x[t * 19 + 1] = a.sqrt();
    x[t * 19 + 2] = a.floor();
    x[t * 19 + 3] = a.ceil();
    x[t * 19 + 4] = a.trunc();
    x[t * 19 + 5] = a.round();
    x[t * 19 + 6] = a.round_ties_even();
    x[t * 19 + 7] = a.fract();
    x[t * 19 + 8] = a.signum();
    x[t * 19 + 9] = a.recip();
    x[t * 19 + 10] = a.to_degrees();
    x[t * 19 + 11] = a.to_radians();
    x[t * 19 + 12] = a.copysign(b);
    x[t * 19 + 13] = a.mul_add(b, c);
    x[t * 19 + 14] = a % b;
    x[t * 19 + 15] = a.rem_euclid(b);
    x[t * 19 + 16] = a.div_euclid(b);
    x[t * 19 + 17] = a.clamp(f64::MIN, f64::MAX);
    x[t * 19 + 18] = a.clamp(-0.5, 0.5);
    u[t * 7] = a.is_nan() as u32;
    u[t * 7 + 1] = a.is_finite() as u32;
    u[t * 7 + 2] = a.is_infinite() as u32;
    u[t * 7 + 3] = a.is_sign_negative() as u32;
    u[t * 7 + 4] = a.is_sign_positive() as u32;
    u[t * 7 + 5] = (a < b) as u32;
    u[t * 7 + 6] = (a != b) as u32;
}

#[test]
fn f64_agrees() {
    let mut samples = Samples(21);
    let mut floats = || (0..2000).map(|_| samples.float()).collect::<Vec<f64>>();
    let (mut a, mut b, mut c) = (floats(), floats(), floats());
    // The sign of a NaN is not specified, so none goes in.
    for list in [&mut a, &mut b, &mut c] {
        list.iter_mut().filter(|v| v.is_nan()).for_each(|v| *v = 0.75);
    }
    agree!(f64_methods, a, b, c; x: 0.0, 19, u: 0u32, 7);
}

/// A kernel of methods that the two above leave out, and its test.
macro_rules! more {
    ($kernel:ident $test:ident $float:ident) => {
        #[kernel(no_fma)]
        fn $kernel(a_in: &[$float], b_in: &[$float], x: &mut [$float], u: &mut [u32]) {
            let t = tid();
            let a = a_in[t];
            let b = b_in[t];
            x[t * 9] = a.midpoint(b);
            x[t * 9 + 1] = a.next_up();
            x[t * 9 + 2] = a.next_down();
            x[t * 9 + 3] = a.safe_div(b);
            x[t * 9 + 4] = a.safe_recip();
            x[t * 9 + 5] = a.safe_sqrt();
            x[t * 9 + 6] = (a * 8.0).safe_asin();
            x[t * 9 + 7] = (a * 8.0).safe_acos();
            x[t * 9 + 8] = $float::inverse_lerp(a, 2.5, b);
            u[t * 2] = a.is_normal() as u32;
            u[t * 2 + 1] = a.is_subnormal() as u32;
        }

        #[test]
        fn $test() {
            let mut samples = Samples(29);
            let tiny = [$float::MIN_POSITIVE, $float::from_bits(1), -$float::from_bits(1), $float::MAX, $float::MIN];
            // From -1/8 to 1/8 the arcs of Rust and of kernels may differ in the last places.
            let away = |v: $float| if v.abs() < 0.125 && v.is_normal() { 0.25 } else { v };
            let mut floats = || {
                let random = (0..1000).map(|_| away(samples.float() as $float));
                random.chain(tiny).collect::<Vec<$float>>()
            };
            let (a, b) = (floats(), floats());
            agree!($kernel, a, b; x: 0.0, 9, u: 0u32, 2);
        }
    };
}

more!(more_f32_methods more_of_f32_agrees f32);
more!(more_f64_methods more_of_f64_agrees f64);

/// What generic functions may call on any float.
#[func]
fn of_any<F: Float>(a: F, b: F) -> ([F; 15], [bool; 5]) {
    let half = F::from_f32(0.5);
    let values = [
        a.signum(),
        a.copysign(b),
        a.recip(),
        a.trunc(),
        a.round(),
        a.round_ties_even(),
        a.fract(),
        a.rem_euclid(b),
        a.div_euclid(b),
        a.to_degrees(),
        a.to_radians(),
        a.clamp(-half, half),
        a.powi(1),
        a.safe_div(b),
        a.safe_sqrt(),
    ];
    let truths = [a.is_nan(), a.is_infinite(), a.is_finite(), a.is_sign_negative(), a.is_sign_positive()];
    (values, truths)
}

#[kernel(no_fma)]
fn generic_methods(a: &[f64], b: &[f64], single: &mut [f32], double: &mut [f64], u: &mut [u32]) {
    let t = tid();
    let (values, truths) = of_any(a[t] as f32, b[t] as f32);
    let (wide_values, wide_truths) = of_any(a[t], b[t]);
    for k in 0..15 {
        single[t * 15 + k] = values[k];
        double[t * 15 + k] = wide_values[k];
    }
    for k in 0..5 {
        u[t * 5 + k] = truths[k] as u32 + 2 * wide_truths[k] as u32;
    }
}

#[test]
fn generic_functions_have_the_methods_of_floats() {
    let mut samples = Samples(31);
    let mut floats =
        || (0..1000).map(|_| samples.float()).map(|v| if v.is_nan() { 0.75 } else { v }).collect::<Vec<f64>>();
    let (a, b) = (floats(), floats());
    agree!(generic_methods, a, b; single: 0.0, 15, double: 0.0, 15, u: 0u32, 5);
}
