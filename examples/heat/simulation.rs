//! The kernel, and the two plates that it works on.

use warp::prelude::*;
use warp_examples_support::workload::heat::FLOW;

/// One step of the spread of heat. Each thread has one cell; cells of the border keep their temperature.
#[kernel]
pub fn spread(from: View2<f32>, mut to: ViewMut2<f32>, flow: f32) {
    let (i, j) = tid2();
    let (rows, cols) = (from.rows(), from.cols());
    let mut c = from[(i, j)];
    if i > 0 && i < rows - 1 && j > 0 && j < cols - 1 {
        c = c + flow * (from[(i - 1, j)] + from[(i + 1, j)] + from[(i, j - 1)] + from[(i, j + 1)] - 4.0 * c);
    }
    to[(i, j)] = c;
}

/// A square plate on a device.
pub struct Plate {
    device: Device,
    threads: usize,
    now: Array<f32, 2>,
    next: Array<f32, 2>,
}

impl Plate {
    /// A plate of `n * n` cells, given row by row; `threads` of the machine at most take part.
    pub fn new(device: &Device, threads: usize, n: usize, start: &[f32]) -> Result<Plate, Error> {
        let now = Array::zeros(device, (n, n))?;
        let next = Array::zeros(device, (n, n))?;
        let mut plate = Plate { device: device.clone(), threads, now, next };
        plate.reset(start)?;
        Ok(plate)
    }

    /// Puts the temperatures back.
    pub fn reset(&mut self, start: &[f32]) -> Result<(), Error> {
        self.now.copy_from_slice(start)
    }

    /// One step.
    pub fn step(&mut self) -> Result<(), Error> {
        let [n, _] = self.now.shape();
        spread::on(&self.device).threads(self.threads).launch((n, n), &self.now, &mut self.next, FLOW)?;
        std::mem::swap(&mut self.now, &mut self.next);
        Ok(())
    }

    /// The temperatures, row by row.
    pub fn temperatures(&self) -> Result<Vec<f32>, Error> {
        self.now.to_vec()
    }
}
