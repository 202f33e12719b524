//! Call trees at their limits do what plain functions do.

use app::sizes::{deep, expected, less_deep, wide};
use warp::prelude::*;

#[test]
fn as_deep_as_calls_may_be() {
    let device = Device::cpu();
    let mut out = Array::from_slice(&device, &[0.0f32, 1.0, -3.0]).unwrap();
    deep::launch(3, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [39.0, 41.0, 33.0]);
    less_deep::launch(3, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [78.0 + 37.0, 82.0 + 37.0, 66.0 + 37.0]);
}

#[test]
fn three_hundred_functions_in_one_kernel() {
    let values = [0u32, 1, 0xdead_beef, u32::MAX];
    let mut out = Array::from_slice(&Device::cpu(), &values).unwrap();
    wide::launch(4, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), values.map(expected));
}
