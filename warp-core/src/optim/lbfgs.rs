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
/// Directions and inner products are computed in `f64`, whatever the parameters' type.
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
struct Pair {
    s: Vec<f64>,
    y: Vec<f64>,
    /// One over their inner product.
    rho: f64,
}

impl Lbfgs {
    /// Remembers 10 steps.
    pub fn new() -> Lbfgs {
        Lbfgs { memory: 10 }
    }

    /// Remembers so many steps; without any it is steepest descent.
    pub fn memory(self, steps: usize) -> Lbfgs {
        Lbfgs { memory: steps }
    }

    /// Minimises a function from `start`: it gets a point, and gives the loss and its gradient there.
    pub fn minimize<T: Real>(&self, start: &[T], stop: &Stop, mut f: impl FnMut(&[T]) -> (T, Vec<T>)) -> Minimum<T> {
        match self.try_minimize(start, stop, |x| Ok::<_, Infallible>(f(x))) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }

    /// The same with a function that may fail; its first error ends the minimisation.
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
            if largest(&gradient) <= stop.gradient {
                return Ok(log.end(Status::GradientSmall));
            }
            if log.iterations() >= stop.iterations {
                return Ok(log.end(Status::IterationsUsed));
            }
            let (along, slope) = descent(&gradient, &mut pairs);
            // The first direction has the gradient's size, which says nothing of a step's.
            let first = if pairs.is_empty() { (1.0 / largest(&gradient)).min(1.0) } else { 1.0 };
            let mut seen: Vec<(f64, Vec<T>, f64, Vec<T>)> = Vec::new();
            let mut wrong = None;
            let found = search(loss, slope, first, T::EPSILON, &mut |step| {
                let there = moved(&x, step, &along);
                let (loss, gradient) = f(&there)?;
                log.evaluations += 1;
                if let Some(status) = unusable(loss, &gradient, there.len()) {
                    if status != Status::NotFinite {
                        wrong = Some(status);
                    }
                    return Ok(None);
                }
                let slope = along.iter().zip(&gradient).map(|(d, g)| d * (*g).into()).sum();
                seen.push((step, there, loss.into(), gradient));
                Ok(Some(Point { step, loss: loss.into(), slope }))
            });
            if let Some(status) = wrong {
                return Ok(log.end(status));
            }
            let chosen = match found {
                Found::Failed(error) => return Err(error),
                Found::Wolfe(step) => seen.into_iter().rev().find(|point| point.0 == step),
                Found::Rounding => return Ok(log.end(Status::Rounding)),
                // An old direction may be to blame; the gradient's own is tried before giving up.
                Found::Nothing if !pairs.is_empty() => {
                    pairs.clear();
                    continue;
                }
                Found::Nothing if seen.is_empty() => return Ok(log.end(Status::NotFinite)),
                Found::Nothing => return Ok(log.end(Status::SearchFailed)),
            };
            let Some((_, there, lower, slopes)) = chosen else { return Ok(log.end(Status::SearchFailed)) };
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

/// The direction of algorithm 7.4 and its slope; steepest descent where rounding made another one point upwards.
fn descent<T: Real>(gradient: &[T], pairs: &mut VecDeque<Pair>) -> (Vec<f64>, f64) {
    let g: Vec<f64> = gradient.iter().map(|g| (*g).into()).collect();
    let mut q = g.clone();
    let mut kept = Vec::with_capacity(pairs.len());
    for Pair { s, y, rho } in pairs.iter().rev() {
        let a = rho * dot(s, &q);
        q.iter_mut().zip(y).for_each(|(q, y)| *q -= a * y);
        kept.push(a);
    }
    if let Some(Pair { y, rho, .. }) = pairs.back() {
        // Equation 7.20: the scale of the newest step.
        let scale = 1.0 / (rho * dot(y, y));
        q.iter_mut().for_each(|q| *q *= scale);
    }
    for (Pair { s, y, rho }, a) in pairs.iter().zip(kept.iter().rev()) {
        let b = rho * dot(y, &q);
        q.iter_mut().zip(s).for_each(|(q, s)| *q += (a - b) * s);
    }
    q.iter_mut().for_each(|q| *q = -*q);
    let slope = dot(&q, &g);
    if slope < 0.0 && slope.is_finite() {
        return (q, slope);
    }
    pairs.clear();
    let slope = -dot(&g, &g);
    (g.iter().map(|g| -g).collect(), slope)
}

/// Keeps the pair of a step, unless the loss does not curve upwards along it.
fn remember<T: Real>(pairs: &mut VecDeque<Pair>, most: usize, x: (&[T], &[T]), g: (&[T], &[T])) {
    let change = |(from, to): (&[T], &[T])| from.iter().zip(to).map(|(a, b)| (*b).into() - (*a).into()).collect();
    let (s, y): (Vec<f64>, Vec<f64>) = (change(x), change(g));
    let curvature = dot(&s, &y);
    if most == 0 || curvature <= f64::EPSILON * dot(&y, &y).sqrt() * dot(&s, &s).sqrt() {
        return;
    }
    if pairs.len() == most {
        pairs.pop_front();
    }
    pairs.push_back(Pair { s, y, rho: 1.0 / curvature });
}
