//! When the parts of a buffer were written last, for those who want to know.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::borrow::Span;
use super::buffer::Buffer;
use super::intervals::Intervals;

/// The writes of one buffer, kept while somebody watches it. Unwatched, a write costs one look at a flag.
#[derive(Default, Debug)]
pub(crate) struct Writes {
    watched: AtomicBool,
    log: Mutex<Log>,
}

#[derive(Default, Debug)]
struct Log {
    watchers: usize,
    /// The number of the last write of each byte.
    last: Intervals<u64>,
}

impl Writes {
    /// Tells that the bytes are about to be written.
    #[inline]
    pub(crate) fn note(&self, span: Span) {
        // Whoever began to watch these bytes held them then, and gave them back to whoever writes them now.
        if self.watched.load(Ordering::Relaxed) {
            self.note_slowly(span);
        }
    }

    #[cold]
    fn note_slowly(&self, span: Span) {
        // No two writes have one number, of whatever buffer: a number is never met again.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        self.log().last.set(span, NEXT.fetch_add(1, Ordering::Relaxed));
    }

    /// The number of the last write to some byte of the span. While the buffer is watched, it changes with every write.
    pub(crate) fn version(&self, span: Span) -> u64 {
        self.log().last.over(span).map(|(_, write)| write).max().unwrap_or(0)
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Somebody who watches a buffer, and keeps it.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) buffer: Arc<Buffer>,
}

impl Watch {
    pub(crate) fn new(buffer: &Arc<Buffer>) -> Watch {
        let writes = buffer.writes();
        let mut log = writes.log();
        log.watchers += 1;
        writes.watched.store(true, Ordering::Relaxed);
        drop(log);
        Watch { buffer: buffer.clone() }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let writes = self.buffer.writes();
        let mut log = writes.log();
        log.watchers -= 1;
        if log.watchers == 0 {
            writes.watched.store(false, Ordering::Relaxed);
            log.last = Intervals::default();
        }
    }
}
