//! Contexts: which one a thread works in.

use std::ffi::c_int;

use crate::error::Error;
use crate::sys::{CUcontext, CUdevice, Table};

/// Takes a share in the device's primary context, which all libraries of a process use.
///
/// # Safety
/// Each share is given back once, by `cuDevicePrimaryCtxRelease_v2`.
pub unsafe fn retain(cuda: &Table, device: CUdevice) -> Result<CUcontext, Error> {
    let mut context = CUcontext::NULL;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuDevicePrimaryCtxRetain(&mut context, device) }?;
    Ok(context)
}

/// The context of this thread, or none.
pub fn current(cuda: &Table) -> Result<CUcontext, Error> {
    let mut context = CUcontext::NULL;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuCtxGetCurrent(&mut context) }?;
    Ok(context)
}

/// Takes the thread's context away, and gives the one below back to it.
pub fn pop(cuda: &Table) -> Result<CUcontext, Error> {
    let mut context = CUcontext::NULL;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuCtxPopCurrent_v2(&mut context) }?;
    Ok(context)
}

/// The least and the greatest priority of streams; the greatest is the smaller number.
pub fn priorities(cuda: &Table) -> Result<(c_int, c_int), Error> {
    let (mut least, mut greatest) = (0, 0);
    // SAFETY: the pointers are valid.
    unsafe { cuda.cuCtxGetStreamPriorityRange(&mut least, &mut greatest) }?;
    Ok((least, greatest))
}
