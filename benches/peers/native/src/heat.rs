//! W5: heat on a plate.

use rayon::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::heat::{self, FLOW};
use warp_examples_support::workload::largest_difference;

use crate::Job;

/// Row by row over what lies inside; the border, which never changes, is in both plates from the start.
pub fn rows(job: &Job) -> Outcome<Measured> {
    let start = heat::start(job.n);
    let rows = job.n.div_ceil(job.threads * 4);
    let step = |(now, next): &mut (Vec<f32>, Vec<f32>)| {
        let plate = &now[..];
        next.par_chunks_mut(rows * job.n).enumerate().for_each(|(part, next)| {
            for (k, row) in next.chunks_mut(job.n).enumerate() {
                spread(plate, row, part * rows + k);
            }
        });
        std::mem::swap(now, next);
    };
    job.measure(
        (start.clone(), start.clone()),
        |(now, next)| {
            now.copy_from_slice(&start);
            next.copy_from_slice(&start);
        },
        |state| (0..job.steps).for_each(|_| step(state)),
        |(now, _)| (heat::checksum(now), largest_difference(now, &heat::reference(&start, job.n, job.steps))),
    )
}

fn spread(plate: &[f32], row: &mut [f32], i: usize) {
    let n = row.len();
    if i == 0 || i == n - 1 {
        return;
    }
    let (above, here, below) =
        (&plate[(i - 1) * n..i * n], &plate[i * n..(i + 1) * n], &plate[(i + 1) * n..(i + 2) * n]);
    for j in 1..n - 1 {
        row[j] = here[j] + FLOW * (above[j] + below[j] + here[j - 1] + here[j + 1] - 4.0 * here[j]);
    }
}
