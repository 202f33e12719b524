//! The memory that a graph needs, each part once.

use std::sync::Arc;

use crate::array::borrow::Span;
use crate::array::buffer::{Buffer, Hold};
use crate::error::Error;

/// Parts of buffers, and whether they are written. Parts of one buffer do not overlap.
#[derive(Default)]
pub(crate) struct Uses(Vec<Use>);

#[derive(Clone)]
struct Use {
    buffer: Arc<Buffer>,
    span: Span,
    write: bool,
    /// What is written of it.
    written: Vec<Span>,
}

impl Uses {
    /// One more; what overlaps it becomes one with it.
    pub(crate) fn add(&mut self, buffer: &Arc<Buffer>, span: Span, write: bool) {
        let written = if write { vec![span] } else { vec![] };
        self.merge(Use { buffer: buffer.clone(), span, write, written });
    }

    fn merge(&mut self, mut new: Use) {
        self.0.retain(|old| {
            let meets = Arc::ptr_eq(&old.buffer, &new.buffer) && old.span.overlaps(new.span);
            if meets {
                new.span = new.span.around(old.span);
                new.write |= old.write;
                old.written.iter().for_each(|&span| join(&mut new.written, span));
            }
            !meets
        });
        self.0.push(new);
    }

    pub(crate) fn add_all(&mut self, other: &Uses) {
        other.0.iter().for_each(|u| self.merge(u.clone()));
    }

    /// The parts of buffers, and whether they are written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Arc<Buffer>, Span, bool)> + Clone {
        self.0.iter().map(|u| (&u.buffer, u.span, u.write))
    }

    /// Takes all of it, and counts what is written as written.
    pub(crate) fn hold(&self) -> Result<Vec<Hold>, Error> {
        let holds = self.0.iter().map(|u| u.buffer.claim(u.span, u.write)).collect::<Result<_, _>>()?;
        for u in &self.0 {
            u.written.iter().for_each(|&span| u.buffer.writes().note(span));
        }
        Ok(holds)
    }
}

/// Adds a span; what overlaps it becomes one with it.
fn join(spans: &mut Vec<Span>, mut new: Span) {
    spans.retain(|old| {
        let meets = old.overlaps(new);
        if meets {
            new = new.around(*old);
        }
        !meets
    });
    spans.push(new);
}
