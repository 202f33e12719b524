//! What a step left behind, kept where it cannot run again.

use std::sync::Arc;

use super::recorder::Use;
use super::step::Step;
use super::value::{Counted, Meter, Own, copy};
use crate::array::borrow::Span;
use crate::error::Error;

/// The contents of a written part of memory after a step.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    /// Which of the step's uses it is of.
    pub(crate) of: usize,
    pub(crate) span: Span,
    pub(crate) copy: Arc<Counted>,
}

impl Image {
    /// Copies what a step wrote, where it cannot run again: what the host computed, and launches that depend on the
    /// order of their threads.
    pub(crate) fn of(step: &Step, uses: &[Use<'_>], own: &[Own<'_>], meter: &Arc<Meter>) -> Result<Vec<Image>, Error> {
        let runs_again = match step {
            Step::Launch(_) => !step.depends_on_order(),
            Step::Copy(_) | Step::Backward(_) => true,
            Step::Overwrite(overwritten) => overwritten.fill.is_some(),
            Step::Function(_) => false,
        };
        if runs_again {
            return Ok(vec![]);
        }
        let written = uses.iter().enumerate().filter(|(_, (_, span, write))| *write && span.start < span.end);
        let image = |(of, &(home, span, _)): (usize, &Use<'_>)| {
            let copy = copy(home, span, own, || true)?.ok_or(Error::Busy { write: false })?;
            Ok(Image { of, span, copy: Arc::new(Counted::new(copy, meter)) })
        };
        written.map(image).collect()
    }
}
