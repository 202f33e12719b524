//! Reverse mode: from a kernel, the kernel that brings gradients of its outputs back to its inputs.
//!
//! The adjoint kernel is ordinary IR: it prints, validates, simplifies and runs on every backend. It has two sweeps.
//! The **recording** sweep runs what the reverse needs of the primal again, and keeps those values in scope; the
//! **reverse** sweep goes from the last op to the first and turns adjoints of results into adjoints of operands by the
//! rules of the builtins' rows. Loops are reversed by going back to a stored state and running turns again, in a fixed
//! number of slots, so that memory a thread is bounded for any number of turns.
//!
//! # The adjoint kernel's arguments
//!
//! The scalars are the primal's. The arrays are, one group after the other:
//!
//! 1. the primal's arrays, in the versions that [`Adjoint::arrays`] asks for: read only, or written and taken back;
//! 2. the gradient of each array that has floats, of the same shape and layout, read and written. Before a launch a
//!    gradient holds the adjoint of the array's contents *after* the primal's launch, afterwards of those *before* it;
//! 3. the gradient of each scalar of [`Adjoint::scalars`]: one `f64`, to which the threads add;
//! 4. the arrays that the [`Recording`] wrote, in its order, read only;
//! 5. for each of [`Adjoint::logs`] three arrays, described there.
//!
//! # What holds of it
//!
//! 1. What it loads from an array that the primal writes is what the primal saw there: where no own store came before,
//!    the version before the launch; otherwise the stores are replayed on that version, and taken back.
//! 2. Each recording sweep of a region is followed in the same region by its reverse.
//! 3. Turns are run again under a count, never under the loop's condition.
//! 4. It stores to gradients and local arrays, and to those arrays of the primal whose own stores later loads see. These
//!    hold in the end, bit for bit, what they held at the start.
//! 5. Adjoints of local arrays are zero when the array is filled, backwards.
//! 6. A product of a gradient of zero with something infinite is zero in the variant with [`Options::guarded`]. In the
//!    other one it may be NaN, where [`Adjoint::unguarded`] says so; and such a NaN is in all gradients that would be other
//!    ones without it. So a runtime may launch the plain variant, and start over with the guarded one where it finds a NaN.

mod access;
mod activity;
mod atomics;
mod bits;
mod certain;
mod condition;
mod copy;
mod custom;
mod emit;
mod fits;
mod linear;
mod logs;
mod meeting;
mod memory;
mod needs;
mod overlap;
mod payload;
mod place;
mod plain;
mod record;
mod recording;
mod refusal;
mod replay;
mod reverse;
mod root;
mod scalars;
mod share;
mod shared;
mod slots;
mod solve;
mod sources;
mod tangent;
mod tree;
mod turns;
mod undo;

use serde::{Deserialize, Serialize};

use crate::ir::*;
use crate::passes;
use crate::validate::{Invalid, Valid, guarded};
use activity::Activity;
use emit::Emit;
use memory::Version;
use needs::Needs;
use place::Place;
use tree::Tree;

pub use meeting::{Condition, Given, Overlap, Step, StepOf};
pub use payload::Reverse;
pub use refusal::Refusal;
pub use tangent::{Tangent, tangent};

/// Bytes of loop checkpoints that a thread has when the kernel does not say.
pub const CHECKPOINT_BYTES: u32 = 1024;

/// Entries of the largest log of overwritten elements that a thread has in its own memory.
pub const UNDO_ENTRIES: u32 = 64;

/// How to differentiate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Bytes of checkpoints of each loop and thread.
    pub checkpoint_bytes: u32,
    /// The number of slots of each loop in place of the one that fits the bytes; for tests.
    pub slots: Option<u32>,
    /// Entries of the largest log of overwritten elements that lies in a thread's own memory. Larger ones, and those of
    /// unknown size, lie in arrays that the launch allocates.
    pub undo_entries: u32,
    /// Whether all gradients are added to by atomics: for launches whose gradients overlap.
    pub all_shared: bool,
    /// Whether the rules of all ops are guarded against a gradient of zero times something infinite, and not those alone
    /// whose results may go unused in the kernel itself.
    pub guarded: bool,
    /// Whether the adjoint is only made small, and simplified by the backend that runs it: while a crate compiles, time
    /// counts.
    pub trimmed: bool,
}

impl Options {
    /// What the kernel's attributes ask for.
    pub fn of(kernel: &Kernel) -> Options {
        let checkpoint_bytes = kernel.attributes.checkpoint_bytes.unwrap_or(CHECKPOINT_BYTES);
        Options {
            checkpoint_bytes,
            slots: None,
            undo_entries: UNDO_ENTRIES,
            all_shared: false,
            guarded: false,
            trimmed: false,
        }
    }
}

/// A kernel that brings gradients back, and what its launch needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Adjoint {
    /// The kernel.
    pub kernel: Valid<Kernel>,
    /// What it needs of each array parameter of the primal.
    pub arrays: Vec<ArrayNeed>,
    /// The gradients of scalar parameters that the kernel's `grad(..)` asks for.
    pub scalars: Vec<ScalarGradient>,
    /// Launches whose threads touch each other's elements, so that they have no gradient; see [`Adjoint::overlap`].
    pub overlaps: Vec<Overlap>,
    /// Arrays whose gradients this kernel leaves alone: launches that let gradients flow through them have none.
    pub detached: Vec<Detached>,
    /// What the launch has to write down for its reverse, where anything cannot be computed again.
    pub recording: Option<Recording>,
    /// The logs of overwritten elements that lie in memory of their own.
    pub logs: Vec<LogArrays>,
    /// Whether a NaN that it leaves may be that of a gradient of zero times something infinite, so that the variant with
    /// [`Options::guarded`] has to run in its place.
    pub unguarded: bool,
}

/// What the adjoint kernel needs of an array of the primal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ArrayNeed {
    /// It reads contents: those before the primal's launch.
    pub contents: bool,
    /// It reads contents: those after the primal's launch. Never asked for together with `contents`.
    pub after: bool,
    /// The primal writes the array, so that contents have to be kept from before.
    pub written: bool,
    /// It writes the contents and takes them back: they have to be its own, and are afterwards as they were.
    pub scratch: bool,
    /// The position of the gradient among the adjoint kernel's arrays.
    pub gradient: Option<ArrayId>,
}

/// The gradient of a scalar parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScalarGradient {
    /// The position of the scalar among the primal's.
    pub param: u32,
    /// The position of its gradient among the adjoint kernel's arrays: an array of one element of the scalar's type
    /// (`f32` for a half). Each thread adds to what is there.
    pub gradient: ArrayId,
}

/// An array whose gradient no kernel can compute.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Detached {
    /// The array of the primal.
    pub array: ArrayId,
    /// What to say of launches that let a gradient flow through it.
    pub refusal: Refusal,
}

/// The primal, which also writes down what its reverse cannot compute again: to be launched in its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    /// The primal's scalars and arrays, and then one array for each of `records`. These have the dimensions and extents
    /// of the launch and elements of one scalar, an element for each thread; they need no contents before.
    pub kernel: Valid<Kernel>,
    /// What is written down.
    pub records: Vec<Record>,
}

/// An array that a recording launch writes, and the adjoint kernel reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The type of its elements; a log's counts are `U32`.
    pub scalar: Scalar,
    /// Its position among the adjoint kernel's arrays.
    pub array: ArrayId,
}

/// A log of overwritten elements of one leaf of an array, whose size the recording launch has counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogArrays {
    /// The position among the records of how many entries each thread needs. All logs together have to fit the limit.
    pub counts: u32,
    /// The array of the primal whose elements are overwritten, and the leaf.
    pub of: (ArrayId, u16),
    /// `U64`s with the dimensions and extents of the launch, read only: the sum of the counts of all threads before, in
    /// row-major order.
    pub starts: ArrayId,
    /// `U64`s in one dimension, written: as many for each entry as the array has dimensions. Needs no contents before.
    pub indices: ArrayId,
    /// Scalars of the leaf's type in one dimension, written: one for each entry. Needs no contents before.
    pub values: ArrayId,
    /// A write in a loop, in the user's source.
    pub source: Option<SourceId>,
}

/// The float scalars that names of `#[kernel(grad(..))]` stand for, by position among the parameters.
pub fn grad_scalars(function: &Function, names: &[String]) -> Result<Vec<u32>, Refusal> {
    scalars::named(function, names)
}

/// Differentiates a simplified kernel.
pub fn differentiate(kernel: &Valid<Kernel>, options: &Options) -> Result<Adjoint, Refusal> {
    if kernel.attributes.no_adjoint {
        return Err(refusal::no_adjoint(&kernel.function.name));
    }
    let kernel = &*plain::plain(kernel)?;
    let tree = Tree::new(&kernel.function);
    let places = place::places(&tree, kernel)?;
    let params = scalars::named(&kernel.function, &kernel.attributes.grad)?;
    let activity = Activity::new(&tree, &params)?;
    atomics::check(&tree, &activity)?;
    let needs = needs::needs(&tree, &activity, &places, options.guarded)?;
    let overlaps = overlap::overlaps(&tree, &activity, &needs, &places, kernel.rank);
    let shared = match options.all_shared {
        true => vec![true; kernel.function.arrays.len()],
        false => shared::shared(&tree, &activity, &places, kernel.rank),
    };
    let mut emit = Emit::new(&tree, &activity, &needs, &places, options, kernel.rank);
    let (gradients, detached) = emit.make_gradients(&shared);
    let scalars = emit.make_scalar_gradients(&params);
    let (recording, logs) = emit.make_records(kernel)?;
    emit.share_memory()?;
    let top = tree.top();
    emit.record(&top, &needs.top);
    emit.reverse(&top);
    emit.reverse_scalars(&scalars);
    let function = emit.finish()?;
    let kernel = finish(kernel, function, if options.trimmed { passes::trim } else { passes::tidy })?;
    let arrays = array_needs(&tree, &needs, gradients)?;
    let unguarded = !options.guarded && needs.has_unguarded(&tree, &activity);
    Ok(Adjoint { kernel, arrays, scalars, overlaps, detached, recording, logs, unguarded })
}

/// A kernel of what was derived from `primal`; as it was written it has to be valid and guarded before any pass
/// looks at it.
fn finish(primal: &Kernel, function: Function, simplify: fn(&mut Kernel)) -> Result<Valid<Kernel>, Refusal> {
    let gap = |e: Invalid| refusal::gap(&e.to_string());
    let attributes = Attributes { no_adjoint: true, ..primal.attributes.clone() };
    let derived = Valid::<Kernel>::new(Kernel { function, rank: primal.rank, attributes }).map_err(gap)?;
    guarded(&derived).map_err(gap)?;
    let mut derived = derived.into_inner();
    simplify(&mut derived);
    Valid::<Kernel>::new(derived).map_err(gap)
}

fn array_needs(tree: &Tree<'_>, needs: &Needs, gradients: Vec<Option<ArrayId>>) -> Result<Vec<ArrayNeed>, Refusal> {
    let mut arrays: Vec<ArrayNeed> =
        gradients.into_iter().map(|gradient| ArrayNeed { gradient, ..ArrayNeed::default() }).collect();
    for site in &tree.ops {
        if let Op::Store { mem: Mem::Array(a), .. } | Op::Atomic { mem: Mem::Array(a), .. } = site.op {
            let need = &mut arrays[a.0 as usize];
            need.written = true;
            need.after |= need.gradient.is_some() && atomics::chooses(tree.function, site.op);
        }
    }
    for (&load, &version) in &needs.loads {
        if let Op::Load { mem: Mem::Array(a), .. } = tree.ops[load].op {
            let need = &mut arrays[a.0 as usize];
            need.scratch |= version == Version::After;
            need.contents |= !need.after;
            // What the kernel does not write is the same after it.
            if need.after && version != Version::ReadOnly {
                return Err(refusal::before_and_after(tree, load));
            }
        }
    }
    Ok(arrays)
}
