//! A backend that runs a Rust closure instead of code, so that the runtime is tested alone.
#![allow(dead_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use warp::__private::{Definition, Spec};
use warp::Device;
use warp::backend::{Address, Backend, BackendError, Call, Executable, LaunchStop, Program};

type Body = dyn Fn(&Program, &Call<'_>) -> Result<(), LaunchStop> + Send + Sync;
use warp_ir::differentiate::Reverse;
use warp_ir::encode::Encode;
use warp_ir::ir::Kernel;
use warp_ir::validate::Valid;

/// The backend: all launches of all programs run `body`.
pub struct Mock {
    pub name: &'static str,
    pub host: bool,
    pub body: Arc<Body>,
    pub counts: Arc<Counts>,
}

/// What happened.
#[derive(Default)]
pub struct Counts {
    pub compiled: AtomicUsize,
    pub live: AtomicUsize,
}

struct Run(Arc<Body>, Program);

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes + 16, 64).unwrap()
}

/// How many bytes were allocated at each address.
static SIZES: Mutex<BTreeMap<Address, usize>> = Mutex::new(BTreeMap::new());

fn sizes() -> std::sync::MutexGuard<'static, BTreeMap<Address, usize>> {
    SIZES.lock().unwrap_or_else(|e| e.into_inner())
}

/// The bytes that a device holds at an address.
pub fn bytes(address: Address, count: usize) -> Vec<u8> {
    // SAFETY: tests ask for memory that an array of theirs holds.
    (0..count).map(|k| unsafe { at(address + k as u64).read() }).collect()
}

/// The address of the memory that was allocated last.
pub fn last_address() -> Address {
    LAST.with(|last| last.get())
}

thread_local! {
    static LAST: Cell<Address> = const { Cell::new(0) };
    static ON_COPY: RefCell<Option<Box<dyn FnOnce()>>> = const { RefCell::new(None) };
}

/// Runs `body` in the middle of the next copy that this thread asks a device for.
pub fn on_copy(body: impl FnOnce() + 'static) {
    ON_COPY.set(Some(Box::new(body)));
}

fn at(address: Address) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

// SAFETY: addresses are of fresh zeroed memory of that size and more, aligned to 64 bytes.
unsafe impl Backend for Mock {
    fn name(&self) -> &str {
        self.name
    }

    fn host_memory(&self) -> bool {
        self.host
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        if bytes > 1 << 30 {
            return Err(BackendError("that is more than this machine has".into()));
        }
        self.counts.live.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the layout has a size.
        let address = unsafe { alloc_zeroed(layout(bytes)) }.expose_provenance() as u64;
        sizes().insert(address, bytes);
        LAST.with(|last| last.set(address));
        Ok(address)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        self.counts.live.fetch_sub(1, Ordering::Relaxed);
        assert_eq!(sizes().remove(&address), Some(bytes), "memory goes back as it came");
        // SAFETY: as the caller says.
        unsafe { dealloc(at(address), layout(bytes)) }
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { at(to).copy_from(from.as_ptr(), from.len()) };
        Ok(())
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { at(from).copy_to(to.as_mut_ptr(), to.len()) };
        Ok(())
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        ON_COPY.take().into_iter().for_each(|body| body());
        // SAFETY: as the caller says.
        unsafe { at(from).copy_to_nonoverlapping(at(to), bytes) };
        Ok(())
    }

    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        self.counts.compiled.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(Run(self.body.clone(), program.clone())))
    }
}

impl Executable for Run {
    unsafe fn launch(&self, call: &Call<'_>) -> Result<(), LaunchStop> {
        (self.0)(&self.1, call)
    }
}

/// A device whose launches run `body`.
pub fn device(
    name: &'static str,
    host: bool,
    body: impl Fn(&Program, &Call<'_>) -> Result<(), LaunchStop> + Send + Sync + 'static,
) -> Device {
    Device::new(Arc::new(Mock { name, host, body: Arc::new(body), counts: Arc::default() }))
}

/// A device whose launches do nothing.
pub fn idle(name: &'static str, host: bool) -> Device {
    device(name, host, |_, _| Ok(()))
}

/// An `f32` element of an array argument, at a word that holds its address.
pub fn element(address: u64, index: u64) -> *mut f32 {
    at(address + 4 * index).cast()
}

/// A kernel of the given IR that is never freed.
pub fn definition(kernel: Kernel, arrays: &[&'static warp::layout::Layout], slots: &[u64]) -> &'static Definition {
    let name: &'static str = kernel.function.name.clone().leak();
    let kernel = Valid::<Kernel>::new(kernel).unwrap();
    let (ir, adjoint) = (Kernel::to_bytes(&kernel).leak(), Reverse::of(&kernel).to_bytes().leak());
    let spec = Spec {
        name,
        module: "tests",
        file: "tests/kernels.rs",
        line: 1,
        ir,
        adjoint,
        slots: slots.to_vec().leak(),
        arrays: arrays.to_vec().leak(),
        plain: None,
    };
    // SAFETY: the tests launch it with arguments that fit, or to see it refused.
    Box::leak(Box::new(unsafe { Definition::new(spec) }))
}
