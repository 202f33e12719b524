//! The functions that this crate calls, each looked up at its first call.

use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::fmt;
use std::sync::OnceLock;

use super::{
    CUcontext, CUdevice, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphExec, CUgraphExecUpdateResultInfo,
    CUgraphNode, CUhostFn, CUmemAccessDesc, CUmemPoolProps, CUmemoryPool, CUmodule, CUoccupancyB2DSize, CUresult,
    CUstream, CUuuid, Library,
};
use crate::error::{DriverError, Error};

/// The address of a function, once it has been looked for.
type Slot = OnceLock<Option<Symbol>>;

#[derive(Clone, Copy)]
struct Symbol(*const c_void);

// SAFETY: the address of code in a library that is never unloaded.
unsafe impl Send for Symbol {}
// SAFETY: as above.
unsafe impl Sync for Symbol {}

macro_rules! functions {
    ($($since:literal $name:ident($($arg:ident: $ty:ty),*);)*) => {
        /// The driver's functions. Each is looked up at its first call, so that an older driver serves until something
        /// newer is asked of it.
        #[allow(non_snake_case)]
        pub struct Table {
            library: Library,
            $($name: Slot,)*
        }

        /// Name of each function, and the CUDA version that brought it.
        pub const FUNCTIONS: &[(&str, &str)] = &[$((stringify!($name), $since),)*];

        #[allow(non_snake_case, clippy::too_many_arguments)]
        impl Table {
            /// The functions of a library. Nothing is looked up yet.
            pub fn new(library: Library) -> Table {
                Table { library, $($name: Slot::new(),)* }
            }

            $(
                #[doc = concat!("`", stringify!($name), "`, of CUDA ", $since, " and newer.")]
                ///
                /// # Safety
                /// What the driver's manual asks of callers: pointers are valid, handles are alive.
                pub unsafe fn $name(&self $(, $arg: $ty)*) -> Result<(), Error> {
                    let symbol = self.find(&self.$name, stringify!($name), $since)?;
                    type Function = unsafe extern "system" fn($($ty),*) -> CUresult;
                    // SAFETY: the driver exports a function of this type under this name.
                    let function = unsafe { std::mem::transmute::<*const c_void, Function>(symbol.0) };
                    // SAFETY: the caller's contract.
                    let code = unsafe { function($($arg),*) };
                    if code == CUresult::SUCCESS { Ok(()) } else { Err(self.failed(stringify!($name), code)) }
                }
            )*
        }
    };
}

functions! {
    "6.0" cuGetErrorName(error: CUresult, name: *mut *const c_char);
    "6.0" cuGetErrorString(error: CUresult, text: *mut *const c_char);
    "2.0" cuInit(flags: c_uint);
    "2.2" cuDriverGetVersion(version: *mut c_int);

    "2.0" cuDeviceGetCount(count: *mut c_int);
    "2.0" cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
    "2.0" cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice);
    "3.2" cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice);
    "2.0" cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: CUdevice);
    "9.2" cuDeviceGetUuid(uuid: *mut CUuuid, device: CUdevice);
    "4.1" cuDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: CUdevice);
    "4.0" cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice);
    "11.2" cuDeviceGetDefaultMemPool(pool: *mut CUmemoryPool, device: CUdevice);

    "7.0" cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
    "11.0" cuDevicePrimaryCtxRelease_v2(device: CUdevice);
    "7.0" cuDevicePrimaryCtxGetState(device: CUdevice, flags: *mut c_uint, active: *mut c_int);
    "11.0" cuDevicePrimaryCtxSetFlags_v2(device: CUdevice, flags: c_uint);
    "4.0" cuCtxGetCurrent(context: *mut CUcontext);
    "4.0" cuCtxSetCurrent(context: CUcontext);
    "4.0" cuCtxPushCurrent_v2(context: CUcontext);
    "4.0" cuCtxPopCurrent_v2(context: *mut CUcontext);
    "2.0" cuCtxGetDevice(device: *mut CUdevice);
    "2.0" cuCtxSynchronize();
    "5.5" cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int);
    "3.1" cuCtxGetLimit(value: *mut usize, limit: c_int);
    "3.1" cuCtxSetLimit(limit: c_int, value: usize);
    "4.0" cuCtxEnablePeerAccess(peer: CUcontext, flags: c_uint);
    "4.0" cuCtxDisablePeerAccess(peer: CUcontext);

    "3.2" cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    "3.2" cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize);
    "3.2" cuMemFree_v2(address: CUdeviceptr);
    "11.2" cuMemAllocAsync(address: *mut CUdeviceptr, bytes: usize, stream: CUstream);
    "11.2" cuMemAllocFromPoolAsync(address: *mut CUdeviceptr, bytes: usize, pool: CUmemoryPool, stream: CUstream);
    "11.2" cuMemFreeAsync(address: CUdeviceptr, stream: CUstream);
    "11.2" cuMemPoolCreate(pool: *mut CUmemoryPool, props: *const CUmemPoolProps);
    "11.2" cuMemPoolDestroy(pool: CUmemoryPool);
    "11.2" cuMemPoolTrimTo(pool: CUmemoryPool, keep: usize);
    "11.2" cuMemPoolSetAttribute(pool: CUmemoryPool, attribute: c_int, value: *mut c_void);
    "11.2" cuMemPoolGetAttribute(pool: CUmemoryPool, attribute: c_int, value: *mut c_void);
    "11.2" cuMemPoolSetAccess(pool: CUmemoryPool, access: *const CUmemAccessDesc, count: usize);
    "2.2" cuMemHostAlloc(address: *mut *mut c_void, bytes: usize, flags: c_uint);
    "2.0" cuMemFreeHost(address: *mut c_void);
    "6.5" cuMemHostRegister_v2(address: *mut c_void, bytes: usize, flags: c_uint);
    "4.0" cuMemHostUnregister(address: *mut c_void);
    "3.2" cuMemHostGetDevicePointer_v2(device: *mut CUdeviceptr, host: *mut c_void, flags: c_uint);
    "4.0" cuPointerGetAttribute(value: *mut c_void, attribute: c_int, address: CUdeviceptr);

    "3.2" cuMemcpyHtoD_v2(to: CUdeviceptr, from: *const c_void, bytes: usize);
    "3.2" cuMemcpyDtoH_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize);
    "3.2" cuMemcpyDtoD_v2(to: CUdeviceptr, from: CUdeviceptr, bytes: usize);
    "3.2" cuMemcpyHtoDAsync_v2(to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream);
    "3.2" cuMemcpyDtoHAsync_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize, stream: CUstream);
    "3.2" cuMemcpyDtoDAsync_v2(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream);
    "4.0" cuMemcpyPeer(to: CUdeviceptr, to_context: CUcontext, from: CUdeviceptr, from_context: CUcontext, bytes: usize);
    "4.0" cuMemcpyPeerAsync(
        to: CUdeviceptr, to_context: CUcontext, from: CUdeviceptr, from_context: CUcontext, bytes: usize,
        stream: CUstream
    );
    "3.2" cuMemsetD8_v2(to: CUdeviceptr, value: u8, count: usize);
    "3.2" cuMemsetD32_v2(to: CUdeviceptr, value: c_uint, count: usize);
    "3.2" cuMemsetD8Async(to: CUdeviceptr, value: u8, count: usize, stream: CUstream);
    "3.2" cuMemsetD32Async(to: CUdeviceptr, value: c_uint, count: usize, stream: CUstream);

    "2.1" cuModuleLoadDataEx(
        module: *mut CUmodule, image: *const c_void, count: c_uint, options: *mut c_int, values: *mut *mut c_void
    );
    "2.0" cuModuleUnload(module: CUmodule);
    "2.0" cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char);
    "3.2" cuModuleGetGlobal_v2(address: *mut CUdeviceptr, bytes: *mut usize, module: CUmodule, name: *const c_char);
    "2.2" cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: CUfunction);
    "9.0" cuFuncSetAttribute(function: CUfunction, attribute: c_int, value: c_int);
    "6.5" cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: *mut c_int, function: CUfunction, block_size: c_int, dynamic_shared: usize
    );
    "6.5" cuOccupancyMaxPotentialBlockSize(
        min_grid: *mut c_int, block_size: *mut c_int, function: CUfunction, shared_of_block: CUoccupancyB2DSize,
        dynamic_shared: usize, limit: c_int
    );
    "4.0" cuLaunchKernel(
        function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: CUstream, params: *mut *mut c_void, extra: *mut *mut c_void
    );
    "9.0" cuLaunchCooperativeKernel(
        function: CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: CUstream, params: *mut *mut c_void
    );
    "10.0" cuLaunchHostFunc(stream: CUstream, function: CUhostFn, data: *mut c_void);

    "2.0" cuStreamCreate(stream: *mut CUstream, flags: c_uint);
    "5.5" cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int);
    "4.0" cuStreamDestroy_v2(stream: CUstream);
    "2.0" cuStreamQuery(stream: CUstream);
    "2.0" cuStreamSynchronize(stream: CUstream);
    "3.2" cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint);
    "5.5" cuStreamGetPriority(stream: CUstream, priority: *mut c_int);
    "9.2" cuStreamGetCtx(stream: CUstream, context: *mut CUcontext);
    "10.1" cuStreamBeginCapture_v2(stream: CUstream, mode: c_int);
    "10.0" cuStreamEndCapture(stream: CUstream, graph: *mut CUgraph);
    "10.0" cuStreamIsCapturing(stream: CUstream, status: *mut c_int);
    "10.1" cuThreadExchangeStreamCaptureMode(mode: *mut c_int);

    "2.0" cuEventCreate(event: *mut CUevent, flags: c_uint);
    "4.0" cuEventDestroy_v2(event: CUevent);
    "2.0" cuEventRecord(event: CUevent, stream: CUstream);
    "2.0" cuEventQuery(event: CUevent);
    "2.0" cuEventSynchronize(event: CUevent);
    "2.0" cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent);

    "10.0" cuGraphCreate(graph: *mut CUgraph, flags: c_uint);
    "10.0" cuGraphDestroy(graph: CUgraph);
    "11.4" cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, flags: c_ulonglong);
    "10.0" cuGraphExecDestroy(exec: CUgraphExec);
    "10.0" cuGraphLaunch(exec: CUgraphExec, stream: CUstream);
    "11.1" cuGraphUpload(exec: CUgraphExec, stream: CUstream);
    "12.0" cuGraphExecUpdate_v2(exec: CUgraphExec, graph: CUgraph, info: *mut CUgraphExecUpdateResultInfo);
    "10.0" cuGraphGetNodes(graph: CUgraph, nodes: *mut CUgraphNode, count: *mut usize);
    "10.0" cuGraphNodeGetType(node: CUgraphNode, kind: *mut c_int);
}

impl Table {
    /// The library behind it.
    pub fn library(&self) -> &Library {
        &self.library
    }

    fn find(&self, slot: &Slot, name: &'static str, since: &'static str) -> Result<Symbol, Error> {
        match slot.get_or_init(|| self.library.symbol(name).map(Symbol)) {
            Some(symbol) => Ok(*symbol),
            None => Err(Error::NoFunction { name, since, library: self.library.name().into() }),
        }
    }

    #[cold]
    fn failed(&self, call: &'static str, code: CUresult) -> Error {
        let name = self.words(&self.cuGetErrorName, "cuGetErrorName", code);
        let text = self.words(&self.cuGetErrorString, "cuGetErrorString", code);
        Error::Driver(DriverError { code, name, text, call })
    }

    /// The driver's word for a code, by the one or the other of the two functions that have one.
    fn words(&self, slot: &Slot, function: &'static str, code: CUresult) -> Option<String> {
        type Words = unsafe extern "system" fn(CUresult, *mut *const c_char) -> CUresult;
        let symbol = self.find(slot, function, "6.0").ok()?;
        // SAFETY: both functions have this type.
        let function = unsafe { std::mem::transmute::<*const c_void, Words>(symbol.0) };
        let mut words = std::ptr::null();
        // SAFETY: the pointer is valid, and any code is taken.
        let found = unsafe { function(code, &mut words) };
        if found != CUresult::SUCCESS || words.is_null() {
            return None;
        }
        // SAFETY: the driver gave a text that ends with a zero and stays.
        Some(unsafe { CStr::from_ptr(words) }.to_string_lossy().into_owned())
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.library.name())
    }
}
