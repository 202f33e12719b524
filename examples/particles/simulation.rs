//! The kernel, and the arrays that it works on.

use warp::prelude::*;
use warp_examples_support::workload::particles::{CORE, GRAVITATION, MASS, STEP};

/// Pulls each particle towards the centre, and moves it. Each thread has one particle.
#[kernel]
pub fn step(positions: &mut [Vec3], velocities: &mut [Vec3], dt: f32, gravitation: f32, mass: f32) {
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

/// Particles on a device.
pub struct Particles {
    device: Device,
    threads: usize,
    positions: Array<Vec3>,
    velocities: Array<Vec3>,
}

impl Particles {
    /// Particles at rest; `threads` of the machine at most take part.
    pub fn new(device: &Device, threads: usize, starts: &[Vec3]) -> Result<Particles, Error> {
        let positions = Array::zeros(device, starts.len())?;
        let velocities = Array::zeros(device, starts.len())?;
        let mut particles = Particles { device: device.clone(), threads, positions, velocities };
        particles.reset(starts)?;
        Ok(particles)
    }

    /// Puts the particles back, at rest.
    pub fn reset(&mut self, starts: &[Vec3]) -> Result<(), Error> {
        self.velocities.fill(Vec3::ZERO)?;
        self.positions.copy_from_slice(starts)
    }

    /// One step of all particles.
    pub fn step(&mut self) -> Result<(), Error> {
        let n = self.positions.len();
        let launch = step::on(&self.device).threads(self.threads);
        launch.launch(n, &mut self.positions, &mut self.velocities, STEP, GRAVITATION, MASS)
    }

    /// Where the particles are.
    pub fn positions(&self) -> Result<Vec<[f32; 3]>, Error> {
        Ok(self.positions.to_vec()?.iter().map(Vec3::to_array).collect())
    }
}
