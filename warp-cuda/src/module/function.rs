//! Entries of modules, and launching them.

use std::ffi::{c_int, c_void};
use std::fmt;

use super::Module;
use crate::error::Error;
use crate::result;
use crate::stream::Stream;
use crate::sys::function_attribute as a;
use crate::sys::{CUfunction, CUresult};

/// An entry of a module.
#[derive(Clone)]
pub struct Function {
    module: Module,
    handle: CUfunction,
    name: String,
}

/// What a function takes of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attributes {
    /// Most threads of a block.
    pub block_threads: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block that it always has.
    pub shared: u32,
    /// Bytes of constant memory.
    pub constant: u32,
    /// Bytes of memory of each thread: local arrays, and registers that did not fit.
    pub local: u32,
    /// Version of its PTX, major and minor.
    pub ptx: (u32, u32),
    /// Architecture of its machine code, major and minor.
    pub binary: (u32, u32),
}

/// The form of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Blocks along x, y and z.
    pub blocks: [u32; 3],
    /// Threads of a block along x, y and z.
    pub threads: [u32; 3],
    /// Bytes of shared memory of a block, beyond what the function always has.
    pub shared: u32,
}

impl Grid {
    /// So many blocks of so many threads.
    pub const fn linear(blocks: u32, threads: u32) -> Grid {
        Grid { blocks: [blocks, 1, 1], threads: [threads, 1, 1], shared: 0 }
    }
}

impl Function {
    pub(super) fn new(module: Module, handle: CUfunction, name: &str) -> Function {
        Function { module, handle, name: name.into() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The driver's handle.
    pub fn raw(&self) -> CUfunction {
        self.handle
    }

    /// What it takes.
    pub fn attributes(&self) -> Result<Attributes, Error> {
        let device = self.module.device();
        let _current = device.enter()?;
        let get = |what: c_int| {
            // SAFETY: the module is alive.
            let value = unsafe { result::module::attribute(device.cuda(), self.handle, what) }?;
            Ok::<u32, Error>(u32::try_from(value).unwrap_or(0))
        };
        let version = |value: u32| (value / 10, value % 10);
        Ok(Attributes {
            block_threads: get(a::MAX_THREADS_PER_BLOCK)?,
            registers: get(a::NUM_REGS)?,
            shared: get(a::SHARED_SIZE_BYTES)?,
            constant: get(a::CONST_SIZE_BYTES)?,
            local: get(a::LOCAL_SIZE_BYTES)?,
            ptx: version(get(a::PTX_VERSION)?),
            binary: version(get(a::BINARY_VERSION)?),
        })
    }

    /// The block size with which most threads of a multiprocessor are busy, at most `limit` (0: no limit), where a block
    /// takes `shared` bytes; and the fewest blocks of that size that fill the device.
    pub fn best_block(&self, shared: u32, limit: u32) -> Result<(u32, u32), Error> {
        let device = self.module.device();
        let _current = device.enter()?;
        let limit = c_int::try_from(limit).unwrap_or(0);
        // SAFETY: the module is alive.
        let (size, blocks) = unsafe { result::module::best_block(device.cuda(), self.handle, shared as usize, limit) }?;
        Ok((size.unsigned_abs(), blocks.unsigned_abs()))
    }

    /// How many blocks of a size a multiprocessor holds at once.
    pub fn resident_blocks(&self, threads: u32, shared: u32) -> Result<u32, Error> {
        let device = self.module.device();
        let _current = device.enter()?;
        let threads = c_int::try_from(threads).unwrap_or(c_int::MAX);
        // SAFETY: the module is alive.
        unsafe { result::module::resident_blocks(device.cuda(), self.handle, threads, shared as usize) }
            .map(c_int::unsigned_abs)
    }

    /// Lets launches ask for so many bytes of shared memory, where that is more than 48 KiB.
    pub fn allow_shared(&self, bytes: u32) -> Result<(), Error> {
        let device = self.module.device();
        let _current = device.enter()?;
        let bytes = c_int::try_from(bytes).unwrap_or(c_int::MAX);
        // SAFETY: the module is alive.
        unsafe { device.cuda().cuFuncSetAttribute(self.handle, a::MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes) }
    }

    /// Queues a launch. Parameters are read before it returns.
    ///
    /// # Safety
    /// There are as many parameters as the function takes, and each points to a value of its type. Until the launch is
    /// done, its threads do to memory what is theirs to do.
    pub unsafe fn launch(&self, stream: &Stream, grid: &Grid, parameters: &mut [*mut c_void]) -> Result<(), Error> {
        let device = self.module.device();
        device.same("the function", "the stream", stream.device())?;
        let _current = device.enter()?;
        let ([x, y, z], [bx, by, bz]) = (grid.blocks, grid.threads);
        let parameters = parameters.as_mut_ptr();
        // SAFETY: the caller's contract; module and stream are alive.
        let launched = unsafe {
            let extra = std::ptr::null_mut();
            device.cuda().cuLaunchKernel(self.handle, x, y, z, bx, by, bz, grid.shared, stream.raw(), parameters, extra)
        };
        launched.map_err(|error| match error.is(CUresult::INVALID_VALUE) {
            true => Error::Refused(format!(
                "`{}` cannot be launched on {:?} blocks of {:?} threads with {} bytes of shared memory: {error}",
                self.name, grid.blocks, grid.threads, grid.shared
            )),
            false => error,
        })
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({} of {:?})", self.name, self.module)
    }
}
