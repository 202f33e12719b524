//! What a device must offer: memory, and running programs; and queues of them where it has such.

mod queue;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

pub use warp_ir::abi::ElementLayout;
use warp_ir::ir::{CheckKind, Kernel, PrintSite, Scalar, Source};

pub use queue::{Mark, Priority, Queue, Replay, Step};

/// A device: its memory and its code generator.
///
/// # Safety
///
/// Addresses that `allocate` gives are valid for reads and writes of `bytes` bytes (by the device, and by the host too
/// where `host_memory` says so) until `free`, aligned to 64 bytes, with 16 readable bytes past the end.
///
/// `upload`, `download`, `copy` and launches without a queue come after all that was queued before on any queue, and are
/// done when they return.
pub unsafe trait Backend: Any + Send + Sync {
    /// The device's name in messages: `cpu`, `cuda:0`.
    fn name(&self) -> &str;

    /// Whether the host can read and write the device's memory in place.
    fn host_memory(&self) -> bool;

    /// Zeroed memory. A device that queues gives it by [`Queue::allocate`] as well.
    fn allocate(&self, bytes: usize) -> Result<Address, BackendError>;

    /// Gives memory back.
    ///
    /// # Safety
    /// `address` came from `allocate(bytes)` of this backend, and nothing uses it any more.
    unsafe fn free(&self, address: Address, bytes: usize);

    /// Host to device.
    ///
    /// # Safety
    /// `to` is valid for `from.len()` bytes, and no launch uses that range meanwhile.
    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError>;

    /// Device to host.
    ///
    /// # Safety
    /// `from` is valid for `to.len()` bytes, and no launch writes that range meanwhile.
    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError>;

    /// Device to device; the ranges do not overlap.
    ///
    /// # Safety
    /// Both are valid for `bytes`, and no launch uses the ranges in conflict.
    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError>;

    /// The queue of work that is not given another one. `None`: the device queues nothing, and whatever it is asked for is
    /// done when the call returns.
    fn queue(&self) -> Option<&Arc<dyn Queue>> {
        None
    }

    /// A queue that is given no work, in whose order memory goes that several queues have used; `None` as of
    /// [`queue`](Backend::queue).
    fn spare_queue(&self) -> Option<&Arc<dyn Queue>> {
        None
    }

    /// Another queue, whose work comes after all that is in the device's own now; `None` as of [`queue`](Backend::queue).
    fn new_queue(&self, priority: Priority) -> Result<Option<Arc<dyn Queue>>, BackendError> {
        let _ = priority;
        Ok(None)
    }

    /// Waits for everything that is queued, and tells a failure of the device that no call has told yet; while
    /// [`stopped`](Backend::stopped) has something to tell that comes first, and such a failure waits for the next call.
    fn check(&self) -> Result<(), BackendError> {
        Ok(())
    }

    /// Keeps a failure that no call can tell, for the next one that can.
    fn keep_untold(&self, error: BackendError) {
        let _ = error;
    }

    /// The first queued launch that stopped early, among those that somebody has waited for and nobody was told of. Those that
    /// came behind it in order are forgotten with it: they may be its consequences.
    fn stopped(&self) -> Option<Stopped> {
        None
    }

    /// One object that does a sequence of steps again and again; `None` where each has to be asked for.
    fn replay(&self, steps: &[Step<'_>]) -> Result<Option<Box<dyn Replay>>, BackendError> {
        let _ = steps;
        Ok(None)
    }

    /// Turns a program into something that runs.
    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError>;
}

/// A place in a device's memory.
pub type Address = u64;

/// A linked, validated kernel with all that rustc knew and the IR does not.
#[derive(Clone, Debug)]
pub struct Program {
    /// The kernel.
    pub kernel: Kernel,
    /// Bits of the user's constants, one for each slot.
    pub slots: Vec<u64>,
    /// For each array parameter, how an element lies in memory.
    pub layouts: Vec<ElementLayout>,
}

/// A compiled program.
pub trait Executable: Any + Send + Sync {
    /// Runs all threads of a launch, and waits for them unless `call.queued` says otherwise.
    ///
    /// # Safety
    /// The program's kernel was `warp_ir::validate::guarded` when it was made: backends drop the checks that range facts
    /// prove, and take the others as all that keeps accesses in range.
    /// `call.words` follow `warp_ir::abi` for the program's kernel; each address is valid for its extents, strides and
    /// layout, unless the kernel never reads or writes there: memory that nobody needs may be gone. No other launch or host
    /// access conflicts with them, but for what the queue holds before and after. Writable arrays overlap no other
    /// argument, but for arrays on which the kernel has atomics and does nothing else: those may overlap each other.
    unsafe fn launch(&self, call: &Call<'_>) -> Result<(), LaunchStop>;
}

/// One launch.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The argument block, laid out as `warp_ir::abi` says.
    pub words: &'a [u64],
    /// Extent of each launch dimension, slowest first; as many as the kernel's rank. None is zero.
    pub dims: &'a [u64],
    /// How to run it.
    pub how: How,
    /// Receives what threads print.
    pub printer: &'a dyn Printer,
    /// Where the launch is queued; `None`: it comes after everything else, and has ended when the call returns.
    pub queued: Option<Queued<'a>>,
}

/// How a launch runs, where the device has a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct How {
    /// Upper bound on the threads of the machine that take part; `None`: as many as the device likes.
    pub threads: Option<usize>,
    /// Threads of a block, on devices that have blocks; `None`: what suits the kernel. Results do not depend on it.
    pub block: Option<u32>,
    /// What atomics leave has the same bits each time and on every machine, or the launch is refused.
    pub deterministic: bool,
}

/// Whether `WARP_DETERMINISTIC=1` asks all launches for [`How::deterministic`].
pub(crate) fn deterministic_wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| match std::env::var("WARP_DETERMINISTIC").as_deref() {
        Ok("1") => true,
        Err(_) | Ok("" | "0") => false,
        Ok(other) => {
            eprintln!("warp: WARP_DETERMINISTIC may be `1` or `0`, not `{other}`; it is ignored");
            false
        }
    })
}

/// How a launch is queued.
#[derive(Clone, Copy)]
pub struct Queued<'a> {
    /// Behind what is in this queue.
    pub queue: &'a Arc<dyn Queue>,
    /// What tells later which launch it was: the call does not wait for the end, and how that was comes out of
    /// [`Backend::stopped`]. Kernels that print are not queued so.
    pub origin: &'a Origin,
}

impl fmt::Debug for Queued<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queued({})", self.queue.id())
    }
}

/// What the runtime knows of a launch; backends keep it and hand it back.
pub type Origin = Arc<dyn Any + Send + Sync>;

/// A queued launch that stopped early.
pub struct Stopped {
    /// Which launch it was.
    pub origin: Origin,
    /// Why it stopped.
    pub stop: LaunchStop,
}

/// Receives what threads print, in any order and from any machine thread.
pub trait Printer: Sync {
    /// One executed print site: the thread's row-major number and the bits of the arguments.
    fn print(&self, thread: u64, site: &PrintSite, args: &[u64]);

    /// So many more were executed, and the device had no room to keep them.
    fn lost(&self, count: u64) {
        let _ = count;
    }
}

impl fmt::Debug for dyn Printer + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Printer")
    }
}

/// Why a launch stopped early.
#[derive(Clone, PartialEq, Debug)]
pub enum LaunchStop {
    /// Threads failed a check. The one with the smallest row-major number is told; `count` failed in all.
    Fault {
        /// Row-major number of the thread.
        thread: u64,
        /// What the check guards; `Mem` refers to the program's kernel.
        kind: CheckKind,
        /// The user's expression.
        source: Source,
        /// Bits and types of the check's operands.
        operands: Vec<(Scalar, u64)>,
        /// Threads that stopped.
        count: u64,
    },
    /// The backend itself failed.
    Backend(BackendError),
}

/// A failure of the backend that is not the kernel's fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackendError(pub String);

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BackendError {}
