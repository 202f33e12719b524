//! Workloads on functions of floats: W8 and W15.

use warp::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::maps::{self, Map};
use warp_examples_support::workload::{blend, largest_difference};

use crate::Job;
use crate::measure::measure;

#[kernel]
pub fn blended(x: &[f32], y: &mut [f32]) {
    let i = tid();
    let v = x[i];
    let size = v.abs();
    y[i] = v.sin() * (-v * v).exp()
        + size.sqrt() * (3.0 * v).cos()
        + v.atan2(1.0 + v * v)
        + (size + 1.0).powf(blend::EXPONENT);
}

/// W8: a formula with six functions, one launch a step.
pub fn blend(job: &Job) -> Outcome<Measured> {
    let x = blend::inputs(job.n);
    let device_x = Array::from_slice(&job.device, &x)?;
    let mut y = Array::<f32>::zeros(&job.device, job.n)?;
    let launch = blended::on(&job.device).threads(job.threads);
    measure(
        job,
        job.steps,
        &mut y,
        |_| Ok(()),
        |y| launch.launch(job.n, &device_x, y),
        |y| {
            let y = y.to_vec()?;
            Ok((blend::checksum(&y), largest_difference(&y, &blend::reference(&x))))
        },
    )
}

#[kernel]
pub fn sin(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].sin();
}

#[kernel]
pub fn cos(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].cos();
}

#[kernel]
pub fn exp(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].exp();
}

#[kernel]
pub fn log(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].ln();
}

#[kernel]
pub fn pow(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].powf(maps::EXPONENT);
}

#[kernel]
pub fn sqrt(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].sqrt();
}

#[kernel]
pub fn atan2(x: &[f32], w: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].atan2(w[i]);
}

#[kernel]
pub fn div(x: &[f32], w: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] / w[i];
}

/// W15: one function of each number, one launch a step.
pub fn map(job: &Job, map: Map) -> Outcome<Measured> {
    let (x, w) = map.inputs(job.n);
    let (device_x, device_w) = (Array::from_slice(&job.device, &x)?, Array::from_slice(&job.device, &w)?);
    let mut y = Array::<f32>::zeros(&job.device, job.n)?;
    measure(
        job,
        job.steps,
        &mut y,
        |_| Ok(()),
        |y| sweep(job, map, (&device_x, &device_w), y),
        |y| {
            let y = y.to_vec()?;
            Ok((maps::checksum(&y), map.largest_error(&x, &w, &y)))
        },
    )
}

fn sweep(job: &Job, map: Map, (x, w): (&Array<f32>, &Array<f32>), y: &mut Array<f32>) -> Result<(), Error> {
    let (device, threads, n) = (&job.device, job.threads, job.n);
    match map {
        Map::Sin => sin::on(device).threads(threads).launch(n, x, y),
        Map::Cos => cos::on(device).threads(threads).launch(n, x, y),
        Map::Exp => exp::on(device).threads(threads).launch(n, x, y),
        Map::Log => log::on(device).threads(threads).launch(n, x, y),
        Map::Pow => pow::on(device).threads(threads).launch(n, x, y),
        Map::Sqrt => sqrt::on(device).threads(threads).launch(n, x, y),
        Map::Atan2 => atan2::on(device).threads(threads).launch(n, x, w, y),
        Map::Div => div::on(device).threads(threads).launch(n, x, w, y),
    }
}
