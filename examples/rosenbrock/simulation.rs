//! The loss, its gradient by a tape, and its second derivatives by a tape of tangents.

use warp::Tangents;
use warp::Tape;
use warp::prelude::*;

/// Rosenbrock's valley, one thread for each pair of neighbours: 0 where all numbers are 1.
#[kernel]
pub fn valley(x: &[f64], loss: &mut [f64]) {
    let i = tid();
    let a = 1.0 - x[i];
    let b = x[i + 1] - x[i] * x[i];
    atomic_add(&mut loss[0], a * a + 100.0 * b * b);
}

/// The loss on a device.
pub struct Valley {
    x: Array<f64>,
    loss: Array<f64>,
}

impl Valley {
    /// In `n` dimensions.
    pub fn new(device: &Device, n: usize) -> Result<Valley, Error> {
        Ok(Valley { x: Array::zeros(device, n)?, loss: Array::zeros(device, 1)? })
    }

    fn launch(&mut self) -> Result<(), Error> {
        self.loss.fill(0.0)?;
        valley::launch(self.x.len() - 1, &self.x, &mut self.loss)
    }

    /// The loss and its gradient.
    pub fn gradient(&mut self, x: &[f64]) -> Result<(f64, Vec<f64>), Error> {
        self.x.copy_from_slice(x)?;
        let tape = Tape::record(|| self.launch())?;
        tape.backward(&self.loss)?;
        Ok((self.loss.get(0)?, tape.grad(&self.x)?.to_vec()?))
    }

    /// The matrix of second derivatives at `x` times `v`: the gradient of the slope along `v`.
    pub fn curvature(&mut self, x: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
        self.x.copy_from_slice(x)?;
        let mut along = Tangents::new();
        along.seed(&self.x, &Array::from_slice(self.x.device(), v)?)?;
        let tape = Tape::record(|| along.run(|| self.launch()))?;
        tape.backward(&along.of(&self.loss)?)?;
        tape.grad(&self.x)?.to_vec()
    }
}

/// The same product in closed form.
pub fn curvature(x: &[f64], v: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; x.len()];
    for k in 0..x.len() - 1 {
        let mixed = -400.0 * x[k];
        product[k] += (2.0 + 1200.0 * x[k] * x[k] - 400.0 * x[k + 1]) * v[k] + mixed * v[k + 1];
        product[k + 1] += mixed * v[k] + 200.0 * v[k + 1];
    }
    product
}
