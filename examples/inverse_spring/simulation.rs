//! The kernels, and the chain whose motion is recorded and fitted.

use warp::Tape;
use warp::prelude::*;

/// Each thread moves one mass of a hanging chain. It is pulled by the spring above it (the first hangs at the origin) and
/// by the one below.
#[kernel]
pub fn swing(places: &[DVec2], logs: &[f64], speeds: &mut [DVec2], next: &mut [DVec2], dt: f64) {
    let i = tid();
    let here = places[i];
    let above = if i > 0 { places[i - 1] } else { DVec2::new(0.0, 0.0) };
    let mut pull = DVec2::new(0.0, -9.81) + spring(above - here, logs[i]);
    if i + 1 < places.len() {
        pull += spring(places[i + 1] - here, logs[i + 1]);
    }
    speeds[i] += pull * dt;
    next[i] = here + speeds[i] * dt;
}

/// The pull of a spring of length 1 at rest, and of a stiffness whose logarithm is given, so that it stays positive.
#[func]
fn spring(d: DVec2, log: f64) -> DVec2 {
    let length = d.length();
    d * (log.exp() * (length - 1.0) / length)
}

/// Adds up the squares of the distances from what was recorded.
#[kernel]
pub fn compare(places: &[DVec2], recorded: &[DVec2], loss: &mut [f64]) {
    let i = tid();
    atomic_add(&mut loss[0], places[i].distance_squared(recorded[i]));
}

/// Seconds a step.
const STEP: f64 = 0.005;
/// Steps from one frame of the recording to the next.
const FRAME: usize = 10;

/// A chain of masses.
pub struct Chain {
    n: usize,
    steps: usize,
    logs: Array<f64>,
    /// Steps go from one to the other and back.
    places: [Array<DVec2>; 2],
    speeds: Array<DVec2>,
    /// Frame after frame.
    recorded: Array<DVec2>,
    loss: Array<f64>,
}

impl Chain {
    /// A chain of `n` masses, without a recording yet.
    pub fn new(device: &Device, n: usize, steps: usize) -> Result<Chain, Error> {
        Ok(Chain {
            n,
            steps,
            logs: Array::zeros(device, n)?,
            places: [Array::zeros(device, n)?, Array::zeros(device, n)?],
            speeds: Array::zeros(device, n)?,
            recorded: Array::zeros(device, n * (steps / FRAME))?,
            loss: Array::zeros(device, 1)?,
        })
    }

    /// Lets the chain swing from a stretched start; `frame` sees every tenth state.
    fn run(&mut self, mut frame: impl FnMut(&mut Chain, usize, usize) -> Result<(), Error>) -> Result<(), Error> {
        let start: Vec<DVec2> = (1..=self.n).map(|k| DVec2::new(0.6, -0.8) * (1.1 * k as f64)).collect();
        self.places[0].copy_from_slice(&start)?;
        self.speeds.fill(DVec2::ZERO)?;
        self.loss.fill(0.0)?;
        for k in 0..self.steps {
            let [even, odd] = &mut self.places;
            let (from, to) = if k % 2 == 0 { (even, odd) } else { (odd, even) };
            swing::launch(self.n, from, &self.logs, &mut self.speeds, to, STEP)?;
            if (k + 1) % FRAME == 0 {
                frame(self, (k + 1) % 2, k / FRAME)?;
            }
        }
        Ok(())
    }

    /// Records the motion of a chain with these stiffnesses.
    pub fn record(&mut self, stiffnesses: &[f64]) -> Result<(), Error> {
        let logs: Vec<f64> = stiffnesses.iter().map(|k| k.ln()).collect();
        self.logs.copy_from_slice(&logs)?;
        self.run(|chain, now, frame| {
            let place = frame * chain.n..(frame + 1) * chain.n;
            chain.recorded.slice_mut(place)?.copy_from(&chain.places[now])
        })
    }

    /// How far the motion with these logarithms of stiffnesses is from the recording, and how that changes with them.
    pub fn difference(&mut self, logs: &[f64]) -> Result<(f64, Vec<f64>), Error> {
        self.logs.copy_from_slice(logs)?;
        let tape = Tape::record(|| {
            self.run(|chain, now, frame| {
                let place = frame * chain.n..(frame + 1) * chain.n;
                let recorded = chain.recorded.slice(place)?;
                compare::launch(chain.n, &chain.places[now], &recorded, &mut chain.loss)
            })
        })?;
        tape.backward(&self.loss)?;
        Ok((self.loss.get(0)?, tape.grad(&self.logs)?.to_vec()?))
    }
}
