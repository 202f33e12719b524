//! When the parts of a buffer were written last, for those who want to know.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

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
    /// Those of the watchers that keep the buffer.
    keepers: usize,
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

    /// The number of the last write of each byte of the span, range by range; 0 where there was none while it is watched.
    pub(crate) fn last(&self, span: Span) -> Vec<(Span, u64)> {
        let log = self.log();
        let written = log.last.over(span).map(|(range, number)| (range.within(span), number));
        written.chain(log.last.gaps(span).into_iter().map(|gap| (gap, 0))).collect()
    }

    fn watch(&self, keeps: bool) {
        let mut log = self.log();
        log.watchers += 1;
        log.keepers += usize::from(keeps);
        self.watched.store(true, Ordering::Relaxed);
    }

    fn watch_no_more(&self, keeps: bool) {
        let mut log = self.log();
        log.watchers -= 1;
        log.keepers -= usize::from(keeps);
        if log.watchers == 0 {
            self.watched.store(false, Ordering::Relaxed);
            log.last = Intervals::default();
        }
    }

    /// Whether a buffer with these writes is kept by watchers alone, and by the caller.
    pub(super) fn only_kept(&self, buffer: &Arc<Buffer>) -> bool {
        // Watchers are counted later than they begin to keep the buffer, and earlier than they end to: while none can come
        // or go, as many keep it as are counted, or more.
        let log = self.log();
        Arc::strong_count(buffer) == log.keepers + 1
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
        let buffer = buffer.clone();
        buffer.writes().watch(true);
        Watch { buffer }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.buffer.writes().watch_no_more(true);
    }
}

/// Somebody who watches a buffer for as long as it lasts, and does not keep it. No other buffer has its address meanwhile.
#[derive(Debug)]
pub(crate) struct Follow {
    buffer: Weak<Buffer>,
}

impl Follow {
    pub(crate) fn new(buffer: &Arc<Buffer>) -> Follow {
        buffer.writes().watch(false);
        Follow { buffer: Arc::downgrade(buffer) }
    }

    /// The buffer, if it still lives.
    pub(crate) fn buffer(&self) -> Option<Arc<Buffer>> {
        self.buffer.upgrade()
    }
}

impl Drop for Follow {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer() {
            buffer.writes().watch_no_more(false);
        }
    }
}
