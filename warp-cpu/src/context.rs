//! What compiled code and the runtime share during a launch.

use std::any::Any;
use std::sync::Mutex;

use warp_core::backend::Printer;
use warp_ir::ir::PrintSite;

use crate::fault::FaultLog;

/// A compiled kernel: runs threads `lo..hi` (row-major numbers), and gives back `hi`, or the number after that of the
/// first thread that failed a check.
pub(crate) type Entry = unsafe extern "C" fn(words: *const u64, lo: u64, hi: u64, context: *const Context) -> u64;

/// What one machine thread hands to compiled code. The first two fields are read by compiled code.
#[repr(C)]
pub(crate) struct Context<'a> {
    /// Extents of the launch, slowest first.
    pub dims: [u64; 4],
    /// Memory of this machine thread for local arrays that do not fit the stack.
    pub scratch: *mut u8,
    /// The launch.
    pub launch: &'a Launch<'a>,
}

/// Byte offset of [`Context::dims`].
pub(crate) const DIMS_OFFSET: i32 = std::mem::offset_of!(Context<'static>, dims) as i32;
/// Byte offset of [`Context::scratch`].
pub(crate) const SCRATCH_OFFSET: i32 = std::mem::offset_of!(Context<'static>, scratch) as i32;

/// What all machine threads of a launch share.
pub(crate) struct Launch<'a> {
    /// Receives what threads print.
    pub printer: &'a dyn Printer,
    /// The kernel's print sites.
    pub prints: &'a [PrintSite],
    /// Number of operands of each check.
    pub operands: &'a [usize],
    /// Checks that failed.
    pub faults: FaultLog,
    /// The first panic of the printer.
    pub panic: Mutex<Option<Box<dyn Any + Send>>>,
}
