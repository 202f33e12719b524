//! Constants of the program in expressions: what the kernel reads is what rustc makes of the same tokens.

#![allow(clippy::unnecessary_literal_unwrap, reason = "the wrapped constant is what is tested")]

use std::ops::Neg;

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
struct Settings {
    gravity: Vec3,
    limits: Limits,
    weights: [f32; 2],
    count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
struct Limits {
    most: [u32; 3],
}

impl Limits {
    const ALL: Limits = Limits { most: [1, 0, 5] };
}

#[methods]
impl Neg for Limits {
    type Output = Limits;

    fn neg(self) -> Limits {
        Limits { most: [!self.most[0], !self.most[1], !self.most[2]] }
    }
}

const SETTINGS: Settings =
    Settings { gravity: Vec3::new(1.0, 2.0, 3.0), limits: Limits { most: [4, 5, 6] }, weights: [7.0, 8.0], count: 9 };
const UP: Vec3 = Vec3::new(0.0, 1.0, 0.5);
const GAIN: f32 = 1.5;
const DOWN: IVec2 = IVec2::new(3, -4);

#[func]
fn difference(a: Vec3, b: Vec3) -> Vec3 {
    a - b
}

/// The place says what type an expression of constants has; its constants have none of their own.
#[kernel]
fn vectors(scale: f32, out: &mut [Vec3], whole: &mut [IVec2]) {
    let down: Vec3 = -UP;
    out[0] = down;
    out[1] = UP * 2.0;
    out[2] = 2.0 * UP;
    out[3] = UP + UP;
    out[4] = -(UP - SETTINGS.gravity);
    out[5] += -UP;
    out[6] = out[5] - SETTINGS.gravity;
    out[7] = difference(-UP, SETTINGS.gravity);
    out[8] = UP * scale;
    out[9] = UP / scale + 1.0;
    let both: Option<Vec3> = Some(-UP);
    out[10] = both.unwrap_or(Vec3::ONE);
    out[11] = [UP * 3.0, -UP][tid() + 1];
    out[12] = GAIN * out[1] - out[2] / GAIN;
    whole[0] = -DOWN * 3;
    whole[1] = DOWN % 2 + DOWN;
}

/// Here the literal has its type from the constant alone.
#[kernel]
fn twice(out: &mut [Vec3]) {
    out[tid()] = UP * 2.0;
}

#[kernel]
fn parts(out: &mut [Limits], numbers: &mut [f32]) {
    let limits: Limits = SETTINGS.limits;
    out[0] = limits;
    let weights: [f32; 2] = SETTINGS.weights;
    numbers[0] = weights[1];
    let most: [u32; 3] = SETTINGS.limits.most;
    numbers[1] = most[2] as f32 + SETTINGS.count as f32;
    let all: Limits = Limits::ALL;
    out[1] = -all;
}

#[on_every_device]
fn operators_on_vector_constants_are_those_of_vectors() -> Result<(), Error> {
    let device = device();
    let mut expected = ([Vec3::splat(11.0); 13], [IVec2::ZERO; 2]);
    vectors::plain(1, 0.25, &mut expected.0, &mut expected.1)?;
    assert_eq!((expected.0[1], expected.1[0]), (Vec3::new(0.0, 2.0, 1.0), IVec2::new(-9, 12)));
    let mut out = Array::full(&device, 13, Vec3::splat(11.0))?;
    let mut whole = Array::zeros(&device, 2)?;
    vectors::launch(1, 0.25, &mut out, &mut whole)?;
    assert_eq!(out.to_vec()?, expected.0);
    assert_eq!(whole.to_vec()?, expected.1);
    twice::launch(1, &mut out)?;
    assert_eq!(out.get(0)?, Vec3::new(0.0, 2.0, 1.0));
    Ok(())
}

#[on_every_device]
fn parts_of_constants_are_their_values() -> Result<(), Error> {
    let device = device();
    let mut out = Array::full(&device, 2, Limits::ALL)?;
    let mut numbers = Array::zeros(&device, 2)?;
    parts::launch(1, &mut out, &mut numbers)?;
    assert_eq!(out.to_vec()?, [SETTINGS.limits, -Limits::ALL]);
    assert_eq!(numbers.to_vec()?, [8.0, 15.0]);
    Ok(())
}

macro_rules! scaled {
    ($name:ident, $value:expr, $by:expr) => {
        #[kernel]
        fn $name(a: &[i32], out: &mut [i32]) {
            let i = tid();
            out[i] = a[i] * $value - -$by;
            assert!(2 * $by == $value as i32, "{}", 2 * $by);
        }
    };
}

scaled!(by_six, 2 + 4, 1 + 2);

/// An expression that a macro took is one operand, in the plain function as in the launch.
#[on_every_device]
fn expressions_of_macros_stay_together() -> Result<(), Error> {
    let device = device();
    let mut plain = [0; 3];
    by_six::plain(3, &[0, 1, 5], &mut plain)?;
    assert_eq!(plain, [3, 9, 33]);
    let mut out = Array::zeros(&device, 3)?;
    by_six::launch(3, &Array::from_slice(&device, &[0, 1, 5])?, &mut out)?;
    assert_eq!(out.to_vec()?, plain);
    Ok(())
}
