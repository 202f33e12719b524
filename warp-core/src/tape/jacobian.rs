//! All derivatives of one array by another.

use super::Tape;
use super::error::TapeError;
use super::memory::Memory;
use super::region::{Region, floats};
use crate::array::Array;
use crate::element::Element;
use crate::error::Error;
use crate::layout::{read_float, write_float};

/// How each float of one array changes with each float of another.
#[derive(Clone, PartialEq, Debug)]
pub struct Jacobian {
    /// Floats of the array that changes.
    pub rows: usize,
    /// Floats of the array that it changes with.
    pub columns: usize,
    /// The derivatives, row after row.
    pub values: Vec<f64>,
}

impl Jacobian {
    /// How float `row` of the one array changes with float `column` of the other; none where there is none such.
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        if column >= self.columns {
            return None;
        }
        self.values.get(row.checked_mul(self.columns)?.checked_add(column)?).copied()
    }
}

impl Tape {
    /// How `output` changes with `input`, by its value at the start of the recording: one backward pass for each float
    /// of `output`. Floats count in row-major order, those of one element after another.
    ///
    /// These passes are its own: [`grad`](Tape::grad) has what it had before.
    pub fn jacobian<T: Element, const R: usize, U: Element, const Q: usize>(
        &self,
        output: &Array<T, R>,
        input: &Array<U, Q>,
    ) -> Result<Jacobian, Error> {
        let (rows, columns) = (count(output)?, count(input)?);
        let mut values: Vec<f64> = Vec::new();
        let fits = rows.checked_mul(columns).is_some_and(|numbers| values.try_reserve_exact(numbers).is_ok());
        if !fits {
            return Err(TapeError::JacobianTooLarge { rows, columns }.into());
        }
        let (of, by) = (Floats::of(output), Floats::of(input));
        self.met(&of.memory, "the output")?;
        self.met(&by.memory, "the input")?;
        for &(at, scalar) in &of.places {
            let mut seed = vec![0; of.memory.bytes];
            write_float(scalar, 1.0, &mut seed[at..]);
            let row = self.back_from(&[(of.memory.clone(), seed)])?.gradient_of(&by.memory)?;
            values.extend(by.places.iter().map(|&(at, scalar)| read_float(scalar, &row[at..])));
        }
        Ok(Jacobian { rows, columns, values })
    }
}

/// How many floats an array has.
fn count<T: Element, const R: usize>(array: &Array<T, R>) -> Result<usize, Error> {
    match floats(&T::LAYOUT).len() {
        0 => Err(TapeError::NoFloats { doing: "`jacobian`" }.into()),
        of_one => Ok(array.len() * of_one),
    }
}

/// The floats of an array: byte offsets in its memory, and types.
struct Floats {
    memory: Memory,
    places: Vec<(usize, warp_ir::ir::Scalar)>,
}

impl Floats {
    fn of<T: Element, const R: usize>(array: &Array<T, R>) -> Floats {
        let region = Region::of(array);
        let floats = floats(&T::LAYOUT);
        let places =
            region.offsets().flat_map(|element| floats.iter().map(move |&(at, scalar)| (element + at, scalar)));
        Floats { places: places.collect(), memory: region.memory.clone() }
    }
}
