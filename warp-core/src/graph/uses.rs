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
}

impl Uses {
    /// One more; what overlaps it becomes one with it.
    pub(crate) fn add(&mut self, buffer: &Arc<Buffer>, span: Span, write: bool) {
        let mut new = Use { buffer: buffer.clone(), span, write };
        self.0.retain(|old| {
            let meets = Arc::ptr_eq(&old.buffer, &new.buffer) && old.span.overlaps(new.span);
            if meets {
                new.span = new.span.around(old.span);
                new.write |= old.write;
            }
            !meets
        });
        self.0.push(new);
    }

    pub(crate) fn add_all(&mut self, other: &Uses) {
        other.0.iter().for_each(|u| self.add(&u.buffer, u.span, u.write));
    }

    /// Takes all of it, and counts what is written as written.
    pub(crate) fn hold(&self) -> Result<Vec<Hold>, Error> {
        let holds = self.0.iter().map(|u| u.buffer.claim(u.span, u.write)).collect::<Result<_, _>>()?;
        self.0.iter().filter(|u| u.write).for_each(|u| u.buffer.writes().note(u.span));
        Ok(holds)
    }
}
