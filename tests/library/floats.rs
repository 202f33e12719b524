//! Methods of floats in kernels: each launch against the same kernel as plain Rust.

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
