//! Loaded code.

use std::ffi::{CStr, c_int, c_uint, c_void};

use crate::error::Error;
use crate::sys::{CUdeviceptr, CUfunction, CUmodule, Table};

/// Loads PTX or machine code into the current context.
///
/// # Safety
/// A context is current; PTX ends with a zero, machine code is whole; each value is what its option takes.
pub unsafe fn load(
    cuda: &Table,
    image: *const c_void,
    options: &mut [c_int],
    values: &mut [*mut c_void],
) -> Result<CUmodule, Error> {
    assert_eq!(options.len(), values.len());
    let mut module = CUmodule::NULL;
    let count = options.len() as c_uint;
    // SAFETY: there are so many options and values; the rest is the caller's contract.
    unsafe { cuda.cuModuleLoadDataEx(&mut module, image, count, options.as_mut_ptr(), values.as_mut_ptr()) }?;
    Ok(module)
}

/// The entry of that name.
///
/// # Safety
/// The module is alive.
pub unsafe fn function(cuda: &Table, module: CUmodule, name: &CStr) -> Result<CUfunction, Error> {
    let mut function = CUfunction::NULL;
    // SAFETY: the pointers are valid; the rest is the caller's contract.
    unsafe { cuda.cuModuleGetFunction(&mut function, module, name.as_ptr()) }?;
    Ok(function)
}

/// Where the global variable of that name lies, and its bytes.
///
/// # Safety
/// The module is alive.
pub unsafe fn global(cuda: &Table, module: CUmodule, name: &CStr) -> Result<(CUdeviceptr, usize), Error> {
    let (mut address, mut bytes) = (0, 0);
    // SAFETY: the pointers are valid; the rest is the caller's contract.
    unsafe { cuda.cuModuleGetGlobal_v2(&mut address, &mut bytes, module, name.as_ptr()) }?;
    Ok((address, bytes))
}

/// One of [`function_attribute`](crate::sys::types::function_attribute).
///
/// # Safety
/// The function's module is alive.
pub unsafe fn attribute(cuda: &Table, function: CUfunction, attribute: c_int) -> Result<c_int, Error> {
    let mut value = 0;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuFuncGetAttribute(&mut value, attribute, function) }?;
    Ok(value)
}

/// The block size with which most threads of a multiprocessor are busy, and the fewest blocks that fill the device.
///
/// # Safety
/// The function's module is alive.
pub unsafe fn best_block(
    cuda: &Table,
    function: CUfunction,
    shared: usize,
    limit: c_int,
) -> Result<(c_int, c_int), Error> {
    let (mut blocks, mut size) = (0, 0);
    // SAFETY: the pointers are valid; the rest is the caller's contract.
    unsafe { cuda.cuOccupancyMaxPotentialBlockSize(&mut blocks, &mut size, function, None, shared, limit) }?;
    Ok((size, blocks))
}

/// How many blocks of a size a multiprocessor holds at once.
///
/// # Safety
/// The function's module is alive.
pub unsafe fn resident_blocks(cuda: &Table, function: CUfunction, block: c_int, shared: usize) -> Result<c_int, Error> {
    let mut blocks = 0;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, function, block, shared) }?;
    Ok(blocks)
}
