//! The way back through a kernel: its adjoint, compiled for a device.

use std::ops::Range;
use std::sync::Arc;

use warp_ir::abi::ArgWords;
use warp_ir::differentiate::{Adjoint, ArrayNeed, Options, Refusal, differentiate};
use warp_ir::ir::{ArrayParam, Function, Kernel, Scalar, Storage};
use warp_ir::validate::Valid;

use crate::backend::{Executable, Program};
use crate::device::Device;
use crate::error::Error;
use crate::kernel::Spec;
use crate::program;

/// Whether and how a kernel goes back.
pub(crate) enum Reverse {
    /// By this adjoint.
    Adjoint(Box<Adjoint>),
    /// Not at all.
    Refused {
        /// Where the reason lies: file and line, and the expression where it is known.
        place: String,
        /// The reason, and the way out.
        reason: String,
    },
}

/// The way back through a kernel. For `overlapping` gradients all additions to them are atomic.
pub(crate) fn reverse(spec: &Spec, overlapping: bool) -> Result<Reverse, Error> {
    let bad = |reason: String| Error::BadKernel { kernel: spec.name.into(), reason };
    let kernel = Valid::<Kernel>::new(program::program(spec)?.kernel).map_err(|e| bad(e.to_string()))?;
    if kernel.attributes.no_adjoint {
        let place = format!("{}:{}", spec.file, spec.line);
        return Ok(Reverse::Refused { place, reason: "it is marked `no_adjoint`. Take the mark away".into() });
    }
    let options = Options { all_shared: overlapping, ..Options::of(&kernel) };
    Ok(match differentiate(&kernel, &options) {
        Ok(adjoint) => Reverse::Adjoint(Box::new(adjoint)),
        Err(refusal) => Reverse::Refused { place: place(spec, &kernel, &refusal), reason: refusal.message },
    })
}

/// Where the reason of a refusal lies.
pub(crate) fn place(spec: &Spec, kernel: &Kernel, refusal: &Refusal) -> String {
    let source = refusal.source.and_then(|id| kernel.function.sources.get(id.0 as usize));
    match source {
        Some(source) if !source.file.is_empty() && !source.text.is_empty() => {
            format!("{}:{}, `{}`", source.file, source.line, source.text)
        }
        Some(source) if !source.file.is_empty() => format!("{}:{}", source.file, source.line),
        _ => format!("{}:{}", spec.file, spec.line),
    }
}

/// An adjoint on a device.
pub(crate) struct Loaded {
    pub executable: Arc<dyn Executable>,
    pub program: Program,
    /// What it needs of each array of the primal.
    pub arrays: Vec<ArrayNeed>,
    /// What each of its own arrays is.
    pub roles: Vec<Role>,
    /// Where the words of each array lie among those of the primal's launch.
    pub words: Vec<ArrayPlace>,
}

/// What an array argument of an adjoint is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The primal's array.
    Primal(usize),
    /// Its gradient.
    Gradient(usize),
}

/// The words of an array argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ArrayPlace {
    /// All of them.
    pub words: Range<usize>,
    /// Those at the front that are addresses.
    pub addresses: usize,
}

/// Compiles an adjoint, after a look at whether it fits the kernel that it was made from.
pub(crate) fn load(spec: &Spec, adjoint: &Adjoint, device: &Device) -> Result<Loaded, Error> {
    let bad = |reason: &str| Error::BadKernel { kernel: spec.name.into(), reason: format!("its gradient {reason}") };
    let primal = program::program(spec)?;
    let function = &adjoint.kernel.function;
    let roles = roles(adjoint, &primal.kernel.function).ok_or_else(|| bad("has other arrays than its code"))?;
    if !same_values(function, &primal.kernel.function) || adjoint.kernel.rank != primal.kernel.rank {
        return Err(bad("takes other values than its code"));
    }
    let mut layouts = Vec::with_capacity(roles.len());
    for (array, role) in function.arrays.iter().zip(&roles) {
        let (Role::Primal(k) | Role::Gradient(k)) = *role;
        if !alike(array, &primal.kernel.function.arrays[k]) {
            return Err(bad("has an array of another kind than its code"));
        }
        layouts.push(primal.layouts[k].clone());
    }
    let words = places(&primal.kernel.function);
    let program = Program { kernel: (*adjoint.kernel).clone(), slots: primal.slots, layouts };
    let executable = device
        .backend()
        .compile(&program)
        .map_err(|source| device.failed(&format!("compiling the gradient of kernel `{}`", spec.name), source))?;
    Ok(Loaded { executable, program, arrays: adjoint.arrays.clone(), roles, words })
}

/// What each array of the adjoint is; none when some is nothing or two things.
fn roles(adjoint: &Adjoint, primal: &Function) -> Option<Vec<Role>> {
    let arrays = &adjoint.kernel.function.arrays;
    let mut roles = vec![None; arrays.len()];
    (adjoint.arrays.len() == primal.arrays.len()).then_some(())?;
    let mut play = |at: usize, role: Role| match roles.get_mut(at)? {
        free @ None => {
            *free = Some(role);
            Some(())
        }
        Some(_) => None,
    };
    for (k, need) in adjoint.arrays.iter().enumerate() {
        play(k, Role::Primal(k))?;
        if let Some(gradient) = need.gradient {
            play(gradient.0 as usize, Role::Gradient(k))?;
        }
    }
    roles.into_iter().collect()
}

fn alike(a: &ArrayParam, b: &ArrayParam) -> bool {
    (&a.leaves, a.rank, a.strided, a.storage) == (&b.leaves, b.rank, b.strided, b.storage)
}

fn same_values(a: &Function, b: &Function) -> bool {
    let scalars = |f: &Function| -> Vec<Scalar> { f.params.iter().map(|p| f.scalar(p.value)).collect() };
    scalars(a) == scalars(b) && a.slots <= b.slots
}

/// Where the words of each array of a function lie.
pub(crate) fn places(function: &Function) -> Vec<ArrayPlace> {
    let words = ArgWords::of(function);
    let ends = words.arrays.iter().skip(1).map(|next| next.address).chain([words.scalars]);
    let ranges = words.arrays.iter().zip(ends).map(|(array, end)| array.address..end);
    let addresses = |array: &ArrayParam| match array.storage {
        Storage::Elements => 1,
        Storage::Planes => array.leaves.len(),
    };
    let arrays = function.arrays.iter().zip(ranges);
    arrays.map(|(array, words)| ArrayPlace { words, addresses: addresses(array) }).collect()
}
