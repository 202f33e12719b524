//! The quasi-Newton method with limited memory.

use std::collections::VecDeque;
use std::convert::Infallible;

use super::first_order::distance;
use super::line_search::{Found, Point, search};
use super::real::{Real, dot, largest, moved};
use super::report::{Log, Minimum, unusable};
use super::stop::{Status, Stop};

/// L-BFGS with a line search for the strong Wolfe conditions: for smooth losses with exact gradients.
///
/// Not for gradients with noise, of random batches for instance, nor for losses with kinks along the way, where the search
/// ends by [`Status::SearchFailed`]: take [`Adam`](super::Adam) there. Residuals whose Jacobian is at hand are better left
/// to [`LevenbergMarquardt`](super::LevenbergMarquardt).
///
/// Each step calls the function once or twice in the rule, 80 times at most. Memory is that of two points for each step that
/// is remembered, and of some ten more. Directions and inner products are computed in `f64`, whatever the parameters' type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lbfgs {
    memory: usize,
}

impl Default for Lbfgs {
    fn default() -> Lbfgs {
        Lbfgs::new()
    }
}

/// A step and the change of the gradient over it.
struct Pair<T> {
    s: Vec<T>,
    y: Vec<T>,
    /// One over their inner product.
    rho: f64,
    /// Their inner product over the square of `y`: what a gradient is multiplied by to be a step (equation 7.20).
    scale: f64,
}

/// Why a search stopped before it had an answer.
enum Halt<E> {
    Failed(E),
    Ended(Status),
}

impl Lbfgs {
    /// Remembers 10 steps.
    pub fn new() -> Lbfgs {
        Lbfgs { memory: 10 }
    }

    /// Remembers so many steps: more for many parameters that act on each other, fewer to save memory. Without any it is
    /// steepest descent.
    pub fn memory(self, steps: usize) -> Lbfgs {
        Lbfgs { memory: steps }
    }

    /// Minimises a function from `start`: it gets a point, and gives the loss and its gradient there, one entry a parameter.
    /// What goes wrong is the result's [`status`](Minimum::status).
    pub fn minimize<T: Real>(&self, start: &[T], stop: &Stop, mut f: impl FnMut(&[T]) -> (T, Vec<T>)) -> Minimum<T> {
        match self.try_minimize(start, stop, |x| Ok::<_, Infallible>(f(x))) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }

    /// The same with a function that may fail; its first error ends the minimisation.
    ///
    /// # Errors
    /// What the function gave; the points before are lost then.
    pub fn try_minimize<T: Real, E>(
        &self,
        start: &[T],
        stop: &Stop,
        mut f: impl FnMut(&[T]) -> Result<(T, Vec<T>), E>,
    ) -> Result<Minimum<T>, E> {
        let (mut x, mut log, mut pairs) = (start.to_vec(), Log::new(start), VecDeque::new());
        let (loss, mut gradient) = f(&x)?;
        log.evaluations += 1;
        if let Some(status) = unusable(loss, &gradient, x.len()) {
            return Ok(log.end(status));
        }
        let mut loss = loss.into();
        log.reached(&x, loss, largest(&gradient), 0.0);
        loop {
            if stop.flat(largest(&gradient)) {
                return Ok(log.end(Status::GradientSmall));
            }
            if log.iterations() >= stop.iterations {
                return Ok(log.end(Status::IterationsUsed));
            }
            let (along, slope) = descent(&x, &gradient, &mut pairs);
            if !slope.is_finite() {
                return Ok(log.end(Status::NotFinite));
            }
            let here = Point { step: 0.0, loss, slope };
            // The loss is rounded, and so is the point; the latter excuses only a search along the gradient itself.
            let sizes = if pairs.is_empty() { loss.abs() + reach(&x, &gradient) } else { loss.abs() };
            let found = search(here, 4.0 * T::EPSILON * sizes, &mut |step| {
                log.evaluations += 1;
                look(moved(&x, step, &along), step, &along, &mut f)
            });
            let (there, lower, slopes) = match found {
                Ok(Found::Lower(place)) => place,
                Ok(Found::Rounding) => return Ok(log.end(Status::Rounding)),
                // An old direction may be to blame; the gradient's own is tried before giving up.
                Ok(Found::Edge | Found::Nothing) if !pairs.is_empty() => {
                    pairs.clear();
                    continue;
                }
                Ok(Found::Edge) => return Ok(log.end(Status::NotFinite)),
                Ok(Found::Nothing) => return Ok(log.end(Status::SearchFailed)),
                Err(Halt::Ended(status)) => return Ok(log.end(status)),
                Err(Halt::Failed(error)) => return Err(error),
            };
            remember(&mut pairs, self.memory, (&x, &there), (&gradient, &slopes));
            let (step, size, before) = (distance(&there, &x), largest(&x), loss);
            (x, loss, gradient) = (there, lower, slopes);
            log.reached(&x, loss, largest(&gradient), step);
            if let Some(status) = stop.after_step(step, size, before, loss) {
                return Ok(log.end(status));
            }
        }
    }
}

/// A point, its loss and its gradient.
type Place<T> = (Vec<T>, f64, Vec<T>);

/// The place that a step leads to, or nothing where the loss is no number.
fn look<T: Real, E>(
    there: Vec<T>,
    step: f64,
    along: &[f64],
    f: &mut impl FnMut(&[T]) -> Result<(T, Vec<T>), E>,
) -> Result<Option<(Point, Place<T>)>, Halt<E>> {
    let (loss, gradient) = f(&there).map_err(Halt::Failed)?;
    match unusable(loss, &gradient, there.len()) {
        Some(Status::NotFinite) => return Ok(None),
        Some(status) => return Err(Halt::Ended(status)),
        None => {}
    }
    let (loss, slope) = (loss.into(), inner(along, &gradient));
    Ok(Some((Point { step, loss, slope }, (there, loss, gradient))))
}

/// How much the loss moves where each entry of the point does by as much as it is large.
fn reach<T: Real>(x: &[T], gradient: &[T]) -> f64 {
    x.iter().zip(gradient).map(|(x, g)| ((*x).into() * (*g).into()).abs()).sum()
}

/// The direction of algorithm 7.4 and its slope; steepest descent where rounding made another one point upwards.
fn descent<T: Real>(x: &[T], gradient: &[T], pairs: &mut VecDeque<Pair<T>>) -> (Vec<f64>, f64) {
    let mut q: Vec<f64> = gradient.iter().map(|g| (*g).into()).collect();
    let Some(newest) = pairs.back() else { return steepest(x, gradient) };
    let mut kept = Vec::with_capacity(pairs.len());
    for Pair { s, y, rho, .. } in pairs.iter().rev() {
        let a = rho * inner(&q, s);
        add(&mut q, -a, y);
        kept.push(a);
    }
    q.iter_mut().for_each(|q| *q *= newest.scale);
    for (Pair { s, y, rho, .. }, a) in pairs.iter().zip(kept.iter().rev()) {
        let b = rho * inner(&q, y);
        add(&mut q, a - b, s);
    }
    q.iter_mut().for_each(|q| *q = -*q);
    let slope = inner(&q, gradient);
    if slope < 0.0 && slope.is_finite() {
        return (q, slope);
    }
    pairs.clear();
    steepest(x, gradient)
}

/// The direction against the gradient, and its slope. The gradient's size says nothing of a step's: no entry moves by more
/// than 1 at first, and the largest by enough to be seen in the point.
fn steepest<T: Real>(x: &[T], gradient: &[T]) -> (Vec<f64>, f64) {
    let (most, reach) = (largest(gradient), largest(x));
    let seen = T::EPSILON.sqrt() * if reach > 0.0 { reach } else { 1.0 };
    let size = most.min(1.0).max(seen);
    let along: Vec<f64> = gradient.iter().map(|g| -size * ((*g).into() / most)).collect();
    let slope = inner(&along, gradient);
    (along, slope)
}

/// Keeps the pair of a step, unless the loss does not curve upwards along it by more than the rounding of both gradients.
fn remember<T: Real>(pairs: &mut VecDeque<Pair<T>>, most: usize, x: (&[T], &[T]), g: (&[T], &[T])) {
    let change = |(from, to): (&[T], &[T])| from.iter().zip(to).map(|(a, b)| *b - *a).collect();
    let (s, y): (Vec<T>, Vec<T>) = (change(x), change(g));
    let curvature = dot(&s, &y);
    let sizes = g.0.iter().zip(g.1).map(|(a, b)| (*a).into().abs() + (*b).into().abs());
    let rounding: f64 = s.iter().zip(sizes).map(|(s, size)| (*s).into().abs() * size).sum::<f64>() * T::EPSILON;
    // Divided by its largest entry, the square of `y` neither overflows nor vanishes.
    let longest = largest(&y);
    let square: f64 = y.iter().map(|y| ((*y).into() / longest).powi(2)).sum();
    let scale = curvature / longest / square / longest;
    let rho = 1.0 / curvature;
    if most == 0 || !(curvature > rounding && rho.is_finite() && scale.is_finite()) {
        return;
    }
    if pairs.len() == most {
        pairs.pop_front();
    }
    pairs.push_back(Pair { s, y, rho, scale });
}

/// The inner product of a direction and numbers of the parameters' type.
fn inner<T: Real>(direction: &[f64], values: &[T]) -> f64 {
    direction.iter().zip(values).map(|(d, v)| d * (*v).into()).sum()
}

/// Adds a multiple to a direction.
fn add<T: Real>(direction: &mut [f64], by: f64, values: &[T]) {
    direction.iter_mut().zip(values).for_each(|(d, v)| *d += by * (*v).into());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient grows by one unit of its last place in `f32`, which may be rounding: in `f64` it is not.
    #[test]
    fn curvature_that_may_be_rounding_is_not_remembered() {
        let (mut single, mut double) = (VecDeque::new(), VecDeque::new());
        let next = 1.0 + f32::EPSILON;
        remember(&mut single, 5, (&[0.0f32, 0.0], &[1.0, 1.0]), (&[1.0, 1.0], &[next, 1.0]));
        remember(&mut double, 5, (&[0.0f64, 0.0], &[1.0, 1.0]), (&[1.0, 1.0], &[f64::from(next), 1.0]));
        assert_eq!((single.len(), double.len()), (0, 1));
        assert_eq!(double[0].rho, 1.0 / f64::from(f32::EPSILON));
        // A gradient that is larger elsewhere hides nothing here.
        remember(&mut single, 5, (&[0.0f32, 0.0], &[1.0, 0.0]), (&[1.0, 1e20], &[1.5, 1e20]));
        assert_eq!((single[0].rho, single[0].scale), (2.0, 2.0));
    }

    /// A change that is too large for its type, or whose square is, makes no direction of infinite numbers.
    #[test]
    fn changes_of_any_size() {
        let mut pairs = VecDeque::new();
        remember(&mut pairs, 5, (&[0.0f32], &[1.0]), (&[-3e38], &[3e38]));
        assert!(pairs.is_empty());
        let mut pairs = VecDeque::new();
        remember(&mut pairs, 5, (&[0.0f64], &[1.0]), (&[0.0], &[1e200]));
        assert_eq!(pairs[0].scale, 1e-200);
    }
}
