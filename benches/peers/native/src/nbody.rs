//! W3: bodies that all pull each other.

use rayon::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::nbody::{self, SOFTENING, STEP};
use warp_examples_support::workload::{largest_difference, sum_of_magnitudes};

use crate::Job;

/// Bodies of a block. The innermost loop runs over them, so that no sum has to be put into another order for vectors.
const BLOCK: usize = 32;

pub fn blocks(job: &Job) -> Outcome<Measured> {
    let starts = nbody::starts(job.n);
    let reset = |state: &mut [Vec<f32>; 6]| {
        for (i, start) in starts.iter().enumerate() {
            (0..3).for_each(|c| state[c][i] = start[c]);
        }
        state[3..].iter_mut().for_each(|plane| plane.fill(0.0));
    };
    job.measure(
        std::array::from_fn(|_| vec![0f32; job.n]),
        reset,
        |state| (0..job.steps).for_each(|_| step(state)),
        |[x, y, z, ..]| {
            let ends: Vec<f32> = (0..job.n).flat_map(|i| [x[i], y[i], z[i]]).collect();
            let reference = nbody::reference(&starts, job.steps);
            (sum_of_magnitudes(&ends), largest_difference(&ends, reference.as_flattened()))
        },
    )
}

fn step([x, y, z, vx, vy, vz]: &mut [Vec<f32>; 6]) {
    let places = [&x[..], &y[..], &z[..]];
    let speeds = (vx.par_chunks_mut(BLOCK), vy.par_chunks_mut(BLOCK), vz.par_chunks_mut(BLOCK));
    speeds.into_par_iter().enumerate().for_each(|(block, (vx, vy, vz))| {
        let pulls = pulls(places, block * BLOCK, vx.len());
        for k in 0..vx.len() {
            vx[k] += pulls[0][k] * STEP;
            vy[k] += pulls[1][k] * STEP;
            vz[k] += pulls[2][k] * STEP;
        }
    });
    for i in 0..x.len() {
        x[i] += vx[i] * STEP;
        y[i] += vy[i] * STEP;
        z[i] += vz[i] * STEP;
    }
}

/// What pulls the `len` bodies from `first` on.
fn pulls([x, y, z]: [&[f32]; 3], first: usize, len: usize) -> [[f32; BLOCK]; 3] {
    let mass = 1.0 / x.len() as f32;
    let mut own = [[0f32; BLOCK]; 3];
    for (own, all) in own.iter_mut().zip([x, y, z]) {
        own[..len].copy_from_slice(&all[first..first + len]);
    }
    let [mut ax, mut ay, mut az] = [[0f32; BLOCK]; 3];
    for j in 0..x.len() {
        let (xj, yj, zj) = (x[j], y[j], z[j]);
        for k in 0..BLOCK {
            let (dx, dy, dz) = (xj - own[0][k], yj - own[1][k], zj - own[2][k]);
            let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + SOFTENING).sqrt();
            let weight = mass * inverse * inverse * inverse;
            ax[k] = weight.mul_add(dx, ax[k]);
            ay[k] = weight.mul_add(dy, ay[k]);
            az[k] = weight.mul_add(dz, az[k]);
        }
    }
    [ax, ay, az]
}
