//! A CUDA device as a backend of warp-core.
//!
//! `queue` makes streams into queues of the runtime; one of them is the device's own, for what
//! names no other. `later` keeps what launches leave until somebody has waited for them, `replay` makes graphs of the driver.

mod faults;
mod later;
mod prints;
mod program;
mod queue;
mod replay;
mod scratch;
mod words;

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use warp_core::backend::{Address, Backend, BackendError, Executable, Priority, Program, Queue, Replay, Step, Stopped};
use warp_ir::emit::ptx::LOWEST_TARGET;

use crate::device::Device;
use crate::error::Error;
use crate::module::{JitOptions, Module};
use crate::stream::Stream;
use later::Later;
use program::CudaProgram;
pub(crate) use queue::CudaQueue;
use replay::CudaReplay;

/// Readable bytes past the end of an allocation, so that a vector load of the last element stays inside.
pub(crate) const PADDING: usize = 16;

/// The CUDA backend: one device.
pub struct Cuda(Arc<Shared>);

/// What programs hold of their backend.
pub(crate) struct Shared {
    pub name: String,
    /// The device's own queue.
    pub own: Arc<CudaQueue>,
    /// The same for the runtime.
    queue: Arc<dyn Queue>,
    /// The one that is given no work.
    spare: Arc<CudaQueue>,
    /// The same for the runtime.
    spare_queue: Arc<dyn Queue>,
    /// The other queues, as long as somebody has them. Locked while one is made, or all are ordered.
    others: Mutex<Vec<Weak<CudaQueue>>>,
    pub later: Arc<Later>,
    /// Modules by their text: kernels of the same text are compiled once.
    modules: Mutex<HashMap<String, Module>>,
}

impl Cuda {
    /// A backend on a device. Two backends of one device know nothing of each other's arrays. An error where the device is
    /// older than what kernels are made for.
    pub fn new(device: &Device) -> Result<Cuda, Error> {
        let (major, minor) = device.properties().capability;
        if 10 * major + minor < LOWEST_TARGET {
            return Err(Error::Refused(format!(
                "{} ({}) has compute capability {major}.{minor}, and kernels need {}.{} or a higher one",
                device.label(),
                device.properties().name,
                LOWEST_TARGET / 10,
                LOWEST_TARGET % 10
            )));
        }
        let later = Arc::new(Later::default());
        let own = Arc::new(CudaQueue::new(device.stream()?, later.clone()));
        let spare = Arc::new(CudaQueue::new(device.stream()?, later.clone()));
        Ok(Cuda(Arc::new(Shared {
            name: device.label(),
            queue: own.clone(),
            spare_queue: spare.clone(),
            spare,
            own,
            others: Mutex::default(),
            later,
            modules: Mutex::default(),
        })))
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.0.own.stream().device()
    }

    /// The stream of all that names no other. Nobody else has it, so nobody captures it.
    pub(crate) fn own_stream(&self) -> &Stream {
        self.0.own.stream()
    }

    /// The same, behind all that is queued in any stream now.
    pub(crate) fn settled(&self) -> Result<&Stream, Error> {
        Ok(self.0.settle()?.stream())
    }

    /// Waits for all that is queued in any stream now.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.0.settle()?.finish()
    }

    /// Calls `order` with each stream of the runtime, its own first; none is made meanwhile.
    pub(crate) fn each_stream(&self, mut order: impl FnMut(&Stream) -> Result<(), Error>) -> Result<(), Error> {
        let others = self.0.others.lock().unwrap_or_else(PoisonError::into_inner);
        order(self.own_stream())?;
        order(self.0.spare.stream())?;
        others.iter().filter_map(Weak::upgrade).try_for_each(|other| order(other.stream()))
    }
}

impl Shared {
    /// The device's own queue, behind all that is queued in any other one now.
    pub(crate) fn settle(&self) -> Result<&CudaQueue, Error> {
        self.others().iter().try_for_each(|other| self.own.follow(&other.place(false)?))?;
        Ok(&self.own)
    }

    fn others(&self) -> Vec<Arc<CudaQueue>> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.retain(|other| other.strong_count() > 0);
        others.iter().filter_map(Weak::upgrade).collect()
    }

    /// The module of a text, compiled by the driver if nobody had it before.
    ///
    /// # Safety
    /// As [`Module::load`].
    pub(crate) unsafe fn module(&self, text: &str) -> Result<Module, Error> {
        let modules = || self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules().get(text) {
            return Ok(module.clone());
        }
        // Not under the lock: compiling takes long, and two threads that want the same at once may both do it.
        // SAFETY: the caller's contract.
        let module = unsafe { Module::load(self.own.stream().device(), text.as_bytes(), &JitOptions::new()) }?;
        Ok(modules().entry(text.into()).or_insert(module).clone())
    }
}

/// A failure of the driver in the runtime's words.
pub(crate) fn failed(error: Error) -> BackendError {
    BackendError(error.to_string())
}

/// A queue of the runtime that this backend has made.
pub(crate) fn own_queue(queue: &Arc<dyn Queue>) -> Result<&CudaQueue, Error> {
    let queue: &dyn Any = &**queue;
    queue.downcast_ref().ok_or_else(|| Error::Refused("a CUDA device was given the queue of another device".into()))
}

// SAFETY: memory is the driver's, which aligns it to 256 bytes, with `PADDING` bytes past the end. It is taken and
// zeroed in the order of a queue, and given back in that of one that has waited for all others; what comes without a queue comes behind all queues there, and is
// waited for.
unsafe impl Backend for Cuda {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn host_memory(&self) -> bool {
        false
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        self.0.own.allocate(bytes)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        // SAFETY: the caller's contract.
        unsafe { self.0.own.free(address, bytes) };
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        let own = self.0.settle().map_err(failed)?;
        // SAFETY: the caller's contract.
        unsafe { own.upload(to, from) }
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        let own = self.0.settle().map_err(failed)?;
        // SAFETY: the caller's contract.
        unsafe { own.download(from, to) }
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        let own = self.0.settle().map_err(failed)?;
        // SAFETY: the caller's contract.
        unsafe { own.copy(from, to, bytes) }?;
        // Other queues do not know of it.
        own.synchronize()
    }

    fn queue(&self) -> Option<&Arc<dyn Queue>> {
        Some(&self.0.queue)
    }

    fn spare_queue(&self) -> Option<&Arc<dyn Queue>> {
        Some(&self.0.spare_queue)
    }

    fn new_queue(&self, priority: Priority) -> Result<Option<Arc<dyn Queue>>, BackendError> {
        let make = || {
            let queue = Arc::new(CudaQueue::new(self.device().stream_with(priority)?, self.0.later.clone()));
            let mut others = self.0.others.lock().unwrap_or_else(PoisonError::into_inner);
            queue.follow(&self.0.own.place(false)?)?;
            others.push(Arc::downgrade(&queue));
            Ok(queue)
        };
        let queue: Arc<CudaQueue> = make().map_err(failed)?;
        Ok(Some(queue))
    }

    fn check(&self) -> Result<(), BackendError> {
        self.0.later.wait_for_all(self.device()).map_err(failed)?;
        // A fault comes first.
        if self.0.later.has_stopped() { Ok(()) } else { self.device().told().map_err(failed) }
    }

    fn keep_untold(&self, error: BackendError) {
        self.device().keep_untold(Error::Refused(error.0));
    }

    fn stopped(&self) -> Option<Stopped> {
        self.0.later.stopped(None)
    }

    fn replay(&self, steps: &[Step<'_>]) -> Result<Option<Box<dyn Replay>>, BackendError> {
        Ok(CudaReplay::new(&self.0, steps)?.map(|replay| Box::new(replay) as Box<dyn Replay>))
    }

    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        Ok(Arc::new(CudaProgram::new(program, self.0.clone())?))
    }
}

impl std::fmt::Debug for Cuda {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cuda({:?})", self.device())
    }
}
