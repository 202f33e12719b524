//! A device whose memory the host does not see, and that counts.

use std::sync::{Arc, Mutex};

use warp_core::Device;
use warp_core::backend::{Address, Backend, BackendError, Executable, Program};
use warp_cpu::Cpu;

/// The CPU as a device of its own that keeps its memory to itself, and remembers what it compiled and gave.
#[derive(Debug)]
pub struct Far {
    cpu: Device,
    compiled: Mutex<Vec<String>>,
    memory: Mutex<InUse>,
}

/// Bytes that are in use, and the most that have been.
#[derive(Clone, Copy, Default, Debug)]
struct InUse {
    now: usize,
    most: usize,
}

impl Far {
    /// One of its own, on the CPU that all share.
    pub fn new() -> Arc<Far> {
        Arc::new(Far { cpu: Device::new(Cpu::shared()), compiled: Mutex::default(), memory: Mutex::default() })
    }

    /// Bytes that are in use.
    pub fn in_use(&self) -> usize {
        self.memory.lock().unwrap().now
    }

    /// The most bytes that were in use at once while `body` ran.
    pub fn most_in_use(&self, body: impl FnOnce()) -> usize {
        let now = self.in_use();
        self.memory.lock().unwrap().most = now;
        body();
        self.memory.lock().unwrap().most
    }

    /// How many kernels it has compiled.
    pub fn compiled(&self) -> usize {
        self.compiled.lock().unwrap().len()
    }

    /// How often a word stands in what was compiled last.
    pub fn count_in_last(&self, word: &str) -> usize {
        self.compiled.lock().unwrap().last().unwrap().matches(word).count()
    }
}

// SAFETY: all is the CPU's.
unsafe impl Backend for Far {
    fn name(&self) -> &str {
        "far"
    }

    fn host_memory(&self) -> bool {
        false
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        let address = self.cpu.backend().allocate(bytes)?;
        let mut memory = self.memory.lock().unwrap();
        memory.now += bytes;
        memory.most = memory.most.max(memory.now);
        Ok(address)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        self.memory.lock().unwrap().now -= bytes;
        // SAFETY: as the caller says.
        unsafe { self.cpu.backend().free(address, bytes) }
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { self.cpu.backend().upload(to, from) }
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { self.cpu.backend().download(from, to) }
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { self.cpu.backend().copy(from, to, bytes) }
    }

    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        self.compiled.lock().unwrap().push(format!("{:?}", program.kernel));
        self.cpu.backend().compile(program)
    }
}
