//! The way back: from the last operation to the first.

use std::collections::HashMap;
use std::sync::Arc;

use super::error::TapeError;
use super::gradients::Gradients;
use super::guards::Guards;
use super::memory::Memory;
use super::region::Region;
use super::step::{Copied, Entry, Overwritten, Step, ordinal};
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::error::Error;

/// Brings gradients back through operations.
#[derive(Default, Debug)]
pub(crate) struct Backward {
    pub(crate) gradients: Gradients,
    pub(crate) guards: Guards,
    /// The gradients of scalars, of the launches that were gone through: by their places on the tape, in the order of the
    /// adjoint's.
    pub(crate) scalars: HashMap<usize, Vec<f64>>,
}

impl Backward {
    /// Goes back through an operation. `position` is its place on the tape.
    pub(crate) fn step(&mut self, position: usize, entry: &Entry) -> Result<(), Error> {
        match &*entry.step {
            Step::Launch(launch) => self.launch(position, launch, entry),
            Step::Copy(copied) => self.copy(copied),
            Step::Overwrite(overwritten) => self.overwrite(overwritten),
            Step::Function(function) => self.function(position, function, entry),
            Step::Backward(gradients) => self.second_order(position, gradients),
        }
    }

    /// Refuses to start from an array that is not on the tape.
    pub(crate) fn met(&self, memory: &Memory, array: &'static str) -> Result<(), Error> {
        match self.gradients.knows(memory.key()) {
            true => Ok(()),
            false => Err(TapeError::NotOnTape { array, ran: true }.into()),
        }
    }

    /// Whether the way back through some of the steps has anything to do.
    pub(crate) fn reaches(&self, entries: &[Entry]) -> bool {
        entries.iter().any(|entry| match &*entry.step {
            Step::Backward(_) => true,
            step => step.uses().iter().any(|(memory, span, write)| *write && self.gradients.is_live(memory, *span)),
        })
    }

    /// A gradient was read as if it were a constant.
    fn second_order(&self, position: usize, gradients: &[Memory]) -> Result<(), Error> {
        let reached = |memory: &Memory| self.gradients.is_live(memory, Span { start: 0, end: memory.bytes });
        match gradients.iter().any(reached) {
            true => Err(TapeError::SecondOrder { position: ordinal(position) }.into()),
            false => Ok(()),
        }
    }

    /// What was copied adds to what it came from; what it overwrote had no other use.
    fn copy(&mut self, copied: &Copied) -> Result<(), Error> {
        let (to, from) = (&copied.to, &copied.from);
        if !self.gradients.is_live(&to.memory, to.span) {
            return Ok(());
        }
        let gradient = self.gradients.mirror(&to.memory)?;
        if copied.detached {
            to.zero(&gradient)?;
            self.emptied(to);
            return Ok(());
        }
        let source = self.gradients.mirror(&from.memory)?;
        if Arc::ptr_eq(&source, &gradient) && from.span.overlaps(to.span) {
            // An element may be in both, so that all have to be taken before the first is added.
            let taken = Buffer::zeroed(&to.memory.device, to.span.end - to.span.start)?;
            let there = to.shifted(to.span.start);
            there.add(&taken, to, &gradient, true)?;
            from.add(&source, &there, &taken, false)?;
        } else {
            from.add(&source, to, &gradient, true)?;
        }
        // In this order, as the two may share memory.
        self.emptied(to);
        self.gradients.enliven(&from.memory, from.span);
        Ok(())
    }

    /// What was overwritten had no other use.
    fn overwrite(&mut self, overwritten: &Overwritten) -> Result<(), Error> {
        let region = &overwritten.region;
        if self.gradients.is_live(&region.memory, region.span) {
            region.zero(&*self.gradients.mirror(&region.memory)?)?;
            self.emptied(region);
        }
        Ok(())
    }

    /// The gradient of a region is zero now; what lies between its elements is not.
    fn emptied(&mut self, region: &Region) {
        if region.is_dense() {
            self.gradients.quiet(&region.memory, region.span);
        }
    }
}
