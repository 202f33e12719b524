//! Numbers and types at their edges, launched: what rustc makes of the same tokens, bit for bit.

#![allow(warnings, clippy::all, reason = "the oddness is the test")]

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

/// Runs a kernel as plain Rust and launched. Results are bits, so that signs of zeros count.
macro_rules! agree {
    ($($name:ident($input:expr);)*) => {
        mod agree {
            use super::*;
            $(
                #[on_every_device]
                fn $name() {
                    let device = device();
                    let input = $input;
                    let mut expected = vec![Default::default(); input.len()];
                    super::$name::plain(input.len(), &input, &mut expected).unwrap();
                    let mut out = Array::zeros(&device, input.len()).unwrap();
                    super::$name::launch(input.len(), &Array::from_slice(&device, &input).unwrap(), &mut out).unwrap();
                    assert_eq!(out.to_vec().unwrap(), expected);
                }
            )*
        }
    };
}

mod casts;
mod floats;
mod integers;
mod wholes;

const FLOATS: [f32; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    127.5,
    255.9,
    -128.9,
    65535.0,
    3e9,
    -3e9,
    1e20,
    1e-40,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
];
const DOUBLES: [f64; 16] = [
    0.0,
    -0.0,
    0.1,
    -1.0,
    2.5,
    255.999,
    -129.0,
    4294967295.5,
    9.3e18,
    1.9e19,
    -1e300,
    5e-324,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    16777217.0,
];
const WIDE: [i64; 14] =
    [0, 1, -1, 127, 128, -129, 255, 256, 65535, 32768, i32::MAX as i64 + 1, i64::MAX, i64::MIN, 16777217];
