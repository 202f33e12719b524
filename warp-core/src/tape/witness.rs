//! Recordings that can be run again: what memory held at first, and what the host wrote.

use std::collections::HashMap;
use std::sync::Arc;

use super::Tape;
use super::backward::Backward;
use super::memory::Memory;
use super::recorder::{self, Recorder, Use};
use super::region::READING;
use super::step::Entry;
use super::value::Value;
use crate::array::borrow::Span;
use crate::error::Error;

/// What each buffer held when the recording met it first.
#[derive(Default, Debug)]
pub(crate) struct Witness(HashMap<usize, (Memory, Arc<Value>)>);

impl Recorder {
    /// Notes what memory holds that is about to be used for the first time.
    pub(super) fn see(&mut self, uses: &[Use<'_>]) {
        let Some(mut witness) = self.witness.take() else { return };
        for &(buffer, _, _) in uses {
            let memory = Memory::of(buffer);
            let key = memory.key();
            if let std::collections::hash_map::Entry::Vacant(new) = witness.0.entry(key) {
                let value = self.value(buffer, Span { start: 0, end: buffer.bytes() });
                new.insert((memory, value));
            }
        }
        self.witness = Some(witness);
    }

    /// What the host has just written.
    pub(super) fn seen_written(&mut self, step: &super::Step) -> Option<Arc<Value>> {
        self.witness.as_ref()?;
        let region = match step {
            super::Step::Overwrite(overwritten) => &overwritten.region,
            super::Step::Copy(copied) => &copied.to,
            super::Step::Launch(_) | super::Step::Function(_) | super::Step::Backward(_) => return None,
        };
        let buffer = region.memory.buffer().filter(|_| region.span.start < region.span.end)?;
        Some(self.value(&buffer, region.span))
    }
}

/// Buffers with what they held when a recording met them.
pub(crate) type First = Vec<(Memory, Arc<Value>)>;

impl Tape {
    /// Records, and keeps what memory held when it was first met.
    pub(crate) fn record_witnessed(body: impl FnOnce() -> Result<(), Error>) -> Result<(Tape, First), Error> {
        let recorder = Recorder { witness: Some(Witness::default()), ..Recorder::default() };
        let (done, recorder) = recorder::with(recorder, body);
        done?;
        let Recorder { entries, segments, meter, witness, .. } = recorder;
        let first = witness.unwrap_or_default().0.into_values().collect();
        Ok((Tape { entries, segments, meter, found: Default::default() }, first))
    }

    /// What was recorded.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Goes back from memory with a given gradient each, byte for byte where its elements are. What it finds is the
    /// caller's alone, that of arrays which are gone included.
    pub(crate) fn back_from(&self, seeds: &[(Memory, Vec<u8>)]) -> Result<Backward, Error> {
        self.pass(&self.begin()?, |backward| {
            backward.gradients.keeps_abandoned = true;
            for (memory, bytes) in seeds.iter().filter(|(_, bytes)| !bytes.is_empty()) {
                let gradient = backward.gradients.mirror(memory)?;
                // SAFETY: a gradient has the bytes of its memory, and this pass alone has it.
                unsafe { memory.device.backend().upload(gradient.address(), bytes) }
                    .map_err(|source| memory.device.failed("writing a gradient", source))?;
                backward.gradients.enliven(memory, Span { start: 0, end: memory.bytes });
            }
            Ok(())
        })
    }
}

impl Backward {
    /// The gradients by the scalars that a launch's kernel asks for, in the adjoint's order; none where no gradient came by.
    pub(crate) fn scalar_gradients(&self, position: usize) -> &[f64] {
        self.scalars.get(&position).map_or(&[], Vec::as_slice)
    }

    /// The bytes of the gradient of memory.
    pub(crate) fn gradient_of(&mut self, memory: &Memory) -> Result<Vec<u8>, Error> {
        let gradient = self.gradients.mirror(memory)?;
        // SAFETY: nobody else has this gradient.
        unsafe { gradient.bytes_of(gradient.span(), READING) }
    }
}
