//! W4: a cloth of masses and springs.

use rayon::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::cloth::{self, Cloth, DAMPING, GRAVITY, SPACING, STEP, STIFFNESS};
use warp_examples_support::workload::{largest_difference, sum_of_magnitudes};

use crate::Job;

type Vectors = Vec<[f32; 3]>;

/// Spring by spring, as the kernels do it: one thread, and so no atomics.
pub fn scatter(job: &Job) -> Outcome<Measured> {
    let cloth = Cloth::new(job.n);
    let list = &cloth.springs;
    let springs: Vec<(u32, u32, f32)> =
        (0..list.rest.len()).map(|s| (list.from[s] as u32, list.to[s] as u32, list.rest[s])).collect();
    let mut forces = vec![[0f32; 3]; cloth.places.len()];
    let mut step = |(places, speeds): &mut (Vectors, Vectors)| {
        forces.fill([0.0; 3]);
        for &(a, b, rest) in &springs {
            let (a, b) = (a as usize, b as usize);
            let (u, strength) = pull((places[a], places[b]), (speeds[a], speeds[b]), rest);
            let pulled = forces[a];
            forces[a] = std::array::from_fn(|c| pulled[c] - u[c] * strength);
            let pulled = forces[b];
            forces[b] = std::array::from_fn(|c| pulled[c] + u[c] * strength);
        }
        for (i, force) in forces.iter().enumerate() {
            speeds[i] = advanced(speeds[i], *force, cloth.inverse_masses[i]);
            (0..3).for_each(|c| places[i][c] += speeds[i][c] * STEP);
        }
    };
    job.measure(
        (cloth.places.clone(), cloth.speeds.clone()),
        |(places, speeds)| {
            places.copy_from_slice(&cloth.places);
            speeds.copy_from_slice(&cloth.speeds);
        },
        |state| (0..job.steps).for_each(|_| step(state)),
        |(places, _)| judged(job, &cloth, places),
    )
}

/// Each particle sums its up to eight springs, which needs neither atomics nor an order, but each spring twice.
pub fn gather(job: &Job) -> Outcome<Measured> {
    let cloth = Cloth::new(job.n);
    let rows = job.n.div_ceil(job.threads * 4);
    let step = |[places, speeds, next_places, next_speeds]: &mut [Vectors; 4]| {
        let (now, speed) = (&places[..], &speeds[..]);
        let parts = next_places.par_chunks_mut(rows * job.n).zip(next_speeds.par_chunks_mut(rows * job.n));
        parts.enumerate().for_each(|(part, (next_places, next_speeds))| {
            for (k, (place, v)) in next_places.iter_mut().zip(next_speeds).enumerate() {
                let i = part * rows * job.n + k;
                *v = advanced(speed[i], force_on(i, job.n, now, speed), cloth.inverse_masses[i]);
                *place = std::array::from_fn(|c| now[i][c] + v[c] * STEP);
            }
        });
        std::mem::swap(places, next_places);
        std::mem::swap(speeds, next_speeds);
    };
    job.measure(
        [cloth.places.clone(), cloth.speeds.clone(), cloth.places.clone(), cloth.speeds.clone()],
        |state| {
            state[0].copy_from_slice(&cloth.places);
            state[1].copy_from_slice(&cloth.speeds);
        },
        |state| (0..job.steps).for_each(|_| step(state)),
        |[places, ..]| judged(job, &cloth, places),
    )
}

/// Direction and strength of the pull of a spring.
fn pull((xa, xb): ([f32; 3], [f32; 3]), (va, vb): ([f32; 3], [f32; 3]), rest: f32) -> ([f32; 3], f32) {
    let d: [f32; 3] = std::array::from_fn(|c| xa[c] - xb[c]);
    let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
    let inverse = 1.0 / length;
    let u = d.map(|c| c * inverse);
    let closing = u[0] * (va[0] - vb[0]) + u[1] * (va[1] - vb[1]) + u[2] * (va[2] - vb[2]);
    (u, STIFFNESS * (length - rest) + DAMPING * closing)
}

fn force_on(i: usize, n: usize, places: &[[f32; 3]], speeds: &[[f32; 3]]) -> [f32; 3] {
    const AROUND: [(i32, i32); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    let diagonal = (0.1 * 2f64.sqrt()) as f32;
    let (row, column) = ((i / n) as i32, (i % n) as i32);
    let mut force = [0f32; 3];
    for (down, right) in AROUND {
        let (row, column) = (row + down, column + right);
        if (row as u32) < n as u32 && (column as u32) < n as u32 {
            let k = row as usize * n + column as usize;
            let rest = if down != 0 && right != 0 { diagonal } else { SPACING };
            let (u, strength) = pull((places[i], places[k]), (speeds[i], speeds[k]), rest);
            (0..3).for_each(|c| force[c] -= u[c] * strength);
        }
    }
    force
}

fn advanced(speed: [f32; 3], force: [f32; 3], inverse_mass: f32) -> [f32; 3] {
    if inverse_mass <= 0.0 {
        return speed;
    }
    let gravity = [0.0, GRAVITY, 0.0];
    std::array::from_fn(|c| speed[c] + (force[c] * inverse_mass + gravity[c]) * STEP)
}

fn judged(job: &Job, cloth: &Cloth, places: &[[f32; 3]]) -> (f64, f64) {
    let reference = cloth::reference(cloth, job.steps);
    let places = places.as_flattened();
    (sum_of_magnitudes(places), largest_difference(places, reference.as_flattened()))
}
