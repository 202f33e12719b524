//! The CPU as a device: its memory is the host's.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::num::NonZero;
use std::sync::{Arc, OnceLock};
use std::thread;

use warp_core::backend::{Address, Backend, BackendError, Executable, Program};

use crate::lower::lanes::MOST_GROUPS;
use crate::pool::Pool;
use crate::program::{CpuProgram, Grouping, Settings};
use crate::sums::Spare;

/// Alignment of allocations: a cache line, and more than any vector needs.
const ALIGN: usize = 64;
/// Size and alignment of a word.
const WORD: usize = size_of::<usize>();
/// Readable bytes past the end of an allocation, so that a vector load of the last element stays inside.
const PADDING: usize = 16;

/// The CPU backend.
pub struct Cpu {
    pool: Arc<Pool>,
    spare: Arc<Spare>,
    settings: Settings,
}

impl Cpu {
    /// The backend that all users of this process share, on all cores that the process may use.
    pub fn shared() -> Arc<Cpu> {
        static SHARED: OnceLock<Arc<Cpu>> = OnceLock::new();
        let start = || Arc::new(Cpu::with_threads(thread::available_parallelism().map_or(1, NonZero::get)));
        SHARED.get_or_init(start).clone()
    }

    /// A backend of its own, with so many threads (at least one: the caller's).
    pub fn with_threads(threads: usize) -> Cpu {
        let verify = cfg!(test) || std::env::var_os("WARP_VERIFY").is_some_and(|value| value == "1");
        let settings = Settings { verify, eager: false, grouping: grouping(), groups: None, refills: false };
        Cpu { pool: Arc::new(Pool::new(threads)), spare: Arc::default(), settings }
    }

    /// The same backend, which has each kernel's code checked by the code generator before it runs.
    pub fn verifying(mut self) -> Cpu {
        self.settings.verify = true;
        self
    }

    /// The same backend, which spreads each launch over its threads, however small it is. For tests: the results are the
    /// same, and small launches are slower.
    pub fn eager(mut self) -> Cpu {
        self.settings.eager = true;
        self
    }

    /// The same backend, which runs each thread for itself, never several in the lanes of vectors.
    pub fn scalar(mut self) -> Cpu {
        self.settings.grouping = Grouping::Never;
        self
    }

    /// The same backend, which runs threads in the lanes of vectors wherever a kernel can be lowered that way. For tests:
    /// the results are the same, and some kernels are slower.
    pub fn lanes(mut self) -> Cpu {
        self.settings.grouping = Grouping::Possible;
        self
    }

    /// The same backend, which runs so many groups of threads side by side where threads run in the lanes of vectors. For
    /// tests: the results are the same.
    ///
    /// # Panics
    /// If `groups` is 0, or more than 4.
    pub fn side_by_side(mut self, groups: usize) -> Cpu {
        assert!((1..=MOST_GROUPS).contains(&groups), "1 to {MOST_GROUPS} groups can run side by side, not {groups}");
        self.settings.groups = Some(groups);
        self
    }

    /// The same backend, in which lanes of a kernel's loop take up other threads when theirs has left it, wherever that is
    /// possible. For tests: the results are the same, and some kernels are slower.
    pub fn refilling(mut self) -> Cpu {
        self.settings.grouping = Grouping::Possible;
        self.settings.refills = true;
        self
    }

    /// Why threads of a program never run in the lanes of vectors, if that is so. For tests.
    pub fn no_lanes(&self, program: &Program) -> Result<Option<String>, BackendError> {
        self.program(program)?.no_groups()
    }

    /// Why lanes never take up other threads in a program, if that is so. For tests.
    pub fn no_refills(&self, program: &Program) -> Result<Option<String>, BackendError> {
        self.program(program)?.no_refills()
    }

    fn program(&self, program: &Program) -> Result<CpuProgram, BackendError> {
        CpuProgram::new(program, self.pool.clone(), self.spare.clone(), self.settings)
    }

    /// Threads that a launch can have, the caller's included.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }
}

// SAFETY: `allocate` gives zeroed host memory, aligned to `ALIGN`, with `PADDING` bytes past the end: at most
// `WORD + ALIGN - 1` bytes of the block lie before it. `layout` is the same function of `bytes` for both.
unsafe impl Backend for Cpu {
    fn name(&self) -> &str {
        "cpu"
    }

    fn host_memory(&self) -> bool {
        true
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        let layout = layout(bytes)?;
        // SAFETY: the layout's size is not zero.
        let block = unsafe { alloc_zeroed(layout) };
        if block.is_null() {
            return Err(out_of_memory(bytes));
        }
        let start = block.expose_provenance();
        let address = (start + WORD).next_multiple_of(ALIGN);
        // SAFETY: the word before the address is inside the block, and aligned as a word.
        unsafe { pointer((address - WORD) as Address).cast::<usize>().write(start) };
        Ok(address as Address)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        let Ok(layout) = layout(bytes) else { return };
        // SAFETY: by contract `address` came from `allocate(bytes)`, which put the block's start in the word before,
        // and used the same layout.
        unsafe {
            let start = pointer(address - WORD as Address).cast::<usize>().read();
            dealloc(pointer(start as Address), layout);
        }
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        // SAFETY: by contract `to` is valid for `from.len()` bytes; `from` is host memory that the caller lends, and a
        // device allocation is never lent as a slice while it is written.
        unsafe { pointer(to).copy_from(from.as_ptr(), from.len()) };
        Ok(())
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        // SAFETY: by contract `from` is valid for `to.len()` bytes.
        unsafe { to.as_mut_ptr().copy_from(pointer(from), to.len()) };
        Ok(())
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        // SAFETY: by contract both are valid for `bytes`, and do not overlap.
        unsafe { pointer(to).copy_from_nonoverlapping(pointer(from), bytes) };
        Ok(())
    }

    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        Ok(Arc::new(self.program(program)?))
    }
}

/// What `WARP_CPU` asks for.
fn grouping() -> Grouping {
    static WANTED: OnceLock<Grouping> = OnceLock::new();
    *WANTED.get_or_init(|| match std::env::var("WARP_CPU").as_deref() {
        Ok("scalar") => Grouping::Never,
        Ok("spmd") => Grouping::Possible,
        Err(_) | Ok("") => Grouping::Faster,
        Ok(other) => {
            eprintln!("warp: WARP_CPU may be `scalar` or `spmd`, not `{other}`; it is ignored");
            Grouping::Faster
        }
    })
}

fn pointer(address: Address) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

/// The block around an allocation: room to align it in, a word before it that holds the block's start, and padding.
///
/// The block itself has no more alignment than any memory has: for such blocks the system hands out fresh zeroed pages,
/// and touches none of them, while it would clear an aligned block by hand.
fn layout(bytes: usize) -> Result<Layout, BackendError> {
    let padded = bytes.checked_add(WORD + ALIGN + PADDING).ok_or_else(|| out_of_memory(bytes))?;
    Layout::from_size_align(padded, WORD).map_err(|_| out_of_memory(bytes))
}

fn out_of_memory(bytes: usize) -> BackendError {
    BackendError(format!("the host has no {bytes} bytes of memory for an array; free arrays or make them smaller"))
}
