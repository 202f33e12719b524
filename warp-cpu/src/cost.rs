//! How long a thread of a kernel takes: guessed from the IR at first, then measured.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use warp_ir::builtins::Builtin;
use warp_ir::ir::{Op, Region};

/// Turns that a loop is guessed to make.
const TURNS: f64 = 16.0;
/// Every so many launches one is measured; the first ones all are.
const PERIOD: u32 = 16;
const FIRST: u32 = 4;

/// Nanoseconds that a thread takes on one core. Races between launches lose a measurement, no more.
pub(crate) struct Cost {
    /// The bits of an `f64`.
    nanoseconds: AtomicU64,
    launches: AtomicU32,
}

impl Cost {
    /// A guess from the ops of a kernel.
    pub(crate) fn guess(body: &Region) -> Cost {
        Cost { nanoseconds: AtomicU64::new((0.5 + region(body)).to_bits()), launches: AtomicU32::new(0) }
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

fn region(region: &Region) -> f64 {
    region.ops.iter().map(op).sum()
}

fn op(op: &Op) -> f64 {
    match op {
        Op::Const { .. } | Op::Slot { .. } | Op::Tid { .. } | Op::Extent { .. } | Op::Stride { .. } => 0.0,
        Op::Pure { builtin, .. } => match builtin {
            Builtin::Div | Builtin::Rem | Builtin::Sqrt => 1.5,
            _ => 0.25,
        },
        Op::Table { .. } | Op::Load { .. } | Op::Store { .. } => 0.4,
        Op::Fill { .. } | Op::Atomic { .. } => 1.0,
        Op::Check { .. } => 0.2,
        Op::Print { .. } => 100.0,
        Op::Call { .. } => 5.0,
        Op::If { then, otherwise, .. } => 0.5 + region(then).max(region(otherwise)),
        Op::Loop { cond, body, .. } => TURNS * (region(cond) + region(body)),
    }
}
