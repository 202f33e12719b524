//! What the driver's compiler is told, and what it says.

use std::ffi::{CStr, c_int, c_void};

use crate::sys::{
    JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES, JIT_INFO_LOG, JIT_INFO_LOG_BYTES, JIT_LINE_INFO, JIT_LOG_VERBOSE,
    JIT_MAX_REGISTERS, JIT_OPTIMIZATION_LEVEL,
};

/// Bytes of each log. The driver cuts what is longer.
const LOG_BYTES: usize = 16 << 10;

/// How PTX is compiled for a device.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct JitOptions {
    max_registers: Option<u32>,
    optimization: Option<Optimization>,
    line_info: bool,
    verbose: bool,
}

/// How much the driver's compiler tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimization {
    /// Nothing at all.
    None,
    /// Level 1 of 4.
    Little,
    /// Level 2 of 4.
    Some,
    /// Level 3 of 4.
    Much,
    /// Everything: as if nothing were said.
    Full,
}

impl JitOptions {
    /// As the driver likes.
    pub const fn new() -> JitOptions {
        JitOptions { max_registers: None, optimization: None, line_info: false, verbose: false }
    }

    /// Most registers of a thread; what does not fit spills to memory.
    pub const fn max_registers(self, count: u32) -> JitOptions {
        JitOptions { max_registers: Some(count), ..self }
    }

    /// How much it tries.
    pub const fn optimization(self, optimization: Optimization) -> JitOptions {
        JitOptions { optimization: Some(optimization), ..self }
    }

    /// Keeps line numbers of the PTX for profilers.
    pub const fn line_info(self) -> JitOptions {
        JitOptions { line_info: true, ..self }
    }

    /// Lets it say in the log what a function takes.
    pub const fn verbose(self) -> JitOptions {
        JitOptions { verbose: true, ..self }
    }
}

/// Options of one call, with the places for what it says.
pub(super) struct Call {
    info: Vec<u8>,
    error: Vec<u8>,
    options: Vec<c_int>,
    values: Vec<*mut c_void>,
}

impl Call {
    pub(super) fn new(options: &JitOptions) -> Call {
        let (info, error) = (vec![0u8; LOG_BYTES], vec![0u8; LOG_BYTES]);
        let mut call = Call { info, error, options: Vec::new(), values: Vec::new() };
        let (info, error) = (call.info.as_mut_ptr().cast(), call.error.as_mut_ptr().cast());
        call.put(JIT_INFO_LOG, info);
        // One byte stays zero, whatever is written.
        call.put_number(JIT_INFO_LOG_BYTES, LOG_BYTES - 1);
        call.put(JIT_ERROR_LOG, error);
        call.put_number(JIT_ERROR_LOG_BYTES, LOG_BYTES - 1);
        if let Some(count) = options.max_registers {
            call.put_number(JIT_MAX_REGISTERS, count as usize);
        }
        if let Some(level) = options.optimization {
            call.put_number(JIT_OPTIMIZATION_LEVEL, level as usize);
        }
        if options.line_info {
            call.put_number(JIT_LINE_INFO, 1);
        }
        if options.verbose {
            call.put_number(JIT_LOG_VERBOSE, 1);
        }
        call
    }

    fn put(&mut self, option: c_int, value: *mut c_void) {
        self.options.push(option);
        self.values.push(value);
    }

    /// Numbers travel in place of pointers.
    fn put_number(&mut self, option: c_int, value: usize) {
        self.put(option, std::ptr::without_provenance_mut(value));
    }

    pub(super) fn arguments(&mut self) -> (&mut [c_int], &mut [*mut c_void]) {
        (&mut self.options, &mut self.values)
    }

    pub(super) fn info(&self) -> String {
        text(&self.info)
    }

    pub(super) fn error(&self) -> String {
        text(&self.error)
    }
}

fn text(log: &[u8]) -> String {
    CStr::from_bytes_until_nul(log).map_or_else(|_| String::new(), |text| text.to_string_lossy().trim_end().into())
}
