//! Whether lanes pay for a kernel whose threads leave loops at different turns: that depends on the numbers of turns, so it
//! is measured. Some launches run a few of their threads one by one, as many in lanes, and the others in the better way.

use std::sync::atomic::{AtomicU64, Ordering};

/// Of the last measurement this part is kept.
const NEW: f64 = 0.25;
/// Lanes are left only where they take so many times as long as threads one by one.
const CLEARLY: f64 = 1.1;
/// How often a range of threads that one machine thread runs is looked at.
pub(crate) const PARTS: u64 = 8;
/// One of so many threads runs in each of the two ways for the sake of the measurement.
pub(crate) const RARITY: u64 = 64;

/// Nanoseconds that a thread takes, in either way. Races between launches lose a measurement, no more.
#[derive(Default)]
pub(crate) struct Trial {
    /// The bits of an `f64`, or 0 where nothing has been measured.
    one_by_one: AtomicU64,
    in_lanes: AtomicU64,
}

impl Trial {
    pub(crate) fn prefers_lanes(&self) -> bool {
        let [one_by_one, in_lanes] =
            [&self.one_by_one, &self.in_lanes].map(|bits| f64::from_bits(bits.load(Ordering::Relaxed)));
        one_by_one == 0.0 || in_lanes < CLEARLY * one_by_one
    }

    /// So many threads took so many nanoseconds.
    pub(crate) fn measured(&self, in_lanes: bool, nanoseconds: f64, threads: u64) {
        let place = if in_lanes { &self.in_lanes } else { &self.one_by_one };
        let (new, old) = (nanoseconds / threads as f64, f64::from_bits(place.load(Ordering::Relaxed)));
        let kept = if old == 0.0 { new } else { (1.0 - NEW) * old + NEW * new };
        place.store(kept.to_bits(), Ordering::Relaxed);
    }
}
