//! The kernels, and the arrays that they work on.

use warp::prelude::*;
use warp_examples_support::workload::cloth::{Cloth, DAMPING, GRAVITY, STEP, STIFFNESS};

/// Each thread has one spring, and adds its pull to the particles at both ends. Springs meet in particles, so the sums
/// are atomic.
#[kernel]
#[allow(clippy::too_many_arguments)]
pub fn pull(
    places: &[Vec3],
    speeds: &[Vec3],
    from: &[i32],
    to: &[i32],
    rest: &[f32],
    stiffness: f32,
    damping: f32,
    forces: &mut [Vec3],
) {
    let s = tid();
    let a = from[s] as usize;
    let b = to[s] as usize;
    let d = places[a] - places[b];
    let length = d.length();
    let u = d / length;
    let strength = stiffness * (length - rest[s]) + damping * u.dot(speeds[a] - speeds[b]);
    atomic_sub(&mut forces[a], u * strength);
    atomic_add(&mut forces[b], u * strength);
}

/// Each thread moves one particle. Those with an inverse mass of 0 are held.
#[kernel]
pub fn advance(
    places: &mut [Vec3],
    speeds: &mut [Vec3],
    forces: &[Vec3],
    inverse_masses: &[f32],
    gravity: Vec3,
    dt: f32,
) {
    let i = tid();
    let w = inverse_masses[i];
    let mut v = speeds[i];
    if w > 0.0 {
        v += (forces[i] * w + gravity) * dt;
    }
    speeds[i] = v;
    places[i] += v * dt;
}

/// A cloth on a device.
pub struct Sheet {
    device: Device,
    threads: usize,
    /// Where the particles are.
    pub places: Array<Vec3>,
    /// How fast they are.
    pub speeds: Array<Vec3>,
    forces: Array<Vec3>,
    inverse_masses: Array<f32>,
    from: Array<i32>,
    to: Array<i32>,
    rest: Array<f32>,
}

fn vectors(list: &[[f32; 3]]) -> Vec<Vec3> {
    list.iter().map(|v| Vec3::from_array(*v)).collect()
}

impl Sheet {
    /// The cloth; `threads` of the machine at most take part.
    pub fn new(device: &Device, threads: usize, cloth: &Cloth) -> Result<Sheet, Error> {
        let n = cloth.places.len();
        let mut sheet = Sheet {
            device: device.clone(),
            threads,
            places: Array::zeros(device, n)?,
            speeds: Array::zeros(device, n)?,
            forces: Array::zeros(device, n)?,
            inverse_masses: Array::from_slice(device, &cloth.inverse_masses)?,
            from: Array::from_slice(device, &cloth.springs.from)?,
            to: Array::from_slice(device, &cloth.springs.to)?,
            rest: Array::from_slice(device, &cloth.springs.rest)?,
        };
        sheet.reset(cloth)?;
        Ok(sheet)
    }

    /// Puts places and speeds back.
    pub fn reset(&mut self, cloth: &Cloth) -> Result<(), Error> {
        self.places.copy_from_slice(&vectors(&cloth.places))?;
        self.speeds.copy_from_slice(&vectors(&cloth.speeds))
    }

    /// One step: forces from nothing, a launch over the springs, a launch over the particles.
    pub fn step(&mut self) -> Result<(), Error> {
        self.forces.fill(Vec3::ZERO)?;
        pull::on(&self.device).threads(self.threads).launch(
            self.rest.len(),
            &self.places,
            &self.speeds,
            &self.from,
            &self.to,
            &self.rest,
            STIFFNESS,
            DAMPING,
            &mut self.forces,
        )?;
        let gravity = Vec3::new(0.0, GRAVITY, 0.0);
        advance::on(&self.device).threads(self.threads).launch(
            self.places.len(),
            &mut self.places,
            &mut self.speeds,
            &self.forces,
            &self.inverse_masses,
            gravity,
            STEP,
        )
    }

    /// Where the particles are.
    pub fn places(&self) -> Result<Vec<[f32; 3]>, Error> {
        Ok(self.places.to_vec()?.iter().map(Vec3::to_array).collect())
    }
}
