use std::ffi::{c_uint, c_void};

use super::call;
use crate::code::{self, Code};
use crate::state::stream::Target;
use crate::state::work::{Place, Work};
use crate::state::{Handle, State};

fn place(address: *const c_void) -> Result<Place, Code> {
    if address.is_null() {
        return Err(code::ERROR_INVALID_VALUE);
    }
    Ok(Place::Host(address.expose_provenance() as u64))
}

/// Queues a copy. Memory of the host that is not pinned is read at once, or written before the call comes back.
fn copy(state: &mut State, to: Place, from: Place, bytes: usize, stream: Handle) -> Result<(), Code> {
    if bytes == 0 {
        state.target(stream)?;
        return Ok(());
    }
    for end in [&from, &to] {
        if let Place::Device(address) = end {
            state.check_range(*address, bytes)?;
        }
    }
    if matches!(state.target(stream)?, Target::Capture(_)) {
        return state.submit(stream, Work::Copy { from, to, bytes });
    }
    let waits = matches!(&to, Place::Host(address) if !state.space.is_pinned(*address, bytes));
    let from = match from {
        Place::Host(address) if !state.space.is_pinned(address, bytes) => {
            // SAFETY: who asks for the copy vouches for the host's memory.
            let slice = unsafe { std::slice::from_raw_parts(crate::state::memory::host(address), bytes) };
            Place::Staged(slice.to_vec())
        }
        from => from,
    };
    state.submit(stream, Work::Copy { from, to, bytes })?;
    if waits { state.wait_for_stream(stream) } else { Ok(()) }
}

/// A copy that waits for itself, by the default stream.
fn copy_now(state: &mut State, to: Place, from: Place, bytes: usize) -> Result<(), Code> {
    state.current()?;
    state.refuse_unsafe()?;
    copy(state, to, from, bytes, 0)
}

fn set(state: &mut State, to: u64, pattern: &[u8], count: usize, stream: Handle) -> Result<(), Code> {
    let bytes = count.checked_mul(pattern.len()).ok_or(code::ERROR_INVALID_VALUE)?;
    if bytes == 0 {
        state.target(stream)?;
        return Ok(());
    }
    state.check_range(to, bytes)?;
    if !to.is_multiple_of(pattern.len() as u64) {
        return Err(code::ERROR_INVALID_VALUE);
    }
    state.submit(stream, Work::Set { to, pattern: pattern.to_vec(), count })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> Code {
    call(|state| copy_now(state, Place::Device(to), place(from)?, bytes))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> Code {
    call(|state| copy_now(state, place(to)?, Place::Device(from), bytes))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) -> Code {
    call(|state| copy_now(state, Place::Device(to), Place::Device(from), bytes))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: Handle) -> Code {
    call(|state| copy(state, Place::Device(to), place(from)?, bytes, stream))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: Handle) -> Code {
    call(|state| copy(state, place(to)?, Place::Device(from), bytes, stream))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle) -> Code {
    call(|state| copy(state, Place::Device(to), Place::Device(from), bytes, stream))
}

/// Both ends are on the devices that they are said to be on.
fn peers(state: &State, ends: [(u64, Handle); 2], bytes: usize) -> Result<(), Code> {
    for (address, context) in ends {
        let device = state.device_of(context)?;
        state.healthy(device)?;
        if bytes > 0 && state.check_range(address, bytes)? != device {
            return Err(code::ERROR_INVALID_VALUE);
        }
    }
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemcpyPeer(
    to: u64,
    to_context: Handle,
    from: u64,
    from_context: Handle,
    bytes: usize,
) -> Code {
    call(|state| {
        peers(state, [(to, to_context), (from, from_context)], bytes)?;
        copy_now(state, Place::Device(to), Place::Device(from), bytes)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemcpyPeerAsync(
    to: u64,
    to_context: Handle,
    from: u64,
    from_context: Handle,
    bytes: usize,
    stream: Handle,
) -> Code {
    call(|state| {
        peers(state, [(to, to_context), (from, from_context)], bytes)?;
        copy(state, Place::Device(to), Place::Device(from), bytes, stream)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemsetD8_v2(to: u64, value: u8, count: usize) -> Code {
    call(|state| {
        state.refuse_unsafe()?;
        set(state, to, &[value], count, 0)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemsetD32_v2(to: u64, value: c_uint, count: usize) -> Code {
    call(|state| {
        state.refuse_unsafe()?;
        set(state, to, &value.to_le_bytes(), count, 0)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: Handle) -> Code {
    call(|state| set(state, to, &[value], count, stream))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuMemsetD32Async(to: u64, value: c_uint, count: usize, stream: Handle) -> Code {
    call(|state| set(state, to, &value.to_le_bytes(), count, stream))
}
