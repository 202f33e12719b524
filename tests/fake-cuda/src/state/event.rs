//! Events.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use super::Handle;

/// An event. Who waits for it holds it, so it outlives its name.
#[derive(Debug)]
pub struct Event {
    pub device: usize,
    pub timing: bool,
    /// How often it was recorded.
    asked: AtomicU64,
    /// The last record that was reached.
    reached: AtomicU64,
    /// When.
    time: AtomicU64,
    /// The capture that it was recorded in last, and the nodes before it.
    pub captured: Mutex<Option<(Handle, Vec<usize>)>>,
}

impl Event {
    pub fn new(device: usize, timing: bool) -> Event {
        let zero = || AtomicU64::new(0);
        Event { device, timing, asked: zero(), reached: zero(), time: zero(), captured: Mutex::new(None) }
    }

    /// A new record; gives its number.
    pub fn ask(&self) -> u64 {
        *self.capture() = None;
        self.asked.fetch_add(1, SeqCst) + 1
    }

    /// The last record's number; 0 for none.
    pub fn asked(&self) -> u64 {
        self.asked.load(SeqCst)
    }

    pub fn reach(&self, record: u64, time: u64) {
        if self.reached.fetch_max(record, SeqCst) < record {
            self.time.store(time, SeqCst);
        }
    }

    pub fn has_reached(&self, record: u64) -> bool {
        self.reached.load(SeqCst) >= record
    }

    pub fn time(&self) -> u64 {
        self.time.load(SeqCst)
    }

    pub fn capture(&self) -> std::sync::MutexGuard<'_, Option<(Handle, Vec<usize>)>> {
        self.captured.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
