//! Gradient descent with momentum.

use super::first_order::{FirstOrder, Formula, Rule};
use super::real::Real;
use crate::number::Float;
use warp_macros::func;

/// Gradient descent, with momentum and weight decay as in PyTorch:
///
/// ```text
/// g = gradient + decay x
/// b = g at the first step, momentum b + (1 - dampening) g later
/// x = x - rate b               or, with Nesterov's form, x - rate (g + momentum b)
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sgd {
    rate: f64,
    momentum: f64,
    dampening: f64,
    decay: f64,
    nesterov: bool,
}

impl Sgd {
    /// Plain descent: each step is `rate` times the gradient.
    pub fn new(rate: f64) -> Sgd {
        Sgd { rate, momentum: 0.0, dampening: 0.0, decay: 0.0, nesterov: false }
    }

    /// How much of the last direction goes on: 0 without.
    pub fn momentum(self, momentum: f64) -> Sgd {
        Sgd { momentum, ..self }
    }

    /// How much less a gradient adds to the direction: 0 without.
    pub fn dampening(self, dampening: f64) -> Sgd {
        Sgd { dampening, ..self }
    }

    /// Looks ahead along the momentum.
    pub fn nesterov(self) -> Sgd {
        Sgd { nesterov: true, ..self }
    }

    /// Steps as if `decay / 2` times the square of each parameter were added to the loss.
    pub fn weight_decay(self, decay: f64) -> Sgd {
        Sgd { decay, ..self }
    }

    pub(super) fn numbers<T: Real>(&self) -> [T; 4] {
        [self.rate, self.momentum, self.dampening, self.decay].map(T::from_f64)
    }

    /// Which form step number `taken` (from 1) has.
    pub(super) fn kind(&self, taken: u32) -> u32 {
        let first = if taken <= 1 || self.momentum == 0.0 { FIRST } else { 0 };
        first | if self.nesterov { NESTEROV } else { 0 }
    }
}

impl FirstOrder for Sgd {
    fn rule(&self) -> Rule {
        Rule(Formula::Sgd(*self))
    }
}

const FIRST: u32 = 1;
const NESTEROV: u32 = 2;

/// The new value of an entry, and of its direction.
#[func]
#[allow(clippy::too_many_arguments)]
pub(super) fn step<T: Float>(
    x: T,
    gradient: T,
    b: T,
    rate: T,
    momentum: T,
    dampening: T,
    decay: T,
    kind: u32,
) -> (T, T) {
    let g = gradient + decay * x;
    let direction = if kind & FIRST != 0 { g } else { momentum * b + (T::from_f32(1.0) - dampening) * g };
    let along = if kind & NESTEROV != 0 { g + momentum * direction } else { direction };
    (x - rate * along, direction)
}
