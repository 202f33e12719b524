//! The rule by which all workloads are timed.

use std::time::Instant;

use warp::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::timing::{median, repeat};

use crate::Job;

/// Times a workload. `reset` puts its inputs back, `step` does one of `steps` steps, and `judge` gives checksum and
/// largest deviation from the reference.
///
/// Making native code happens in the very first step; its seconds are those of that step less those of a usual one.
pub fn measure<S>(
    job: &Job,
    steps: usize,
    state: &mut S,
    mut reset: impl FnMut(&mut S) -> Result<(), Error>,
    mut step: impl FnMut(&mut S) -> Result<(), Error>,
    judge: impl FnOnce(&S) -> Outcome<(f64, f64)>,
) -> Outcome<Measured> {
    let first = Instant::now();
    step(state)?;
    let first = first.elapsed().as_secs_f64();
    let times = repeat(job.reps, state, &mut reset, |state| (0..steps).try_for_each(|_| step(state)))?;
    let usual = median(&times.wall).unwrap_or(0.0) / steps.max(1) as f64;
    let (checksum, max_err) = judge(state)?;
    Ok(Measured { times, compile_seconds: Some((first - usual).max(0.0)), checksum, max_err: Some(max_err) })
}
