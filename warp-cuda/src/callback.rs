//! Host functions in a stream.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

use crate::device::{Spent, Untold};
use crate::error::Error;
use crate::stream::Stream;

struct Call {
    /// Not the device itself: its last handle must not go where the driver cannot be called.
    untold: Untold,
    /// Where it goes afterwards: what it captured may call the driver when it goes.
    spent: Spent,
    work: Box<dyn FnMut() + Send>,
}

impl Stream {
    /// Queues a call of a host function, on a thread of the driver's. It must call nothing of the driver, and be short.
    /// A panic in it is told by the next call of [`Device::synchronize`](crate::Device::synchronize). Not for captures, which may run it twice.
    /// What it captured goes with the next thing that is given back, or that call.
    pub fn call(&self, work: impl FnMut() + Send + 'static) -> Result<(), Error> {
        if self.is_capturing() {
            return Err(Error::Refused(
                "a call of a host function cannot be captured; call it after the launch".into(),
            ));
        }
        let _current = self.device().enter()?;
        let call = Box::into_raw(Box::new(Call {
            untold: self.device().untold(),
            spent: self.device().spent(),
            work: Box::new(work),
        }));
        // SAFETY: the stream is alive; the call belongs to the driver from here on, which makes it once.
        let queued = unsafe { self.device().cuda().cuLaunchHostFunc(self.raw(), run, call.cast()) };
        if queued.is_err() {
            // SAFETY: the driver did not take it.
            drop(unsafe { Box::from_raw(call) });
        }
        queued
    }
}

/// # Safety
/// `data` is a `Call` in a box, for this call alone.
unsafe extern "C" fn run(data: *mut c_void) {
    // SAFETY: the caller's contract.
    let call = unsafe { Box::from_raw(data.cast::<Call>()) };
    let Call { untold, spent, mut work } = *call;
    if catch_unwind(AssertUnwindSafe(&mut work)).is_err() {
        let panicked = Error::Refused("a host function in a stream panicked".into());
        untold.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panicked);
    }
    spent.lock().unwrap_or_else(PoisonError::into_inner).push(work);
}
