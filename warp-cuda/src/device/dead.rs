//! Giving things back, where nothing may fail and nothing may be forgotten.
//!
//! A value that goes cannot return an error. So what the driver does not take back is kept and tried again, with the next
//! thing that is given back, when the device is waited for, and when it goes; the failure itself is told by the next call
//! that can tell it. During a capture nothing is given back on the capturing thread, since the driver would refuse it
//! and spoil the capture.

use std::ffi::c_void;
use std::sync::PoisonError;

use super::Inner;
use crate::capture;
use crate::error::Error;
use crate::sys::{CUdeviceptr, CUevent, CUgraph, CUgraphExec, CUmodule, CUstream, Table};

/// Something that nobody uses any more.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dead {
    Memory(CUdeviceptr),
    /// Memory that goes when the stream has come so far.
    Ordered(CUdeviceptr, CUstream),
    Pinned(*mut c_void),
    Stream(CUstream),
    Event(CUevent),
    Module(CUmodule),
    Graph(CUgraph),
    Exec(CUgraphExec),
}

// SAFETY: it is a name; the driver's functions may be called from any thread.
unsafe impl Send for Dead {}

impl Dead {
    /// Gives it back.
    ///
    /// # Safety
    /// It was not given back before, and a context is current.
    unsafe fn bury(self, cuda: &Table) -> Result<(), Error> {
        // SAFETY: the caller's contract, for each arm.
        unsafe {
            match self {
                Dead::Memory(address) => cuda.cuMemFree_v2(address),
                Dead::Ordered(address, stream) => cuda.cuMemFreeAsync(address, stream),
                Dead::Pinned(address) => cuda.cuMemFreeHost(address),
                Dead::Stream(stream) => cuda.cuStreamDestroy_v2(stream),
                Dead::Event(event) => cuda.cuEventDestroy_v2(event),
                Dead::Module(module) => cuda.cuModuleUnload(module),
                Dead::Graph(graph) => cuda.cuGraphDestroy(graph),
                Dead::Exec(exec) => cuda.cuGraphExecDestroy(exec),
            }
        }
    }

    /// The same for later, when the stream may be gone: freeing at once waits for all work.
    fn for_later(self) -> Dead {
        match self {
            Dead::Ordered(address, _) => Dead::Memory(address),
            other => other,
        }
    }
}

impl Inner {
    pub(super) fn dispose(&self, dead: Dead) {
        self.sweep();
        if let Err(error) = self.bury(dead) {
            error.into_iter().for_each(|error| self.keep_untold(error));
            self.leave(dead.for_later());
        }
    }

    pub(super) fn sweep(&self) {
        let left = std::mem::take(&mut *self.left.lock().unwrap_or_else(PoisonError::into_inner));
        // Their failures are known.
        left.into_iter().filter(|&dead| self.bury(dead).is_err()).for_each(|dead| self.leave(dead));
    }

    /// Without an error where it is only not the time.
    fn bury(&self, dead: Dead) -> Result<(), Option<Error>> {
        if capture::is_running() {
            return Err(None);
        }
        let _current = self.enter().map_err(Some)?;
        // SAFETY: each thing comes here once, and again only if the driver did not take it.
        unsafe { dead.bury(self.driver.table()) }.map_err(Some)
    }

    fn leave(&self, dead: Dead) {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).push(dead);
    }

    /// Makes a call that has to be made, once more if it fails, and keeps its failure.
    pub(super) fn twice(&self, call: impl Fn() -> Result<(), Error>) {
        if let Err(error) = call() {
            self.keep_untold(error);
            let _known = call();
        }
    }
}
