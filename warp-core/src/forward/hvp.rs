//! Products with the matrix of second derivatives.

use super::Tangents;
use crate::array::Array;
use crate::array::dims::spoken;
use crate::element::{Element, Zeroed};
use crate::error::Error;
use crate::tape::{Tape, TapeError, not_one_float};

/// The product of the matrix of second derivatives of a loss by `x`, its Hessian, with a direction: nobody has to write
/// the matrix down, and it costs a few times what the loss does.
///
/// `body` launches what leads from `x` to the loss, which it gets; afterwards the loss holds what it wrote. What `x` holds
/// may not be overwritten meanwhile: a program that does so starts from a copy, made by `copy_from` in `body`.
///
/// ```
/// # extern crate warp_core as warp;
/// use warp_core::{hvp, prelude::*};
///
/// #[kernel]
/// fn valley(x: &[f64], loss: &mut [f64]) {
///     let i = tid();
///     let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
///     atomic_add(&mut loss[0], a * a + 100.0 * b * b);
/// }
///
/// /// How much the valley is curved at `x` along `direction`.
/// fn curvature(x: &Array<f64>, direction: &Array<f64>) -> Result<f64, Error> {
///     let mut loss = Array::zeros(x.device(), 1)?;
///     let product = hvp(&mut loss, x, direction, |loss| valley::launch(x.len() - 1, x, loss))?;
///     Ok(product.to_vec()?.iter().zip(direction.to_vec()?).map(|(a, b)| a * b).sum())
/// }
/// # fn main() {}
/// ```
///
/// It is a run with [`Tangents`] along `direction`, and the way back from the loss's tangent; what these refuse, it does.
pub fn hvp<T: Element + Zeroed, const R: usize, L: Element + Zeroed, const S: usize>(
    loss: &mut Array<L, S>,
    x: &Array<T, R>,
    direction: &Array<T, R>,
    body: impl FnOnce(&mut Array<L, S>) -> Result<(), Error>,
) -> Result<Array<T, R>, Error> {
    super::has_floats(&L::LAYOUT, "`hvp`")?;
    if let Some(found) = not_one_float(loss) {
        return Err(TapeError::HvpLoss { found }.into());
    }
    super::has_floats(&T::LAYOUT, "`hvp`")?;
    if x.shape() != direction.shape() {
        return Err(Error::Shape {
            doing: "`hvp`".into(),
            expected: format!("a direction of shape {}, as the array's", spoken(&x.shape())),
            found: format!("shape {}", spoken(&direction.shape())),
        });
    }
    let mut along = Tangents::new();
    along.seed(x, direction)?;
    let tape = Tape::record(|| along.run(|| body(&mut *loss)))?;
    tape.backward(&along.of(loss)?)?;
    tape.grad(x)
}
