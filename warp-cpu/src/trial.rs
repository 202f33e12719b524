//! How a kernel whose threads leave loops at different turns runs best: that depends on the numbers of turns, so it is
//! measured. Some launches run a few of their threads in each way, and the others in the best one. Where codes are estimated
//! to be nearly as fast as each other, whole launches run in each way by turns, and the others in the better one.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

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
struct Times {
    /// The bits of an `f64`, or 0 where nothing has been measured.
    nanoseconds: [AtomicU64; 3],
}

impl Times {
    fn of(&self, manner: Manner) -> f64 {
        f64::from_bits(self.nanoseconds[manner as usize].load(Ordering::Relaxed))
    }

    /// Keeps a new measurement: the first one as it is, others as `join` makes them of the kept one and the new one.
    fn measured(&self, manner: Manner, new: f64, join: impl Fn(f64, f64) -> f64) {
        let old = self.of(manner);
        let kept = if old == 0.0 { new } else { join(old, new) };
        self.nanoseconds[manner as usize].store(kept.to_bits(), Ordering::Relaxed);
    }
}

/// The ways that parts of launches take.
#[derive(Default)]
pub(crate) struct Trial(Times);

impl Trial {
    /// The best way, as far as is known, of those that are possible.
    pub(crate) fn best(&self, possible: impl Fn(Manner) -> bool) -> Manner {
        let measured = Manner::ALL.into_iter().filter(|manner| possible(*manner) && self.0.of(*manner) > 0.0);
        let time = |manner: &Manner| manner.handicap() * self.0.of(*manner);
        let best = measured.min_by(|a, b| time(a).total_cmp(&time(b)));
        best.unwrap_or(Manner::InLanes)
    }

    /// So many threads took so many nanoseconds.
    pub(crate) fn measured(&self, manner: Manner, nanoseconds: f64, threads: u64) {
        self.0.measured(manner, nanoseconds / threads as f64, |old, new| (1.0 - NEW) * old + NEW * new);
    }
}

/// Launches with fewer threads are not measured: what they cost is much the same in each way.
pub(crate) const LONG: u64 = 4096;
/// A time that was measured once is taken for so much longer each time when it is not reached: data change.
const FORGETTING: f64 = 1.05;

/// The ways that whole launches take by turns: in lanes, and each thread by itself.
#[derive(Default)]
pub(crate) struct Turns {
    times: Times,
    next: AtomicU32,
}

impl Turns {
    /// The way of a launch that is measured.
    pub(crate) fn next(&self) -> Manner {
        match self.next.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            true => Manner::InLanes,
            false => Manner::OneByOne,
        }
    }

    /// The better way as far as is known.
    pub(crate) fn best(&self) -> Manner {
        let [single, lanes] = [Manner::OneByOne, Manner::InLanes].map(|manner| self.times.of(manner));
        if single > 0.0 && single < lanes { Manner::OneByOne } else { Manner::InLanes }
    }

    /// So many threads took so many nanoseconds. Other programs may have been in the way, so the least counts.
    pub(crate) fn measured(&self, manner: Manner, nanoseconds: f64, threads: u64) {
        if threads > 0 {
            self.times.measured(manner, nanoseconds / threads as f64, |old, new| new.min(FORGETTING * old));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_launch_cannot_do_is_not_the_best() {
        let trial = Trial::default();
        let times = [(Manner::OneByOne, 4e3), (Manner::InLanes, 2e3), (Manner::Refilled, 1e3)];
        times.into_iter().for_each(|(manner, nanoseconds)| trial.measured(manner, nanoseconds, 1000));
        assert_eq!(trial.best(|_| true), Manner::Refilled);
        assert_eq!(trial.best(|manner| manner != Manner::Refilled), Manner::InLanes);
    }

    #[test]
    fn turns_find_the_better_way_though_the_first_ones_were_slow() {
        let turns = Turns::default();
        assert_eq!(turns.best(), Manner::InLanes, "nothing is known");
        // The first launch in lanes takes long: its memory is fresh.
        let launch = |lanes: f64, single: f64| {
            let manner = turns.next();
            turns.measured(manner, 1e4 * if manner == Manner::InLanes { lanes } else { single }, 10_000);
        };
        [(5.0, 1.0), (5.0, 1.0), (0.5, 1.0), (0.5, 1.0)].into_iter().for_each(|(lanes, single)| launch(lanes, single));
        assert_eq!(turns.best(), Manner::InLanes);
        // Other data suit single threads better.
        (0..60).for_each(|_| launch(2.0, 0.6));
        assert_eq!(turns.best(), Manner::OneByOne);
    }
}
