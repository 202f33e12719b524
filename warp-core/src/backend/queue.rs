//! What a device that queues work must offer.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{Address, BackendError, Executable, How, Origin, Stopped};

/// A queue of work, done in order. Work of two queues has no order but by marks.
pub trait Queue: Any + Send + Sync {
    /// Its number, that of no other queue of the process.
    fn id(&self) -> u64;

    /// A mark behind all that is queued now. Marks that are `timed` know when they were reached.
    fn mark(&self, timed: bool) -> Result<Arc<dyn Mark>, BackendError>;

    /// Lets what comes next wait for a mark. `false`: the mark is none that this queue can wait for, so that the host has to.
    fn wait(&self, mark: &dyn Mark) -> Result<bool, BackendError>;

    /// Waits until all is done. How launches ended is told by [`stopped`](Queue::stopped).
    fn synchronize(&self) -> Result<(), BackendError>;

    /// As [`Backend::stopped`](super::Backend::stopped), among what this queue was given or waits for.
    fn stopped(&self) -> Option<Stopped>;

    /// Zeroed memory, as of [`Backend::allocate`](super::Backend::allocate), for what comes next in this queue.
    fn allocate(&self, bytes: usize) -> Result<Address, BackendError>;

    /// Gives memory back once all is done that this queue holds now, or waits for.
    ///
    /// # Safety
    /// `address` came from `allocate(bytes)` of a queue of this device, and nothing else uses it any more.
    unsafe fn free(&self, address: Address, bytes: usize);

    /// Whether all is done.
    fn is_done(&self) -> Result<bool, BackendError>;

    /// Host to device; the bytes have been taken when it returns.
    ///
    /// # Safety
    /// `to` is valid for `from.len()` bytes until it is done, and nothing but this queue uses that range meanwhile.
    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError>;

    /// Device to host; done when it returns.
    ///
    /// # Safety
    /// `from` is valid for `to.len()` bytes, and nothing but this queue writes that range meanwhile.
    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError>;

    /// Device to device; the ranges do not overlap.
    ///
    /// # Safety
    /// Both are valid for `bytes` until it is done, and nothing but this queue uses them in conflict meanwhile.
    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError>;

    /// The same bytes so many times.
    ///
    /// # Safety
    /// `to` is valid for so many bytes until it is done, and nothing but this queue uses that range meanwhile.
    unsafe fn fill(&self, to: Address, value: &[u8], times: usize) -> Result<(), BackendError>;
}

impl fmt::Debug for dyn Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queue({})", self.id())
    }
}

/// A place in a queue.
pub trait Mark: Any + Send + Sync {
    /// Waits until all before it is done.
    fn synchronize(&self) -> Result<(), BackendError>;

    /// Whether all before it is done.
    fn is_done(&self) -> Result<bool, BackendError>;

    /// As [`Queue::stopped`], among what came before it.
    fn stopped(&self) -> Option<Stopped>;

    /// Seconds from an earlier mark of the same device until this one was reached. Both are timed, and are reached.
    fn seconds_since(&self, earlier: &dyn Mark) -> Result<f64, BackendError>;
}

impl fmt::Debug for dyn Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mark")
    }
}

/// How soon a stream's work is done, compared with that of other streams of its device. A wish: devices without
/// priorities take no notice.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Priority {
    /// After all others.
    Low,
    /// As if nothing were said.
    #[default]
    Normal,
    /// Before all others.
    High,
}

/// One step of what a [`Replay`] does. Addresses are valid for as long as the replay is.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    /// A launch, as of [`Executable::launch`]; the contract is that of the call.
    Launch {
        /// The program.
        executable: &'a dyn Executable,
        /// The argument block.
        words: &'a [u64],
        /// Extents, none of them zero.
        dims: &'a [u64],
        /// How to run it.
        how: How,
        /// What tells which launch it was.
        origin: &'a Origin,
    },
    /// As of [`Queue::copy`]. (With a public `Copy` here rustc would spell the trait of that name out in users' errors.)
    Transfer {
        /// Where from.
        from: Address,
        /// Where to.
        to: Address,
        /// How much.
        bytes: usize,
    },
    /// As of [`Queue::upload`], with bytes that the replay keeps.
    Upload {
        /// Where to.
        to: Address,
        /// What.
        bytes: &'a [u8],
    },
    /// As of [`Queue::fill`].
    Fill {
        /// Where to.
        to: Address,
        /// The bytes.
        value: &'a [u8],
        /// How often.
        times: usize,
    },
}

/// A sequence of steps as one object of a device.
pub trait Replay: Send + Sync {
    /// Queues all of it.
    ///
    /// # Safety
    /// The contract of each step holds now.
    unsafe fn launch(&self, queue: &Arc<dyn Queue>) -> Result<(), BackendError>;

    /// Takes other steps in place of its own; `false` where it cannot, and stays as it is.
    fn update(&mut self, steps: &[Step<'_>]) -> Result<bool, BackendError>;
}
