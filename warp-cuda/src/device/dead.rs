//! Giving things back, where nothing may fail and nothing may be forgotten.
//!
//! A value that goes cannot return an error. So what the driver does not take back is kept and tried again, with the next
//! thing that is given back, when the device is waited for, and when it goes; the failure itself is told by the next call
//! that can tell it. During a capture nothing is given back on the capturing thread, and nothing that has to wait for the
//! device on any thread, since the driver would refuse it and spoil the capture.

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
    /// Memory of a pool whose stream cannot give it back any more. The driver waits for nothing then.
    Pooled(CUdeviceptr),
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
                Dead::Memory(address) | Dead::Pooled(address) => cuda.cuMemFree_v2(address),
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

    /// The same for later, when the stream may be gone.
    fn for_later(self) -> Dead {
        match self {
            Dead::Ordered(address, _) => Dead::Pooled(address),
            other => other,
        }
    }

    /// Whether all work of the device has to be done before it goes: the driver waits for memory that was taken at once
    /// and for pinned memory, and such waiting is refused during captures; for the others somebody has to wait.
    fn needs_an_idle_device(self) -> bool {
        matches!(self, Dead::Memory(_) | Dead::Pooled(_) | Dead::Pinned(_) | Dead::Module(_))
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
        let spent = std::mem::take(&mut *self.spent.lock().unwrap_or_else(PoisonError::into_inner));
        drop(spent);
        let left = std::mem::take(&mut *self.left.lock().unwrap_or_else(PoisonError::into_inner));
        // Their failures are known.
        left.into_iter().filter(|&dead| self.bury(dead).is_err()).for_each(|dead| self.leave(dead));
    }

    /// Without an error where it is only not the time.
    fn bury(&self, dead: Dead) -> Result<(), Option<Error>> {
        if capture::is_running() {
            return Err(None);
        }
        let _quiet = match dead.needs_an_idle_device() {
            true => Some(self.quiet().ok_or(None)?),
            false => None,
        };
        let _current = self.enter().map_err(Some)?;
        if matches!(dead, Dead::Pooled(_) | Dead::Module(_)) {
            // Kernels that use it may still run.
            // SAFETY: the context is current.
            unsafe { self.driver.table().cuCtxSynchronize() }.map_err(Some)?;
        }
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
