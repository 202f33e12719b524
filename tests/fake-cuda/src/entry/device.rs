use std::ffi::{c_char, c_int};

use super::{call, give};
use crate::code::{self, Code};
use crate::device::attribute;
use crate::state::State;

fn known(state: &State, device: c_int) -> Result<usize, Code> {
    usize::try_from(device).ok().filter(|&k| k < state.contexts.len()).ok_or(code::ERROR_INVALID_DEVICE)
}

/// Writes a text with its zero, cut to the room there is.
unsafe fn give_text(to: *mut c_char, len: c_int, text: &str) -> Result<(), Code> {
    if to.is_null() || len < 1 {
        return Err(code::ERROR_INVALID_VALUE);
    }
    let count = text.len().min(len as usize - 1);
    // SAFETY: the caller's contract: there is room for `len` bytes.
    unsafe {
        to.cast::<u8>().copy_from(text.as_ptr(), count);
        to.add(count).write(0);
    }
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> Code {
    call(|state| {
        known(state, ordinal)?;
        // SAFETY: the caller's contract.
        unsafe { give(device, ordinal) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceGetName(name: *mut c_char, len: c_int, device: c_int) -> Code {
    call(|state| {
        let device = known(state, device)?;
        // SAFETY: the caller's contract.
        unsafe { give_text(name, len, &format!("Fake GPU {device}")) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceGetPCIBusId(id: *mut c_char, len: c_int, device: c_int) -> Code {
    call(|state| {
        let device = known(state, device)?;
        // SAFETY: the caller's contract.
        unsafe { give_text(id, len, &format!("0000:{:02X}:00.0", device + 1)) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceGetUuid(uuid: *mut [u8; 16], device: c_int) -> Code {
    call(|state| {
        let device = known(state, device)?;
        // SAFETY: the caller's contract.
        unsafe { give(uuid, [device as u8 + 1; 16]) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) -> Code {
    call(|state| {
        known(state, device)?;
        // SAFETY: the caller's contract.
        unsafe { give(bytes, state.settings.memory as usize) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceGetAttribute(value: *mut c_int, what: c_int, device: c_int) -> Code {
    call(|state| {
        known(state, device)?;
        let found = attribute(&state.settings, what).ok_or(code::ERROR_INVALID_VALUE)?;
        // SAFETY: the caller's contract.
        unsafe { give(value, found) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) -> Code {
    call(|state| {
        let (device, peer) = (known(state, device)?, known(state, peer)?);
        // SAFETY: the caller's contract.
        unsafe { give(can, c_int::from(device != peer)) }
    })
}
