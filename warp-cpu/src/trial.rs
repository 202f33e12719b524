//! How a kernel whose threads leave loops at different turns runs best: that depends on the numbers of turns, so it is
//! measured. Some launches run a few of their threads in each way, and the others in the best one.

use std::sync::atomic::{AtomicU64, Ordering};

/// How threads may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// Each for itself.
    OneByOne,
    /// In lanes, which wait for the one that is last to leave a loop.
    InLanes,
    /// In lanes, which take up other threads where theirs has left the kernel's loop.
    Refilled,
}

impl Manner {
    pub(crate) const ALL: [Manner; 3] = [Manner::OneByOne, Manner::InLanes, Manner::Refilled];

    /// How many times as long as another way the better one may take.
    fn handicap(self) -> f64 {
        match self {
            Manner::OneByOne => CLEARLY,
            Manner::InLanes | Manner::Refilled => 1.0,
        }
    }
}

/// Of the last measurement this part is kept.
const NEW: f64 = 0.25;
/// Lanes are left only where they take so many times as long as threads one by one.
const CLEARLY: f64 = 1.1;
/// How often a range of threads that one machine thread runs is looked at.
pub(crate) const PARTS: u64 = 8;
/// How often each way is tried then: other programs may be in the way once, but hardly each time.
pub(crate) const TRIES: u64 = 2;
/// One of so many threads runs in each of the ways for the sake of the measurement.
pub(crate) const RARITY: u64 = 64;

/// Nanoseconds that a thread takes in each way. Races between launches lose a measurement, no more.
#[derive(Default)]
pub(crate) struct Trial {
    /// For each way the bits of an `f64`, or 0 where nothing has been measured.
    nanoseconds: [AtomicU64; 3],
}

impl Trial {
    /// The best way as far as is known.
    pub(crate) fn best(&self) -> Manner {
        let measured = Manner::ALL.into_iter().filter(|manner| self.of(*manner) > 0.0);
        let best = measured.min_by(|a, b| (a.handicap() * self.of(*a)).total_cmp(&(b.handicap() * self.of(*b))));
        best.unwrap_or(Manner::InLanes)
    }

    /// So many threads took so many nanoseconds.
    pub(crate) fn measured(&self, manner: Manner, nanoseconds: f64, threads: u64) {
        let (new, old) = (nanoseconds / threads as f64, self.of(manner));
        let kept = if old == 0.0 { new } else { (1.0 - NEW) * old + NEW * new };
        self.nanoseconds[manner as usize].store(kept.to_bits(), Ordering::Relaxed);
    }

    fn of(&self, manner: Manner) -> f64 {
        f64::from_bits(self.nanoseconds[manner as usize].load(Ordering::Relaxed))
    }
}
