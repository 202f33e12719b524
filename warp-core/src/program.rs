//! From the bytes in the binary to something that a device runs.

use std::sync::Arc;

use warp_ir::abi::ArgWords;
use warp_ir::encode::Encode;
use warp_ir::ir::{Access, ArrayParam, Kernel, Storage};
use warp_ir::validate::Valid;

use crate::backend::{Executable, Program};
use crate::device::Device;
use crate::dump;
use crate::error::Error;
use crate::kernel::Spec;
use crate::layout::Layout;
use crate::order;

/// What a device made of a kernel.
pub(crate) struct Loaded {
    /// The device's id.
    pub device: u64,
    /// Runs it.
    pub executable: Arc<dyn Executable>,
    /// What was compiled.
    pub program: Program,
    /// Dimensions of its launches.
    pub rank: usize,
    /// Words of its argument block, those of arrays, and those of values.
    pub words: (usize, usize),
    /// What each of its array arguments must be.
    pub arrays: Vec<Kind>,
    /// Whether threads see what others left; see [`depends_on_order`](order::depends_on_order).
    pub depends_on_order: bool,
    /// The next entry of the list, or null.
    pub next: *const Loaded,
}

/// What an array argument is: told by a kernel's code on one side, by the types of a launch on the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    /// How the elements lie.
    pub form: Form,
    /// Whether the launch may write them.
    pub write: bool,
    /// How one element lies in memory.
    pub layout: &'static Layout,
}

/// How the elements of an array argument lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// One after another.
    Slice,
    /// With strides, in so many dimensions.
    View(usize),
    /// Each scalar in a plane of its own.
    Planes,
}

impl Kind {
    /// What a kernel's code takes; `layout` was checked against its leaves.
    fn of(array: &ArrayParam, layout: &'static Layout) -> Kind {
        let form = match (array.storage, array.strided) {
            (Storage::Planes, _) => Form::Planes,
            (Storage::Elements, true) => Form::View(array.rank as usize),
            (Storage::Elements, false) => Form::Slice,
        };
        Kind { form, write: array.access == Access::Write, layout }
    }

    /// Whether both are the same. Layouts are mostly one static, and then need no comparison.
    #[inline]
    pub fn fits(&self, other: &Kind) -> bool {
        let same_layout = std::ptr::eq(self.layout, other.layout) || self.layout == other.layout;
        self.form == other.form && self.write == other.write && same_layout
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.write { "a written " } else { "a read " })?;
        match self.form {
            Form::Slice => f.write_str("slice")?,
            Form::View(rank) => write!(f, "view of {rank} dimensions")?,
            Form::Planes => f.write_str("array of planes")?,
        }
        let (_, leaves) = self.layout.flatten();
        write!(f, " with elements of {} bytes that hold {leaves:?}", self.layout.size)
    }
}

impl Loaded {
    /// Whether its threads may print.
    pub(crate) fn prints(&self) -> bool {
        !self.program.kernel.function.prints.is_empty()
    }
}

/// Decodes, validates and compiles a kernel.
pub(crate) fn load(spec: &Spec, device: &Device) -> Result<Loaded, Error> {
    let program = program(spec)?;
    dump::ir(spec, &program.kernel);
    dump::adjoint(spec, &program.kernel);
    let executable = device
        .backend()
        .compile(&program)
        .map_err(|source| device.failed(&format!("compiling kernel `{}`", spec.name), source))?;
    let function = &program.kernel.function;
    let words = ArgWords::of(function);
    Ok(Loaded {
        device: device.id(),
        executable,
        rank: program.kernel.rank as usize,
        words: (words.scalars, words.total - words.scalars),
        arrays: function.arrays.iter().zip(spec.arrays).map(|(array, layout)| Kind::of(array, layout)).collect(),
        depends_on_order: order::depends_on_order(function),
        program,
        next: std::ptr::null(),
    })
}

/// The kernel and all that rustc knew of it, checked against each other.
pub(crate) fn program(spec: &Spec) -> Result<Program, Error> {
    let bad = |reason: String| Error::BadKernel { kernel: spec.name.into(), reason };
    let kernel = decode(spec.ir).map_err(bad)?;
    let function = &kernel.function;
    if function.arrays.len() != spec.arrays.len() {
        return Err(bad(format!(
            "its code has {} array parameters, its signature {}",
            function.arrays.len(),
            spec.arrays.len()
        )));
    }
    if (function.slots as usize) > spec.slots.len() {
        return Err(bad(format!("its code uses {} constants, and {} came", function.slots, spec.slots.len())));
    }
    let mut layouts = Vec::with_capacity(spec.arrays.len());
    for (array, layout) in function.arrays.iter().zip(spec.arrays) {
        let (layout, leaves) = layout.flatten();
        if leaves != array.leaves {
            let why =
                format!("the elements of `{}` are {:?} in its code and {leaves:?} in memory", array.name, array.leaves);
            return Err(bad(why));
        }
        if array.rank != 1 && (array.storage == Storage::Planes || !array.strided) {
            let form = if array.storage == Storage::Planes { "planes" } else { "no strides" };
            return Err(bad(format!("`{}` has {form} and {} dimensions", array.name, array.rank)));
        }
        layouts.push(layout);
    }
    Ok(Program { kernel, slots: spec.slots.to_vec(), layouts })
}

/// The kernel in encoded bytes, validated.
fn decode(bytes: &[u8]) -> Result<Kernel, String> {
    Kernel::from_bytes(bytes).map(Valid::into_inner).map_err(|e| e.to_string())
}

/// Names of the array parameters, for messages; none of a kernel that cannot be read.
pub(crate) fn array_names(spec: &Spec) -> Vec<String> {
    decode(spec.ir).map_or(vec![], |kernel| kernel.function.arrays.into_iter().map(|array| array.name).collect())
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded").field("device", &self.device).field("rank", &self.rank).finish_non_exhaustive()
    }
}

// SAFETY: `next` points to another entry of a list that is only ever extended; all else is `Send` and `Sync`.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}
