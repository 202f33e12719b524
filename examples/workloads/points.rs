//! Workloads on arrays of vectors: W2, W3 and W4, and the gradient of W4.

use warp::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::{cloth, largest_difference, nbody, particles, sum_of_magnitudes};

use crate::Job;
use crate::cloth::Sheet;
use crate::cloth_grad::Fall;
use crate::measure::measure;
use crate::nbody::Bodies;
use crate::particles::Particles;

fn vectors(list: &[[f32; 3]]) -> Vec<Vec3> {
    list.iter().map(|v| Vec3::from_array(*v)).collect()
}

/// W2: particles in a central field.
pub fn particles(job: &Job) -> Outcome<Measured> {
    let starts = particles::starts(job.n);
    let vectors = vectors(&starts);
    let mut state = Particles::new(&job.device, job.threads, &vectors)?;
    let reset = |state: &mut Particles| state.reset(&vectors);
    measure(job, job.steps, &mut state, reset, Particles::step, |state| {
        let ends = state.positions()?;
        let reference = particles::reference(&starts, job.steps);
        Ok((particles::checksum(&starts, &ends), particles::largest_difference(&starts, &ends, &reference)))
    })
}

/// W3: bodies that all pull each other.
pub fn nbody(job: &Job) -> Outcome<Measured> {
    let starts = nbody::starts(job.n);
    let vectors = vectors(&starts);
    let mut state = Bodies::new(&job.device, job.threads, &vectors)?;
    let reset = |state: &mut Bodies| state.reset(&vectors);
    measure(job, job.steps, &mut state, reset, Bodies::step, |state| {
        let ends = state.positions()?;
        let reference = nbody::reference(&starts, job.steps);
        Ok(against(&ends, &reference))
    })
}

/// W4: a cloth that hangs by two corners.
pub fn cloth(job: &Job) -> Outcome<Measured> {
    let cloth = cloth::Cloth::new(job.n);
    let mut state = Sheet::new(&job.device, job.threads, &cloth)?;
    let reset = |state: &mut Sheet| state.reset(&cloth);
    measure(job, job.steps, &mut state, reset, Sheet::step, |state| {
        let places = state.places()?;
        let reference = cloth::reference(&cloth, job.steps);
        Ok(against(&places, &reference))
    })
}

/// W4 and back: how the loss of a fall changes with the first speeds. One repetition is a whole fall and its way back.
pub fn cloth_gradient(job: &Job) -> Outcome<Measured> {
    let cloth = cloth::Cloth::new(job.n);
    let speeds = vectors(&cloth.speeds);
    let mut state = (Fall::new(&job.device, job.threads, &cloth, job.steps)?, None);
    let back_and_forth = |(fall, gradient): &mut (Fall, Option<Array<Vec3>>)| {
        let tape = fall.forward()?;
        *gradient = Some(fall.backward(&tape)?);
        Ok(())
    };
    measure(
        job,
        1,
        &mut state,
        |(fall, _)| fall.reset(&speeds),
        back_and_forth,
        |(_, gradient)| {
            let gradient = gradient.as_ref().ok_or("no gradient")?.to_vec()?;
            let gradient: Vec<[f32; 3]> = gradient.iter().map(Vec3::to_array).collect();
            let reference = cloth::reference_gradient(&cloth, job.steps);
            let largest = reference.as_flattened().iter().fold(0.0, |most: f64, r| most.max(r.abs()));
            let (sum, off) = against(&gradient, &reference);
            Ok((sum, off / largest))
        },
    )
}

fn against(ends: &[[f32; 3]], reference: &[[f64; 3]]) -> (f64, f64) {
    let ends = ends.as_flattened();
    (sum_of_magnitudes(ends), largest_difference(ends, reference.as_flattened()))
}
