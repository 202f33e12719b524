//! What a minimisation found, and its history.

use std::fmt;

use super::real::{Real, largest};
use super::stop::Status;

/// What a minimisation found. Prints as a table of its history, of at most some twenty rows, and a last line that says why
/// it ended, with the loss, the steps and the calls.
#[derive(Clone, Debug)]
pub struct Minimum<T> {
    /// The point with the lowest loss that was met at the start of a step or at the end; the start itself where the function
    /// has no number there.
    pub x: Vec<T>,
    /// The loss there; NaN where the start has none.
    pub loss: f64,
    /// Why it ended.
    pub status: Status,
    /// Steps that were made.
    pub iterations: usize,
    /// How often the function was called.
    pub evaluations: usize,
    /// One entry for the start, and one after each step; empty where the start has no loss.
    pub history: Vec<Record>,
}

/// A point on the way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Record {
    /// Steps so far.
    pub iteration: usize,
    /// Calls of the function so far.
    pub evaluations: usize,
    /// The loss.
    pub loss: f64,
    /// The largest magnitude of an entry of the gradient.
    pub gradient: f64,
    /// The largest change of an entry by the step that led here; 0 at the start.
    pub step: f64,
}

/// Rows of a history that are printed; longer ones are thinned out in the middle.
const ROWS: usize = 20;

impl<T> fmt::Display for Minimum<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>9} {:>11} {:>15} {:>12} {:>12}", "iteration", "evaluations", "loss", "gradient", "step")?;
        let last = self.history.len().saturating_sub(1);
        let every = last.div_ceil(ROWS).max(1);
        for (k, r) in self.history.iter().enumerate().filter(|(k, _)| k % every == 0 || *k == last) {
            let step = if k == 0 { String::new() } else { format!("{:.3e}", r.step) };
            writeln!(f, "{:>9} {:>11} {:>15.8e} {:>12.3e} {step:>12}", r.iteration, r.evaluations, r.loss, r.gradient)?;
        }
        write!(
            f,
            "{}; loss {:.6e} after {} steps and {} evaluations",
            self.status, self.loss, self.iterations, self.evaluations
        )
    }
}

/// Keeps the history and the best point while a minimisation runs.
pub(super) struct Log<T> {
    best: Option<(f64, Vec<T>)>,
    start: Vec<T>,
    history: Vec<Record>,
    pub evaluations: usize,
}

impl<T: Real> Log<T> {
    pub fn new(start: &[T]) -> Log<T> {
        Log { best: None, start: start.to_vec(), history: Vec::new(), evaluations: 0 }
    }

    /// A point that a step led to; the first is the start.
    pub fn reached(&mut self, x: &[T], loss: f64, gradient: f64, step: f64) {
        let record = Record { iteration: self.history.len(), evaluations: self.evaluations, loss, gradient, step };
        self.history.push(record);
        if self.best.as_ref().is_none_or(|(least, _)| loss < *least) {
            self.best = Some((loss, x.to_vec()));
        }
    }

    pub fn iterations(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    pub fn end(self, status: Status) -> Minimum<T> {
        let iterations = self.iterations();
        let (loss, x) = self.best.unwrap_or((f64::NAN, self.start));
        Minimum { x, loss, status, iterations, evaluations: self.evaluations, history: self.history }
    }
}

/// The status of a point that cannot be gone on from, if it is one.
pub(super) fn unusable<T: Real>(loss: T, derivative: &[T], expected: usize) -> Option<Status> {
    if derivative.len() != expected {
        return Some(Status::WrongLength { expected, found: derivative.len() });
    }
    (!loss.is_finite() || !largest(derivative).is_finite()).then_some(Status::NotFinite)
}
