//! W2: particles in a central field.

use rayon::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::particles::{self, CORE, GRAVITATION, MASS, STEP};

use crate::Job;

/// Each coordinate in an array of its own: the loop is made of vectors by the compiler.
pub fn planes(job: &Job) -> Outcome<Measured> {
    let starts = particles::starts(job.n);
    let part = job.part(job.n, 4, 512);
    let reset = |planes: &mut [Vec<f32>; 6]| {
        for (i, start) in starts.iter().enumerate() {
            (0..3).for_each(|c| planes[c][i] = start[c]);
        }
        planes[3..].iter_mut().for_each(|plane| plane.fill(0.0));
    };
    let step = |[x, y, z, vx, vy, vz]: &mut [Vec<f32>; 6]| {
        let places = (x.par_chunks_mut(part), y.par_chunks_mut(part), z.par_chunks_mut(part));
        let speeds = (vx.par_chunks_mut(part), vy.par_chunks_mut(part), vz.par_chunks_mut(part));
        places.into_par_iter().zip(speeds.into_par_iter()).for_each(|((x, y, z), (vx, vy, vz))| {
            step_of_planes([x, y, z], [vx, vy, vz]);
        });
    };
    job.measure(
        std::array::from_fn(|_| vec![0f32; job.n]),
        reset,
        |planes| (0..job.steps).for_each(|_| step(planes)),
        |planes| {
            let ends: Vec<[f32; 3]> = (0..job.n).map(|i| std::array::from_fn(|c| planes[c][i])).collect();
            judged(job, &starts, &ends)
        },
    )
}

fn step_of_planes([x, y, z]: [&mut [f32]; 3], [vx, vy, vz]: [&mut [f32]; 3]) {
    let n = x.len();
    // Known to be as long, the slices need no checks in the loop.
    let (y, z, vx, vy, vz) = (&mut y[..n], &mut z[..n], &mut vx[..n], &mut vy[..n], &mut vz[..n]);
    for i in 0..n {
        let (px, py, pz) = (x[i], y[i], z[i]);
        let r = (px * px + py * py + pz * pz).sqrt();
        let near = r < CORE;
        let pull = if near { 0.0 } else { -(GRAVITATION * MASS / (r * r)) / r * STEP };
        let dt = if near { 0.0 } else { STEP };
        vx[i] += px * pull;
        vy[i] += py * pull;
        vz[i] += pz * pull;
        x[i] = px + vx[i] * dt;
        y[i] = py + vy[i] * dt;
        z[i] = pz + vz[i] * dt;
    }
}

/// Arrays of three numbers, as kernels have them.
pub fn vectors(job: &Job) -> Outcome<Measured> {
    let starts = particles::starts(job.n);
    let part = job.part(job.n, 4, 512);
    let step = |(places, speeds): &mut (Vec<[f32; 3]>, Vec<[f32; 3]>)| {
        places.par_chunks_mut(part).zip(speeds.par_chunks_mut(part)).for_each(|(places, speeds)| {
            for (p, v) in places.iter_mut().zip(speeds) {
                let r = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                if r < CORE {
                    continue;
                }
                let pull = -(GRAVITATION * MASS / (r * r)) / r * STEP;
                for c in 0..3 {
                    v[c] += p[c] * pull;
                    p[c] += v[c] * STEP;
                }
            }
        });
    };
    job.measure(
        (starts.clone(), vec![[0f32; 3]; job.n]),
        |(places, speeds)| {
            places.copy_from_slice(&starts);
            speeds.fill([0.0; 3]);
        },
        |state| (0..job.steps).for_each(|_| step(state)),
        |(places, _)| judged(job, &starts, places),
    )
}

fn judged(job: &Job, starts: &[[f32; 3]], ends: &[[f32; 3]]) -> (f64, f64) {
    let reference = particles::reference(starts, job.steps);
    (particles::checksum(starts, ends), particles::largest_difference(starts, ends, &reference))
}
