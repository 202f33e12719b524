//! The loss, its gradient by a tape, and products with its second derivatives.

use warp::prelude::*;
use warp::{Tape, hvp};

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

    /// The loss and its gradient.
    pub fn gradient(&mut self, x: &[f64]) -> Result<(f64, Vec<f64>), Error> {
        self.x.copy_from_slice(x)?;
        let tape = Tape::record(|| launch(&self.x, &mut self.loss))?;
        tape.backward(&self.loss)?;
        Ok((self.loss.get(0)?, tape.grad(&self.x)?.to_vec()?))
    }

    /// The matrix of second derivatives at `x` times `v`: the gradient of the slope along `v`.
    pub fn curvature(&mut self, x: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
        self.x.copy_from_slice(x)?;
        let direction = Array::from_slice(self.x.device(), v)?;
        hvp(&mut self.loss, &self.x, &direction, |loss| launch(&self.x, loss))?.to_vec()
    }
}

fn launch(x: &Array<f64>, loss: &mut Array<f64>) -> Result<(), Error> {
    loss.fill(0.0)?;
    valley::launch(x.len() - 1, x, loss)
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
