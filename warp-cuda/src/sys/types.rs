//! Handles, structs and constants of the driver. Enumerations are plain integers, since a driver newer than this code
//! may give any value.

use std::ffi::{c_int, c_uint, c_void};

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name(pub *mut c_void);

        impl $name {
            /// No handle.
            pub const NULL: $name = $name(std::ptr::null_mut());

            /// Whether it is none.
            pub fn is_null(self) -> bool {
                self.0.is_null()
            }
        }

        // SAFETY: a handle is a name; the driver's functions may be called from any thread.
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    )* };
}

handles! {
    /// A context: a process on a device.
    CUcontext;
    /// Loaded code.
    CUmodule;
    /// An entry of a module.
    CUfunction;
    /// A queue of work.
    CUstream;
    /// A mark in a stream.
    CUevent;
    /// Captured work.
    CUgraph;
    /// A graph that can be launched.
    CUgraphExec;
    /// A piece of work in a graph.
    CUgraphNode;
    /// A pool of memory.
    CUmemoryPool;
}

/// What a driver function returned; any value is possible.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CUresult(pub c_int);

impl CUresult {
    /// It worked.
    pub const SUCCESS: CUresult = CUresult(0);
    /// An argument is wrong.
    pub const INVALID_VALUE: CUresult = CUresult(1);
    /// No memory is left.
    pub const OUT_OF_MEMORY: CUresult = CUresult(2);
    /// `cuInit` was not called.
    pub const NOT_INITIALIZED: CUresult = CUresult(3);
    /// The process is about to end.
    pub const DEINITIALIZED: CUresult = CUresult(4);
    /// There is no device.
    pub const NO_DEVICE: CUresult = CUresult(100);
    /// There is no such device.
    pub const INVALID_DEVICE: CUresult = CUresult(101);
    /// There is no such context, or none is current.
    pub const INVALID_CONTEXT: CUresult = CUresult(201);
    /// The PTX is wrong.
    pub const INVALID_PTX: CUresult = CUresult(218);
    /// The PTX is newer than the driver.
    pub const UNSUPPORTED_PTX_VERSION: CUresult = CUresult(222);
    /// There is no such object.
    pub const INVALID_HANDLE: CUresult = CUresult(400);
    /// There is nothing of that name.
    pub const NOT_FOUND: CUresult = CUresult(500);
    /// Work is still under way. Not a failure.
    pub const NOT_READY: CUresult = CUresult(600);
    /// A kernel used an address that is not its own. The context is lost.
    pub const ILLEGAL_ADDRESS: CUresult = CUresult(700);
    /// Peers know each other already.
    pub const PEER_ACCESS_ALREADY_ENABLED: CUresult = CUresult(704);
    /// The context is gone.
    pub const CONTEXT_IS_DESTROYED: CUresult = CUresult(709);
    /// The device or the driver cannot do it.
    pub const NOT_SUPPORTED: CUresult = CUresult(801);
    /// The call is not possible while a stream is captured.
    pub const STREAM_CAPTURE_UNSUPPORTED: CUresult = CUresult(900);
    /// The captured work could not be put into the graph in place.
    pub const GRAPH_EXEC_UPDATE_FAILURE: CUresult = CUresult(910);
}

/// A device by its number.
pub type CUdevice = c_int;
/// An address on a device.
pub type CUdeviceptr = u64;
/// A host function in a stream.
pub type CUhostFn = unsafe extern "C" fn(data: *mut c_void);
/// How much dynamic shared memory a block of a size needs.
pub type CUoccupancyB2DSize = Option<unsafe extern "C" fn(block_size: c_int) -> usize>;

/// A universally unique identifier.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CUuuid {
    /// Its bytes.
    pub bytes: [u8; 16],
}

/// Where memory lies.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemLocation {
    /// Kind of place: [`MEM_LOCATION_DEVICE`].
    pub kind: c_int,
    /// Number of the device.
    pub id: c_int,
}

/// What a pool is made of.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemPoolProps {
    /// [`MEM_ALLOCATION_PINNED`].
    pub allocation: c_int,
    /// How other processes may get at it: 0, not at all.
    pub handles: c_int,
    /// Where it lies.
    pub location: CUmemLocation,
    /// For Windows; null.
    pub security: *mut c_void,
    /// Most bytes; 0: as many as there are.
    pub max_size: usize,
    /// For later versions; zero.
    pub reserved: [u8; 56],
}

/// Who may use a pool.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemAccessDesc {
    /// The device.
    pub location: CUmemLocation,
    /// [`MEM_ACCESS_READ_WRITE`].
    pub flags: c_int,
}

/// What came of an update of a graph.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUgraphExecUpdateResultInfo {
    /// 0, or what differs.
    pub result: c_int,
    /// The node that differs.
    pub node: CUgraphNode,
    /// The node before it.
    pub from: CUgraphNode,
}

/// `CUmemLocation::kind` of a device.
pub const MEM_LOCATION_DEVICE: c_int = 1;
/// `CUmemPoolProps::allocation` of memory that stays where it is.
pub const MEM_ALLOCATION_PINNED: c_int = 1;
/// `CUmemAccessDesc::flags`: everything.
pub const MEM_ACCESS_READ_WRITE: c_int = 3;

/// Bytes that a pool keeps when a stream is waited for.
pub const POOL_RELEASE_THRESHOLD: c_int = 4;
/// Bytes that a pool has of the device.
pub const POOL_RESERVED_CURRENT: c_int = 5;
/// Bytes in use.
pub const POOL_USED_CURRENT: c_int = 7;
/// Most bytes that were in use.
pub const POOL_USED_HIGH: c_int = 8;

/// A stream that the default stream does not wait for.
pub const STREAM_NON_BLOCKING: c_uint = 1;
/// An event without a time.
pub const EVENT_DISABLE_TIMING: c_uint = 2;
/// Captures refuse unsafe calls of the capturing thread, and let others be.
pub const CAPTURE_THREAD_LOCAL: c_int = 1;
/// Captures refuse nothing.
pub const CAPTURE_RELAXED: c_int = 2;
/// A capture that is going well.
pub const CAPTURE_ACTIVE: c_int = 1;
/// Pinned memory that all contexts know.
pub const HOST_ALLOC_PORTABLE: c_uint = 1;

/// Most registers a thread.
pub const JIT_MAX_REGISTERS: c_int = 0;
/// Where to write what the compiler says.
pub const JIT_INFO_LOG: c_int = 3;
/// How long that place is.
pub const JIT_INFO_LOG_BYTES: c_int = 4;
/// Where to write what is wrong.
pub const JIT_ERROR_LOG: c_int = 5;
/// How long that place is.
pub const JIT_ERROR_LOG_BYTES: c_int = 6;
/// 0 to 4.
pub const JIT_OPTIMIZATION_LEVEL: c_int = 7;
/// Says more in the log.
pub const JIT_LOG_VERBOSE: c_int = 12;
/// Keeps line numbers for profilers.
pub const JIT_LINE_INFO: c_int = 13;

/// Attributes of a device, for `cuDeviceGetAttribute`.
pub mod attribute {
    use std::ffi::c_int;

    /// Threads of a block.
    pub const MAX_THREADS_PER_BLOCK: c_int = 1;
    /// Extents of a block: x, and y and z behind it.
    pub const MAX_BLOCK_DIM_X: c_int = 2;
    /// Extents of a grid: x, and y and z behind it.
    pub const MAX_GRID_DIM_X: c_int = 5;
    /// Bytes of shared memory of a block.
    pub const MAX_SHARED_MEMORY_PER_BLOCK: c_int = 8;
    /// Threads that run in step.
    pub const WARP_SIZE: c_int = 10;
    /// Registers of a block.
    pub const MAX_REGISTERS_PER_BLOCK: c_int = 12;
    /// Kilohertz.
    pub const CLOCK_RATE: c_int = 13;
    /// Multiprocessors.
    pub const MULTIPROCESSOR_COUNT: c_int = 16;
    /// Whether it shares the host's memory.
    pub const INTEGRATED: c_int = 18;
    /// Kilohertz of its memory.
    pub const MEMORY_CLOCK_RATE: c_int = 36;
    /// Bits of the way to its memory.
    pub const GLOBAL_MEMORY_BUS_WIDTH: c_int = 37;
    /// Bytes of the second cache.
    pub const L2_CACHE_SIZE: c_int = 38;
    /// Threads of a multiprocessor.
    pub const MAX_THREADS_PER_MULTIPROCESSOR: c_int = 39;
    /// Copies beside kernels.
    pub const ASYNC_ENGINE_COUNT: c_int = 40;
    /// Major compute capability.
    pub const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
    /// Minor compute capability.
    pub const COMPUTE_CAPABILITY_MINOR: c_int = 76;
    /// Bytes of shared memory of a block that asks for more.
    pub const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: c_int = 97;
    /// Whether it has pools of memory.
    pub const MEMORY_POOLS_SUPPORTED: c_int = 115;
}

/// Attributes of a function, for `cuFuncGetAttribute`.
pub mod function_attribute {
    use std::ffi::c_int;

    /// Threads of a block.
    pub const MAX_THREADS_PER_BLOCK: c_int = 0;
    /// Bytes of shared memory that it always has.
    pub const SHARED_SIZE_BYTES: c_int = 1;
    /// Bytes of constant memory.
    pub const CONST_SIZE_BYTES: c_int = 2;
    /// Bytes of memory of each thread: local arrays and spilled registers.
    pub const LOCAL_SIZE_BYTES: c_int = 3;
    /// Registers of a thread.
    pub const NUM_REGS: c_int = 4;
    /// Version of its PTX: 10 times major plus minor.
    pub const PTX_VERSION: c_int = 5;
    /// Architecture of its machine code: 10 times major plus minor.
    pub const BINARY_VERSION: c_int = 6;
    /// Bytes of shared memory that launches may ask for.
    pub const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_int = 8;
}

const _: () = assert!(size_of::<CUmemPoolProps>() == 88 && size_of::<CUmemAccessDesc>() == 12);
