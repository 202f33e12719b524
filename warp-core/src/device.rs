//! Devices: where arrays live and kernels run.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::backend::{Backend, BackendError, Stopped};
use crate::error::Error;
use crate::launch;

/// A device: a handle that is cheap to clone. Two handles are equal when they mean the same device.
///
/// The facade opens devices: `Device::cpu()`, `Device::all()`, `Device::best()`.
#[derive(Clone)]
pub struct Device(Arc<Opened>);

struct Opened {
    /// Never used again for another device, so caches may be keyed by it.
    id: u64,
    name: String,
    backend: Arc<dyn Backend>,
    memory: Counter,
    /// Whether its calls return before their work is done.
    queues: bool,
    /// Whether a stream was made besides its own.
    streams: AtomicBool,
}

/// Bytes of a device's memory that arrays have, and the most that they had.
#[derive(Default)]
struct Counter {
    now: AtomicUsize,
    peak: AtomicUsize,
}

/// How much memory has been taken through a device, in bytes: that of arrays, tapes and graphs, not what the device itself
/// needs for launches, or rounds up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryUse {
    /// What arrays, tapes and graphs have now.
    pub now: usize,
    /// The most that they had at one time.
    pub peak: usize,
}

impl Device {
    /// A device on a backend. Each call makes a device of its own, whose arrays no other device takes.
    pub fn new(backend: Arc<dyn Backend>) -> Device {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        static NAMES: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut names = NAMES.lock().unwrap_or_else(|e| e.into_inner());
        let count = names.entry(backend.name().into()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { backend.name().into() } else { format!("{}#{count}", backend.name()) };
        let queues = backend.queue().is_some();
        Device(Arc::new(Opened {
            id,
            name,
            backend,
            memory: Counter::default(),
            queues,
            streams: AtomicBool::new(false),
        }))
    }

    /// The name in messages: `cpu`. A second device on the same backend is `cpu#2`.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether the host reads and writes the device's memory in place, so that `read()` and `write()` need no copies.
    pub fn host_memory(&self) -> bool {
        self.0.backend.host_memory()
    }

    /// Waits until everything launched has ended, and reports a fault that no call has reported yet.
    ///
    /// Launches on the CPU wait and report themselves, so there this finds nothing.
    ///
    /// ```
    /// # use warp_core::{Device, Error};
    /// fn both(device: &Device, launches: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
    ///     launches().and_then(|()| device.check()) // here or there, a fault comes out
    /// }
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        self.0.backend.check().map_err(|source| self.failed("waiting for the device", source))?;
        self.tell(self.0.backend.stopped())
    }

    /// Reports a launch that somebody has waited for and nobody was told of.
    pub(crate) fn tell(&self, stopped: Option<Stopped>) -> Result<(), Error> {
        stopped.map_or(Ok(()), |stopped| Err(launch::told_late(self, stopped)))
    }

    /// Whether calls return before their work is done.
    #[inline]
    pub(crate) fn queues(&self) -> bool {
        self.0.queues
    }

    /// A stream is made: from now on work leaves marks behind.
    pub(crate) fn note_stream(&self) {
        self.0.streams.store(true, Ordering::Release);
    }

    /// Whether there may be streams besides the device's own.
    pub(crate) fn has_streams(&self) -> bool {
        self.0.streams.load(Ordering::Acquire)
    }

    /// How much memory arrays, tapes and graphs on this device have, and had at most.
    pub fn memory(&self) -> MemoryUse {
        let Counter { now, peak } = &self.0.memory;
        MemoryUse { now: now.load(Ordering::Relaxed), peak: peak.load(Ordering::Relaxed) }
    }

    /// Memory was taken.
    pub(crate) fn took(&self, bytes: usize) {
        let now = self.0.memory.now.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.0.memory.peak.fetch_max(now, Ordering::Relaxed);
    }

    /// Memory was given back.
    pub(crate) fn gave_back(&self, bytes: usize) {
        self.0.memory.now.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The backend behind it.
    pub fn backend(&self) -> &dyn Backend {
        &*self.0.backend
    }

    #[inline]
    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }

    pub(crate) fn failed(&self, doing: &str, source: BackendError) -> Error {
        Error::Backend { device: self.name().into(), doing: doing.into(), source }
    }
}

impl PartialEq for Device {
    #[inline]
    fn eq(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
