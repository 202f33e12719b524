//! The CUDA driver's functions for crates that declare them and link with libcuda, without libcuda at link time.
//!
//! Each function jumps to where a table says. Until `cuInit` is called that is an answer, "not initialised"; `cuInit` opens
//! `libcuda.so.1` and fills the table with the library's functions. Without the library it answers "no device", and a
//! function that the library lacks answers "not found". A program has to name this crate (`use libcuda_at_run_time as _;`),
//! or the linker never sees it.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

mod names;

use std::arch::naked_asm;
use std::ffi::{c_int, c_uint};
use std::mem::ManuallyDrop;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::Library;

use names::with_names;

/// `CUDA_ERROR_NOT_INITIALIZED`.
const NOT_INITIALIZED: c_int = 3;
/// `CUDA_ERROR_NO_DEVICE`.
const NO_DEVICE: c_int = 100;
/// `CUDA_ERROR_NOT_FOUND`.
const NOT_FOUND: c_int = 500;

/// The driver's library, by the name that programs which are linked with it have.
const LIBRARY: &str = "libcuda.so.1";

extern "C" fn not_initialized() -> c_int {
    NOT_INITIALIZED
}

extern "C" fn not_found() -> c_int {
    NOT_FOUND
}

macro_rules! functions {
    ($($name:ident)*) => {
        /// The place of each function in the table.
        #[allow(non_camel_case_types, clippy::enum_variant_names)]
        enum Place { $($name,)* Count }

        const NAMES: [&str; Place::Count as usize] = [$(stringify!($name),)*];

        /// Where each function jumps to.
        static TABLE: [AtomicPtr<()>; Place::Count as usize] =
            [const { AtomicPtr::new(not_initialized as *const () as *mut ()) }; Place::Count as usize];

        $(
            /// Jumps to the driver's function, with all arguments where they are.
            ///
            /// # Safety
            /// As of the driver's function.
            #[allow(non_snake_case)]
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                #[cfg(target_arch = "x86_64")]
                naked_asm!(
                    "jmp qword ptr [rip + {table} + {place}]",
                    table = sym TABLE,
                    place = const 8 * (Place::$name as usize),
                );
                #[cfg(target_arch = "aarch64")]
                naked_asm!(
                    "adrp x16, {table}",
                    "add x16, x16, :lo12:{table}",
                    "ldr x16, [x16, {place}]",
                    "br x16",
                    table = sym TABLE,
                    place = const 8 * (Place::$name as usize),
                );
            }
        )*
    };
}

with_names!(functions);

/// The library's `cuInit`, once it is open and the table is full.
fn open() -> Option<unsafe extern "C" fn(c_uint) -> c_int> {
    static OPEN: OnceLock<Option<ManuallyDrop<Library>>> = OnceLock::new();
    let library = OPEN.get_or_init(|| {
        // SAFETY: the driver's start-up code is what a user of cust or rustacuda wants. The library stays open.
        let library = ManuallyDrop::new(unsafe { Library::new(LIBRARY) }.ok()?);
        for (name, place) in NAMES.iter().zip(&TABLE) {
            // SAFETY: the symbol is only looked up, and called under the driver's name alone.
            let found = unsafe { library.get::<unsafe extern "C" fn()>(*name) };
            let function = found.map_or(not_found as *const (), |function| *function as *const ());
            place.store(function.cast_mut(), Ordering::Release);
        }
        Some(library)
    });
    // SAFETY: the driver's `cuInit` has this type.
    unsafe { library.as_ref()?.get::<unsafe extern "C" fn(c_uint) -> c_int>("cuInit") }.ok().map(|function| *function)
}

/// Opens the driver's library and starts it.
///
/// # Safety
/// As of the driver's function.
#[allow(non_snake_case)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuInit(flags: c_uint) -> c_int {
    // SAFETY: the caller's contract.
    open().map_or(NO_DEVICE, |init| unsafe { init(flags) })
}
