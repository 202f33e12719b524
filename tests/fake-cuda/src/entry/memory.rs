use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::{c_int, c_uint, c_void};

use super::{call, give};
use crate::code::{self, Code};
use crate::state::memory::host;

/// Pages of the host.
const PAGE: usize = 4096;

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Code {
    call(|state| {
        let device = state.current()?;
        let memory = state.settings.memory;
        // SAFETY: the caller's contract.
        unsafe {
            give(free, memory.saturating_sub(state.contexts[device].taken) as usize)?;
            give(total, memory as usize)
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> Code {
    call(|state| {
        let device = state.current()?;
        state.refuse_unsafe()?;
        let found = state.allocate(device, bytes, 0, true)?;
        // SAFETY: the caller's contract.
        unsafe { give(address, found) }
    })
}

/// Waits for all work of the context, as the real one does, except for memory of pools.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemFree_v2(address: u64) -> Code {
    call(|state| {
        state.current()?;
        state.refuse_unsafe()?;
        if address == 0 {
            return Ok(());
        }
        let (device, pool) = (state.owned(address)?.device, state.owned(address)?.pool);
        if pool == 0 {
            state.drain_device(device);
        }
        state.healthy(device)?;
        state.leave(address);
        state.space.allocations.remove(&address);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemHostAlloc(address: *mut *mut c_void, bytes: usize, flags: c_uint) -> Code {
    call(|state| {
        state.current()?;
        state.refuse_unsafe()?;
        if bytes == 0 || flags > 7 {
            return Err(code::ERROR_INVALID_VALUE);
        }
        state.count_allocation()?;
        let layout = Layout::from_size_align(bytes, PAGE).map_err(|_| code::ERROR_OUT_OF_MEMORY)?;
        // SAFETY: the layout has a size.
        let block = unsafe { alloc_zeroed(layout) };
        if block.is_null() {
            return Err(code::ERROR_OUT_OF_MEMORY);
        }
        // SAFETY: so many bytes were just taken. A program must not count on zeros.
        unsafe { block.write_bytes(0xa5, bytes) };
        state.space.pinned.insert(block.expose_provenance() as u64, (bytes, true));
        // SAFETY: the caller's contract.
        unsafe { give(address, block.cast()) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemFreeHost(address: *mut c_void) -> Code {
    call(|state| {
        let device = state.current()?;
        state.refuse_unsafe()?;
        let address = address.addr() as u64;
        let Some((bytes, true)) = state.space.pinned.get(&address).copied() else {
            return Err(code::ERROR_INVALID_VALUE);
        };
        state.drain_device(device);
        state.space.pinned.remove(&address);
        let layout = Layout::from_size_align(bytes, PAGE).map_err(|_| code::ERROR_INVALID_VALUE)?;
        // SAFETY: it was taken with this layout, and was in the list until now.
        unsafe { dealloc(host(address), layout) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemHostRegister_v2(address: *mut c_void, bytes: usize, _flags: c_uint) -> Code {
    call(|state| {
        state.current()?;
        if address.is_null() || bytes == 0 {
            return Err(code::ERROR_INVALID_VALUE);
        }
        let start = address.expose_provenance() as u64;
        let end = start + bytes as u64;
        if state.space.pinned.iter().any(|(other, (len, _))| *other < end && start < other + *len as u64) {
            return Err(code::ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        }
        state.space.pinned.insert(start, (bytes, false));
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemHostUnregister(address: *mut c_void) -> Code {
    call(|state| {
        let device = state.current()?;
        let address = address.addr() as u64;
        match state.space.pinned.get(&address) {
            Some((_, false)) => {
                state.drain_device(device);
                state.space.pinned.remove(&address);
                Ok(())
            }
            _ => Err(code::ERROR_HOST_MEMORY_NOT_REGISTERED),
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemHostGetDevicePointer_v2(
    device: *mut u64,
    address: *mut c_void,
    flags: c_uint,
) -> Code {
    call(|state| {
        state.current()?;
        let address = address.addr() as u64;
        if flags != 0 || !state.space.is_pinned(address, 1) {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's contract.
        unsafe { give(device, address) }
    })
}

/// 1: the context, 2: host or device, 9: the device.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuPointerGetAttribute(value: *mut c_void, attribute: c_int, address: u64) -> Code {
    call(|state| {
        state.current()?;
        let device = state.space.find(address).map(|(start, _)| state.space.allocations[&start].device);
        let pinned = state.space.is_pinned(address, 1);
        // SAFETY: the caller's contract, for each arm.
        match (attribute, device) {
            (1, Some(device)) => unsafe { give(value.cast(), crate::state::context::Context::handle(device)) },
            (2, Some(_)) => unsafe { give(value.cast::<c_uint>(), 2) },
            (2, None) if pinned => unsafe { give(value.cast::<c_uint>(), 1) },
            (9, Some(device)) => unsafe { give(value.cast::<c_int>(), device as c_int) },
            _ => Err(code::ERROR_INVALID_VALUE),
        }
    })
}
