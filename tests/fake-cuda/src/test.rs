//! The test's side: a copy of the library, and its hooks.

use std::env;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use libloading::Library;

use crate::state::counts::Live;

/// A copy of the driver, with a state of its own.
#[derive(Debug)]
pub struct Fake {
    folder: PathBuf,
    library: Library,
}

impl Fake {
    /// A driver that nobody else uses.
    ///
    /// # Panics
    /// When the library is not where cargo puts it.
    pub fn new() -> Fake {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("fake-cuda-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("the folder for temporary files takes a folder");
        let path = folder.join("libcuda.so.1");
        // A copy and no link: the loader would find the same library again.
        fs::copy(built(), &path).expect("the library can be copied");
        // SAFETY: the library has no start-up code.
        let library = unsafe { Library::new(&path) }.expect("the library can be opened");
        Fake { folder, library }
    }

    /// The library's file, under the name of the real one.
    pub fn path(&self) -> PathBuf {
        self.folder.join("libcuda.so.1")
    }

    /// The folder that it lies in, for the search path of libraries.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is alive, or was when its context went.
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

    /// Lets the n-th allocation from now find no memory, and no other; 0: none.
    pub fn fail_allocation(&self, nth: u64) {
        // SAFETY: the hook has this type.
        unsafe { self.hook::<extern "C" fn(u64)>("fakeCudaFailAllocation")(nth) };
    }

    /// Decides orders of streams and threads from now on; 0: the order of asking.
    pub fn seed(&self, seed: u64) {
        // SAFETY: the hook has this type.
        unsafe { self.hook::<extern "C" fn(u64)>("fakeCudaSeed")(seed) };
    }

    /// How many devices there are. Before the driver starts.
    pub fn devices(&self, count: u64) {
        // SAFETY: the hook has this type.
        unsafe { self.hook::<extern "C" fn(u64)>("fakeCudaDevices")(count) };
    }

    /// Bytes of memory of each device.
    pub fn memory(&self, bytes: u64) {
        // SAFETY: the hook has this type.
        unsafe { self.hook::<extern "C" fn(u64)>("fakeCudaMemory")(bytes) };
    }

    /// Whether the devices have pools of memory. Before the driver starts.
    pub fn pools(&self, yes: bool) {
        // SAFETY: the hook has this type.
        unsafe { self.hook::<extern "C" fn(bool)>("fakeCudaPools")(yes) };
    }

    /// A hook of this copy.
    ///
    /// # Safety
    /// It has this type.
    unsafe fn hook<T: Copy>(&self, name: &str) -> T {
        // SAFETY: the caller's contract.
        *unsafe { self.library.get::<T>(name) }.expect("the library has its hooks")
    }
}

impl Default for Fake {
    fn default() -> Fake {
        Fake::new()
    }
}

/// Removes the file; who has the library open keeps it.
impl Drop for Fake {
    fn drop(&mut self) {
        let _maybe_still_in_use = fs::remove_dir_all(&self.folder);
    }
}

/// Where cargo put the library: beside the test's program, or, for an example's, in the folder next to it.
fn built() -> PathBuf {
    let program = env::current_exe().expect("a program knows where it lies");
    let folder = program.parent().expect("a program lies in a folder");
    let name = format!("{DLL_PREFIX}fake_cuda{DLL_SUFFIX}");
    let places = [folder.join(&name), folder.join("../deps").join(&name), folder.join("deps").join(&name)];
    let found = places.iter().find(|place| place.is_file());
    found.unwrap_or_else(|| panic!("{name} does not lie beside {}; run the test by cargo", program.display())).clone()
}
