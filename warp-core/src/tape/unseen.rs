//! Writes that a recording did not see: by other threads, and by functions of the host to arrays that they were not passed.
//!
//! What they leave in memory is a constant, as all is that comes from the host. A recording follows the numbers of the
//! writes to all bytes that it has met. Where a number is not the one that it knows, it puts a write on the tape.

use std::collections::HashMap;
use std::sync::Arc;

use super::memory::Memory;
use super::region::Region;
use super::step::{Overwritten, Step};
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::array::intervals::Intervals;
use crate::array::watch::Follow;

/// The writes that a recording knows of, by their buffers.
#[derive(Default, Debug)]
pub(crate) struct Known(HashMap<usize, Followed>);

#[derive(Debug)]
struct Followed {
    follow: Follow,
    /// The number of the last write of each byte that was met.
    writes: Intervals<u64>,
}

impl Known {
    /// The parts of `span` that were written unseen since they were met. Bytes that are new are met now.
    pub(crate) fn changed(&mut self, home: &Arc<Buffer>, span: Span) -> Vec<Span> {
        let known = self.followed(home);
        let mut changed: Vec<Span> = Vec::new();
        for (range, number) in home.writes().last(span) {
            for gap in known.writes.gaps(range) {
                known.writes.set(gap, number);
            }
            let others = known.writes.over(range).filter(|(_, known)| *known != number);
            changed.extend(others.map(|(other, _)| other.within(range)));
        }
        joined(changed)
    }

    /// Takes it that the bytes were last written by the writes with these numbers.
    pub(crate) fn learn(&mut self, home: &Arc<Buffer>, last: &[(Span, u64)]) {
        let known = self.followed(home);
        last.iter().for_each(|&(range, number)| known.writes.set(range, number));
    }

    /// Goes on with some of the buffers, by their keys.
    pub(crate) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        self.0.retain(|&key, _| keep(key));
    }

    /// All parts of memory that were written unseen since they were met.
    pub(super) fn all_changed(&mut self) -> Vec<(Arc<Buffer>, Span)> {
        let homes: Vec<Arc<Buffer>> = self.0.values().filter_map(|known| known.follow.buffer()).collect();
        let mut all = Vec::new();
        for home in homes {
            let met: Vec<Span> = self.followed(&home).writes.over(home.span()).map(|(range, _)| range).collect();
            for span in joined(met) {
                all.extend(self.changed(&home, span).into_iter().map(|part| (home.clone(), part)));
            }
        }
        all
    }

    fn followed(&mut self, home: &Arc<Buffer>) -> &mut Followed {
        let new = || Followed { follow: Follow::new(home), writes: Intervals::default() };
        self.0.entry(Arc::as_ptr(home) as usize).or_insert_with(new)
    }
}

/// The step that stands for a write that the tape did not see.
pub(super) fn step(home: &Arc<Buffer>, span: Span) -> Step {
    let region = Region::bytes(Memory::of(home), span);
    Step::Overwrite(Overwritten { region, by: "a write outside the tape", fill: None })
}

/// The same bytes in as few parts as there can be.
fn joined(mut parts: Vec<Span>) -> Vec<Span> {
    parts.sort_by_key(|part| part.start);
    let mut joined: Vec<Span> = Vec::with_capacity(parts.len());
    for part in parts {
        match joined.last_mut() {
            Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
            _ => joined.push(part),
        }
    }
    joined
}
