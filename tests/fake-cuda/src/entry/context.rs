use std::ffi::{c_int, c_uint};

use super::{call, give};
use crate::code::{self, Code};
use crate::state::context::{Context, current_handle, pop, push, set_current};
use crate::state::{Handle, State};

fn device(state: &State, device: c_int) -> Result<usize, Code> {
    usize::try_from(device).ok().filter(|&k| k < state.contexts.len()).ok_or(code::ERROR_INVALID_DEVICE)
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDevicePrimaryCtxRetain(context: *mut Handle, ordinal: c_int) -> Code {
    call(|state| {
        let device = device(state, ordinal)?;
        // SAFETY: the caller's contract.
        unsafe { give(context, Context::handle(device)) }?;
        state.contexts[device].shares += 1;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDevicePrimaryCtxRelease_v2(ordinal: c_int) -> Code {
    call(|state| {
        let device = device(state, ordinal)?;
        state.release(device)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDevicePrimaryCtxGetState(
    ordinal: c_int,
    flags: *mut c_uint,
    active: *mut c_int,
) -> Code {
    call(|state| {
        let context = &state.contexts[device(state, ordinal)?];
        // SAFETY: the caller's contract.
        unsafe {
            give(flags, context.flags)?;
            give(active, c_int::from(context.shares > 0))
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDevicePrimaryCtxSetFlags_v2(ordinal: c_int, flags: c_uint) -> Code {
    call(|state| {
        let device = device(state, ordinal)?;
        state.contexts[device].flags = flags;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxGetCurrent(context: *mut Handle) -> Code {
    // SAFETY: the caller's contract.
    call(|_| unsafe { give(context, current_handle()) })
}

/// A context that is there.
fn alive(state: &State, context: Handle) -> Result<(), Code> {
    match state.contexts[state.device_of(context)?].shares {
        0 => Err(code::ERROR_CONTEXT_IS_DESTROYED),
        _ => Ok(()),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxSetCurrent(context: Handle) -> Code {
    call(|state| {
        if context != 0 {
            alive(state, context)?;
        }
        set_current(context);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxPushCurrent_v2(context: Handle) -> Code {
    call(|state| {
        alive(state, context)?;
        push(context);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxPopCurrent_v2(context: *mut Handle) -> Code {
    call(|_| {
        let popped = pop().ok_or(code::ERROR_INVALID_CONTEXT)?;
        if !context.is_null() {
            // SAFETY: the caller's contract.
            unsafe { context.write(popped) };
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxGetDevice(ordinal: *mut c_int) -> Code {
    // SAFETY: the caller's contract.
    call(|state| unsafe { give(ordinal, state.current()? as c_int) })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxSynchronize() -> Code {
    call(|state| {
        let device = state.current()?;
        state.refuse_unsafe()?;
        let captured = state.streams.values().find(|s| s.device == device && s.capture != 0).map(|s| s.capture);
        if let Some(capture) = captured {
            return Err(state.invalidate(capture, code::ERROR_STREAM_CAPTURE_UNSUPPORTED));
        }
        state.drain_device(device);
        state.healthy(device)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Code {
    call(|state| {
        state.current()?;
        // SAFETY: the caller's contract.
        unsafe {
            give(least, 0)?;
            give(greatest, -5)
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxGetLimit(value: *mut usize, limit: c_int) -> Code {
    call(|state| {
        state.current()?;
        let found = match limit {
            0 => 1024,
            1 => 1 << 20,
            2 => 8 << 20,
            _ => return Err(code::ERROR_INVALID_VALUE),
        };
        // SAFETY: the caller's contract.
        unsafe { give(value, found) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxSetLimit(limit: c_int, _value: usize) -> Code {
    call(|state| {
        state.current()?;
        if (0..3).contains(&limit) { Ok(()) } else { Err(code::ERROR_INVALID_VALUE) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxEnablePeerAccess(peer: Handle, flags: c_uint) -> Code {
    call(|state| {
        let (device, peer) = (state.current()?, state.device_of(peer)?);
        alive(state, Context::handle(peer))?;
        match (flags, device == peer) {
            (0, false) if !state.contexts[device].peers.insert(peer) => Err(code::ERROR_PEER_ACCESS_ALREADY_ENABLED),
            (0, false) => Ok(()),
            (0, true) => Err(code::ERROR_INVALID_DEVICE),
            _ => Err(code::ERROR_INVALID_VALUE),
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuCtxDisablePeerAccess(peer: Handle) -> Code {
    call(|state| {
        let (device, peer) = (state.current()?, state.device_of(peer)?);
        match state.contexts[device].peers.remove(&peer) {
            true => Ok(()),
            false => Err(code::ERROR_PEER_ACCESS_NOT_ENABLED),
        }
    })
}
