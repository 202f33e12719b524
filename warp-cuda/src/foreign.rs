//! Beside other libraries on the same device: one context, their memory, their streams.
//!
//! The primary context of a device is there once a process. Whatever lies in it, memory and streams, is known to all that
//! work in it, whoever made it; order between streams is made by events, also between streams of different owners.

use std::ffi::{c_int, c_void};

use crate::backend::Cuda;
use crate::device::{Dead, Device};
use crate::error::Error;
use crate::sys::{CUcontext, CUresult, CUstream};

/// `CUDA_ERROR_STREAM_CAPTURE_IMPLICIT`: the default stream, while another one is captured that it would wait for.
const CAPTURE_IMPLICIT: CUresult = CUresult(906);
/// `CU_POINTER_ATTRIBUTE_CONTEXT`.
const POINTER_CONTEXT: c_int = 1;
/// `CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL`.
const POINTER_DEVICE: c_int = 9;

impl Device {
    /// Makes the device's primary context that of this thread, for libraries that work in whatever context a thread has.
    /// Calls of this crate need it not: they enter the context themselves, and leave it again.
    pub fn make_current(&self) -> Result<(), Error> {
        // SAFETY: the context is alive as long as the device is, and after that the driver refuses its name.
        unsafe { self.cuda().cuCtxSetCurrent(self.context()) }
    }

    /// Runs `work` in the device's primary context; the thread's own context is as before then.
    pub fn within<A>(&self, work: impl FnOnce() -> A) -> Result<A, Error> {
        let _current = self.enter()?;
        Ok(work())
    }

    /// Gives memory back that somebody else took by `cuMemAlloc` or from a pool, once all work of the device is done. What
    /// the driver does not take is kept and tried again.
    ///
    /// # Safety
    /// The address is such memory of this device's context, nobody gives it back besides, and nobody uses it any more but
    /// for work that is queued.
    pub unsafe fn free_foreign(&self, address: u64) {
        self.dispose(Dead::Pooled(address));
    }

    /// Says why memory that somebody else allocated cannot be used here: it has to lie on this device, in its primary
    /// context. `what` names it in the sentence.
    pub fn expect_memory(&self, what: &str, address: u64) -> Result<(), Error> {
        let _current = self.enter()?;
        let cuda = self.cuda();
        let mut ordinal: c_int = -1;
        // SAFETY: the attribute is a number of 32 bits.
        let known = unsafe { cuda.cuPointerGetAttribute((&raw mut ordinal).cast::<c_void>(), POINTER_DEVICE, address) };
        match known {
            Err(error) if error.is(CUresult::INVALID_VALUE) => {
                return Err(Error::Refused(format!(
                    "{what} is no memory that the driver of {} knows; it may be gone, or of another driver library",
                    self.label()
                )));
            }
            answer => answer?,
        }
        if usize::try_from(ordinal) != Ok(self.index()) {
            return Err(Error::Refused(format!(
                "{what} is on cuda:{ordinal}, and what it is wanted for on {}; both must be on one device",
                self.label()
            )));
        }
        let mut context = CUcontext::NULL;
        // SAFETY: the attribute is a handle.
        let known =
            unsafe { cuda.cuPointerGetAttribute((&raw mut context).cast::<c_void>(), POINTER_CONTEXT, address) };
        match known {
            // Memory of pools is the device's, and no context's.
            Err(error) if error.is(CUresult::INVALID_VALUE) => Ok(()),
            Ok(()) if context.is_null() => Ok(()),
            answer => answer.and_then(|()| self.expect_context(what, context)),
        }
    }

    /// Says why a context of somebody else's is not this device's: it has to be the primary one.
    pub fn expect_context(&self, what: &str, context: CUcontext) -> Result<(), Error> {
        match context == self.context() {
            true => Ok(()),
            false => Err(Error::Refused(format!(
                "{what} belongs to another CUDA context than {}, which uses the primary context of its device; make it in \
                 that one",
                self.label()
            ))),
        }
    }

    /// Says that a stream is being captured: an event from there would draw another stream into the capture, whose work
    /// then would not be done.
    ///
    /// # Safety
    /// The stream is alive, or null: that is the default stream.
    pub unsafe fn refuse_captured(&self, stream: CUstream) -> Result<(), Error> {
        let _current = self.enter()?;
        let mut status: c_int = 0;
        // SAFETY: the pointer is valid, the stream is the caller's.
        match unsafe { self.cuda().cuStreamIsCapturing(stream, &mut status) } {
            Ok(()) if status == 0 => Ok(()),
            Err(error) if !error.is(CAPTURE_IMPLICIT) => Err(error),
            _ => Err(Error::Refused(
                "memory cannot be shared with a stream that is being captured; do it before or after the capture"
                    .into(),
            )),
        }
    }

    /// Says why a stream of somebody else's cannot be used here: it has to be one of the primary context.
    ///
    /// # Safety
    /// The stream is alive, or null: that is the default stream.
    pub unsafe fn expect_stream(&self, what: &str, stream: CUstream) -> Result<(), Error> {
        let _current = self.enter()?;
        let mut context = CUcontext::NULL;
        // SAFETY: the pointer is valid, the stream is the caller's.
        unsafe { self.cuda().cuStreamGetCtx(stream, &mut context) }?;
        self.expect_context(what, context)
    }
}

impl Cuda {
    /// Lets what comes next in a stream of somebody else's wait for all that this backend was asked for so far. The host
    /// does not wait.
    ///
    /// # Safety
    /// The stream is alive, and belongs to the device's primary context; null is the default stream.
    pub unsafe fn lend_to(&self, stream: CUstream) -> Result<(), Error> {
        // SAFETY: ours is alive, the other one is the caller's.
        unsafe { self.order(self.settled()?.raw(), stream) }
    }

    /// Lets all that this backend is asked for from now on wait for what is in a stream of somebody else's now. The host
    /// does not wait, unless the driver has no event to spare.
    ///
    /// # Safety
    /// As of [`lend_to`](Cuda::lend_to).
    pub unsafe fn take_back_from(&self, stream: CUstream) -> Result<(), Error> {
        // SAFETY: ours are alive, the other one is the caller's.
        self.each_stream(|own| unsafe { self.order(stream, own.raw()) }).or_else(|error| {
            if let Error::Refused(_) = error {
                return Err(error);
            }
            let _current = self.device().enter()?;
            // SAFETY: the caller's contract.
            unsafe { self.device().cuda().cuStreamSynchronize(stream) }
        })
    }

    /// Waits until all that this backend was asked for is done.
    pub fn wait(&self) -> Result<(), Error> {
        self.finish()
    }

    /// An array's memory has become somebody else's to give back: it counts no more.
    pub fn hand_over(&self, bytes: usize) {
        self.device().ledger().given_back(bytes.saturating_add(crate::backend::PADDING));
    }

    /// Keeps a failure that no call can tell for the next one that can.
    pub fn keep_untold(&self, error: Error) {
        self.device().keep_untold(error);
    }

    /// What comes next in a stream waits for what is in another one.
    ///
    /// # Safety
    /// Both are alive, and of the device's context.
    unsafe fn order(&self, first: CUstream, second: CUstream) -> Result<(), Error> {
        let device = self.device();
        for stream in [first, second] {
            // SAFETY: the caller's contract.
            unsafe { device.refuse_captured(stream) }?;
        }
        let event = device.event()?;
        let _current = device.enter()?;
        // SAFETY: the caller's contract; the driver keeps the event for as long as the second stream waits for it.
        unsafe {
            device.cuda().cuEventRecord(event.raw(), first)?;
            device.cuda().cuStreamWaitEvent(second, event.raw(), 0)
        }
    }
}
