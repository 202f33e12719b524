//! The order of what streams do with a buffer.
//!
//! Whoever queues work on a part of a buffer lets its queue wait for what other queues may still do there, and leaves behind
//! where its own work stands. The borrow state keeps conflicting calls apart meanwhile. Others may come and go: readers, and
//! work on other parts; what they leave in between stays.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::backend::{BackendError, Mark, Queue};
use crate::device::Device;
use crate::error::Error;

/// What queues may still do with a buffer.
#[derive(Default, Debug)]
pub(crate) struct Order(Mutex<Vec<Use>>);

/// A use of a part of a buffer.
#[derive(Clone, Debug)]
struct Use {
    /// That of no other use.
    number: u64,
    queue: Arc<dyn Queue>,
    /// Behind it. Without one all that is in the queue has to be waited for.
    mark: Option<Arc<dyn Mark>>,
    span: Span,
    write: bool,
}

/// The uses that somebody has found who is about to add one.
#[derive(Default)]
pub(crate) struct Found(Vec<u64>);

impl Use {
    fn is_done(&self) -> bool {
        let done = self.mark.as_ref().map_or_else(|| self.queue.is_done(), |mark| mark.is_done());
        // Who cannot know waits.
        done.unwrap_or(false)
    }

    /// A mark behind it, kept for the next one who asks.
    fn marked(&self, order: &Order) -> Result<Arc<dyn Mark>, BackendError> {
        if let Some(mark) = &self.mark {
            return Ok(mark.clone());
        }
        let mark = self.queue.mark(false)?;
        if let Some(kept) = order.lock().iter_mut().find(|kept| kept.number == self.number) {
            kept.mark = Some(mark.clone());
        }
        Ok(mark)
    }
}

/// Uses beyond which those that are done are looked for.
const MANY: usize = 8;

impl Order {
    /// Lets a queue wait for what conflicts with a use of a part; what it has found.
    pub(crate) fn wait(&self, queue: &Arc<dyn Queue>, span: Span, write: bool) -> Result<Found, BackendError> {
        let (found, conflicts): (Vec<u64>, Vec<Use>) = {
            let uses = self.lock();
            let conflicts = uses
                .iter()
                .filter(|used| used.queue.id() != queue.id() && (used.write || write) && used.span.overlaps(span));
            (uses.iter().map(|used| used.number).collect(), conflicts.cloned().collect())
        };
        for used in conflicts {
            let mark = used.marked(self)?;
            if !queue.wait(&*mark)? {
                mark.synchronize()?;
            }
        }
        Ok(Found(found))
    }

    /// Leaves a use behind, whose queue has waited for what was `found`.
    pub(crate) fn note(
        &self,
        found: &Found,
        queue: &Arc<dyn Queue>,
        mark: Option<Arc<dyn Mark>>,
        span: Span,
        write: bool,
    ) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut uses = self.lock();
        // Also what earlier ones of the same queue used.
        let mut all = span;
        let many = uses.len() >= MANY;
        uses.retain(|used| {
            let known = found.0.contains(&used.number);
            // The earlier one of the same queue, and what a write has waited for, come before this one.
            let meets = used.span.start <= all.end && all.start <= used.span.end;
            let same = known && used.queue.id() == queue.id() && used.write == write && (meets || many);
            if same {
                all = all.around(used.span);
            }
            let behind = known && write && span.start <= used.span.start && used.span.end <= span.end;
            !same && !behind
        });
        if many {
            uses.retain(|used| !used.is_done());
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        uses.push(Use { number, queue: queue.clone(), mark, span: all, write });
    }

    /// The queue in whose order the buffer may go: where only one has used it that one, else `other`, which waits for all.
    pub(crate) fn last(&self, other: &Arc<dyn Queue>) -> Result<Arc<dyn Queue>, BackendError> {
        let uses = self.lock();
        let mut queues = uses.iter().map(|used| &used.queue);
        if let Some(first) = queues.next()
            && queues.all(|queue| queue.id() == first.id())
        {
            return Ok(first.clone());
        }
        drop(uses);
        self.wait(other, Span { start: 0, end: usize::MAX }, true)?;
        Ok(other.clone())
    }

    /// Waits on the host until all uses are over; an error says that one may not be.
    pub(crate) fn settle(&self) -> Result<(), BackendError> {
        let uses = std::mem::take(&mut *self.lock());
        let waits = uses.iter().map(|used| match &used.mark {
            Some(mark) => mark.synchronize().or_else(|_| used.queue.synchronize()),
            None => used.queue.synchronize(),
        });
        waits.fold(Ok(()), Result::and)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Use>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Queues work on parts of buffers, which the caller holds, between what other queues do with them before and after.
pub(crate) fn ordered<'a, A>(
    device: &Device,
    queue: &Arc<dyn Queue>,
    uses: impl Iterator<Item = (&'a Arc<Buffer>, Span, bool)> + Clone,
    work: impl FnOnce() -> Result<A, Error>,
) -> Result<A, Error> {
    let found = uses.clone().map(|(buffer, span, write)| buffer.order().wait(queue, span, write));
    let found: Vec<Found> =
        found.collect::<Result<_, _>>().map_err(|source| device.failed("ordering work of its streams", source))?;
    let done = work();
    // Also after a failure: some of the work may be queued.
    let mark = mark(device, queue);
    for ((buffer, span, write), found) in uses.zip(&found) {
        buffer.order().note(found, queue, mark.clone(), span, write);
    }
    done
}

/// A mark for a use that was just queued, where there are streams that may ask. One that cannot be made leaves more to wait for.
pub(crate) fn mark(device: &Device, queue: &Arc<dyn Queue>) -> Option<Arc<dyn Mark>> {
    match device.has_streams() {
        true => queue.mark(false).inspect_err(|error| device.backend().keep_untold(error.clone())).ok(),
        false => None,
    }
}
