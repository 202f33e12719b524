//! How much memory is in use.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Memory of a device that this process has taken through this crate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryUse {
    /// Bytes now.
    pub bytes: u64,
    /// Most bytes so far.
    pub high_water: u64,
}

#[derive(Default)]
pub(crate) struct Ledger {
    bytes: AtomicU64,
    high: AtomicU64,
}

impl Ledger {
    pub(crate) fn taken(&self, bytes: usize) {
        let now = self.bytes.fetch_add(bytes as u64, Relaxed) + bytes as u64;
        self.high.fetch_max(now, Relaxed);
    }

    pub(crate) fn given_back(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes as u64, Relaxed);
    }

    pub(super) fn read(&self) -> MemoryUse {
        let bytes = self.bytes.load(Relaxed);
        MemoryUse { bytes, high_water: self.high.load(Relaxed).max(bytes) }
    }

    pub(super) fn reset(&self) {
        self.high.store(self.bytes.load(Relaxed), Relaxed);
    }
}
