use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::Arc;

use super::{call, give};
use crate::code::{self, Code};
use crate::device::{BLOCK_SHARED_MOST, MULTIPROCESSOR_THREADS, MULTIPROCESSORS};
use crate::machine::Program;
use crate::state::Handle;
use crate::state::module::{Function, Loaded};

/// Registers of a thread, as far as anybody asks.
const REGISTERS: i32 = 32;

/// A log buffer that options name.
#[derive(Default)]
struct Log {
    at: usize,
    bytes: usize,
}

/// Finds the buffer of one log among the options: its address and its bytes.
fn log(options: &[c_int], values: &[*mut c_void], address: c_int, bytes: c_int) -> Log {
    let find = |wanted| options.iter().position(|option| *option == wanted).map(|k| values[k]);
    Log {
        at: find(address).map_or(0, |pointer| pointer.expose_provenance()),
        bytes: find(bytes).map_or(0, |number| number.addr()),
    }
}

impl Log {
    /// Writes as much as there is room for, and a zero.
    unsafe fn write(&self, text: &str) {
        if self.at == 0 || self.bytes == 0 {
            return;
        }
        let to = std::ptr::with_exposed_provenance_mut::<u8>(self.at);
        let count = text.len().min(self.bytes - 1);
        // SAFETY: the caller's contract: there is room for so many bytes.
        unsafe {
            to.copy_from(text.as_ptr(), count);
            to.add(count).write(0);
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    count: c_uint,
    options: *const c_int,
    values: *const *mut c_void,
) -> Code {
    call(|state| {
        let device = state.current()?;
        state.refuse_unsafe()?;
        if image.is_null() || (count > 0 && (options.is_null() || values.is_null())) {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's contract: there are so many options and values.
        let (options, values): (&[c_int], &[*mut c_void]) = match count {
            0 => (&[], &[]),
            n => unsafe {
                (std::slice::from_raw_parts(options, n as usize), std::slice::from_raw_parts(values, n as usize))
            },
        };
        if options.iter().any(|option| !(0..=35).contains(option)) {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: machine code is longer than four bytes; a text ends with a zero, at which `starts_with` stops.
        let is_elf = unsafe { CStr::from_ptr(image.cast()) }.to_bytes().starts_with(b"\x7fELF");
        if is_elf {
            return Err(code::ERROR_NO_BINARY_FOR_GPU);
        }
        // SAFETY: the caller's contract: a text ends with a zero.
        let text = unsafe { CStr::from_ptr(image.cast()) };
        let program = Program::read(text, state.settings.capability);
        // SAFETY: the caller's contract: the buffers are as long as the options say.
        unsafe {
            log(options, values, 3, 4).write(if program.is_ok() { "ptxas info    : 0 bytes gmem" } else { "" });
            log(options, values, 5, 6).write(program.as_ref().err().map_or("", |log| log));
        }
        let mut program = program.map_err(|_| code::ERROR_INVALID_PTX)?;
        state.settings.keep(text.to_bytes());
        let handle = state.handle();
        let size = program.globals_size();
        let mut globals = 0;
        if size > 0 {
            globals = state.place_globals(device, size, handle);
            let image = program.place(globals);
            if let Some(allocation) = state.space.allocations.get_mut(&globals) {
                allocation.bytes.copy_from_slice(&image);
            }
        }
        state.modules.insert(handle, Loaded { device, program: Arc::new(program), globals });
        // SAFETY: the caller's contract.
        unsafe { give(module, handle) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuModuleUnload(module: Handle) -> Code {
    call(|state| {
        state.current()?;
        state.refuse_unsafe()?;
        if !state.modules.contains_key(&module) {
            return Err(code::ERROR_INVALID_HANDLE);
        }
        // A launch that has not run yet fails when its turn comes.
        state.modules.remove(&module);
        state.functions.retain(|_, function| function.module != module);
        state.space.allocations.retain(|_, allocation| allocation.module != module);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char) -> Code {
    call(|state| {
        state.current()?;
        let loaded = state.modules.get(&module).ok_or(code::ERROR_INVALID_HANDLE)?;
        if name.is_null() {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's contract.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        loaded.program.parameters(&name).ok_or(code::ERROR_NOT_FOUND)?;
        let known = state.functions.iter().find(|(_, f)| f.module == module && f.name == name).map(|(h, _)| *h);
        let handle = known.unwrap_or_else(|| {
            let handle = state.handle();
            state.functions.insert(handle, Function { module, name, dynamic_shared: 48 << 10 });
            handle
        });
        // SAFETY: the caller's contract.
        unsafe { give(function, handle) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuModuleGetGlobal_v2(
    address: *mut u64,
    bytes: *mut usize,
    module: Handle,
    name: *const c_char,
) -> Code {
    call(|state| {
        state.current()?;
        let loaded = state.modules.get(&module).ok_or(code::ERROR_INVALID_HANDLE)?;
        if name.is_null() {
            return Err(code::ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller's contract.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        let (offset, size) = loaded.program.global(&name).ok_or(code::ERROR_NOT_FOUND)?;
        // SAFETY: the caller's contract; each may be null.
        unsafe {
            if !address.is_null() {
                address.write(loaded.globals + offset);
            }
            if !bytes.is_null() {
                bytes.write(size as usize);
            }
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: Handle) -> Code {
    call(|state| {
        let (found, module) = state.function(function)?;
        let found = match attribute {
            0 => module.block_threads(&found.name) as c_int,
            1..=3 => 0,
            4 => REGISTERS,
            5 => 70,
            6 => state.settings.capability,
            8 => found.dynamic_shared,
            _ => return Err(code::ERROR_INVALID_VALUE),
        };
        // SAFETY: the caller's contract.
        unsafe { give(value, found) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int) -> Code {
    call(|state| {
        state.function(function)?;
        match (attribute, u32::try_from(value)) {
            (8, Ok(bytes)) if bytes <= BLOCK_SHARED_MOST => {
                state.functions.get_mut(&function).into_iter().for_each(|f| f.dynamic_shared = value);
                Ok(())
            }
            _ => Err(code::ERROR_INVALID_VALUE),
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
    blocks: *mut c_int,
    function: Handle,
    block_size: c_int,
    _shared: usize,
) -> Code {
    call(|state| {
        let (found, module) = state.function(function)?;
        let most = module.block_threads(&found.name);
        let size = u32::try_from(block_size).ok().filter(|n| (1..=most).contains(n));
        let size = size.ok_or(code::ERROR_INVALID_VALUE)?;
        // SAFETY: the caller's contract.
        unsafe { give(blocks, (MULTIPROCESSOR_THREADS / size.next_multiple_of(32)).min(32) as c_int) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuOccupancyMaxPotentialBlockSize(
    min_grid: *mut c_int,
    block_size: *mut c_int,
    function: Handle,
    _shared_of_block: *const c_void,
    _shared: usize,
    limit: c_int,
) -> Code {
    call(|state| {
        let (found, module) = state.function(function)?;
        let most = module.block_threads(&found.name);
        let limit = match u32::try_from(limit) {
            Ok(0) => most,
            Ok(n) => n.min(most),
            Err(_) => return Err(code::ERROR_INVALID_VALUE),
        };
        let size = (limit / 32 * 32).max(limit.min(32));
        // SAFETY: the caller's contract.
        unsafe {
            give(block_size, size as c_int)?;
            give(min_grid, (MULTIPROCESSORS * (MULTIPROCESSOR_THREADS / size).min(32)) as c_int)
        }
    })
}
