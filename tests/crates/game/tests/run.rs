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
