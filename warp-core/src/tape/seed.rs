//! Where a backward pass starts.

use std::marker::PhantomData;

use super::backward::Backward;
use super::error::TapeError;
use super::region::{Region, floats};
use crate::array::buffer::Hold;
use crate::array::dims::spoken;
use crate::array::{Array, SoaArray};
use crate::element::Element;
use crate::error::Error;

/// An array and the gradient that a backward pass starts from there: made from a pair of arrays of one shape.
///
/// ```
/// # use warp_core::{Array, tape::Seed};
/// # fn f(y: &Array<f32>, dy: &Array<f32>, z: &Array<f64, 2>, dz: &Array<f64, 2>) {
/// let seeds = [Seed::from((y, dy)), Seed::from((z, dz))];
/// # }
/// ```
#[derive(Debug)]
pub struct Seed<'a> {
    of: Region,
    gradient: Region,
    arrays: PhantomData<&'a ()>,
}

impl<'a, T: Element, const R: usize> From<(&'a Array<T, R>, &'a Array<T, R>)> for Seed<'a> {
    fn from((of, gradient): (&'a Array<T, R>, &'a Array<T, R>)) -> Seed<'a> {
        Seed { of: Region::of(of), gradient: Region::of(gradient), arrays: PhantomData }
    }
}

impl<'a, T: Element> From<(&'a SoaArray<T>, &'a SoaArray<T>)> for Seed<'a> {
    fn from((of, gradient): (&'a SoaArray<T>, &'a SoaArray<T>)) -> Seed<'a> {
        Seed { of: Region::of_planes(of), gradient: Region::of_planes(gradient), arrays: PhantomData }
    }
}

impl Seed<'_> {
    /// Adds the seed to the gradients.
    pub(crate) fn plant(&self, backward: &mut Backward) -> Result<(), Error> {
        let (of, gradient) = (&self.of, &self.gradient);
        if of.extents != gradient.extents {
            return Err(Error::Shape {
                doing: "`backward_with`".into(),
                expected: format!("a gradient of shape {}, as its array's", spoken(&of.extents)),
                found: format!("shape {}", spoken(&gradient.extents)),
            });
        }
        if !of.has_floats() {
            return Err(TapeError::NoFloats { doing: "`backward_with`" }.into());
        }
        let (array, found) = (&of.memory.device, &gradient.memory.device);
        if array != found {
            return Err(TapeError::SeedDevice { array: array.to_string(), gradient: found.to_string() }.into());
        }
        backward.met(&of.memory, "an array that `backward_with` starts from")?;
        let Some(buffer) = gradient.memory.buffer().filter(|_| of.span.start < of.span.end) else { return Ok(()) };
        let _hold: Hold = buffer.hold(gradient.span, false)?;
        of.add(&*backward.gradients.mirror(&of.memory)?, gradient, &buffer, false)?;
        backward.gradients.enliven(&of.memory, of.span);
        Ok(())
    }
}

/// Starts from a loss: one number.
pub(crate) fn plant_loss<T: Element, const R: usize>(loss: &Array<T, R>, backward: &mut Backward) -> Result<(), Error> {
    if floats(&T::LAYOUT).is_empty() {
        return Err(TapeError::NoFloats { doing: "`backward`" }.into());
    }
    if let Some(found) = not_one_float(loss) {
        return Err(TapeError::Loss { found }.into());
    }
    let region = Region::of(loss);
    backward.met(&region.memory, "the loss")?;
    region.add_one(&*backward.gradients.mirror(&region.memory)?)?;
    backward.gradients.enliven(&region.memory, region.span);
    Ok(())
}

/// What an array has, where that is not one float.
pub(crate) fn not_one_float<T: Element, const R: usize>(loss: &Array<T, R>) -> Option<String> {
    if loss.len() == 1 && T::LAYOUT.leaves() == 1 && floats(&T::LAYOUT).len() == 1 {
        return None;
    }
    let elements = if loss.len() == 1 { "1 element".into() } else { format!("{} elements", loss.len()) };
    Some(match (T::LAYOUT.leaves(), floats(&T::LAYOUT).len()) {
        (1, 1) => elements,
        (1, _) => format!("{elements} of {}", T::LAYOUT.leaf(0).1.name()),
        (leaves, _) => format!("{elements} of {leaves} scalars"),
    })
}
