//! How long a thread of a kernel takes: guessed from the IR at first, then measured.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use warp_ir::ir::Kernel;
use warp_ir::passes;

/// Every so many launches one is measured; the first ones all are.
const PERIOD: u32 = 16;
const FIRST: u32 = 4;

/// Nanoseconds that a thread takes on one core. Races between launches lose a measurement, no more.
pub(crate) struct Cost {
    guess: f64,
    /// The bits of an `f64`.
    nanoseconds: AtomicU64,
    launches: AtomicU32,
}

impl Cost {
    /// A guess from the ops of a kernel.
    pub(crate) fn guess(kernel: &Kernel) -> Cost {
        let guess = passes::cost(kernel);
        Cost { guess, nanoseconds: AtomicU64::new(guess.to_bits()), launches: AtomicU32::new(0) }
    }

    /// What was guessed at first: the same in each run of a program.
    pub(crate) fn guessed(&self) -> f64 {
        self.guess
    }

    pub(crate) fn per_thread(&self) -> f64 {
        f64::from_bits(self.nanoseconds.load(Ordering::Relaxed))
    }

    /// Whether the launch that starts now should be measured. Looking at the clock takes as long as a small launch.
    pub(crate) fn wants_measurement(&self) -> bool {
        let number = self.launches.load(Ordering::Relaxed);
        self.launches.store(number.wrapping_add(1), Ordering::Relaxed);
        number < FIRST || number.is_multiple_of(PERIOD)
    }

    /// One machine thread took `nanoseconds` for `threads` threads. A new measurement counts half: costs depend on data
    /// and drift with it.
    pub(crate) fn measured(&self, nanoseconds: f64, threads: u64) {
        if threads == 0 {
            return;
        }
        let new = nanoseconds / threads as f64;
        let old = self.per_thread();
        self.nanoseconds.store((0.5 * (old + new)).to_bits(), Ordering::Relaxed);
    }
}
