//! W1: `y = 2.5 x + y`.

use rayon::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::{largest_difference, saxpy};

use crate::Job;

pub fn saxpy(job: &Job) -> Outcome<Measured> {
    let (x, start) = saxpy::inputs(job.n);
    let part = job.part(job.n, 4, 4096);
    let step = |y: &mut Vec<f32>| {
        y.par_chunks_mut(part).zip(x.par_chunks(part)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                *y += saxpy::FACTOR * *x;
            }
        });
    };
    job.measure(
        start.clone(),
        |y| y.copy_from_slice(&start),
        |y| (0..job.steps).for_each(|_| step(y)),
        |y| (saxpy::checksum(y), largest_difference(y, &saxpy::reference(&x, &start, job.steps))),
    )
}
