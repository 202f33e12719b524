//! The tangents of buffers, and the writes that they belong to.

use std::collections::HashMap;
use std::sync::Arc;

use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::error::Error;
use crate::tape::{Known, Memory};

/// The twin of each buffer that has one.
#[derive(Default, Debug)]
pub(super) struct Twins {
    of: HashMap<usize, (Memory, Arc<Buffer>)>,
    /// The last write of each byte whose tangent is known. What was written later has none.
    known: Known,
}

impl Twins {
    /// The twin of a buffer, zero at first.
    pub(super) fn twin(&mut self, of: &Arc<Buffer>) -> Result<Arc<Buffer>, Error> {
        let memory = Memory::of(of);
        if let Some(twin) = self.get(memory.key()) {
            return Ok(twin);
        }
        let twin = memory.twin()?;
        self.of.insert(memory.key(), (memory, twin.clone()));
        // Now and then, for runs that make arrays in each step.
        if self.of.len().is_power_of_two() {
            self.forget_abandoned();
        }
        Ok(twin)
    }

    /// Lets go of the twins of arrays that are gone.
    pub(super) fn forget_abandoned(&mut self) {
        self.of.retain(|_, (memory, _)| !memory.is_abandoned());
        self.known.retain(|key| self.of.contains_key(&key));
    }

    pub(super) fn get(&self, key: usize) -> Option<Arc<Buffer>> {
        self.of.get(&key).map(|(_, twin)| twin.clone())
    }

    /// What was written unseen of a buffer with a twin: the twin, and the parts of it whose tangents are old.
    pub(super) fn unseen(&mut self, of: &Arc<Buffer>, span: Span) -> Vec<(Arc<Buffer>, Span)> {
        let Some(twin) = self.get(Memory::of(of).key()) else { return vec![] };
        let changed = self.known.changed(of, span);
        changed.iter().for_each(|&part| self.settle(of, part));
        changed.into_iter().map(|part| (twin.clone(), part)).collect()
    }

    /// The tangents there are those of what the buffer holds now.
    pub(super) fn settle(&mut self, of: &Arc<Buffer>, span: Span) {
        self.known.learn(of, &of.writes().last(span));
    }
}
