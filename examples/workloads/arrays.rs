//! Workloads on plain arrays: W1, W9 and W10.

use warp::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::{largest_difference, saxpy};

use crate::Job;
use crate::measure::measure;

#[kernel]
pub fn scale_and_add(factor: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] += factor * x[i];
}

#[kernel]
pub fn add(x: &mut [f32], value: f32) {
    let i = tid();
    x[i] += value;
}

/// W1: `y = 2.5 x + y`, one launch a step.
pub fn saxpy(job: &Job) -> Outcome<Measured> {
    let (x, start) = saxpy::inputs(job.n);
    let device_x = Array::from_slice(&job.device, &x)?;
    let mut y = Array::from_slice(&job.device, &start)?;
    let launch = scale_and_add::on(&job.device).threads(job.threads);
    measure(
        job,
        job.steps,
        &mut y,
        |y| y.copy_from_slice(&start),
        |y| launch.launch(job.n, saxpy::FACTOR, &device_x, y),
        |y| {
            let y = y.to_vec()?;
            Ok((saxpy::checksum(&y), largest_difference(&y, &saxpy::reference(&x, &start, job.steps))))
        },
    )
}

/// W10: `y = 2 x + y` of small numbers, for whoever measures the whole process: little is done but what the first result
/// of a process needs.
pub fn first_result(job: &Job) -> Outcome<Measured> {
    let numbers: Vec<f32> = (0..job.n).map(|i| i as f32).collect();
    let x = Array::from_slice(&job.device, &numbers)?;
    let mut y = Array::<f32>::zeros(&job.device, job.n)?;
    let launch = scale_and_add::on(&job.device).threads(job.threads);
    measure(
        job,
        job.steps,
        &mut y,
        |y| y.fill(1.0),
        |y| launch.launch(job.n, 2.0, &x, y),
        |y| {
            let y = y.to_vec()?;
            let sums = numbers.iter().map(|x| f64::from(*x) * 2.0 * job.steps as f64 + 1.0);
            Ok((saxpy::checksum(&y), largest_difference(&y, &sums.collect::<Vec<f64>>())))
        },
    )
}

/// W9: launches of `n` threads that add one.
pub fn launches(job: &Job) -> Outcome<Measured> {
    let mut x = Array::<f32>::zeros(&job.device, job.n)?;
    let launch = add::on(&job.device).threads(job.threads);
    measure(
        job,
        job.steps,
        &mut x,
        |x| x.fill(0.0),
        |x| launch.launch(job.n, x, 1.0),
        |x| {
            let x = x.to_vec()?;
            Ok((saxpy::checksum(&x), largest_difference(&x, &vec![job.steps as f64; job.n])))
        },
    )
}
