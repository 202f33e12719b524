//! When a minimisation ends, and why it ended.

use std::fmt;

/// When a minimisation ends. A rule of 0 is off, but that of the gradient, which then asks for exact zeros.
///
/// The gradient's rule is absolute, in units of the loss by those of the parameters: give it the size that counts in your
/// problem. In `f32` a gradient is seldom known better than to 1e-7 of its terms, so 1e-6 may never be met; L-BFGS and the
/// least squares then end by [`Status::Rounding`], and the first-order methods when their iterations are used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stop {
    /// Ends where no entry of the gradient is larger than this: 1e-6.
    pub gradient: f64,
    /// Ends after a step that changes no entry by more than this, relative to the largest entry: off.
    pub step: f64,
    /// Ends after a step that changes the loss by no more than this, relative to the loss: off.
    pub decrease: f64,
    /// Ends after so many steps at the latest: 1000.
    pub iterations: usize,
}

impl Default for Stop {
    fn default() -> Stop {
        Stop { gradient: 1e-6, step: 0.0, decrease: 0.0, iterations: 1000 }
    }
}

impl Stop {
    /// After so many steps, and not earlier unless the gradient is exactly zero.
    pub fn after(iterations: usize) -> Stop {
        Stop { gradient: 0.0, iterations, ..Stop::default() }
    }

    /// Whether a gradient of this size ends it; that of zeros always does.
    pub(super) fn flat(&self, gradient: f64) -> bool {
        gradient <= self.gradient.max(0.0)
    }

    /// What ends it after a step of this size from `x`, if anything does.
    pub(super) fn after_step(&self, step: f64, x: f64, before: f64, after: f64) -> Option<Status> {
        if self.step > 0.0 && step <= self.step * x {
            return Some(Status::StepSmall);
        }
        let larger = before.abs().max(after.abs());
        (self.decrease > 0.0 && (before - after).abs() <= self.decrease * larger).then_some(Status::DecreaseSmall)
    }
}

/// Why a minimisation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Status {
    /// The gradient is as small as [`Stop::gradient`] asks.
    GradientSmall,
    /// The last step was as small as [`Stop::step`] asks.
    StepSmall,
    /// The last step changed the loss as little as [`Stop::decrease`] asks.
    DecreaseSmall,
    /// The loss cannot be told from lower ones in this type any more: all that the derivatives still promise is lost in the
    /// rounding of the loss and of the point.
    Rounding,
    /// All steps of [`Stop::iterations`] were made.
    IterationsUsed,
    /// The loss, a residual or an entry of a derivative was NaN or infinite, or sums over them were too large. L-BFGS and the
    /// least squares take shorter steps first, so for them it is the start, or an edge that the loss falls up to.
    NotFinite,
    /// No step made the loss smaller, though the derivatives promise more than rounding hides: they do not belong to the loss,
    /// the loss has a kink, or it is a small difference of large numbers and less exact than it looks.
    SearchFailed,
    /// Gauss-Newton has no single step: the Jacobian's columns depend on each other, as they do where there are fewer
    /// residuals than parameters.
    Singular,
    /// The function gave a gradient with another number of entries than the point, or a Jacobian with another number than
    /// residuals times parameters.
    WrongLength {
        /// How many there should be.
        expected: usize,
        /// How many came.
        found: usize,
    },
}

impl Status {
    /// Whether a rule of convergence was met, and not just an end of patience or a failure.
    pub fn converged(&self) -> bool {
        matches!(self, Status::GradientSmall | Status::StepSmall | Status::DecreaseSmall | Status::Rounding)
    }

    /// Whether something went wrong: the result is the best point before it did.
    pub fn failed(&self) -> bool {
        !self.converged() && *self != Status::IterationsUsed
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Status::GradientSmall => "converged: the gradient is small",
            Status::StepSmall => "converged: the last step was small",
            Status::DecreaseSmall => "converged: the last step hardly changed the loss",
            Status::Rounding => "converged: further steps are lost in rounding",
            Status::IterationsUsed => "ended: all iterations were used",
            Status::NotFinite => "failed: a loss, a derivative or a sum over them is NaN or infinite",
            Status::SearchFailed => {
                "failed: no step makes the loss smaller, as its derivatives promise; compare the gradient with differences"
            }
            Status::Singular => {
                "failed: the Jacobian's columns depend on each other; leave out parameters that the residuals do not tell apart, or use Levenberg-Marquardt"
            }
            Status::WrongLength { expected, found } => {
                return write!(f, "failed: {expected} numbers were expected from the function, and {found} came");
            }
        };
        f.write_str(text)
    }
}
