//! Numbers without a suffix beside the user's types: they take the type that the operators of that type allow.

#![allow(clippy::suspicious_arithmetic_impl, reason = "which of the operators ran must show")]

use std::ops::{Add, Mul, MulAssign, Shl, Sub};

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Single {
    pub x: f32,
    pub n: u8,
}

#[methods]
impl Mul<f32> for Single {
    type Output = Single;
    fn mul(self, by: f32) -> Single {
        Single { x: self.x * by, n: self.n }
    }
}

#[methods]
impl Mul<Single> for f32 {
    type Output = Single;
    fn mul(self, of: Single) -> Single {
        Single { x: self - of.x, n: of.n }
    }
}

#[methods]
impl Mul<Vec3> for Single {
    type Output = Vec3;
    fn mul(self, by: Vec3) -> Vec3 {
        by * self.x
    }
}

#[methods]
impl Mul for Single {
    type Output = Single;
    fn mul(self, by: Single) -> Single {
        Single { x: self.x * by.x, n: self.n }
    }
}

#[methods]
impl Add<u8> for Single {
    type Output = Single;
    fn add(self, by: u8) -> Single {
        Single { x: self.x, n: self.n.wrapping_add(by) }
    }
}

#[methods]
impl MulAssign<f32> for Single {
    fn mul_assign(&mut self, by: f32) {
        self.x *= by;
    }
}

/// Has operators for both kinds of floats; a literal is an `f64` then, to Rust too.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Double {
    pub x: f64,
    pub n: i64,
}

#[methods]
impl Mul<f64> for Double {
    type Output = Double;
    fn mul(self, by: f64) -> Double {
        Double { x: self.x * by, n: self.n }
    }
}

#[methods]
impl Mul<f32> for Double {
    type Output = Double;
    fn mul(self, by: f32) -> Double {
        Double { x: self.x - by as f64, n: self.n }
    }
}

#[methods]
impl Sub<Double> for i64 {
    type Output = Double;
    fn sub(self, of: Double) -> Double {
        Double { x: of.x, n: self - of.n }
    }
}

#[methods]
impl Shl<i64> for Double {
    type Output = Double;
    fn shl(self, by: i64) -> Double {
        Double { x: self.x, n: self.n + by }
    }
}

#[kernel(no_fma)]
fn literals(singles: &mut [Single], doubles: &mut [Double], points: &mut [Vec3]) {
    let i = tid();
    let s = 0.1 * (singles[i] * 0.3) + 200;
    points[i] = s * Vec3::new(0.7, 0.2, 0.1);
    let mut s = s * s * 1e-3;
    s *= 0.7;
    singles[i] = s;
    let d: Double = doubles[i] * 0.1 * 0.1f32;
    doubles[i] = (5_000_000_000 - d) << 6_000_000_000;
}

#[on_every_device]
fn literals_take_the_type_that_operators_allow() {
    let device = device();
    let singles: Vec<Single> = (0..9).map(|k| Single { x: k as f32 * 0.37 - 1.0, n: k * 30 }).collect();
    let doubles: Vec<Double> = (0..9).map(|k| Double { x: k as f64 * 0.37 - 1.0, n: k }).collect();
    let points = vec![Vec3::ZERO; 9];
    let mut plain = (singles.clone(), doubles.clone(), points.clone());
    literals::plain(9, &mut plain.0, &mut plain.1, &mut plain.2).unwrap();
    let mut arrays = (
        Array::from_slice(&device, &singles).unwrap(),
        Array::from_slice(&device, &doubles).unwrap(),
        Array::from_slice(&device, &points).unwrap(),
    );
    literals::launch(9, &mut arrays.0, &mut arrays.1, &mut arrays.2).unwrap();
    assert_eq!(arrays.0.to_vec().unwrap(), plain.0);
    assert_eq!(arrays.1.to_vec().unwrap(), plain.1);
    assert_eq!(arrays.2.to_vec().unwrap(), plain.2);
    // By hand: 200 of a `u8`, the sum of the two large numbers, and 0.1 as an `f64` and an `f32`.
    assert_eq!((plain.0[2].n, plain.1[3].n), (4, 10_999_999_997));
    assert_eq!(plain.1[3].x, (3.0 * 0.37 - 1.0) * 0.1 - 0.1f32 as f64);
}
