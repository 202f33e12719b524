//! Adam, and Adam with decay apart from the gradient.

use super::first_order::{FirstOrder, Formula, Rule};
use super::real::Real;
use crate::number::Float;
use warp_macros::func;

/// Adam: running averages `m` of the gradient and `v` of its square, by entry, both corrected for their start at 0.
///
/// ```text
/// g = gradient + decay x
/// m = beta1 m + (1 - beta1) g
/// v = beta2 v + (1 - beta2) g²
/// x = x - rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adam(Constants);

/// [`Adam`] whose decay shrinks the parameters themselves, `x = x - rate decay x` before the step, and stays out of the
/// averages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdamW(Constants);

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Constants {
    rate: f64,
    betas: (f64, f64),
    epsilon: f64,
    /// Decay as a part of the gradient.
    within: f64,
    /// Decay of the parameters themselves.
    apart: f64,
}

impl Constants {
    fn new(rate: f64, apart: f64) -> Constants {
        Constants { rate, betas: (0.9, 0.999), epsilon: 1e-8, within: 0.0, apart }
    }

    /// What step number `taken` (from 1) needs, in the order of [`step`].
    pub(super) fn numbers<T: Real>(&self, taken: u32) -> [T; 9] {
        let (a, b) = self.betas;
        let taken = f64::from(taken);
        // x - rate (m / c) / (sqrt(v / d) + epsilon) with c and d in the constants.
        let (c, d) = (1.0 - a.powf(taken), 1.0 - b.powf(taken));
        let shrink = 1.0 - self.rate * self.apart;
        [a, b, 1.0 - a, 1.0 - b, self.rate / c, 1.0 / d.sqrt(), self.epsilon, self.within, shrink].map(T::from_f64)
    }
}

impl Adam {
    /// The published constants: betas 0.9 and 0.999, epsilon 1e-8, no decay.
    pub fn new(rate: f64) -> Adam {
        Adam(Constants::new(rate, 0.0))
    }

    /// How slowly both averages forget.
    pub fn betas(self, first: f64, second: f64) -> Adam {
        Adam(Constants { betas: (first, second), ..self.0 })
    }

    /// What keeps the division from zero.
    pub fn epsilon(self, epsilon: f64) -> Adam {
        Adam(Constants { epsilon, ..self.0 })
    }

    /// Steps as if `decay / 2` times the square of each parameter were added to the loss.
    pub fn weight_decay(self, decay: f64) -> Adam {
        Adam(Constants { within: decay, ..self.0 })
    }
}

impl AdamW {
    /// Betas 0.9 and 0.999, epsilon 1e-8, decay 0.01.
    pub fn new(rate: f64) -> AdamW {
        AdamW(Constants::new(rate, 0.01))
    }

    /// How slowly both averages forget.
    pub fn betas(self, first: f64, second: f64) -> AdamW {
        AdamW(Constants { betas: (first, second), ..self.0 })
    }

    /// What keeps the division from zero.
    pub fn epsilon(self, epsilon: f64) -> AdamW {
        AdamW(Constants { epsilon, ..self.0 })
    }

    /// The share of each parameter that a step takes away is `rate` times this.
    pub fn weight_decay(self, decay: f64) -> AdamW {
        AdamW(Constants { apart: decay, ..self.0 })
    }
}

impl FirstOrder for Adam {
    fn rule(&self) -> Rule {
        Rule(Formula::Adam(self.0))
    }
}

impl FirstOrder for AdamW {
    fn rule(&self) -> Rule {
        Rule(Formula::Adam(self.0))
    }
}

/// The new value of an entry, and of its two averages.
#[func]
pub(super) fn step<T: Float>(x: T, gradient: T, m: T, v: T, by: [T; 9]) -> (T, T, T) {
    let g = gradient + by[7] * x;
    let first = by[0] * m + by[2] * g;
    let second = by[1] * v + by[3] * g * g;
    (by[8] * x - by[4] * first / (second.sqrt() * by[5] + by[6]), first, second)
}
