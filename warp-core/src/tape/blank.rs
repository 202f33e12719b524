//! A device for tests of what tapes know of memory without a look into it.

use std::sync::Arc;

use crate::backend::{Address, Backend, BackendError, Executable, Program};
use crate::device::Device;

/// A device of memory that nobody looks into.
struct Blank;

// SAFETY: each allocation is leaked words of its own, aligned as asked for and longer than it has to be.
unsafe impl Backend for Blank {
    fn name(&self) -> &str {
        "blank"
    }

    fn host_memory(&self) -> bool {
        true
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        let words: &mut [u64] = vec![0; bytes / 8 + 16].leak();
        Ok((words.as_ptr() as Address).next_multiple_of(64))
    }

    unsafe fn free(&self, _: Address, _: usize) {}

    unsafe fn upload(&self, _: Address, _: &[u8]) -> Result<(), BackendError> {
        Err(BackendError("nobody looks into it".into()))
    }

    unsafe fn download(&self, _: Address, _: &mut [u8]) -> Result<(), BackendError> {
        Err(BackendError("nobody looks into it".into()))
    }

    unsafe fn copy(&self, _: Address, _: Address, _: usize) -> Result<(), BackendError> {
        Err(BackendError("nobody looks into it".into()))
    }

    fn compile(&self, _: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        Err(BackendError("it runs nothing".into()))
    }
}

pub(super) fn blank() -> Device {
    Device::new(Arc::new(Blank))
}
