use std::ffi::{c_int, c_void};

use super::{call, give};
use crate::code::{self, Code};
use crate::state::memory::Pool;
use crate::state::stream::Target;
use crate::state::work::Work;
use crate::state::{Handle, State};

/// The start of what a pool is made of.
#[repr(C)]
pub struct Props {
    allocation: c_int,
    handles: c_int,
    location: [c_int; 2],
    security: *mut c_void,
    max_size: usize,
    reserved: [u8; 56],
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemPoolCreate(pool: *mut Handle, props: *const Props) -> Code {
    call(|state| {
        if props.is_null() {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's contract.
        let props = unsafe { &*props };
        let [kind, id] = props.location;
        let device = usize::try_from(id).ok().filter(|&id| id < state.contexts.len() && kind == 1);
        let device = device.ok_or(code::ERROR_INVALID_VALUE)?;
        let plain = props.allocation == 1 && props.handles == 0 && props.security.is_null();
        if !plain || props.reserved.iter().any(|byte| *byte != 0) {
            return Err(code::ERROR_INVALID_VALUE);
        }
        if !state.settings.pools {
            return Err(code::ERROR_NOT_SUPPORTED);
        }
        let handle = state.handle();
        state.pools.insert(handle, Pool { device, threshold: 0, used: 0, used_high: 0, reserved: 0, reserved_high: 0 });
        // SAFETY: the caller's contract.
        unsafe { give(pool, handle) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemPoolDestroy(pool: Handle) -> Code {
    call(|state| match state.pools.get(&pool) {
        // The real one waits until its memory has come back, which no program here wants.
        Some(found) if found.used > 0 => Err(code::ERROR_INVALID_VALUE),
        Some(_) => {
            state.pools.remove(&pool);
            Ok(())
        }
        None => Err(code::ERROR_INVALID_VALUE),
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemPoolTrimTo(pool: Handle, keep: usize) -> Code {
    call(|state| {
        let pool = state.pools.get_mut(&pool).ok_or(code::ERROR_INVALID_VALUE)?;
        pool.reserved = pool.reserved.min(pool.used.max(keep as u64));
        Ok(())
    })
}

/// The attributes that are 64 bits wide.
fn field(pool: &mut Pool, attribute: c_int) -> Result<&mut u64, Code> {
    match attribute {
        4 => Ok(&mut pool.threshold),
        5 => Ok(&mut pool.reserved),
        6 => Ok(&mut pool.reserved_high),
        7 => Ok(&mut pool.used),
        8 => Ok(&mut pool.used_high),
        _ => Err(code::ERROR_INVALID_VALUE),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemPoolGetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) -> Code {
    call(|state| {
        let pool = state.pools.get_mut(&pool).ok_or(code::ERROR_INVALID_VALUE)?;
        let found = *field(pool, attribute)?;
        // SAFETY: the caller's contract.
        unsafe { give(value.cast(), found) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemPoolSetAttribute(pool: Handle, attribute: c_int, value: *mut c_void) -> Code {
    call(|state| {
        let pool = state.pools.get_mut(&pool).ok_or(code::ERROR_INVALID_VALUE)?;
        if value.is_null() {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's contract.
        let new = unsafe { value.cast::<u64>().read() };
        match (attribute, new) {
            (4, _) => pool.threshold = new,
            // High-water marks can be set to zero, and then start at what is now.
            (6, 0) => pool.reserved_high = pool.reserved,
            (8, 0) => pool.used_high = pool.used,
            _ => return Err(code::ERROR_INVALID_VALUE),
        }
        Ok(())
    })
}

/// Memory of a pool is for its own device here.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemPoolSetAccess(pool: Handle, _access: *const c_void, _count: usize) -> Code {
    call(|state| match state.pools.contains_key(&pool) {
        true => Err(code::ERROR_NOT_SUPPORTED),
        false => Err(code::ERROR_INVALID_VALUE),
    })
}

fn take(state: &mut State, bytes: usize, pool: Handle, stream: Handle) -> Result<u64, Code> {
    let device = match state.target(stream)? {
        Target::Capture(capture) => return Err(state.invalidate(capture, code::ERROR_NOT_SUPPORTED)),
        Target::Default(device) => device,
        Target::Stream(stream) => state.stream(stream)?.device,
    };
    let address = state.allocate(device, bytes, pool, false)?;
    state.submit(stream, Work::Take(address))?;
    Ok(address)
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemAllocFromPoolAsync(
    address: *mut u64,
    bytes: usize,
    pool: Handle,
    stream: Handle,
) -> Code {
    call(|state| {
        let device = state.current()?;
        if state.pools.get(&pool).is_none_or(|pool| pool.device != device) {
            return Err(code::ERROR_INVALID_VALUE);
        }
        let found = take(state, bytes, pool, stream)?;
        // SAFETY: the caller's contract.
        unsafe { give(address, found) }
    })
}

/// From the device's own pool, of which nothing else is known here.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemAllocAsync(address: *mut u64, bytes: usize, stream: Handle) -> Code {
    call(|state| {
        if !state.settings.pools {
            return Err(code::ERROR_NOT_SUPPORTED);
        }
        let found = take(state, bytes, 0, stream)?;
        // SAFETY: the caller's contract.
        unsafe { give(address, found) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemFreeAsync(address: u64, stream: Handle) -> Code {
    call(|state| {
        state.owned(address)?;
        if let Target::Capture(capture) = state.target(stream)? {
            return Err(state.invalidate(capture, code::ERROR_NOT_SUPPORTED));
        }
        state.leave(address);
        state.submit(stream, Work::Give(address))
    })
}
