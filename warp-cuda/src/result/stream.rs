//! Streams and captures.

use std::ffi::{c_int, c_uint};

use super::event::ready;
use crate::error::Error;
use crate::sys::{CAPTURE_ACTIVE, CUgraph, CUstream, Table};

/// Makes one; the lower the number, the sooner its work is done.
///
/// # Safety
/// A context is current.
pub unsafe fn create(cuda: &Table, flags: c_uint, priority: c_int) -> Result<CUstream, Error> {
    let mut stream = CUstream::NULL;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuStreamCreateWithPriority(&mut stream, flags, priority) }?;
    Ok(stream)
}

/// Whether all its work is done.
///
/// # Safety
/// The stream is alive.
pub unsafe fn is_done(cuda: &Table, stream: CUstream) -> Result<bool, Error> {
    // SAFETY: the caller's contract.
    ready(unsafe { cuda.cuStreamQuery(stream) })
}

/// Its priority.
///
/// # Safety
/// The stream is alive.
pub unsafe fn priority(cuda: &Table, stream: CUstream) -> Result<c_int, Error> {
    let mut priority = 0;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuStreamGetPriority(stream, &mut priority) }?;
    Ok(priority)
}

/// Whether its work goes into a graph.
///
/// # Safety
/// The stream is alive.
pub unsafe fn is_capturing(cuda: &Table, stream: CUstream) -> Result<bool, Error> {
    let mut status = 0;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuStreamIsCapturing(stream, &mut status) }?;
    Ok(status == CAPTURE_ACTIVE)
}

/// Ends a capture. A capture that went wrong has no graph, and ends too.
///
/// # Safety
/// The stream is alive, and its capture began on this thread.
pub unsafe fn end_capture(cuda: &Table, stream: CUstream) -> Result<CUgraph, Error> {
    let mut graph = CUgraph::NULL;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuStreamEndCapture(stream, &mut graph) }?;
    Ok(graph)
}
