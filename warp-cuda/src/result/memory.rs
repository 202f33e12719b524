//! Memory.

use std::ffi::{c_int, c_uint, c_void};

use crate::error::Error;
use crate::sys::{
    CUdevice, CUdeviceptr, CUmemLocation, CUmemPoolProps, CUmemoryPool, CUstream, MEM_ALLOCATION_PINNED,
    MEM_LOCATION_DEVICE, Table,
};

/// Takes memory, at once.
///
/// # Safety
/// A context is current.
pub unsafe fn allocate(cuda: &Table, bytes: usize) -> Result<CUdeviceptr, Error> {
    let mut address = 0;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuMemAlloc_v2(&mut address, bytes) }?;
    Ok(address)
}

/// Takes memory of a pool, in the order of a stream.
///
/// # Safety
/// Both are alive.
pub unsafe fn allocate_from_pool(
    cuda: &Table,
    pool: CUmemoryPool,
    bytes: usize,
    stream: CUstream,
) -> Result<CUdeviceptr, Error> {
    let mut address = 0;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuMemAllocFromPoolAsync(&mut address, bytes, pool, stream) }?;
    Ok(address)
}

/// Makes a pool of a device's memory.
pub fn create_pool(cuda: &Table, device: CUdevice) -> Result<CUmemoryPool, Error> {
    let props = CUmemPoolProps {
        allocation: MEM_ALLOCATION_PINNED,
        handles: 0,
        location: CUmemLocation { kind: MEM_LOCATION_DEVICE, id: device },
        security: std::ptr::null_mut(),
        max_size: 0,
        reserved: [0; 56],
    };
    let mut pool = CUmemoryPool::NULL;
    // SAFETY: the pointers are valid.
    unsafe { cuda.cuMemPoolCreate(&mut pool, &props) }?;
    Ok(pool)
}

/// An attribute of a pool whose value is a number of bytes.
///
/// # Safety
/// The pool is alive, and the attribute is one of 64 bits.
pub unsafe fn pool_bytes(cuda: &Table, pool: CUmemoryPool, attribute: c_int) -> Result<u64, Error> {
    let mut value = 0u64;
    // SAFETY: the pointer is valid for 64 bits; the rest is the caller's contract.
    unsafe { cuda.cuMemPoolGetAttribute(pool, attribute, (&raw mut value).cast::<c_void>()) }?;
    Ok(value)
}

/// Sets such an attribute.
///
/// # Safety
/// The pool is alive, and the attribute is one of 64 bits.
pub unsafe fn set_pool_bytes(cuda: &Table, pool: CUmemoryPool, attribute: c_int, mut value: u64) -> Result<(), Error> {
    // SAFETY: the pointer is valid for 64 bits; the rest is the caller's contract.
    unsafe { cuda.cuMemPoolSetAttribute(pool, attribute, (&raw mut value).cast::<c_void>()) }
}

/// Takes memory of the host that the device reaches by itself.
///
/// # Safety
/// A context is current.
pub unsafe fn allocate_host(cuda: &Table, bytes: usize, flags: c_uint) -> Result<*mut c_void, Error> {
    let mut address = std::ptr::null_mut();
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuMemHostAlloc(&mut address, bytes, flags) }?;
    Ok(address)
}

/// Bytes that are free, and bytes in all.
///
/// # Safety
/// A context is current.
pub unsafe fn info(cuda: &Table) -> Result<(usize, usize), Error> {
    let (mut free, mut total) = (0, 0);
    // SAFETY: the pointers are valid; the rest is the caller's contract.
    unsafe { cuda.cuMemGetInfo_v2(&mut free, &mut total) }?;
    Ok((free, total))
}
