//! Checkpoints: a tape that keeps the state at some of its steps alone, and runs the steps between again on the way back.
//!
//! Steps are cut into segments. A segment needs what it found in memory at its start and touches: those values are in
//! place until somebody overwrites them, and are copied then, as other needs of a tape are. When there are many segments,
//! two and two become one: the second's needs that the first leaves behind are let go.

use std::collections::HashMap;
use std::sync::Arc;

use super::memory::Memory;
use super::recorder::Use;
use super::step::{Entry, Step};
use super::value::Value;
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::array::intervals::Intervals;

/// The segments of a tape.
#[derive(Debug)]
pub(crate) struct Segments {
    /// Steps of a segment.
    stride: usize,
    pub(crate) all: Vec<Segment>,
}

/// Some steps of a tape, one after another.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The position of its first step.
    pub(crate) first: usize,
    /// What it found in memory and needs to run again.
    pub(crate) needs: Vec<Piece>,
    /// The bytes that it has touched, by their buffers.
    known: HashMap<usize, Intervals<()>>,
}

/// A part of a value.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) memory: Memory,
    pub(crate) span: Span,
    pub(crate) value: Arc<Value>,
}

impl Default for Segments {
    fn default() -> Self {
        Segments { stride: 1, all: vec![] }
    }
}

impl Segments {
    /// Gets ready for step number `position`. `value` gives what a span holds now.
    pub(crate) fn before(
        &mut self,
        step: &Step,
        uses: &[Use<'_>],
        position: usize,
        value: &mut dyn FnMut(&Arc<Buffer>, Span) -> Arc<Value>,
    ) {
        if self.all.last().is_none_or(|last| position - last.first >= self.stride) {
            self.all.push(Segment { first: position, needs: vec![], known: HashMap::new() });
            if self.all.len() > 2 * self.stride {
                self.halve();
            }
        }
        let Some(segment) = self.all.last_mut() else { return };
        for (k, &(home, span, write)) in uses.iter().enumerate() {
            let known = segment.known.entry(Arc::as_ptr(home) as usize).or_default();
            if !(write && step.overwrites_all(k)) {
                for gap in known.gaps(span) {
                    let memory = Memory::of(home);
                    segment.needs.push(Piece { memory, span: gap, value: value(home, gap) });
                }
            }
            known.set(span, ());
        }
    }

    /// Makes one segment of each two.
    fn halve(&mut self) {
        self.stride *= 2;
        let mut halved: Vec<Segment> = Vec::with_capacity(self.all.len() / 2 + 1);
        for (k, segment) in std::mem::take(&mut self.all).into_iter().enumerate() {
            match halved.last_mut() {
                Some(first) if k % 2 == 1 => first.join(segment),
                _ => halved.push(segment),
            }
        }
        self.all = halved;
    }
}

impl Segment {
    /// Takes up the segment behind it.
    fn join(&mut self, next: Segment) {
        for piece in next.needs {
            let known = self.known.entry(piece.memory.key()).or_default();
            let gaps = known.gaps(piece.span).into_iter();
            self.needs.extend(gaps.map(|span| Piece { span, ..piece.clone() }));
        }
        for (key, touched) in next.known {
            let known = self.known.entry(key).or_default();
            touched.over(Span { start: 0, end: usize::MAX }).for_each(|(span, ())| known.set(span, ()));
        }
    }
}

/// The positions of a tape's steps, segment by segment.
pub(crate) fn ranges(segments: &Segments, entries: &[Entry]) -> Vec<std::ops::Range<usize>> {
    let ends = segments.all.iter().skip(1).map(|next| next.first).chain([entries.len()]);
    segments.all.iter().zip(ends).map(|(segment, end)| segment.first..end).collect()
}
