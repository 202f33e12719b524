//! Functions of the library beside the driver's: for tests to steer it and to look into it.
#![allow(non_snake_case)]

use crate::code::Code;
use crate::entry::state;
use crate::state::context::Context;
use crate::state::counts::Live;
use crate::state::random::Random;

/// What is alive.
///
/// # Safety
/// The pointer is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fakeCudaLive(live: *mut Live) {
    // SAFETY: the caller's contract.
    unsafe { live.write(state().live()) };
}

/// Calls so far.
#[unsafe(no_mangle)]
pub extern "C" fn fakeCudaCalls() -> u64 {
    state().calls
}

/// Lets the n-th call from now fail; 0: none.
#[unsafe(no_mangle)]
pub extern "C" fn fakeCudaFailCall(nth: u64, code: Code) {
    let mut state = state();
    state.fail_call = (nth > 0).then(|| (state.calls + nth, code));
    state.failed = "";
}

/// The name of the call that was made to fail, once it has; its length comes back, which is 0 before.
///
/// # Safety
/// The pointer is that of so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fakeCudaFailed(name: *mut u8, bytes: usize) -> usize {
    let failed = state().failed;
    let len = failed.len().min(bytes);
    // SAFETY: the caller's contract.
    unsafe { name.copy_from_nonoverlapping(failed.as_ptr(), len) };
    len
}

/// Lets the n-th allocation from now find no memory; 0: none.
#[unsafe(no_mangle)]
pub extern "C" fn fakeCudaFailAllocation(nth: u64) {
    state().fail_allocation = nth.checked_sub(1);
}

/// Decides orders from now on; 0: the order of asking.
#[unsafe(no_mangle)]
pub extern "C" fn fakeCudaSeed(seed: u64) {
    let mut state = state();
    state.settings.seed = seed;
    state.random = Random::new(seed);
}

/// How many devices there are. Before the driver starts.
#[unsafe(no_mangle)]
pub extern "C" fn fakeCudaDevices(count: u64) {
    let mut state = state();
    state.contexts = (0..count as usize).map(Context::new).collect();
}

/// Bytes of memory of each device.
#[unsafe(no_mangle)]
pub extern "C" fn fakeCudaMemory(bytes: u64) {
    state().settings.memory = bytes;
}

/// Whether the devices have pools. Before the driver starts.
#[unsafe(no_mangle)]
pub extern "C" fn fakeCudaPools(yes: bool) {
    state().settings.pools = yes;
}
