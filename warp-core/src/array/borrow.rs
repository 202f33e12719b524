//! Who uses a buffer right now.
//!
//! rustc's borrow checker already keeps launches, guards and copies apart for handles used as they should be. Handles
//! can be swapped out of slices by safe code, though, so every use also takes the buffer here, and is refused while a
//! conflicting use lasts.
//!
//! Uses of the whole buffer, the common case, are counted in one atomic word. Uses of a part announce themselves in
//! that word too, and keep their byte range in a list, so that disjoint parts may be written at the same time.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A range of bytes of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub(crate) fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Both of them and what lies between.
    pub(crate) fn around(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The part of it that lies in `other`, which it overlaps.
    pub(crate) fn within(self, other: Span) -> Span {
        Span { start: self.start.max(other.start), end: self.end.min(other.end) }
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span { start: range.start, end: range.end }
    }
}

/// The uses of one buffer.
#[derive(Default, Debug)]
pub(crate) struct Borrows {
    /// Counters of 20 bits each, from the low end: whole readers, part readers, part writers; the top bit: a whole writer.
    state: AtomicU64,
    parts: Mutex<Vec<(Span, bool)>>,
}

const WHOLE_READ: u64 = 1;
const PART_READ: u64 = 1 << 20;
const PART_WRITE: u64 = 1 << 40;
const WHOLE_WRITE: u64 = 1 << 63;
const COUNT: u64 = (1 << 20) - 1;

const WHOLE_READERS: u64 = COUNT;
const PART_WRITERS: u64 = COUNT * PART_WRITE;

impl Borrows {
    /// Takes `span`, or tells that a conflicting use lasts. `whole` says that the span is all of the buffer.
    #[inline]
    pub(crate) fn take(&self, span: Span, whole: bool, write: bool) -> bool {
        let (add, conflicts) = match (whole, write) {
            (true, true) => (WHOLE_WRITE, u64::MAX),
            (true, false) => (WHOLE_READ, WHOLE_WRITE | PART_WRITERS),
            (false, true) => (PART_WRITE, WHOLE_WRITE | WHOLE_READERS),
            (false, false) => (PART_READ, WHOLE_WRITE),
        };
        match whole {
            true => self.announce(add, conflicts),
            false => self.take_part(span, write, add, conflicts),
        }
    }

    /// Gives back what `take` took.
    #[inline]
    pub(crate) fn give(&self, span: Span, whole: bool, write: bool) {
        let add = match (whole, write) {
            (true, true) => WHOLE_WRITE,
            (true, false) => WHOLE_READ,
            (false, true) => PART_WRITE,
            (false, false) => PART_READ,
        };
        if !whole {
            let mut parts = self.parts.lock().unwrap_or_else(|e| e.into_inner());
            if let Some(at) = parts.iter().position(|p| *p == (span, write)) {
                parts.swap_remove(at);
            }
        }
        self.state.fetch_sub(add, Ordering::Release);
    }

    #[inline]
    fn announce(&self, add: u64, conflicts: u64) -> bool {
        let mut now = self.state.load(Ordering::Relaxed);
        loop {
            // A counter that is full would spill into the next one.
            let full = add != WHOLE_WRITE && (now / add) & COUNT == COUNT;
            if now & conflicts != 0 || full {
                return false;
            }
            match self.state.compare_exchange_weak(now, now + add, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(seen) => now = seen,
            }
        }
    }

    /// A part that is refused is never announced: nobody else is refused for its sake.
    fn take_part(&self, span: Span, write: bool, add: u64, conflicts: u64) -> bool {
        let mut parts = self.parts.lock().unwrap_or_else(|e| e.into_inner());
        let overlaps = parts.iter().any(|(other, wrote)| (write || *wrote) && span.overlaps(*other));
        if overlaps || !self.announce(add, conflicts) {
            return false;
        }
        parts.push((span, write));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Span = Span { start: 0, end: 100 };
    const LOW: Span = Span { start: 0, end: 40 };
    const HIGH: Span = Span { start: 40, end: 100 };
    const MIDDLE: Span = Span { start: 30, end: 50 };

    #[test]
    fn many_read_and_one_writes() {
        let b = Borrows::default();
        assert!(b.take(ALL, true, false) && b.take(ALL, true, false));
        assert!(!b.take(ALL, true, true));
        assert!(b.take(LOW, false, false));
        assert!(!b.take(LOW, false, true));
        b.give(ALL, true, false);
        b.give(ALL, true, false);
        assert!(!b.take(ALL, true, true), "a part is still read");
        b.give(LOW, false, false);
        assert!(b.take(ALL, true, true));
        for (span, whole) in [(ALL, true), (LOW, false)] {
            assert!(!b.take(span, whole, false) && !b.take(span, whole, true));
        }
        b.give(ALL, true, true);
        assert_eq!(b.state.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn disjoint_parts_are_written_at_once() {
        let b = Borrows::default();
        assert!(b.take(LOW, false, true) && b.take(HIGH, false, true));
        assert!(!b.take(MIDDLE, false, false) && !b.take(MIDDLE, false, true) && !b.take(ALL, true, false));
        b.give(LOW, false, true);
        b.give(HIGH, false, true);
        assert!(b.take(MIDDLE, false, false) && b.take(LOW, false, false), "readers share");
        b.give(MIDDLE, false, false);
        b.give(LOW, false, false);
        assert_eq!(b.state.load(Ordering::Relaxed), 0);
        assert!(b.parts.lock().unwrap().is_empty());
    }

    /// Random uses of ten bytes, against the rule itself: a use is refused when it overlaps one that lasts, and one of
    /// the two writes.
    #[test]
    fn any_order_of_uses_follows_the_rule() {
        let b = Borrows::default();
        let mut held: Vec<(Span, bool)> = Vec::new();
        let mut state = 1u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        let whole = |span: Span| span.start == 0 && span.end == 10;
        let (mut taken, mut refused) = (0, 0);
        for _ in 0..20_000 {
            if !held.is_empty() && random(3) == 0 {
                let (span, write) = held.swap_remove(random(held.len() as u64) as usize);
                b.give(span, whole(span), write);
                continue;
            }
            let start = random(10) as usize;
            let end = start + 1 + random(10 - start as u64) as usize;
            let span = if random(4) == 0 { Span { start: 0, end: 10 } } else { Span { start, end } };
            let write = random(2) == 0;
            let free = !held.iter().any(|&(other, wrote)| (write || wrote) && span.overlaps(other));
            assert_eq!(b.take(span, whole(span), write), free, "{span:?} {write} against {held:?}");
            if free {
                held.push((span, write));
                taken += 1;
            } else {
                refused += 1;
            }
        }
        assert!(taken > 2000 && refused > 2000, "{taken} taken, {refused} refused");
    }

    #[test]
    fn a_use_that_is_refused_hinders_nobody() {
        let b = Borrows::default();
        assert!(b.take(LOW, false, false));
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|s| {
            s.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    assert!(!b.take(MIDDLE, false, true), "it overlaps what is read");
                }
            });
            for k in 0..100_000 {
                let taken = b.take(ALL, true, false);
                if !taken || k + 1 == 100_000 {
                    done.store(true, Ordering::Relaxed);
                }
                assert!(taken, "all of it may be read");
                b.give(ALL, true, false);
            }
        });
    }

    #[test]
    fn one_of_eight_threads_writes() {
        let b = Borrows::default();
        let inside = AtomicU64::new(0);
        let entered = AtomicU64::new(0);
        std::thread::scope(|s| {
            for _ in 0..8 {
                s.spawn(|| {
                    for _ in 0..2000 {
                        if b.take(ALL, true, true) {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                            entered.fetch_add(1, Ordering::Relaxed);
                            inside.fetch_sub(1, Ordering::SeqCst);
                            b.give(ALL, true, true);
                        }
                    }
                });
            }
        });
        assert!(entered.into_inner() > 0);
        assert_eq!(b.state.into_inner(), 0);
    }
}
