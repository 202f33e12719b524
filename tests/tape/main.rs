//! Tapes: gradients of programs of several launches, copies and writes.

mod checkpoints;
mod devices;
mod errors;
mod functions;
mod guards;
mod launches;
mod memory;
mod parts;
mod pictures;
mod random;
mod records;
mod several;
mod unseen;

use warp::prelude::*;
use warp::{Tape, TapeError};
use warp_test_devices::{device, on_device, on_every_device, on_the_cpu};

#[kernel]
fn square_plus_one(a: &mut [f32]) {
    let i = tid();
    a[i] = a[i] * a[i] + 1.0;
}

#[kernel]
fn sum(a: &[f32], out: &mut [f32]) {
    atomic_add(&mut out[0], a[tid()]);
}

/// Sums up an array.
fn total(a: &Array<f32>) -> Result<Array<f32>, warp::Error> {
    let mut out = Array::zeros(a.device(), 1)?;
    sum::launch(a.len(), a, &mut out)?;
    Ok(out)
}

fn array(values: &[f32]) -> Array<f32> {
    Array::from_slice(&device(), values).unwrap()
}

/// A tape of either sort.
fn record<T>(checkpointed: bool, body: impl FnOnce() -> Result<T, warp::Error>) -> (T, Tape) {
    if checkpointed { Tape::checkpointed_with(body) } else { Tape::record_with(body) }.unwrap()
}

/// What the tape says is wrong.
#[track_caller]
fn tape_error<T>(result: Result<T, warp::Error>) -> TapeError {
    match result.err().expect("an error") {
        warp::Error::Tape(error) => *error,
        other => panic!("another error: {other}"),
    }
}

/// The gradient of the sum of an array that `body` makes.
fn gradient_of_sum(body: impl FnOnce() -> Result<Array<f32>, warp::Error>) -> (f32, Tape) {
    let (loss, tape) = Tape::record_with(|| total(&body()?)).unwrap();
    tape.backward(&loss).unwrap();
    (loss.get(0).unwrap(), tape)
}
