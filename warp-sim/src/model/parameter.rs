//! What a model knows of its things: once for all worlds, or for each of them.

use warp::{Array, Device, Element};

use super::layout::Layout;
use crate::Error;

/// Constants of a model, such as the masses of bodies: stored once where all worlds are alike, until
/// [`spread`](Parameter::spread) gives each world its own.
///
/// Its array is a leaf for gradients as any other: after `backward`, [`array`](Parameter::array)`().grad()` has the
/// derivative, summed over the worlds that share it.
#[derive(Debug)]
pub struct Parameter<T: Element> {
    array: Array<T>,
    /// The number in a row of the layout, and the number of rows.
    grid: (usize, usize),
}

impl<T: Element> Parameter<T> {
    /// Of values for one row.
    pub(crate) fn new(device: &Device, layout: &Layout, row: &[T]) -> Result<Parameter<T>, Error> {
        let (rows, columns) = layout.grid();
        Ok(Parameter { array: Array::from_slice(device, row)?, grid: (rows, columns) })
    }

    /// The values: of one world after the other where each has its own, else of the only row there is.
    pub fn array(&self) -> &Array<T> {
        &self.array
    }

    /// The values, to write to.
    pub fn array_mut(&mut self) -> &mut Array<T> {
        &mut self.array
    }

    /// Whether all worlds share the values.
    pub fn is_shared(&self) -> bool {
        self.grid.0 > 1 && self.array.len() == self.grid.1
    }

    /// Gives each world values of its own, which start as those that they shared. Then they may differ. The array is another one
    /// then: tapes and graphs that were recorded before go on with the old one.
    pub fn spread(&mut self) -> Result<(), Error> {
        if self.is_shared() {
            let row = self.array.to_vec()?;
            let all: Vec<T> = (0..self.grid.0).flat_map(|_| row.iter().copied()).collect();
            self.array = Array::from_slice(self.array.device(), &all)?;
        }
        Ok(())
    }

    /// Whether the array still has a length that it was made with.
    pub(crate) fn fits(&self, name: &'static str) -> Result<(), Error> {
        let (row, found) = (self.grid.1, self.array.len());
        let all = self.grid.0 * row;
        if found == row || found == all { Ok(()) } else { Err(Error::ParameterLength { name, row, all, found }) }
    }

    /// How far apart the values of neighbouring worlds are: what kernels multiply the world's number by.
    pub(crate) fn stride(&self) -> u32 {
        if self.is_shared() { 0 } else { self.grid.1 as u32 }
    }

    /// Which of the values is that of a thing, by its number in its world and among all.
    pub(crate) fn index(&self, number: usize, thing: usize) -> usize {
        if self.is_shared() { number } else { thing }
    }
}
