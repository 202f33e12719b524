//! What a device is.

use std::ffi::c_int;

use crate::error::Error;
use crate::result::device::{self, attribute};
use crate::sys::attribute as a;
use crate::sys::{CUdevice, CUresult, Table};

/// What a device is and how much it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Properties {
    /// The maker's name for it.
    pub name: String,
    /// Where it is plugged in: `0000:17:00.0`.
    pub bus: String,
    /// Compute capability, major and minor: which instructions it has.
    pub capability: (u32, u32),
    /// Bytes of memory.
    pub memory: usize,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Threads that run in step.
    pub warp_size: u32,
    /// Most threads of a block.
    pub block_threads: u32,
    /// Most threads of a block along x, y and z.
    pub block_extents: [u32; 3],
    /// Most blocks of a grid along x, y and z.
    pub grid_extents: [u32; 3],
    /// Most threads of a multiprocessor at once.
    pub multiprocessor_threads: u32,
    /// Registers of a block.
    pub block_registers: u32,
    /// Bytes of shared memory of a block, if nothing is said.
    pub block_shared: u32,
    /// Bytes of shared memory of a block of a function that asks for more.
    pub block_shared_most: u32,
    /// Bytes of the second cache.
    pub cache: u32,
    /// Kilohertz of its clock; 0 where the driver does not tell.
    pub clock: u32,
    /// Kilohertz of the clock of its memory; 0 where the driver does not tell.
    pub memory_clock: u32,
    /// Bits of the way to its memory.
    pub memory_bus: u32,
    /// Copies that go beside kernels.
    pub copy_engines: u32,
    /// Whether it shares the host's memory.
    pub integrated: bool,
    /// Whether memory comes from pools, in the order of streams.
    pub pools: bool,
}

impl Properties {
    pub(crate) fn of(cuda: &Table, handle: CUdevice) -> Result<Properties, Error> {
        let get = |what: c_int| attribute(cuda, handle, what).map(|value| u32::try_from(value).unwrap_or(0));
        // What only informs may be unknown to an older or a newer driver.
        let told = |what: c_int| match get(what) {
            Err(error) if error.is(CUresult::INVALID_VALUE) || error.is(CUresult::NOT_SUPPORTED) => Ok(0),
            answer => answer,
        };
        let three = |first: c_int| Ok::<_, Error>([get(first)?, get(first + 1)?, get(first + 2)?]);
        Ok(Properties {
            name: device::name(cuda, handle)?,
            bus: device::bus(cuda, handle)?,
            capability: (get(a::COMPUTE_CAPABILITY_MAJOR)?, get(a::COMPUTE_CAPABILITY_MINOR)?),
            memory: device::memory(cuda, handle)?,
            multiprocessors: get(a::MULTIPROCESSOR_COUNT)?,
            warp_size: get(a::WARP_SIZE)?,
            block_threads: get(a::MAX_THREADS_PER_BLOCK)?,
            block_extents: three(a::MAX_BLOCK_DIM_X)?,
            grid_extents: three(a::MAX_GRID_DIM_X)?,
            multiprocessor_threads: get(a::MAX_THREADS_PER_MULTIPROCESSOR)?,
            block_registers: get(a::MAX_REGISTERS_PER_BLOCK)?,
            block_shared: get(a::MAX_SHARED_MEMORY_PER_BLOCK)?,
            block_shared_most: get(a::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            cache: told(a::L2_CACHE_SIZE)?,
            clock: told(a::CLOCK_RATE)?,
            memory_clock: told(a::MEMORY_CLOCK_RATE)?,
            memory_bus: told(a::GLOBAL_MEMORY_BUS_WIDTH)?,
            copy_engines: told(a::ASYNC_ENGINE_COUNT)?,
            integrated: told(a::INTEGRATED)? != 0,
            // Drivers before CUDA 11.2 do not know the question.
            pools: told(a::MEMORY_POOLS_SUPPORTED)? != 0,
        })
    }

    /// Bytes a second between the device and its memory at most; `None` where the driver does not tell its clock.
    pub fn bandwidth(&self) -> Option<f64> {
        // Memory of GPUs moves two bits a clock on each wire.
        let bits = 2.0 * 1000.0 * f64::from(self.memory_clock) * f64::from(self.memory_bus);
        (bits > 0.0).then_some(bits / 8.0)
    }
}
