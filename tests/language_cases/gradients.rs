//! Functions that name a derivative of their own: its signature is checked, and the function means what it did.

use warp::prelude::*;
use warp::{Array, Float};
use warp_test_devices::{device, on_every_device};

#[derive(Struct, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Spring {
    stiffness: f32,
    kind: u32,
}

#[derive(Struct, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Cell {
    row: i32,
}

/// One adjoint comes back: that of the only argument with floats.
#[func(grad = square_grad)]
fn square<T: Float>(x: T, count: usize) -> (T, usize) {
    (x * x, count + 1)
}

#[func]
fn square_grad<T: Float>(x: T, _count: usize, adjoint: T) -> T {
    (x + x) * adjoint
}

/// Structs with floats have adjoints of their own type, those without have none; nor has memory that is read.
#[func(grad = derivatives::pull_grad)]
fn pull(spring: Spring, at: Vec3, cell: Cell, rest: &[f32]) -> (Vec3, f32) {
    (at * spring.stiffness, rest[cell.row as usize])
}

mod derivatives {
    use super::{Cell, Spring};
    use warp::prelude::*;

    #[func]
    pub(super) fn pull_grad(
        spring: Spring,
        at: Vec3,
        _cell: Cell,
        _rest: &[f32],
        force: Vec3,
        _rest_adjoint: f32,
    ) -> (Spring, Vec3) {
        (Spring { stiffness: force.dot(at), kind: 0 }, force * spring.stiffness)
    }
}

#[kernel]
fn values(rest: &[f32], out: &mut [f32]) {
    let i = tid();
    let (squared, count) = square(i as f32, i);
    let (force, length) = pull(Spring { stiffness: 2.0, kind: 1 }, Vec3::new(squared, 0.0, 0.0), Cell { row: 1 }, rest);
    out[i] = force.x + length + count as f32;
}

#[on_every_device]
fn a_function_with_a_derivative_of_its_own_is_still_the_function() {
    let device = device();
    let rest = Array::from_slice(&device, &[0.0f32, 100.0]).unwrap();
    let mut out = Array::zeros(&device, 4).unwrap();
    values::launch(4, &rest, &mut out).unwrap();
    // 2 i^2 + 100 + i + 1
    assert_eq!(out.to_vec().unwrap(), [101.0, 104.0, 111.0, 122.0]);
}
