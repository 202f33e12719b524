//! The gradients of one backward pass.

use std::collections::HashMap;
use std::sync::Arc;

use super::memory::{Memory, Published};
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::array::intervals::Intervals;
use crate::error::Error;

/// For each buffer its mirror, of the same size, which has the gradient of each float where that float is.
#[derive(Default, Debug)]
pub(crate) struct Gradients {
    mirrors: HashMap<usize, (Memory, Published)>,
    /// Bytes of mirrors that may be other than zero.
    live: HashMap<usize, Intervals<()>>,
    /// Whether the gradients of arrays that are gone are asked for, too.
    pub(crate) keeps_abandoned: bool,
}

impl Gradients {
    /// The gradient of a buffer, zero at first.
    pub(crate) fn mirror(&mut self, of: &Memory) -> Result<Arc<Buffer>, Error> {
        let (_, published) = self.mirrors.entry(of.key()).or_insert_with(|| (of.clone(), Published::Zero));
        published.memory(of)
    }

    /// The gradient of a buffer, where it may be other than zero.
    pub(crate) fn existing(&self, of: &Memory) -> Option<Arc<Buffer>> {
        match self.mirrors.get(&of.key()) {
            Some((_, Published::Found(gradient))) => Some(gradient.clone()),
            _ => None,
        }
    }

    /// Lets a buffer have a gradient, be it zero.
    pub(crate) fn mention(&mut self, of: &Memory) {
        self.mirrors.entry(of.key()).or_insert_with(|| (of.clone(), Published::Zero));
    }

    /// Whether a buffer has a gradient.
    pub(crate) fn knows(&self, key: usize) -> bool {
        self.mirrors.contains_key(&key)
    }

    /// The gradient of a buffer, if it has one.
    pub(crate) fn found_for(&self, key: usize) -> Option<Published> {
        self.mirrors.get(&key).map(|(_, published)| published.clone())
    }

    /// Whether some gradient there may be other than zero.
    pub(crate) fn is_live(&self, of: &Memory, span: Span) -> bool {
        self.live.get(&of.key()).is_some_and(|live| live.meets(span))
    }

    /// Something was added to the gradients there.
    pub(crate) fn enliven(&mut self, of: &Memory, span: Span) {
        self.live.entry(of.key()).or_default().set(span, ());
    }

    /// The gradients there are zero.
    pub(crate) fn quiet(&mut self, of: &Memory, span: Span) {
        if let Some(live) = self.live.get_mut(&of.key()) {
            live.clear(span);
        }
    }

    /// Lets go of the gradient of a buffer that nobody can ask for. Nothing flows there any more.
    pub(crate) fn forget_abandoned(&mut self, key: usize) {
        if !self.keeps_abandoned && self.mirrors.get(&key).is_some_and(|(memory, _)| memory.is_abandoned()) {
            self.live.remove(&key);
            self.mirrors.remove(&key);
        }
    }

    /// The gradients that were found.
    pub(crate) fn found(&self) -> Vec<Memory> {
        let found = self.mirrors.values().filter_map(|(_, published)| match published {
            Published::Found(gradient) => Some(Memory::of(gradient)),
            Published::Zero => None,
        });
        found.collect()
    }

    /// Shows them on the arrays themselves.
    pub(crate) fn publish(&self) {
        for (memory, published) in self.mirrors.values() {
            if let Some(buffer) = memory.buffer() {
                *buffer.gradient().lock().unwrap_or_else(|e| e.into_inner()) = Some(published.clone());
            }
        }
    }
}
