//! Workloads on grids: W5, its gradient, and W14.

use warp::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::{heat, largest_difference, mandelbrot};

use crate::Job;
use crate::heat::Plate;
use crate::heat_control::Control;
use crate::mandelbrot::{ordered, rows};
use crate::measure::measure;

/// W5: heat on a plate of `n * n` cells.
pub fn heat(job: &Job) -> Outcome<Measured> {
    let start = heat::start(job.n);
    let mut plate = Plate::new(&job.device, job.threads, job.n, &start)?;
    measure(
        job,
        job.steps,
        &mut plate,
        |plate| plate.reset(&start),
        Plate::step,
        |plate| {
            let end = plate.temperatures()?;
            let reference = heat::reference(&start, job.n, job.steps);
            Ok((heat::checksum(&end), largest_difference(&end, &reference)))
        },
    )
}

/// W5 and back: how the sum of the squares of the last temperatures changes with the first ones. One repetition is all
/// steps and their way back.
pub fn heat_gradient(job: &Job) -> Outcome<Measured> {
    let start = heat::start(job.n);
    let control = Control::new(&job.device, job.threads, job.n, job.steps, &vec![0.0; job.n * job.n])?;
    let back_and_forth = |(control, gradient): &mut (Control, Option<Array<f32, 2>>)| {
        let tape = control.forward()?;
        *gradient = Some(control.backward(&tape)?);
        Ok(())
    };
    let mut state = (control, None);
    measure(
        job,
        1,
        &mut state,
        |(control, _)| control.reset(&start),
        back_and_forth,
        |(_, gradient)| {
            let gradient = gradient.as_ref().ok_or("no gradient")?.to_vec()?;
            let reference = heat::reference_gradient(&start, job.n, job.steps);
            Ok((heat::checksum(&gradient), largest_difference(&gradient, &reference)))
        },
    )
}

/// W14: the Mandelbrot set in one launch; `steps` is the limit of turns. `shuffled` visits the pixels without order.
pub fn mandelbrot(job: &Job, shuffled: bool) -> Outcome<Measured> {
    let (n, limit) = (i32::try_from(job.n)?, i32::try_from(job.steps)?);
    let pixels = job.n * job.n;
    let order = Array::from_vec(&job.device, if shuffled { mandelbrot::shuffled(job.n) } else { Vec::new() })?;
    let mut counts = Array::<i32>::zeros(&job.device, pixels)?;
    let (by_rows, by_order) =
        (rows::on(&job.device).threads(job.threads), ordered::on(&job.device).threads(job.threads));
    let launch = |counts: &mut Array<i32>| {
        if shuffled {
            by_order.launch(pixels, &order, counts, n, limit)
        } else {
            by_rows.launch(pixels, counts, n, limit)
        }
    };
    measure(
        job,
        1,
        &mut counts,
        |counts| counts.fill(0),
        launch,
        |counts| {
            let counts = counts.to_vec()?;
            let reference = mandelbrot::reference(job.n, limit);
            Ok((mandelbrot::checksum(&counts), mandelbrot::share_that_differs(&counts, &reference)))
        },
    )
}
