//! Residuals at a point, and what follows from them there.

use super::orthogonal::Factor;
use super::real::{Real, dot, largest};
use super::stop::Status;

/// Residuals at a point, and how they change: the loss is half the sum of their squares.
#[derive(Clone, PartialEq, Debug)]
pub struct Residuals<T> {
    /// The residuals, as many as you like; the same number at each point.
    pub values: Vec<T>,
    /// Their derivatives, one row a residual, one column a parameter, row after row: that of residual `i` by parameter `j` is
    /// entry `i * parameters + j`.
    pub jacobian: Vec<T>,
}

/// Everything at one point.
pub(super) struct Place {
    pub loss: f64,
    values: Vec<f64>,
    /// The Jacobian, column by column.
    jacobian: Vec<f64>,
    pub gradient: Vec<f64>,
}

impl Place {
    /// The residuals' loss and its gradient, or why there are none.
    pub fn new<T: Real>(given: &Residuals<T>, columns: usize) -> Result<Place, Status> {
        let (expected, found) = (given.values.len() * columns, given.jacobian.len());
        if expected != found {
            return Err(Status::WrongLength { expected, found });
        }
        if !largest(&given.values).is_finite() || !largest(&given.jacobian).is_finite() {
            return Err(Status::NotFinite);
        }
        let values: Vec<f64> = given.values.iter().map(|v| (*v).into()).collect();
        let column = |c: usize| given.jacobian.iter().skip(c).step_by(columns).map(|j| (*j).into());
        let jacobian: Vec<f64> = (0..columns).flat_map(column).collect();
        let slope = |c: usize| dot(&jacobian[c * values.len()..][..values.len()], &values);
        let gradient: Vec<f64> = (0..columns).map(slope).collect();
        let loss = 0.5 * dot(&values, &values);
        if !loss.is_finite() || gradient.iter().any(|g| !g.is_finite()) {
            return Err(Status::NotFinite);
        }
        Ok(Place { loss, values, jacobian, gradient })
    }

    /// The Jacobian and the residuals, ready for steps.
    pub fn factor(&self) -> Factor {
        Factor::new(self.jacobian.clone(), self.values.iter().map(|r| -r).collect(), self.gradient.len())
    }

    /// The loss's slope along a direction.
    pub fn slope(&self, along: &[f64]) -> f64 {
        along.iter().zip(&self.gradient).map(|(h, g)| h * g).sum()
    }

    /// The columns of the Jacobian, one a parameter.
    fn columns(&self) -> impl Iterator<Item = &[f64]> {
        self.jacobian.chunks_exact(self.values.len().max(1))
    }

    /// The length of the Jacobian's longest column.
    pub fn longest_column(&self) -> f64 {
        let most = self.jacobian.iter().fold(0.0f64, |most, j| most.max(j.abs()));
        if most == 0.0 {
            return 0.0;
        }
        let square = |column: &[f64]| column.iter().map(|j| (j / most).powi(2)).sum::<f64>();
        most * self.columns().map(square).fold(0.0, f64::max).sqrt()
    }

    /// How far the loss is off where each residual is off by its own rounding and that of the point.
    pub fn noise<T: Real>(&self, x: &[T]) -> f64 {
        let mut sizes: Vec<f64> = self.values.iter().map(|r| r.abs()).collect();
        for (x, column) in x.iter().zip(self.columns()) {
            sizes.iter_mut().zip(column).for_each(|(size, j)| *size += (j * (*x).into()).abs());
        }
        let off = |(r, size): (&f64, f64)| (r.abs() + T::EPSILON * size) * T::EPSILON * size;
        self.values.iter().zip(sizes).map(off).sum()
    }
}
