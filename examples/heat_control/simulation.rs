//! The loss of a plate, and its gradient by the first temperatures.

use warp::Tape;
use warp::prelude::*;
use warp_examples_support::workload::heat::FLOW;

use crate::heat::spread;

/// Each thread adds the square of one cell's difference from where it should be.
#[kernel]
pub fn miss(plate: View2<f32>, goal: View2<f32>, loss: &mut [f32]) {
    let at = tid2();
    let off = plate[at] - goal[at];
    atomic_add(&mut loss[0], off * off);
}

/// A plate whose first temperatures may be chosen.
pub struct Control {
    device: Device,
    threads: usize,
    steps: usize,
    /// Steps go from one to the other and back.
    plates: [Array<f32, 2>; 2],
    goal: Array<f32, 2>,
    loss: Array<f32>,
}

impl Control {
    /// `n * n` cells, which should be like `goal` after so many steps.
    pub fn new(device: &Device, threads: usize, n: usize, steps: usize, goal: &[f32]) -> Result<Control, Error> {
        Ok(Control {
            device: device.clone(),
            threads,
            steps,
            plates: [Array::zeros(device, (n, n))?, Array::zeros(device, (n, n))?],
            goal: Array::from_shaped(device, (n, n), goal)?,
            loss: Array::zeros(device, 1)?,
        })
    }

    /// Sets the first temperatures, row by row.
    pub fn reset(&mut self, start: &[f32]) -> Result<(), Error> {
        self.plates[0].copy_from_slice(start)
    }

    fn run(&mut self) -> Result<(), Error> {
        let [n, _] = self.goal.shape();
        self.loss.fill(0.0)?;
        for k in 0..self.steps {
            let [even, odd] = &mut self.plates;
            let (from, to) = if k % 2 == 0 { (even, odd) } else { (odd, even) };
            spread::on(&self.device).threads(self.threads).launch((n, n), from, to, FLOW)?;
        }
        let plate = &self.plates[self.steps % 2];
        miss::on(&self.device).threads(self.threads).launch((n, n), plate, &self.goal, &mut self.loss)
    }

    /// All steps, and the loss; keeps what the way back needs.
    pub fn forward(&mut self) -> Result<Tape, Error> {
        Tape::record(|| self.run())
    }

    /// The sum of the squares of the differences from the goal.
    pub fn loss(&self) -> Result<f32, Error> {
        self.loss.get(0)
    }

    /// How the loss changes with the first temperatures.
    pub fn backward(&self, tape: &Tape) -> Result<Array<f32, 2>, Error> {
        tape.backward(&self.loss)?;
        tape.grad(&self.plates[0])
    }

    /// The last temperatures, row by row.
    pub fn temperatures(&self) -> Result<Vec<f32>, Error> {
        self.plates[self.steps % 2].to_vec()
    }
}
