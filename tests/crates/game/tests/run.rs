//! Runs the kernels of a crate to which the library is known by a path.

use framework::simulation::prelude::*;
use framework::{Body, Kind};

#[test]
fn kernels_find_the_library_by_the_path_that_they_name() {
    let device = Device::cpu();
    let body = |speed, kind| Body { speed, kind };
    let given = [body(1.0, Kind::Free), body(2.0, Kind::Fixed), body(3.0, Kind::Free)];
    let mut bodies = Array::from_slice(&device, &given).unwrap();
    let heights = Array::from_slice(&device, &[[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]).unwrap();
    let world = game::WorldArrays { bodies: &mut bodies, heights: &heights };
    game::step::launch(3, world, 0.5).unwrap();
    assert_eq!(bodies.to_vec().unwrap(), [body(6.25, Kind::Free), given[1], given[2]]);
    let mut speeds = Array::from_slice(&device, &[1.0f64, 2.0]).unwrap();
    game::fall::launch(2, &mut speeds, 0.25).unwrap();
    assert_eq!(speeds.to_vec().unwrap(), [1.0625, 2.0625]);
}

/// Integers of kernels wrap in each build. Plain Rust panics where overflow is checked, which says nothing about kernels:
/// gradients are compared all the same.
#[test]
fn integers_that_overflow_do_not_spoil_a_comparison_of_gradients() {
    let device = Device::cpu();
    let x = Array::from_slice(&device, &[1.0f32, 2.0, 3.0]).unwrap();
    let mut y = Array::zeros(&device, 3).unwrap();
    let report = framework::simulation::grad_check(|| game::hashed::launch(3, &x, &mut y)).unwrap();
    // By hand, modulo 2^32: 2891336453, 3639132858 and 91961967; the first two have the highest bit.
    assert_eq!(y.to_vec().unwrap(), [1.0, 2.0, 0.0]);
    assert!(report.passes(), "{report}");
    let words = report.to_string();
    assert!(words.contains("attempt to add with overflow"), "{words}");
    assert!(words.contains("In kernels integers wrap: say `wrapping_mul` and the like, and both do"), "{words}");
}
