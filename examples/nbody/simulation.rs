//! The kernel, and the arrays that it works on.

use warp::prelude::*;
use warp_examples_support::workload::nbody::{SOFTENING, STEP};

/// Each thread sums the pull of all bodies on its own, and moves it. Positions are read from one array and written to
/// another, so that every thread sees the same moment.
#[kernel]
pub fn step(from: &[Vec3], velocities: &mut [Vec3], to: &mut [Vec3], mass: f32, softening: f32, dt: f32) {
    let i = tid();
    let p = from[i];
    let mut pull = Vec3::ZERO;
    for other in from.iter() {
        let d = *other - p;
        let inverse = 1.0 / (d.dot(d) + softening).sqrt();
        pull += d * (mass * inverse * inverse * inverse);
    }
    let v = velocities[i] + pull * dt;
    velocities[i] = v;
    to[i] = p + v * dt;
}

/// Bodies on a device. Their masses are equal and sum up to one.
pub struct Bodies {
    device: Device,
    threads: usize,
    now: Array<Vec3>,
    next: Array<Vec3>,
    velocities: Array<Vec3>,
}

impl Bodies {
    /// Bodies at rest; `threads` of the machine at most take part.
    pub fn new(device: &Device, threads: usize, starts: &[Vec3]) -> Result<Bodies, Error> {
        let now = Array::zeros(device, starts.len())?;
        let next = Array::zeros(device, starts.len())?;
        let velocities = Array::zeros(device, starts.len())?;
        let mut bodies = Bodies { device: device.clone(), threads, now, next, velocities };
        bodies.reset(starts)?;
        Ok(bodies)
    }

    /// Puts the bodies back, at rest.
    pub fn reset(&mut self, starts: &[Vec3]) -> Result<(), Error> {
        self.velocities.fill(Vec3::ZERO)?;
        self.now.copy_from_slice(starts)
    }

    /// One step of all bodies.
    pub fn step(&mut self) -> Result<(), Error> {
        let n = self.now.len();
        let launch = step::on(&self.device).threads(self.threads);
        launch.launch(n, &self.now, &mut self.velocities, &mut self.next, 1.0 / n as f32, SOFTENING, STEP)?;
        std::mem::swap(&mut self.now, &mut self.next);
        Ok(())
    }

    /// Where the bodies are.
    pub fn positions(&self) -> Result<Vec<[f32; 3]>, Error> {
        Ok(self.now.to_vec()?.iter().map(Vec3::to_array).collect())
    }
}
