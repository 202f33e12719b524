//! The programs of the suite with a launch of each, made longer, so that a bench can compare how fast two backends run them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use warp::backend::{Address, Backend, BackendError, Call, Executable, How, LaunchStop, Program};
use warp_ir::abi::ArgWords;
use warp_ir::ir::Storage;

use crate::rig::{Compiled, Lines, Rig};
use crate::{ALL, Buffer};

/// A launch that a check of the suite made.
#[derive(Clone)]
pub struct Recorded {
    /// The check that made it.
    pub check: &'static str,
    /// What was launched.
    pub program: Program,
    dims: Vec<u64>,
    words: Vec<u64>,
    /// For each block of memory the word with its address, and what was there before.
    memory: Vec<(usize, Vec<u8>)>,
}

/// Runs all checks on a backend whose memory the host shares, and notes of each program that they compile the largest
/// launch that ends well. Programs with arrays that have strides are left out.
pub fn launches<B: Backend>(backend: impl Fn() -> B) -> Vec<Recorded> {
    let mut all = vec![];
    for check in ALL {
        let log = Log::default();
        let rig = Rig::new(Recorder { backend: Arc::new(backend()), check: check.name, log: log.clone() });
        // What a check finds is not asked here.
        let _ = catch_unwind(AssertUnwindSafe(|| (check.run)(&rig)));
        let found = std::mem::take(&mut *log.lock().unwrap_or_else(PoisonError::into_inner));
        all.extend(found.into_iter().flatten());
    }
    all
}

/// For each program that was compiled, the best launch so far.
type Log = Arc<Mutex<Vec<Option<Recorded>>>>;

/// Passes everything on to another backend, and notes launches.
struct Recorder {
    backend: Arc<dyn Backend>,
    check: &'static str,
    log: Log,
}

// SAFETY: all that addresses are asked for is done by the other backend.
unsafe impl Backend for Recorder {
    fn name(&self) -> &str {
        self.backend.name()
    }

    fn host_memory(&self) -> bool {
        self.backend.host_memory()
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        self.backend.allocate(bytes)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        // SAFETY: the caller's contract.
        unsafe { self.backend.free(address, bytes) }
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        // SAFETY: the caller's contract.
        unsafe { self.backend.upload(to, from) }
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        // SAFETY: the caller's contract.
        unsafe { self.backend.download(from, to) }
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        // SAFETY: the caller's contract.
        unsafe { self.backend.copy(from, to, bytes) }
    }

    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        let executable = self.backend.compile(program)?;
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.push(None);
        let (number, log) = (log.len() - 1, self.log.clone());
        let (backend, program, check) = (self.backend.clone(), program.clone(), self.check);
        Ok(Arc::new(Noted { backend, executable, program, check, number, log }))
    }
}

/// A program whose launches are noted.
struct Noted {
    backend: Arc<dyn Backend>,
    executable: Arc<dyn Executable>,
    program: Program,
    check: &'static str,
    number: usize,
    log: Log,
}

impl Executable for Noted {
    unsafe fn launch(&self, call: &Call<'_>) -> Result<(), LaunchStop> {
        let before = self.look(call);
        // SAFETY: the caller's contract.
        unsafe { self.executable.launch(call) }?;
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let size = |dims: &[u64]| dims.iter().product::<u64>();
        let larger = log[self.number].as_ref().is_none_or(|last| size(&last.dims) < size(call.dims));
        if let Some(before) = before.filter(|_| larger) {
            log[self.number] = Some(before);
        }
        Ok(())
    }
}

impl Noted {
    /// The launch with a copy of its memory. `None` if an array has strides.
    fn look(&self, call: &Call<'_>) -> Option<Recorded> {
        let function = &self.program.kernel.function;
        let mut memory = vec![];
        for ((array, words), layout) in
            function.arrays.iter().zip(ArgWords::of(function).arrays).zip(&self.program.layouts)
        {
            let len: u64 = call.words[words.extents..][..array.rank as usize].iter().product();
            let sizes: Vec<usize> = match array.storage {
                _ if array.strided => return None,
                Storage::Elements => vec![layout.size],
                Storage::Planes => array.leaves.iter().map(|leaf| leaf.size()).collect(),
            };
            for (k, size) in sizes.into_iter().enumerate() {
                let mut bytes = vec![0; len as usize * size];
                // SAFETY: by the contract of a launch the address is valid for the array's extent.
                unsafe { self.backend.download(call.words[words.address + k], &mut bytes) }.ok()?;
                memory.push((words.address + k, bytes));
            }
        }
        let (program, dims, words) = (self.program.clone(), call.dims.to_vec(), call.words.to_vec());
        Some(Recorded { check: self.check, program, dims, words, memory })
    }
}

impl Recorded {
    /// Threads of the launch.
    pub fn threads(&self) -> u64 {
        self.dims.iter().product()
    }

    /// The launch on a backend, so many times as long in its last dimension, with arrays that are as many times as long.
    pub fn on(&self, rig: &Rig, times: u64) -> Result<Longer, BackendError> {
        let function = &self.program.kernel.function;
        let (mut dims, mut words) = (self.dims.clone(), self.words.clone());
        if let Some(last) = dims.last_mut() {
            *last *= times;
        }
        for array in ArgWords::of(function).arrays {
            words[array.extents] *= times;
        }
        let mut memory = vec![];
        for (word, bytes) in &self.memory {
            let start = bytes.repeat(times as usize);
            let buffer = rig.buffer(&start);
            words[*word] = buffer.address();
            memory.push((buffer, start));
        }
        Ok(Longer { compiled: rig.try_compile(&self.program)?, backend: rig.backend().clone(), dims, words, memory })
    }
}

/// A launch that can be made again and again.
pub struct Longer {
    compiled: Compiled,
    backend: Arc<dyn Backend>,
    dims: Vec<u64>,
    words: Vec<u64>,
    memory: Vec<(Buffer<u8>, Vec<u8>)>,
}

impl Longer {
    /// Puts all memory back.
    pub fn reset(&self) -> Result<(), BackendError> {
        for (buffer, start) in &self.memory {
            // SAFETY: the buffer is as long as what it was made of, and launches have ended when they return.
            unsafe { self.backend.upload(buffer.address(), start) }?;
        }
        Ok(())
    }

    /// Launches on one thread of the machine.
    pub fn launch(&self) -> Result<(), LaunchStop> {
        let lines = Lines::default();
        let how = How { threads: Some(1), ..How::default() };
        let call = Call { words: &self.words, dims: &self.dims, how, printer: &lines, queued: None };
        self.compiled.call(&call)
    }

    /// What is in memory now.
    pub fn read(&self) -> Vec<Vec<u8>> {
        self.memory.iter().map(|(buffer, _)| buffer.read()).collect()
    }
}
