use std::ffi::{c_uint, c_void};

use super::call;
use crate::code::{self, Code};
use crate::device::{BLOCK, GRID};
use crate::machine::Param;
use crate::state::work::{Launch, Work};
use crate::state::{Handle, State};

/// Bytes of all parameters of a launch at most.
const MOST: usize = 4096;

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuLaunchKernel(
    function: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: Handle,
    params: *const *mut c_void,
    extra: *const *mut c_void,
) -> Code {
    call(|state| {
        let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
        check_form(state, function, grid, block, shared)?;
        let (found, module) = state.function(function)?;
        let (places, size) = module.program.parameters(&found.name).ok_or(code::ERROR_INVALID_HANDLE)?;
        // SAFETY: the caller's contract.
        let params = unsafe { parameters(&places, size, params, extra) }?;
        let (module, program, entry) = (found.module, module.program.clone(), found.name.clone());
        state.submit(stream, Work::Launch(Launch { module, program, entry, grid, block, shared, params }))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuLaunchCooperativeKernel(
    function: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: Handle,
    params: *const *mut c_void,
) -> Code {
    let none = std::ptr::null();
    // SAFETY: the caller's contract. Blocks run one after another here, so that kernels cannot wait for the whole grid.
    unsafe { cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, params, none) }
}

fn check_form(state: &State, function: Handle, grid: [u32; 3], block: [u32; 3], shared: u32) -> Result<(), Code> {
    let (function, module) = state.function(function)?;
    let most_threads = u64::from(module.block_threads(&function.name));
    let fits = |extents: [u32; 3], most: [u32; 3]| extents.iter().zip(most).all(|(n, most)| (1..=most).contains(n));
    let threads: u64 = block.iter().map(|n| u64::from(*n)).product();
    match fits(grid, GRID) && fits(block, BLOCK) && shared <= function.dynamic_shared.unsigned_abs() {
        true if threads <= most_threads => Ok(()),
        _ => Err(code::ERROR_INVALID_VALUE),
    }
}

/// The bytes of all parameters, from one pointer for each, or from a list of tags and pointers.
unsafe fn parameters(
    places: &[Param],
    size: usize,
    params: *const *mut c_void,
    extra: *const *mut c_void,
) -> Result<Vec<u8>, Code> {
    if size > MOST {
        return Err(code::ERROR_INVALID_VALUE);
    }
    let mut bytes = vec![0u8; size];
    match (params.is_null(), extra.is_null()) {
        (true, true) if size > 0 => return Err(code::ERROR_INVALID_VALUE),
        (true, true) => {}
        (false, false) => return Err(code::ERROR_INVALID_VALUE),
        (false, true) => {
            for (k, place) in places.iter().enumerate() {
                // SAFETY: the caller's contract: there is a pointer for each parameter.
                let from = unsafe { params.add(k).read() }.cast::<u8>();
                if from.is_null() {
                    return Err(code::ERROR_INVALID_VALUE);
                }
                // SAFETY: the caller's contract: it points to a value of the parameter's type.
                unsafe { bytes[place.offset..].as_mut_ptr().copy_from(from, place.size) };
            }
        }
        (true, false) => {
            // SAFETY: the caller's contract.
            let (from, len) = unsafe { listed(extra) }?;
            if from.is_null() || len != size {
                return Err(code::ERROR_INVALID_VALUE);
            }
            // SAFETY: the caller's contract: there are so many bytes.
            unsafe { bytes.as_mut_ptr().copy_from(from, len) };
        }
    }
    Ok(bytes)
}

/// The buffer and its length: tags 1 and 2, up to 0.
unsafe fn listed(mut extra: *const *mut c_void) -> Result<(*const u8, usize), Code> {
    let (mut from, mut len) = (std::ptr::null(), 0);
    loop {
        // SAFETY: the caller's contract: the list ends with 0.
        let tag = unsafe { extra.read() }.addr();
        if tag == 0 {
            return Ok((from, len));
        }
        // SAFETY: a tag has a pointer behind it.
        let value = unsafe { extra.add(1).read() };
        match tag {
            1 => from = value.cast_const().cast::<u8>(),
            // SAFETY: the caller's contract: it points to a length.
            2 if !value.is_null() => len = unsafe { value.cast::<usize>().read() },
            _ => return Err(code::ERROR_INVALID_VALUE),
        }
        // SAFETY: behind the pair there is another tag.
        extra = unsafe { extra.add(2) };
    }
}
