//! A CUDA device as a backend of warp-core.
//!
//! Everything goes through one stream of the device, so memory, copies and launches are in the order in which they were
//! asked for; launches wait for their end, and report faults themselves.

mod prints;
mod program;
mod scratch;
mod words;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use warp_core::backend::{Address, Backend, BackendError, Executable, Program};

use crate::device::Device;
use crate::error::Error;
use crate::module::{JitOptions, Module};
use crate::stream::Stream;
use program::CudaProgram;
use scratch::ScratchPool;

/// Readable bytes past the end of an allocation, so that a vector load of the last element stays inside.
pub(crate) const PADDING: usize = 16;

/// The CUDA backend: one device.
pub struct Cuda(Arc<Shared>);

/// What programs hold of their backend.
pub(crate) struct Shared {
    pub name: String,
    pub stream: Stream,
    /// Fault blocks and print rings between launches.
    pub scratch: ScratchPool,
    /// Modules by their text: kernels of the same text are compiled once.
    modules: Mutex<HashMap<String, Module>>,
}

impl Cuda {
    /// A backend on a device. Two backends of one device know nothing of each other's arrays.
    pub fn new(device: &Device) -> Result<Cuda, Error> {
        let stream = device.stream()?;
        Ok(Cuda(Arc::new(Shared {
            name: device.label(),
            stream,
            scratch: ScratchPool::default(),
            modules: Mutex::default(),
        })))
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.0.stream.device()
    }

    /// The stream that everything goes through. Nobody else has it, so nobody captures it.
    pub(crate) fn stream(&self) -> &Stream {
        &self.0.stream
    }
}

impl Shared {
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
        let module = unsafe { Module::load(self.stream.device(), text.as_bytes(), &JitOptions::new()) }?;
        Ok(modules().entry(text.into()).or_insert(module).clone())
    }
}

/// A failure of the driver in the runtime's words.
pub(crate) fn failed(error: Error) -> BackendError {
    BackendError(error.to_string())
}

// SAFETY: memory is the driver's, which aligns it to 256 bytes, with `PADDING` bytes past the end. All that happens to it
// goes through one stream, from being zeroed to being given back.
unsafe impl Backend for Cuda {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn host_memory(&self) -> bool {
        false
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        let (device, stream) = (self.device(), self.stream());
        let too_large =
            |why: String| BackendError(format!("{} has no {bytes} bytes of memory for an array: {why}", self.0.name));
        let padded = bytes.checked_add(PADDING).ok_or_else(|| too_large("no device has".into()))?;
        let address = device.take(Some(stream), padded).map_err(|error| too_large(error.to_string()))?;
        // SAFETY: the memory was just taken on this stream.
        unsafe { stream.fill_raw(address, 0, padded) }.map_err(|error| {
            device.give(Some(stream), address, padded);
            failed(error)
        })?;
        Ok(address)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        // `allocate` gave it, so the sum is a number.
        self.device().give(Some(self.stream()), address, bytes.saturating_add(PADDING));
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        if from.is_empty() {
            return Ok(());
        }
        // SAFETY: by contract `to` is valid for so many bytes; the host's memory is lent until the copy is done.
        unsafe { self.stream().upload_raw(to, from.as_ptr(), from.len()) }
            .and_then(|()| self.stream().synchronize())
            .map_err(failed)
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        if to.is_empty() {
            return Ok(());
        }
        // SAFETY: by contract `from` is valid for so many bytes; the host's memory is lent until the copy is done.
        unsafe { self.stream().download_raw(to.as_mut_ptr(), from, to.len()) }
            .and_then(|()| self.stream().synchronize())
            .map_err(failed)
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: by contract both are valid for so many bytes; what may free them comes later in the same stream.
        unsafe { self.stream().copy_raw(to, from, bytes) }.map_err(failed)
    }

    fn check(&self) -> Result<(), BackendError> {
        self.device().synchronize().map_err(failed)
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
