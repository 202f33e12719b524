//! The loss of a fall, and its gradient by the first speeds.

use warp::Tape;
use warp::prelude::*;
use warp_examples_support::workload::cloth::{Cloth, GOAL};

use crate::cloth::Sheet;

/// Each thread adds the square of one particle's distance from where it should be, as a share of all.
#[kernel]
pub fn miss(places: &[Vec3], starts: &[Vec3], goal: Vec3, share: f32, loss: &mut [f32]) {
    let i = tid();
    let off = places[i] - starts[i] - goal;
    atomic_add(&mut loss[0], off.length_squared() * share);
}

/// A cloth that is thrown again and again.
pub struct Fall {
    sheet: Sheet,
    device: Device,
    threads: usize,
    steps: usize,
    starts: Array<Vec3>,
    loss: Array<f32>,
}

impl Fall {
    /// A fall of so many steps; `threads` of the machine at most take part.
    pub fn new(device: &Device, threads: usize, cloth: &Cloth, steps: usize) -> Result<Fall, Error> {
        let sheet = Sheet::new(device, threads, cloth)?;
        let starts = sheet.places.try_clone()?;
        Ok(Fall { sheet, device: device.clone(), threads, steps, starts, loss: Array::zeros(device, 1)? })
    }

    /// Puts the places back, and gives the particles these speeds.
    pub fn reset(&mut self, speeds: &[Vec3]) -> Result<(), Error> {
        self.sheet.places.copy_from(&self.starts)?;
        self.sheet.speeds.copy_from_slice(speeds)
    }

    /// All steps, and the loss at their end.
    fn run(&mut self) -> Result<(), Error> {
        self.loss.fill(0.0)?;
        for _ in 0..self.steps {
            self.sheet.step()?;
        }
        let (n, goal) = (self.starts.len(), Vec3::from_array(GOAL));
        let places = &self.sheet.places;
        miss::on(&self.device).threads(self.threads).launch(
            n,
            places,
            &self.starts,
            goal,
            1.0 / n as f32,
            &mut self.loss,
        )
    }

    /// Lets the cloth fall, and keeps what the way back needs.
    pub fn forward(&mut self) -> Result<Tape, Error> {
        Tape::record(|| self.run())
    }

    /// The loss of the last fall.
    pub fn loss(&self) -> Result<f32, Error> {
        self.loss.get(0)
    }

    /// How the loss changes with the speeds at the start. Steps overwrite the speeds; their gradient is that of the
    /// values which they had when the recording began.
    pub fn backward(&self, tape: &Tape) -> Result<Array<Vec3>, Error> {
        tape.backward(&self.loss)?;
        tape.grad(&self.sheet.speeds)
    }

    /// Where the particles are.
    pub fn places(&self) -> Result<Vec<[f32; 3]>, Error> {
        self.sheet.places()
    }
}
