//! Lengths of arrays that are constants.

#![allow(clippy::needless_range_loop)]

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

mod sizes {
    use warp::prelude::*;

    #[func]
    pub const WINDOW: usize = 3;
    #[func]
    pub const TWICE: usize = 2 * WINDOW;
    /// Read as a value alone, so that it needs no attribute.
    pub const SCALE: usize = 5;
}

use sizes::TWICE as WIDE;
use sizes::{SCALE, WINDOW};

#[derive(Struct, Clone, Copy, Debug, PartialEq, Default)]
#[repr(C)]
struct Filter {
    weights: [f32; WINDOW],
    grid: [[u8; sizes::TWICE]; WINDOW + 1],
}

#[func]
fn reversed(values: [f32; WINDOW]) -> [f32; WINDOW] {
    let mut back = [0.0; WINDOW];
    for k in 0..WINDOW {
        back[k] = values[WINDOW - 1 - k];
    }
    back
}

#[func]
fn filled<const N: usize>(x: f32) -> [f32; N] {
    [x; N]
}

#[methods]
impl Filter {
    fn sum(&self, extra: &[f32; WIDE]) -> f32 {
        let mut sum = 0.0;
        for k in 0..WINDOW {
            sum += self.weights[k] * extra[2 * k];
        }
        sum + self.grid[WINDOW][WIDE - 1] as f32
    }
}

#[kernel]
fn sums(filters: &[Filter], out: &mut [f32], last: &mut [[f32; WINDOW]]) {
    const HALF: usize = WIDE / 2;
    let i = tid();
    let filter = filters[i];
    let mut ramp = [0.0f32; WIDE];
    for k in 0..WIDE {
        ramp[k] = (k * SCALE) as f32;
    }
    let halves: [f32; HALF] = [ramp[1]; HALF];
    let many = filled::<WIDE>(0.5);
    out[i] = filter.sum(&ramp) + halves[HALF - 1] + many[WIDE - 1] + many.len() as f32;
    last[i] = reversed(filter.weights);
}

#[on_every_device]
fn constants_are_lengths_in_fields_signatures_and_bodies() {
    let mut filters = [Filter::default(), Filter { weights: [1.0, 2.0, 3.0], grid: [[7; 6]; 4] }];
    filters[1].grid[3][5] = 9;
    // The second: 1 * 0 + 2 * 10 + 3 * 20 = 80, and 9; both: 5, 0.5 and 6.
    let (sums_expected, last_expected) = ([11.5, 100.5], [[0.0; 3], [3.0, 2.0, 1.0]]);
    let device = device();
    let array = Array::from_slice(&device, &filters).unwrap();
    let (mut out, mut last) = (Array::zeros(&device, 2).unwrap(), Array::zeros(&device, 2).unwrap());
    sums::launch(2, &array, &mut out, &mut last).unwrap();
    assert_eq!((out.to_vec().unwrap(), last.to_vec().unwrap()), (sums_expected.to_vec(), last_expected.to_vec()));
    let (mut out, mut last) = ([0.0; 2], [[0.0; 3]; 2]);
    sums::plain(2, &filters, &mut out, &mut last).unwrap();
    assert_eq!((out, last), (sums_expected, last_expected));
}

/// A constant of the body hides the one outside, but not in the signature.
#[func]
fn within(a: [f32; WINDOW]) -> u32 {
    const WINDOW: usize = 5;
    ([1u8; WINDOW].len() * 10 + a.len()) as u32
}

#[kernel]
fn hidden(a: &[[f32; 3]], out: &mut [u32]) {
    const WINDOW: usize = 5;
    let (wide, i) = ([1u8; WINDOW], tid());
    out[i] = (wide.len() * 100 + a[i].len() * 10 + WINDOW) as u32 + 1000 * within(a[i]);
}

#[on_every_device]
fn a_constant_of_the_body_comes_first_in_the_body() {
    let device = device();
    let a = Array::zeros(&device, 1).unwrap();
    let mut out = Array::zeros(&device, 1).unwrap();
    hidden::launch(1, &a, &mut out).unwrap();
    let mut plain = [0];
    hidden::plain(1, &[[0.0; 3]], &mut plain).unwrap();
    assert_eq!((out.to_vec().unwrap()[0], plain[0]), (53535, 53535));
}
