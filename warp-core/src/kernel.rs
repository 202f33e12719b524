//! What the binary knows of a kernel, and the contract with the code that `#[kernel]` generates.
//!
//! # What the macro emits
//!
//! For `#[kernel] fn integrate(pos: &mut [Vec3], vel: &[Vec3], dt: f32)`, beside the plain function of that name, with
//! every name spelled under `::warp::__private`:
//!
//! ```ignore
//! pub struct integrate {}
//!
//! // SAFETY (the macro's promise): the spec is what the macro lowered; the launcher gets the arguments in the order of
//! // the IR's parameters, with the types of the signature.
//! unsafe impl Kernel for integrate {
//!     fn definition() -> &'static Definition {
//!         static DEFINITION: Definition = unsafe { Definition::new(Spec {
//!             name: "integrate",
//!             module: module_path!(),
//!             file: file!(),
//!             line: line!(),
//!             ir: b"...",                                          // warp_ir::encode
//!             adjoint: b"...",                                     // warp_ir::differentiate::Reverse
//!             slots: &[slot::<Vec3>(GRAVITY, 0), ..],             // one word for each of the IR's slots
//!             arrays: &[&<Vec3 as Element>::LAYOUT, &<Vec3 as Element>::LAYOUT], // one for each of its array parameters
//!             plain: PLAIN,                                        // the plain run below, on a recorded launch:
//!             // Some(|launch| unsafe {
//!             //     integrate::plain(launch.dims::<1>(), launch.slice_mut::<Vec3>(), launch.slice::<Vec3>(), ..)
//!             // })
//!         }) };
//!         &DEFINITION
//!     }
//! }
//!
//! impl integrate {
//!     pub const PTX: &'static str = integrate::__WARP_TEXT;             // and the same for PTX_ADJOINT; see `ptx`
//!
//!     pub fn launch(dims: impl Dims<1>, pos: &mut Array<Vec3>, vel: &Array<Vec3>, dt: f32) -> Result<(), Error> {
//!         Self::on(Options::new()).launch(dims, pos, vel, dt)
//!     }
//!     pub fn on(target: impl Into<Options>) -> __warp_on_integrate { __warp_on_integrate(target.into()) }
//!     pub fn plain(dims: impl Dims<1>, pos: &mut [Vec3], vel: &[Vec3], dt: f32) -> Result<(), Box<Fault>> {
//!         plain(Self::definition(), dims.extents(), || integrate(&mut *pos, vel, dt))
//!     }
//! }
//!
//! pub struct __warp_on_integrate(Options);
//! impl __warp_on_integrate {
//!     pub fn block(self, n: u32) -> Self { Self(self.0.block(n)) }
//!     pub fn threads(self, n: usize) -> Self { Self(self.0.threads(n)) }
//!     pub fn launch(&self, dims: impl Dims<1>, pos: &mut Array<Vec3>, vel: &Array<Vec3>, dt: f32) -> Result<(), Error> {
//!         let mut launcher = unsafe { Launcher::new(integrate::definition(), &self.0) };
//!         launcher.array_mut(pos);
//!         launcher.array(vel);
//!         launcher.value(&dt);
//!         launcher.run(dims.extents())
//!     }
//! }
//! ```
//!
//! | parameter | host type | call |
//! |---|---|---|
//! | `&[T]`, `&mut [T]` | `&Array<T>`, `&mut Array<T>` | `array`, `array_mut` |
//! | `View2<T>` .. `ViewMut4<T>` | `&Array<T, 2>` .. `&mut Array<T, 4>` | `view`, `view_mut` |
//! | `&Soa<T>`, `&mut Soa<T>` | `&SoaArray<T>`, `&mut SoaArray<T>` | `planes`, `planes_mut` |
//! | scalars, vectors, `[T; N]` | by value | `value` |
//! | a type of the user's: struct, enum, bundle | `<T as Argument>::Host<'_>` | `<T as Argument>::push(x, &mut launcher)` |
//!
//! `#[derive(Args)] struct Mesh<'a> { points: &'a [Vec3], faces: &'a mut [u32], scale: f32 }` makes a host mirror
//! `MeshArrays<'a> { points: &'a Array<Vec3>, faces: &'a mut Array<u32>, scale: f32 }` and implements `Argument` (an
//! unsafe trait) with it: `push` adds the fields in order, each as above. `Spec::arrays` then has the bundle's
//! `ARRAYS` among its own. The plain run passes `Argument::again(&mut mesh)`, and on a recorded launch begins with
//! `Argument::pull`, which takes the fields off in the order of `push`.
//!
//! Arrays keep their order among arrays and values their order among values; the two kinds may be mixed. Names of
//! arguments in messages come from the IR.
//!
//! In the plain run views are passed as `src` and `dst.reborrow()`, planes as `Soa<T>`.

use std::fmt;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::adjoint::{self, Reverse, Variant};
use crate::device::Device;
use crate::error::Error;
use crate::forward::{self, Forward};
use crate::host::arguments::Plain;
use crate::layout::Layout;
use crate::program::{self, Loaded};

/// A kernel, for generic code: the hidden type that `#[kernel]` makes beside the function.
///
/// # Safety
/// `definition` gives what the macro lowered, always the same.
pub unsafe trait Kernel {
    /// What the binary knows of it.
    fn definition() -> &'static Definition;
}

/// What the binary knows of a kernel.
pub struct Definition {
    pub(crate) spec: Spec,
    /// Linked list of what each device made of it, newest first; entries live as long as the process.
    loaded: AtomicPtr<Loaded>,
    /// Held while a device compiles it, so that it is compiled once.
    loading: Mutex<()>,
    /// Its way back, in each variant.
    reverses: [OnceLock<Reverse>; Variant::COUNT],
    derived: Mutex<Vec<Derived>>,
    /// Its tangent.
    forward: OnceLock<Forward>,
    /// The names of its array parameters.
    names: OnceLock<Vec<String>>,
}

/// What was derived from a kernel, on a device.
struct Derived {
    device: u64,
    sort: Sort,
    /// None where the kernel needs no such thing.
    loaded: Option<Arc<adjoint::Loaded>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Adjoint(Variant),
    Recording,
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition").field("spec", &self.spec).finish_non_exhaustive()
    }
}

/// What the macro tells of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The function's name.
    pub name: &'static str,
    /// Path of its module.
    pub module: &'static str,
    /// Its source file.
    pub file: &'static str,
    /// Its line there.
    pub line: u32,
    /// The encoded IR.
    pub ir: &'static [u8],
    /// The encoded reverse: the kernel that brings gradients back, or why there is none.
    pub adjoint: &'static [u8],
    /// Bits of the constants it uses, one word for each slot.
    pub slots: &'static [u64],
    /// Element layout of each array parameter, in the IR's order.
    pub arrays: &'static [&'static Layout],
    /// The function as plain Rust, where there is one.
    pub plain: Option<Plain>,
}

impl Definition {
    /// A kernel that no device knows yet.
    ///
    /// # Safety
    /// The spec is what the macro lowered: launchers of this definition get arguments of the types that it describes, and
    /// its plain function takes them.
    pub const unsafe fn new(spec: Spec) -> Definition {
        Definition {
            spec,
            loaded: AtomicPtr::new(null_mut()),
            loading: Mutex::new(()),
            reverses: [const { OnceLock::new() }; Variant::COUNT],
            derived: Mutex::new(Vec::new()),
            forward: OnceLock::new(),
            names: OnceLock::new(),
        }
    }

    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.spec.name
    }

    /// Name of array parameter `k`, for messages.
    #[cold]
    pub(crate) fn array_name(&self, k: usize) -> String {
        self.array_names().get(k).cloned().unwrap_or_else(|| format!("array {}", k + 1))
    }

    /// The names of its array parameters. Reading its code for them is dear, and is done once.
    fn array_names(&self) -> &[String] {
        self.names.get_or_init(|| program::array_names(&self.spec))
    }

    /// Bits of the constants it uses.
    pub fn slots(&self) -> &'static [u64] {
        self.spec.slots
    }

    /// What the device made of it; compiled at the first call.
    #[inline]
    pub(crate) fn load(&self, device: &Device) -> Result<&Loaded, Error> {
        match self.find(device) {
            Some(loaded) => Ok(loaded),
            None => self.load_slowly(device),
        }
    }

    #[inline]
    fn find(&self, device: &Device) -> Option<&Loaded> {
        let mut at = self.loaded.load(Ordering::Acquire).cast_const();
        // SAFETY: entries are published whole, with release ordering, and never freed or changed while `self` lives.
        while let Some(entry) = unsafe { at.as_ref() } {
            if entry.device == device.id() {
                return Some(entry);
            }
            at = entry.next;
        }
        None
    }

    /// Its way back, found at the first call.
    pub(crate) fn reverse(&self, variant: Variant) -> Result<&Reverse, Error> {
        let known = &self.reverses[variant.number()];
        match known.get() {
            Some(reverse) => Ok(reverse),
            None => {
                let reverse = adjoint::reverse(&self.spec, variant)?;
                Ok(known.get_or_init(|| reverse))
            }
        }
    }

    /// Its tangent, found at the first call.
    pub(crate) fn forward(&self) -> Result<&Forward, Error> {
        match self.forward.get() {
            Some(forward) => Ok(forward),
            None => {
                let forward = forward::derive(&self.spec)?;
                Ok(self.forward.get_or_init(|| forward))
            }
        }
    }

    /// Its tangent as a kernel of its own, if somebody has asked for it and there is one.
    pub(crate) fn known_tangent(&self) -> Option<&Definition> {
        match self.forward.get() {
            Some(Forward::Known(known)) => Some(&known.definition),
            _ => None,
        }
    }

    /// Its adjoint on a device, compiled at the first call; none where it has none.
    pub(crate) fn adjoint(&self, device: &Device, variant: Variant) -> Result<Option<Arc<adjoint::Loaded>>, Error> {
        let Reverse::Adjoint(adjoint) = self.reverse(variant)? else { return Ok(None) };
        self.derived(device, Sort::Adjoint(variant), || adjoint::load(&self.spec, adjoint, device).map(Some))
    }

    /// The variant that writes what the adjoint cannot compute again, compiled at the first call; none where the adjoint
    /// needs nothing written.
    pub(crate) fn recording(&self, device: &Device) -> Result<Option<Arc<adjoint::Loaded>>, Error> {
        let Reverse::Adjoint(adjoint) = self.reverse(Variant::default())? else { return Ok(None) };
        if adjoint.recording.is_none() {
            return Ok(None);
        }
        self.derived(device, Sort::Recording, || adjoint::load_recording(&self.spec, adjoint, device))
    }

    fn derived(
        &self,
        device: &Device,
        sort: Sort,
        load: impl FnOnce() -> Result<Option<adjoint::Loaded>, Error>,
    ) -> Result<Option<Arc<adjoint::Loaded>>, Error> {
        let mut all = self.derived.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(known) = all.iter().find(|d| d.device == device.id() && d.sort == sort) {
            return Ok(known.loaded.clone());
        }
        let loaded = load()?.map(Arc::new);
        all.push(Derived { device: device.id(), sort, loaded: loaded.clone() });
        Ok(loaded)
    }

    #[cold]
    fn load_slowly(&self, device: &Device) -> Result<&Loaded, Error> {
        let _alone = self.loading.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(loaded) = self.find(device) {
            return Ok(loaded);
        }
        let mut entry = Box::new(program::load(&self.spec, device)?);
        entry.next = self.loaded.load(Ordering::Relaxed);
        let entry = Box::into_raw(entry);
        self.loaded.store(entry, Ordering::Release);
        // SAFETY: as in `find`.
        Ok(unsafe { &*entry })
    }
}

impl Drop for Definition {
    fn drop(&mut self) {
        let mut at = *self.loaded.get_mut();
        while !at.is_null() {
            // SAFETY: each entry came from `Box::into_raw` once, and references to entries borrow `self`.
            let entry = unsafe { Box::from_raw(at) };
            at = entry.next.cast_mut();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warp_ir::builder::Builder;
    use warp_ir::encode::Encode;
    use warp_ir::ir::{Access, Kernel, Scalar};
    use warp_ir::validate::Valid;

    #[test]
    fn code_is_read_for_names_once() {
        let mut b = Builder::new("k");
        b.slice("from", Scalar::F32, Access::Read);
        b.slice("to", Scalar::F32, Access::Write);
        let kernel = Kernel { function: b.finish(&[]), rank: 1, attributes: Default::default() };
        let ir = Kernel::to_bytes(&Valid::<Kernel>::new(kernel).unwrap()).leak();
        let spec =
            Spec { name: "k", module: "", file: "", line: 1, ir, adjoint: &[], slots: &[], arrays: &[], plain: None };
        // SAFETY: nobody launches it.
        let definition = unsafe { Definition::new(spec) };
        assert_eq!([0, 1, 2].map(|k| definition.array_name(k)), ["from", "to", "array 3"]);
        assert!(std::ptr::eq(definition.array_names(), definition.array_names()));
    }
}
