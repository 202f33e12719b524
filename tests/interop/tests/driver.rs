//! The driver of a case: a copy of the library of `fake-cuda`, as `libcuda.so.1` in a folder of its own.
//!
//! That package's own way to it would bring the driver's functions into this program as well, beside those that cust and
//! rustacuda link with. Cargo builds its library all the same.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process};

use libloading::Library;

/// A folder with the driver.
pub struct Folder(PathBuf);

impl Folder {
    /// A copy that nobody else uses.
    pub fn new() -> Folder {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("interop-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("the folder for temporary files takes a folder");
        fs::copy(built(), folder.join("libcuda.so.1")).expect("the library can be copied");
        // cudarc also looks for this name, and must not find another driver by it.
        symlink("libcuda.so.1", folder.join("libcuda.so")).expect("the folder takes a link");
        Folder(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _maybe_still_in_use = fs::remove_dir_all(&self.0);
    }
}

/// Where cargo put the library: beside the test's program.
fn built() -> PathBuf {
    let program = env::current_exe().expect("a program knows where it lies");
    program.with_file_name(format!("{DLL_PREFIX}fake_cuda{DLL_SUFFIX}"))
}

/// The driver of this process.
pub struct Driver(Library);

impl Driver {
    /// The library in a folder, with whoever else of this process has opened it.
    pub fn open(folder: &Path) -> Driver {
        // SAFETY: the library has no start-up code.
        Driver(unsafe { Library::new(folder.join("libcuda.so.1")) }.expect("the library can be opened"))
    }

    /// What is alive.
    pub fn live(&self) -> Live {
        let mut live = Live::default();
        // SAFETY: the hook has this type, and the pointer is valid.
        unsafe { self.hook::<unsafe extern "C" fn(*mut Live)>("fakeCudaLive")(&mut live) };
        live
    }

    /// How many calls were made.
    pub fn calls(&self) -> u64 {
        // SAFETY: the hook has this type.
        unsafe { self.hook::<extern "C" fn() -> u64>("fakeCudaCalls")() }
    }

    /// Lets the n-th call from now fail with a code, and no other; 0: none.
    pub fn fail_call(&self, nth: u64, code: i32) {
        // SAFETY: the hook has this type.
        unsafe { self.hook::<extern "C" fn(u64, i32)>("fakeCudaFailCall")(nth, code) };
    }

    /// The name of the call that was made to fail, once it has.
    pub fn failed(&self) -> String {
        let mut name = [0; 64];
        // SAFETY: the hook has this type, and the bytes are there.
        let len = unsafe {
            self.hook::<unsafe extern "C" fn(*mut u8, usize) -> usize>("fakeCudaFailed")(name.as_mut_ptr(), name.len())
        };
        String::from_utf8_lossy(&name[..len]).into_owned()
    }

    /// # Safety
    /// The hook has this type.
    unsafe fn hook<T: Copy>(&self, name: &str) -> T {
        // SAFETY: the caller's contract.
        *unsafe { self.0.get::<T>(name) }.expect("the library has its hooks")
    }
}

/// Objects that are alive, as the library counts them.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Live {
    pub allocations: u64,
    pub bytes: u64,
    pub pinned: u64,
    pub pools: u64,
    pub streams: u64,
    pub events: u64,
    pub modules: u64,
    pub graphs: u64,
    pub execs: u64,
    pub captures: u64,
    pub shares: u64,
}
