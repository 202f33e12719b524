//! What the driver refuses: programs that do it see the code that they would see on a GPU.
//!
//! Every call here is wrong on purpose, which the fake driver takes from anybody.

use std::ffi::c_void;

use warp_cuda::sys::{CUcontext, CUevent, CUfunction, CUgraph, CUmodule, CUstream, Table};
use warp_cuda::{Device, Error};

use super::rig::{Rig, module, rig};

const INVALID_VALUE: i32 = 1;
const NOT_INITIALIZED: i32 = 3;
const INVALID_CONTEXT: i32 = 201;
const INVALID_HANDLE: i32 = 400;
const CONTEXT_IS_DESTROYED: i32 = 709;

fn code(done: Result<(), Error>) -> i32 {
    done.expect_err("it must be refused").code().expect("the driver says why").0
}

/// A device whose context is this thread's.
fn entered(rig: &Rig) -> Device {
    let device = rig.device();
    device.synchronize().unwrap();
    device
}

fn allocate(cuda: &Table, bytes: usize) -> u64 {
    let mut address = 0;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuMemAlloc_v2(&mut address, bytes) }.unwrap();
    address
}

#[test]
fn nothing_works_before_the_driver_starts_or_without_a_context() {
    let fake = fake_cuda::Fake::new();
    // SAFETY: the library has the driver's functions.
    let cuda = Table::new(unsafe { warp_cuda::sys::Library::open(fake.path().as_os_str()) }.unwrap());
    let mut address = 0;
    // SAFETY: the pointers are valid.
    unsafe {
        assert_eq!(code(cuda.cuMemAlloc_v2(&mut address, 4)), NOT_INITIALIZED);
        cuda.cuInit(0).unwrap();
        assert_eq!(code(cuda.cuMemAlloc_v2(&mut address, 4)), INVALID_CONTEXT);
        let mut context = CUcontext::NULL;
        cuda.cuDevicePrimaryCtxRetain(&mut context, 0).unwrap();
        cuda.cuCtxSetCurrent(context).unwrap();
        cuda.cuMemAlloc_v2(&mut address, 4).unwrap();
        cuda.cuDevicePrimaryCtxRelease_v2(0).unwrap();
        assert_eq!(code(cuda.cuMemAlloc_v2(&mut address, 4)), CONTEXT_IS_DESTROYED);
        assert_eq!(code(cuda.cuDevicePrimaryCtxRelease_v2(0)), INVALID_CONTEXT);
    }
    assert_eq!((fake.live().allocations, fake.live().bytes), (1, 4), "the program forgot its memory");
}

#[test]
fn memory_goes_once_and_holds_what_it_holds() {
    let rig = rig();
    let _device = entered(&rig);
    let cuda = rig.driver.table();
    let (a, b) = (allocate(cuda, 16), allocate(cuda, 16));
    let mut host = [0u8; 32];
    let host = host.as_mut_ptr().cast::<c_void>();
    // SAFETY: the fake driver takes wrong addresses.
    unsafe {
        assert_eq!(code(cuda.cuMemFree_v2(a + 4)), INVALID_VALUE);
        assert_eq!(code(cuda.cuMemcpyHtoD_v2(a, host, 17)), INVALID_VALUE);
        assert_eq!(code(cuda.cuMemcpyHtoD_v2(a + 8, host, 9)), INVALID_VALUE);
        assert_eq!(code(cuda.cuMemcpyDtoH_v2(host, a - 1, 1)), INVALID_VALUE);
        assert_eq!(code(cuda.cuMemcpyDtoD_v2(b, a + 1, 16)), INVALID_VALUE);
        assert_eq!(code(cuda.cuMemsetD8_v2(b, 0, 17)), INVALID_VALUE);
        assert_eq!(code(cuda.cuMemsetD32_v2(b + 2, 0, 1)), INVALID_VALUE);
        cuda.cuMemcpyHtoD_v2(a + 8, host, 8).unwrap();
        cuda.cuMemFree_v2(a).unwrap();
        assert_eq!(code(cuda.cuMemFree_v2(a)), INVALID_VALUE);
        assert_eq!(code(cuda.cuMemcpyDtoH_v2(host, a, 1)), INVALID_VALUE);
        cuda.cuMemFreeAsync(b, CUstream::NULL).unwrap();
        assert_eq!(code(cuda.cuMemFreeAsync(b, CUstream::NULL)), INVALID_VALUE);
        assert_eq!(code(cuda.cuMemFreeHost(host)), INVALID_VALUE);
    }
}

#[test]
fn names_of_dead_things_are_known() {
    let rig = rig();
    let device = entered(&rig);
    let cuda = rig.driver.table();
    let (mut stream, mut event) = (CUstream::NULL, CUevent::NULL);
    let module = module(&device).unwrap();
    let (function, handle) = (module.function("count").unwrap().raw(), module.raw());
    drop(module);
    let none = std::ptr::null_mut();
    let mut found = CUfunction::NULL;
    // SAFETY: the fake driver takes dead names.
    unsafe {
        cuda.cuStreamCreate(&mut stream, 0).unwrap();
        cuda.cuEventCreate(&mut event, 0).unwrap();
        cuda.cuStreamDestroy_v2(stream).unwrap();
        cuda.cuEventDestroy_v2(event).unwrap();
        assert_eq!(code(cuda.cuStreamSynchronize(stream)), INVALID_HANDLE);
        assert_eq!(code(cuda.cuStreamDestroy_v2(stream)), INVALID_HANDLE);
        assert_eq!(code(cuda.cuEventRecord(event, CUstream::NULL)), INVALID_HANDLE);
        assert_eq!(code(cuda.cuEventDestroy_v2(event)), INVALID_HANDLE);
        assert_eq!(
            code(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, CUstream::NULL, none, none)),
            INVALID_HANDLE
        );
        assert_eq!(code(cuda.cuModuleGetFunction(&mut found, handle, c"add".as_ptr())), INVALID_HANDLE);
        assert_eq!(code(cuda.cuModuleUnload(handle)), INVALID_HANDLE);
        assert_eq!(code(cuda.cuModuleUnload(CUmodule::NULL)), INVALID_HANDLE);
        assert_eq!(code(cuda.cuGraphDestroy(CUgraph::NULL)), INVALID_VALUE);
    }
}

/// Streams, events and functions are of the context that is current.
#[test]
fn other_contexts_are_refused() {
    let rig = rig();
    let (device, other) = (entered(&rig), rig.driver.device(1).unwrap());
    let (stream, event) = (other.stream().unwrap(), other.event().unwrap());
    let function = module(&other).unwrap().function("count").unwrap();
    let cuda = rig.driver.table();
    let none = std::ptr::null_mut();
    // SAFETY: the context is alive; the fake driver takes wrong contexts.
    unsafe {
        cuda.cuCtxSetCurrent(device.context()).unwrap();
        assert_eq!(code(cuda.cuEventRecord(event.raw(), CUstream::NULL)), INVALID_HANDLE);
        assert_eq!(code(cuda.cuMemsetD8Async(allocate(cuda, 4), 0, 4, stream.raw())), INVALID_HANDLE);
        let launched = cuda.cuLaunchKernel(function.raw(), 1, 1, 1, 1, 1, 1, 0, CUstream::NULL, none, none);
        assert_eq!(code(launched), INVALID_CONTEXT);
        assert_eq!(code(cuda.cuCtxSetCurrent(CUcontext(0x77 as *mut c_void))), INVALID_CONTEXT);
    }
}

/// A kernel whose memory a stream has given back before it runs.
#[test]
fn memory_that_goes_too_early_is_found() {
    let rig = rig();
    let device = entered(&rig);
    let stream = device.stream().unwrap();
    let function = module(&device).unwrap().function("add").unwrap();
    let memory = super::rig::filled(&stream, &[1, 2]).unwrap();
    let later = device.stream().unwrap();
    rig.fake.seed(0);
    super::rig::launch(&function, &later, &memory, 1, 2).unwrap();
    drop(memory);
    stream.synchronize().unwrap();
    let words = later.synchronize().unwrap_err().to_string();
    assert!(words.contains("no memory holds 4 bytes"), "{words}");
}
