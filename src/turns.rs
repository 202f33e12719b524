//! How this library and another one take turns on the memory of a device.

use warp_core::backend::BackendError;
use warp_core::{Device, Error};
use warp_cuda::Cuda;
use warp_cuda::sys::CUstream;

use crate::cuda::backend;

/// The backend of a CUDA device; of another device, what is wrong.
pub(crate) fn cuda(device: &Device) -> Result<&Cuda, Error> {
    backend(device).ok_or_else(|| {
        Error::Foreign(format!(
            "device {device} is no CUDA device, and memory is shared with other libraries there alone"
        ))
    })
}

/// A failure of the driver, or what it is not asked for, in the runtime's words.
pub(crate) fn failed(cuda: &Cuda, error: warp_cuda::Error) -> Error {
    match error {
        warp_cuda::Error::Refused(why) => Error::Foreign(why),
        error => Error::Backend {
            device: cuda.device().label(),
            doing: "sharing with another library".into(),
            source: BackendError(error.to_string()),
        },
    }
}

/// Whose turn it is while a [`Turn`] lasts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The other library works on memory of this one.
    Theirs,
    /// This library works on memory of the other one.
    Ours,
}

/// One library works after the other has worked, and the other one after that again, also after a panic. Where the stream of
/// the other library is known the device keeps the order; else the host waits.
pub(crate) struct Turn<'a> {
    device: &'a Device,
    cuda: &'a Cuda,
    whose: Whose,
    stream: Option<CUstream>,
}

impl<'a> Turn<'a> {
    /// Begins one. Where the host waits for this library, a fault is told.
    ///
    /// # Safety
    /// The stream is alive for as long as the turn lasts, and of the device's primary context; null is the default stream.
    pub(crate) unsafe fn begin(device: &'a Device, whose: Whose, stream: Option<CUstream>) -> Result<Turn<'a>, Error> {
        let turn = Turn { device, cuda: cuda(device)?, whose, stream };
        // SAFETY: the caller's contract.
        let passed = unsafe { turn.pass(whose) }.map_err(|error| failed(turn.cuda, error));
        match passed.and_then(|()| turn.tell(whose)) {
            Ok(()) => Ok(turn),
            Err(error) => {
                std::mem::forget(turn);
                Err(error)
            }
        }
    }

    /// Ends it; as [`begin`](Turn::begin).
    pub(crate) fn end(self) -> Result<(), Error> {
        let ended = self.give_back().map_err(|error| failed(self.cuda, error));
        let told = ended.and_then(|()| self.tell(self.other()));
        std::mem::forget(self);
        told
    }

    /// Tells a fault of what this library was waited for.
    fn tell(&self, next: Whose) -> Result<(), Error> {
        match (next, self.stream) {
            (Whose::Theirs, None) => self.device.check(),
            _ => Ok(()),
        }
    }

    fn other(&self) -> Whose {
        match self.whose {
            Whose::Theirs => Whose::Ours,
            Whose::Ours => Whose::Theirs,
        }
    }

    fn give_back(&self) -> Result<(), warp_cuda::Error> {
        // SAFETY: the contract of `begin`.
        unsafe { self.pass(self.other()) }
    }

    /// Lets the work of the next one come after what the other one has queued.
    ///
    /// # Safety
    /// As of [`begin`](Turn::begin).
    unsafe fn pass(&self, next: Whose) -> Result<(), warp_cuda::Error> {
        match (next, self.stream) {
            // SAFETY: the caller's contract.
            (Whose::Theirs, Some(stream)) => unsafe { self.cuda.lend_to(stream) }.or_else(|error| match error {
                warp_cuda::Error::Refused(_) => Err(error),
                _ => self.cuda.wait(),
            }),
            (Whose::Theirs, None) => self.cuda.wait(),
            // SAFETY: the caller's contract.
            (Whose::Ours, Some(stream)) => unsafe { self.cuda.take_back_from(stream) },
            // On which of their streams something runs, nobody knows.
            (Whose::Ours, None) => self.cuda.device().synchronize(),
        }
    }
}

/// A panic in the middle.
impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.give_back() {
            self.cuda.keep_untold(error);
        }
    }
}
