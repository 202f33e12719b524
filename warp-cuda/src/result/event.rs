//! Events.

use std::ffi::c_uint;

use crate::error::Error;
use crate::sys::{CUevent, CUresult, Table};

/// Makes one.
///
/// # Safety
/// A context is current.
pub unsafe fn create(cuda: &Table, flags: c_uint) -> Result<CUevent, Error> {
    let mut event = CUevent::NULL;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuEventCreate(&mut event, flags) }?;
    Ok(event)
}

/// Whether all that came before it is done.
///
/// # Safety
/// The event is alive.
pub unsafe fn is_done(cuda: &Table, event: CUevent) -> Result<bool, Error> {
    // SAFETY: the caller's contract.
    ready(unsafe { cuda.cuEventQuery(event) })
}

/// Milliseconds from one to the other.
///
/// # Safety
/// Both are alive.
pub unsafe fn milliseconds(cuda: &Table, start: CUevent, end: CUevent) -> Result<f32, Error> {
    let mut time = 0.0;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuEventElapsedTime(&mut time, start, end) }?;
    Ok(time)
}

/// "Not ready" is an answer and no failure.
pub(super) fn ready(answer: Result<(), Error>) -> Result<bool, Error> {
    match answer {
        Ok(()) => Ok(true),
        Err(error) if error.is(CUresult::NOT_READY) => Ok(false),
        Err(error) => Err(error),
    }
}
