//! Gradients against differences.

mod leaves;
mod program;
mod report;

use std::collections::HashMap;

use crate::error::Error;
use crate::tape::Tape;
use leaves::{Memories, Precision};
use program::Program;

pub use report::{GradEntry, GradReport};

/// Compares the gradients of what `body` launches with differences.
///
/// The launches, copies and writes of `body` are recorded, and run again in double precision with one number of one
/// array changed at a time; a sum of all that launches wrote, with weights, takes the place of a loss. Where a kernel
/// cannot be promoted to double precision, all run in their own, with wider steps and a wider tolerance; the report says
/// so.
///
/// ```
/// # use warp_core::prelude::*;
/// # fn launch(x: &Array<f32>, y: &mut Array<f32>) -> Result<(), Error> { Ok(()) }
/// fn my_kernel_has_the_right_gradient(x: &Array<f32>, y: &mut Array<f32>) -> Result<(), Error> {
///     let report = warp_core::grad_check(|| launch(x, y))?;
///     assert!(report.passes(), "{report}");
///     Ok(())
/// }
/// ```
///
/// Compared are the gradients by all floats that launches met, at most 200 an array; scalar arguments are not. Numbers at
/// which the sum has a kink are counted and left out.
pub fn grad_check(body: impl FnOnce() -> Result<(), Error>) -> Result<GradReport, Error> {
    GradCheck::new().run(body)
}

/// How gradients are compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GradCheck {
    tolerance: Option<f64>,
    entries: usize,
}

impl Default for GradCheck {
    fn default() -> GradCheck {
        GradCheck::new()
    }
}

impl GradCheck {
    /// 200 numbers an array. Allowed is, relative to the largest gradient of the array, 1e-3 of single precision, 1e-6 of
    /// double precision, and 5e-2 where differences are of single precision themselves.
    pub fn new() -> GradCheck {
        GradCheck { tolerance: None, entries: 200 }
    }

    /// Allows another error.
    pub fn tolerance(self, tolerance: f64) -> GradCheck {
        GradCheck { tolerance: Some(tolerance), ..self }
    }

    /// Looks at so many numbers of an array at most; they are spread over it.
    pub fn entries(self, most: usize) -> GradCheck {
        GradCheck { entries: most.max(1), ..self }
    }

    /// Compares the gradients of what `body` launches, as [`grad_check`].
    pub fn run(&self, body: impl FnOnce() -> Result<(), Error>) -> Result<GradReport, Error> {
        let (tape, first) = Tape::record_witnessed(body)?;
        let (precision, why) = match program::widest(&tape)? {
            None => (Precision::Double, None),
            Some(why) => (Precision::Own, Some(why)),
        };
        let memories = Memories::new(&tape, first, precision)?;
        let tolerance = self.tolerance.unwrap_or_else(|| memories.tolerance());
        let program = Program::new(&tape, &memories)?;
        let primal = memories.difference_of_results(&program.results(&memories)?);
        let seeds = memories.outputs().map(|m| (m.memory.clone(), m.seed())).collect::<Vec<_>>();
        tape.back_from(&seeds)?;
        let mut report = GradReport::new(tolerance, primal, why);
        for (k, memory) in memories.list.iter().enumerate().filter(|(_, m)| m.is_input()) {
            let gradient = memory.floats_in(&tape.gradient_of(&memory.memory)?);
            let chosen = self.choose(gradient.len());
            let differences = program.differences(&memories, k, &chosen)?;
            report.compare(memory, &gradient, &chosen, &differences);
        }
        Ok(report)
    }

    /// The numbers to look at, of so many.
    fn choose(&self, count: usize) -> Vec<usize> {
        let most = self.entries.min(count);
        (0..most).map(|k| k * count / most).collect()
    }
}

/// The memory of each buffer by its key.
type Places = HashMap<usize, usize>;
