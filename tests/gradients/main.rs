//! Small kernels on which a backward pass easily goes wrong, launched on a tape, against gradients that were worked out
//! elsewhere; and against central differences, in double precision, of the same formulas in plain Rust, at other inputs.
// The kernels are written as users write them who come from other languages, with a += b spelled out and counted loops.
#![allow(clippy::assign_op_pattern, clippy::needless_range_loop)]

pub mod atomics;
pub mod branches;
pub mod functions;
pub mod loops;
pub mod memory;
pub mod rotations;
pub mod values;

use warp::prelude::*;
use warp::{Element, Tape, grad_check};
use warp_test_devices::{device, on_every_device};

fn array<T: Element>(values: &[T]) -> Array<T> {
    Array::from_slice(&device(), values).unwrap()
}

fn zeros<T: Element + Zeroed>(count: usize) -> Array<T> {
    Array::zeros(&device(), count).unwrap()
}

/// Runs a program that ends in `out`, and goes back from an adjoint of `one` in each of its elements; after a comparison
/// of all its gradients with central differences of the same kernels in double precision.
#[track_caller]
fn back<T: Element>(out: &mut Array<T>, one: T, program: impl FnMut(&mut Array<T>) -> Result<(), warp::Error>) -> Tape {
    back_at_kinks(0, out, one, program)
}

/// As [`back`], where results have a kink at so many numbers, which have no difference to compare with.
#[track_caller]
fn back_at_kinks<T: Element>(
    kinks: usize,
    out: &mut Array<T>,
    one: T,
    mut program: impl FnMut(&mut Array<T>) -> Result<(), warp::Error>,
) -> Tape {
    let before = out.to_vec().unwrap();
    agree(kinks, || program(out));
    out.copy_from_slice(&before).unwrap();
    back_alone(out, one, program)
}

/// As [`back`], without a comparison.
#[track_caller]
fn back_alone<T: Element>(
    out: &mut Array<T>,
    one: T,
    program: impl FnOnce(&mut Array<T>) -> Result<(), warp::Error>,
) -> Tape {
    let tape = Tape::record(|| program(out)).unwrap();
    tape.backward_with([(&*out, &array(&vec![one; out.len()]))]).unwrap();
    tape
}

/// Compares the gradients of a program with central differences in double precision.
#[track_caller]
fn agree(kinks: usize, program: impl FnOnce() -> Result<(), warp::Error>) {
    let report = grad_check(program).unwrap();
    assert!(report.passes() && report.single.is_none() && report.kinks == kinks, "{report}");
}

/// What an array and its gradient are made of.
trait Numbers: Element + Zeroed {
    fn numbers(&self) -> Vec<f64>;
}

impl Numbers for f32 {
    fn numbers(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }
}

impl Numbers for Vec3 {
    fn numbers(&self) -> Vec<f64> {
        self.to_array().map(f64::from).into()
    }
}

/// Row by row.
impl Numbers for Mat2 {
    fn numbers(&self) -> Vec<f64> {
        self.transpose().to_cols_array().map(f64::from).into()
    }
}

/// Row by row.
impl Numbers for Mat3 {
    fn numbers(&self) -> Vec<f64> {
        self.transpose().to_cols_array().map(f64::from).into()
    }
}

/// Column by column.
impl Numbers for DMat2 {
    fn numbers(&self) -> Vec<f64> {
        self.to_cols_array().into()
    }
}

/// Column by column.
impl Numbers for DMat3 {
    fn numbers(&self) -> Vec<f64> {
        self.to_cols_array().into()
    }
}

fn all<T: Numbers>(array: &Array<T>) -> Vec<f64> {
    array.to_vec().unwrap().iter().flat_map(Numbers::numbers).collect()
}

fn gradient<T: Numbers>(array: &Array<T>) -> Vec<f64> {
    all(&array.grad().unwrap())
}

/// Single precision: four digits.
#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    close_to(found, expected, 1e-4);
}

#[track_caller]
fn close_to(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= tolerance * e.abs() + 1e-6, "found {found:?}, expected {expected:?}");
    }
}

/// How a function changes with each of its numbers.
fn slopes(at: &[f64], f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let step = 1e-6;
    let moved = |k: usize, by: f64| {
        let mut moved = at.to_vec();
        moved[k] += by;
        f(&moved)
    };
    (0..at.len()).map(|k| (moved(k, step) - moved(k, -step)) / (2.0 * step)).collect()
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&v| f64::from(v)).collect()
}
