//! Which steps the copies of a tape are kept for.

use std::collections::HashSet;
use std::sync::Arc;

use super::checkpoint::{Piece, ranges};
use super::step::Entry;
use super::value::Value;
use super::{Segments, Tape};

/// The bytes that a tape keeps for a step. What several steps need counts for the first of them.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// Of what it uses, in order.
    pub(super) of_uses: Vec<usize>,
    /// What the launch wrote down for its way back.
    pub(super) written_down: usize,
}

impl Kept {
    pub(super) fn bytes(&self) -> usize {
        self.of_uses.iter().sum::<usize>() + self.written_down
    }
}

impl Tape {
    /// What is kept for each step.
    pub(super) fn kept(&self) -> Vec<Kept> {
        let mut counted = HashSet::new();
        let mut kept: Vec<Kept> = self.entries.iter().map(|entry| of_step(entry, &mut counted)).collect();
        if let Some(segments) = &self.segments {
            self.add_states(segments, &mut kept, &mut counted);
        }
        kept
    }

    /// Counts the states that a tape keeps at its checkpoints: a part of memory for the first step that uses it.
    fn add_states(&self, segments: &Segments, kept: &mut [Kept], counted: &mut HashSet<*const Value>) {
        for (segment, range) in segments.all.iter().zip(ranges(segments, &self.entries)) {
            for piece in &segment.needs {
                let uses = |position: usize| Some((position, use_of(&self.entries[position], piece)?));
                let Some((position, of)) = range.clone().find_map(uses) else { continue };
                kept[position].of_uses[of] += once(&piece.value, counted);
            }
        }
    }
}

fn of_step(entry: &Entry, counted: &mut HashSet<*const Value>) -> Kept {
    let mut of_uses = vec![0; entry.step.uses().len()];
    for (bytes, value) in of_uses.iter_mut().zip(&entry.needs) {
        *bytes += value.iter().map(|value| once(value, counted)).sum::<usize>();
    }
    entry.images.iter().for_each(|image| of_uses[image.of] += image.copy.memory.bytes());
    Kept { of_uses, written_down: entry.records.iter().map(|record| record.memory.bytes()).sum() }
}

/// The bytes of a value's copy, the first time.
fn once(value: &Arc<Value>, counted: &mut HashSet<*const Value>) -> usize {
    if counted.insert(Arc::as_ptr(value)) { value.copied_bytes() } else { 0 }
}

/// The first use of a part of memory by a step.
fn use_of(entry: &Entry, piece: &Piece) -> Option<usize> {
    let meets =
        |(memory, span, _): &super::step::StepUse<'_>| memory.key() == piece.memory.key() && span.overlaps(piece.span);
    entry.step.uses().iter().position(meets)
}
