use std::ffi::{CString, c_char, c_int, c_uint};
use std::sync::Mutex;

use super::{call, early, give, state};
use crate::code::{self, Code};

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuInit(flags: c_uint) -> Code {
    early(|state| match (flags, state.contexts.len()) {
        (0, 0) => Err(code::ERROR_NO_DEVICE),
        (0, _) => {
            state.initialized = true;
            Ok(())
        }
        _ => Err(code::ERROR_INVALID_VALUE),
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDriverGetVersion(version: *mut c_int) -> Code {
    // SAFETY: the caller's contract.
    early(|state| unsafe { give(version, state.settings.version) })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGetErrorName(error: Code, name: *mut *const c_char) -> Code {
    match code::ALL.iter().find(|(code, ..)| *code == error) {
        // SAFETY: the caller's contract.
        Some((_, text, _)) => unsafe { give(name, text.as_ptr()) }.err().unwrap_or(code::SUCCESS),
        None => code::ERROR_INVALID_VALUE,
    }
}

/// What a kernel did is said too, which the real driver cannot.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGetErrorString(error: Code, text: *mut *const c_char) -> Code {
    /// Texts that were given out, which stay for good.
    static GIVEN: Mutex<Vec<CString>> = Mutex::new(Vec::new());
    let Some((_, _, words)) = code::ALL.iter().find(|(code, ..)| *code == error) else {
        return code::ERROR_INVALID_VALUE;
    };
    let of_a_kernel =
        matches!(error, code::ERROR_ILLEGAL_ADDRESS | code::ERROR_MISALIGNED_ADDRESS | code::ERROR_LAUNCH_FAILED);
    let words = if of_a_kernel { format!("{words}: {}", state().last_fault) } else { (*words).to_owned() };
    let mut given = GIVEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let words = CString::new(words).unwrap_or_default();
    let at = given.iter().position(|text| *text == words).unwrap_or_else(|| {
        given.push(words);
        given.len() - 1
    });
    // SAFETY: the caller's contract; a string's bytes stay where they are when the list grows.
    unsafe { give(text, given[at].as_ptr()) }.err().unwrap_or(code::SUCCESS)
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuDeviceGetCount(count: *mut c_int) -> Code {
    // SAFETY: the caller's contract.
    call(|state| unsafe { give(count, state.contexts.len() as c_int) })
}
