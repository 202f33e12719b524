//! The functions that the driver exports. What each does is in the driver's manual, so here they have no words of their own.
#![allow(missing_docs, non_snake_case, clippy::missing_safety_doc)]

mod context;
mod copy;
mod device;
mod event;
mod graph;
mod init;
mod launch;
mod memory;
mod module;
mod pool;
mod stream;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{MutexGuard, PoisonError};

use crate::code::{self, Code};
use crate::state::work::CALLING;
use crate::state::{STATE, State};

/// The state, for hooks.
pub fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does what a call asks for, if the driver is started and the call is not the one that has to fail.
fn call<F: FnOnce(&mut State) -> Result<(), Code>>(body: F) -> Code {
    answer(name::<F>(), |state| {
        if !state.initialized {
            return Err(code::ERROR_NOT_INITIALIZED);
        }
        body(state)
    })
}

/// The same for calls that need no started driver.
fn early<F: FnOnce(&mut State) -> Result<(), Code>>(body: F) -> Code {
    answer(name::<F>(), body)
}

/// The function that a closure stands in.
fn name<F>() -> &'static str {
    let path = std::any::type_name::<F>().trim_end_matches("::{{closure}}");
    path.rsplit("::").next().unwrap_or(path)
}

fn answer(name: &'static str, body: impl FnOnce(&mut State) -> Result<(), Code>) -> Code {
    if CALLING.get() {
        return code::ERROR_NOT_PERMITTED;
    }
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut state = state();
        state.count_call(name)?;
        body(&mut state)
    }));
    match result {
        Ok(Ok(())) => code::SUCCESS,
        Ok(Err(code)) => code,
        Err(_) => code::ERROR_UNKNOWN,
    }
}

/// Writes a result.
///
/// # Safety
/// The pointer is valid, or null.
unsafe fn give<T>(to: *mut T, value: T) -> Result<(), Code> {
    if to.is_null() {
        return Err(code::ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's contract.
    unsafe { to.write(value) };
    Ok(())
}
