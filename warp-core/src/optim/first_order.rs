//! What gradient descent and Adam share: a step is a formula of each entry, its gradient, and running averages.

use std::convert::Infallible;

use super::arrays::ArraySteps;
use super::real::{Real, largest};
use super::report::{Log, Minimum, unusable};
use super::stop::{Status, Stop};
use super::{adam, sgd};
use crate::array::Array;
use crate::element::Element;
use crate::error::Error;

/// A method whose steps are a formula of each entry and its gradient: [`Sgd`](super::Sgd), [`Adam`](super::Adam),
/// [`AdamW`](super::AdamW).
pub trait FirstOrder {
    /// The formula with its constants.
    fn rule(&self) -> Rule;

    /// Steps of `n` numbers that the host holds, with gradients that come from anywhere: for loops of your own.
    fn steps<T: Real>(&self, n: usize) -> Steps<T> {
        Steps { rule: self.rule(), taken: 0, first: vec![T::default(); n], second: vec![T::default(); n] }
    }

    /// Steps of an array, on its device. Its elements may be of any type that is made of one kind of float: `f32`,
    /// `DVec3`, `[Mat3; 2]`. Each array that is optimised has steps of its own.
    ///
    /// # Errors
    /// When elements are of anything else, or the device has no memory left for the running averages.
    fn for_array<T: Element, const R: usize>(&self, array: &Array<T, R>) -> Result<ArraySteps<T, R>, Error> {
        ArraySteps::new(self.rule(), array)
    }

    /// Minimises a function from `start`: it gets a point, and gives the loss and its gradient there, one entry a parameter.
    /// What goes wrong is the result's [`status`](Minimum::status). A step is one call, and may also go up: the result is the
    /// lowest point met.
    ///
    /// Weight decay moves the steps, and is no part of the loss and the gradient that the history and the rules of
    /// [`Stop`] see. Smooth losses with exact gradients need far fewer calls by [`Lbfgs`](super::Lbfgs).
    fn minimize<T: Real>(&self, start: &[T], stop: &Stop, mut f: impl FnMut(&[T]) -> (T, Vec<T>)) -> Minimum<T> {
        match self.try_minimize(start, stop, |x| Ok::<_, Infallible>(f(x))) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }

    /// The same with a function that may fail; its first error ends the minimisation.
    ///
    /// # Errors
    /// What the function gave; the points before are lost then.
    fn try_minimize<T: Real, E>(
        &self,
        start: &[T],
        stop: &Stop,
        mut f: impl FnMut(&[T]) -> Result<(T, Vec<T>), E>,
    ) -> Result<Minimum<T>, E> {
        let (mut x, mut log) = (start.to_vec(), Log::new(start));
        let mut steps = self.steps(x.len());
        let mut last: Option<(f64, Vec<T>)> = None;
        loop {
            let (loss, gradient) = f(&x)?;
            log.evaluations += 1;
            if let Some(status) = unusable(loss, &gradient, x.len()) {
                return Ok(log.end(status));
            }
            let loss = loss.into();
            let step = last.as_ref().map_or(0.0, |(_, from)| distance(&x, from));
            log.reached(&x, loss, largest(&gradient), step);
            if stop.flat(largest(&gradient)) {
                return Ok(log.end(Status::GradientSmall));
            }
            if let Some((before, from)) = &last
                && let Some(status) = stop.after_step(step, largest(from), *before, loss)
            {
                return Ok(log.end(status));
            }
            if log.iterations() >= stop.iterations {
                return Ok(log.end(Status::IterationsUsed));
            }
            last = Some((loss, x.clone()));
            steps.take(&mut x, &gradient);
        }
    }
}

/// The largest change of an entry.
pub(super) fn distance<T: Real>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(a, b)| ((*a).into() - (*b).into()).abs()).fold(0.0, f64::max)
}

/// The formula of a step with its constants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rule(pub(super) Formula);

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Formula {
    Sgd(sgd::Sgd),
    Adam(adam::Constants),
}

/// Steps of numbers that the host holds: the running averages, and how many steps there were.
#[derive(Clone, Debug)]
pub struct Steps<T> {
    rule: Rule,
    taken: u32,
    first: Vec<T>,
    second: Vec<T>,
}

impl<T: Real> Steps<T> {
    /// Moves `x` one step, by its gradient.
    ///
    /// # Panics
    /// When there are not as many numbers as the steps were made for.
    pub fn take(&mut self, x: &mut [T], gradient: &[T]) {
        assert!(
            x.len() == self.first.len() && gradient.len() == x.len(),
            "steps of {} numbers cannot move {} numbers by {} entries of a gradient",
            self.first.len(),
            x.len(),
            gradient.len()
        );
        self.taken = self.taken.saturating_add(1);
        match self.rule.0 {
            Formula::Sgd(sgd) => {
                let ([rate, momentum, dampening, decay], kind) = (sgd.numbers(), sgd.kind(self.taken));
                for ((x, g), b) in x.iter_mut().zip(gradient).zip(&mut self.first) {
                    (*x, *b) = sgd::step(*x, *g, *b, rate, momentum, dampening, decay, kind);
                }
            }
            Formula::Adam(adam) => {
                let by = adam.numbers(self.taken);
                for (((x, g), m), v) in x.iter_mut().zip(gradient).zip(&mut self.first).zip(&mut self.second) {
                    (*x, *m, *v) = adam::step(*x, *g, *m, *v, by);
                }
            }
        }
    }
}
