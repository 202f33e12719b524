//! What a step left behind, kept where it cannot run again.

use std::sync::Arc;

use super::step::Step;
use super::value::{Counted, Meter, copy_bytes};
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::error::Error;

use super::recorder::Use;

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
    pub(crate) fn of(step: &Step, uses: &[Use<'_>], meter: &Arc<Meter>) -> Result<Vec<Image>, Error> {
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
            let memory = Buffer::zeroed(home.device(), span.end - span.start)?;
            // SAFETY: the step, or its caller, has the memory for itself.
            unsafe { copy_bytes(home, span.start, &memory, 0, span.end - span.start)? };
            Ok(Image { of, span, copy: Arc::new(Counted::new(memory, meter)) })
        };
        written.map(image).collect()
    }
}
