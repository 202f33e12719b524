//! W2 with each coordinate in a plane of its own.

use warp::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::particles::{self, CORE, GRAVITATION, MASS, STEP};

use crate::Job;
use crate::measure::measure;

/// The step of the example `particles`, word for word: only where numbers lie is another.
#[kernel]
pub fn step_in_planes(positions: &mut Soa<Vec3>, velocities: &mut Soa<Vec3>, dt: f32, gravitation: f32, mass: f32) {
    let i = tid();
    let p = positions[i];
    let r = p.length();
    if r < CORE {
        return;
    }
    let pull = -p / r * (gravitation * mass / (r * r));
    let v = velocities[i] + pull * dt;
    velocities[i] = v;
    positions[i] = p + v * dt;
}

/// W2 in planes: particles in a central field.
pub fn particles(job: &Job) -> Outcome<Measured> {
    let starts = particles::starts(job.n);
    let places: Vec<Vec3> = starts.iter().map(|p| Vec3::from_array(*p)).collect();
    let at_rest = vec![Vec3::ZERO; job.n];
    let mut state = (SoaArray::from_slice(&job.device, &places)?, SoaArray::from_slice(&job.device, &at_rest)?);
    let launch = step_in_planes::on(&job.device).threads(job.threads);
    measure(
        job,
        job.steps,
        &mut state,
        |(positions, velocities)| {
            velocities.copy_from_slice(&at_rest)?;
            positions.copy_from_slice(&places)
        },
        |(positions, velocities)| launch.launch(job.n, positions, velocities, STEP, GRAVITATION, MASS),
        |(positions, _)| {
            let ends: Vec<[f32; 3]> = positions.to_vec()?.iter().map(Vec3::to_array).collect();
            let reference = particles::reference(&starts, job.steps);
            Ok((particles::checksum(&starts, &ends), particles::largest_difference(&starts, &ends, &reference)))
        },
    )
}
