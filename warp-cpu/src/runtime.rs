//! Functions that compiled code calls.

use std::panic::{AssertUnwindSafe, catch_unwind};

use warp_ir::builtins::soft;

use crate::context::Context;

/// Names and addresses of all functions that compiled code may call.
pub(crate) fn symbols() -> Vec<(&'static str, *const u8)> {
    vec![
        (FAULT, fault as *const u8),
        (PRINT, print as *const u8),
        (REM_F32, rem_f32 as *const u8),
        (REM_F64, rem_f64 as *const u8),
        // What Cranelift itself asks for where the processor lacks an instruction.
        ("fmaf", fma_f32 as *const u8),
        ("fma", fma_f64 as *const u8),
        ("floorf", floor_f32 as *const u8),
        ("floor", floor_f64 as *const u8),
        ("ceilf", ceil_f32 as *const u8),
        ("ceil", ceil_f64 as *const u8),
        ("truncf", trunc_f32 as *const u8),
        ("trunc", trunc_f64 as *const u8),
        ("nearbyintf", round_even_f32 as *const u8),
        ("nearbyint", round_even_f64 as *const u8),
    ]
}

pub(crate) const FAULT: &str = "warp_fault";
pub(crate) const PRINT: &str = "warp_print";
pub(crate) const REM_F32: &str = "warp_rem_f32";
pub(crate) const REM_F64: &str = "warp_rem_f64";

/// A thread failed a check; gives the number of the next thread.
///
/// # Safety
/// `context` is the one that compiled code got, and `operands` holds as many words as the site has operands.
unsafe extern "C" fn fault(context: *const Context<'_>, site: u64, thread: u64, operands: *const u64) -> u64 {
    // SAFETY: the caller's contract.
    let launch = unsafe { (*context).launch };
    let count = launch.operands[site as usize];
    // SAFETY: the caller's contract; for no operands the pointer need not be valid, and is not read.
    let operands = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(operands, count) } };
    launch.faults.record(thread, site as usize, operands);
    thread + 1
}

/// A thread executed a print site. A panic of the printer cannot pass through compiled code: it is kept for the
/// launching thread.
///
/// # Safety
/// `context` is the one that compiled code got, and `args` holds `count` words.
unsafe extern "C" fn print(context: *const Context<'_>, site: u64, thread: u64, args: *const u64, count: u64) {
    // SAFETY: the caller's contract.
    let launch = unsafe { (*context).launch };
    // SAFETY: the caller's contract; for no arguments the pointer need not be valid, and is not read.
    let args = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(args, count as usize) } };
    let site = &launch.prints[site as usize];
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| launch.printer.print(thread, site, args))) {
        launch.panic.lock().unwrap_or_else(|poison| poison.into_inner()).get_or_insert(panic);
    }
}

/// In integers, as the host meaning of the row is, so that no libm decides.
extern "C" fn rem_f32(a: f32, b: f32) -> f32 {
    soft::rem_f32(a, b)
}

extern "C" fn rem_f64(a: f64, b: f64) -> f64 {
    soft::rem_f64(a, b)
}

extern "C" fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    soft::fma_f32(a, b, c)
}

extern "C" fn fma_f64(a: f64, b: f64, c: f64) -> f64 {
    soft::fma_f64(a, b, c)
}

extern "C" fn floor_f32(x: f32) -> f32 {
    x.floor()
}

extern "C" fn floor_f64(x: f64) -> f64 {
    x.floor()
}

extern "C" fn ceil_f32(x: f32) -> f32 {
    x.ceil()
}

extern "C" fn ceil_f64(x: f64) -> f64 {
    x.ceil()
}

extern "C" fn trunc_f32(x: f32) -> f32 {
    x.trunc()
}

extern "C" fn trunc_f64(x: f64) -> f64 {
    x.trunc()
}

extern "C" fn round_even_f32(x: f32) -> f32 {
    x.round_ties_even()
}

extern "C" fn round_even_f64(x: f64) -> f64 {
    x.round_ties_even()
}
