//! The kernels, and the throws that they fly.

use warp::Tape;
use warp::optim::{Adam, ArraySteps, FirstOrder};
use warp::prelude::*;

/// Each thread flies one ball a step on: gravity, and drag that grows with the square of the speed.
#[kernel]
pub fn fly(places: &mut [Vec2], speeds: &mut [Vec2], drag: f32, dt: f32) {
    let i = tid();
    let mut v = speeds[i];
    v += (Vec2::new(0.0, -9.81) - v * (drag * v.length())) * dt;
    speeds[i] = v;
    places[i] += v * dt;
}

/// Adds up the squares of the distances from the targets.
#[kernel]
pub fn miss(places: &[Vec2], targets: &[Vec2], loss: &mut [f32]) {
    let i = tid();
    atomic_add(&mut loss[0], places[i].distance_squared(targets[i]));
}

/// Seconds that a ball flies.
const SECONDS: f32 = 2.0;
/// Drag, one over metres.
const DRAG: f32 = 0.02;

/// Balls that are thrown from the origin, each at a target of its own.
pub struct Throws {
    n: usize,
    steps: usize,
    /// The speeds at which they are thrown: what is improved.
    aims: Array<Vec2>,
    improve: ArraySteps<Vec2, 1>,
    places: Array<Vec2>,
    speeds: Array<Vec2>,
    targets: Array<Vec2>,
    loss: Array<f32>,
}

impl Throws {
    /// All are thrown alike at first.
    pub fn new(device: &Device, targets: &[Vec2], steps: usize) -> Result<Throws, Error> {
        let n = targets.len();
        let aims = Array::full(device, n, Vec2::new(4.0, 10.0))?;
        Ok(Throws {
            n,
            steps,
            improve: Adam::new(0.2).betas(0.8, 0.99).for_array(&aims)?,
            aims,
            places: Array::zeros(device, n)?,
            speeds: Array::zeros(device, n)?,
            targets: Array::from_slice(device, targets)?,
            loss: Array::zeros(device, 1)?,
        })
    }

    fn start(&mut self) -> Result<(), Error> {
        self.places.fill(Vec2::ZERO)?;
        self.loss.fill(0.0)?;
        self.speeds.copy_from(&self.aims)
    }

    fn step(&mut self) -> Result<(), Error> {
        fly::launch(self.n, &mut self.places, &mut self.speeds, DRAG, SECONDS / self.steps as f32)
    }

    /// Throws all balls, and corrects the aims by the gradient of the loss. Returns the loss.
    pub fn correct(&mut self) -> Result<f32, Error> {
        let tape = Tape::record(|| {
            self.start()?;
            for _ in 0..self.steps {
                self.step()?;
            }
            miss::launch(self.n, &self.places, &self.targets, &mut self.loss)
        })?;
        tape.backward(&self.loss)?;
        let gradient = tape.grad(&self.aims)?;
        self.improve.take(&mut self.aims, &gradient)?;
        self.loss.get(0)
    }

    /// The path of each ball, point by point.
    pub fn paths(&mut self) -> Result<Vec<Vec<Vec2>>, Error> {
        self.start()?;
        let mut paths = vec![vec![Vec2::ZERO]; self.n];
        for _ in 0..self.steps {
            self.step()?;
            paths.iter_mut().zip(self.places.to_vec()?).for_each(|(path, place)| path.push(place));
        }
        Ok(paths)
    }
}
