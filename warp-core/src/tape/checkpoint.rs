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
    /// What the step that is about to run needs.
    needs: Vec<Piece>,
}

/// Some steps of a tape, one after another.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The position of its first step.
    pub(crate) first: usize,
    /// What it found in memory and needs to run again.
    pub(crate) needs: Vec<Piece>,
    /// The bytes that it has touched, by their buffers.
    known: Touched,
}

/// Bytes, by their buffers. No other buffer gets the address of one whose `Memory` is here.
type Touched = HashMap<usize, (Memory, Intervals<()>)>;

/// A part of a value.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) memory: Memory,
    pub(crate) span: Span,
    pub(crate) value: Arc<Value>,
}

impl Default for Segments {
    fn default() -> Self {
        Segments { stride: 1, all: vec![], needs: vec![] }
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
        // Of a step before, which never ran.
        self.needs.clear();
        let Some(segment) = self.all.last() else { return };
        let mut known = Touched::new();
        for (k, &(home, span, write)) in uses.iter().enumerate() {
            if !(write && step.overwrites_all(k)) {
                let before = segment.known.get(&(Arc::as_ptr(home) as usize));
                let gaps = before.map_or_else(|| vec![span], |(_, before)| before.gaps(span));
                let now = touched(&mut known, &Memory::of(home));
                for gap in gaps.into_iter().flat_map(|gap| now.gaps(gap)) {
                    self.needs.push(Piece { memory: Memory::of(home), span: gap, value: value(home, gap) });
                }
            }
            touched(&mut known, &Memory::of(home)).set(span, ());
        }
    }

    /// The step has run. One that has not leaves no trace.
    pub(crate) fn after(&mut self, uses: &[Use<'_>]) {
        let Some(segment) = self.all.last_mut() else { return };
        segment.needs.append(&mut self.needs);
        for &(home, span, _) in uses {
            touched(&mut segment.known, &Memory::of(home)).set(span, ());
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
            let known = touched(&mut self.known, &piece.memory);
            let gaps = known.gaps(piece.span).into_iter();
            self.needs.extend(gaps.map(|span| Piece { span, ..piece.clone() }));
        }
        for (memory, more) in next.known.into_values() {
            let known = touched(&mut self.known, &memory);
            more.over(Span { start: 0, end: usize::MAX }).for_each(|(span, ())| known.set(span, ()));
        }
    }
}

/// The bytes of a buffer among others.
fn touched<'a>(all: &'a mut Touched, memory: &Memory) -> &'a mut Intervals<()> {
    &mut all.entry(memory.key()).or_insert_with(|| (memory.clone(), Intervals::default())).1
}

/// The positions of a tape's steps, segment by segment.
pub(crate) fn ranges(segments: &Segments, entries: &[Entry]) -> Vec<std::ops::Range<usize>> {
    let ends = segments.all.iter().skip(1).map(|next| next.first).chain([entries.len()]);
    segments.all.iter().zip(ends).map(|(segment, end)| segment.first..end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::blank::blank;
    use crate::tape::unseen;

    /// Gets ready for an overwrite of all of a buffer, and for a reading step, and gives what the last one needs.
    fn needs(overwrite_runs: bool) -> Vec<(Span, usize)> {
        let home = Buffer::zeroed(&blank(), 8).unwrap();
        let mut segments = Segments::default();
        let mut value = |home: &Arc<Buffer>, span| Arc::new(Value::now(home, span));
        let (all, overwrite) = (home.span(), unseen::step(&home, home.span()));
        segments.before(&overwrite, &[(&home, all, true)], 0, &mut value);
        if overwrite_runs {
            segments.after(&[(&home, all, true)]);
        }
        let uses = [(&home, Span { start: 0, end: 6 }, false), (&home, Span { start: 4, end: 8 }, false)];
        segments.before(&Step::Backward(vec![]), &uses, 0, &mut value);
        segments.after(&uses);
        segments.all[0].needs.iter().map(|piece| (piece.span, piece.memory.bytes)).collect()
    }

    #[test]
    fn an_overwrite_that_never_ran_is_not_counted() {
        assert_eq!(needs(true), []);
        assert_eq!(needs(false), [(Span { start: 0, end: 6 }, 8), (Span { start: 6, end: 8 }, 8)]);
    }

    #[test]
    fn a_step_that_never_ran_needs_nothing() {
        let home = Buffer::zeroed(&blank(), 8).unwrap();
        let mut segments = Segments::default();
        for _ in 0..2 {
            let mut value = |home: &Arc<Buffer>, span| Arc::new(Value::now(home, span));
            segments.before(&Step::Backward(vec![]), &[(&home, home.span(), false)], 0, &mut value);
        }
        segments.after(&[(&home, home.span(), false)]);
        assert_eq!(segments.all[0].needs.len(), 1);
    }
}
