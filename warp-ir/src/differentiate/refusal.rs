//! Why a kernel has no adjoint: sentences for its author.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::tree::{Def, OpId, Tree};
use crate::ir::*;

/// A kernel that is refused, with the place in the user's source and the way out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// The user's expression, where it is known.
    pub source: Option<SourceId>,
    /// What stands in the way, and what to do.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// A refusal at the expression that a value comes from.
    pub(super) fn at(tree: &Tree<'_>, value: Value, message: impl Into<String>) -> Refusal {
        Refusal { source: source_of(tree, value), message: message.into() }
    }
}

/// Where a value comes from; of a value that a pass has made, the first of its operands that is known.
fn source_of(tree: &Tree<'_>, value: Value) -> Option<SourceId> {
    let mut values = vec![value];
    for at in 0.. {
        let &next = values.get(at).filter(|_| at < 32)?;
        if let Some(source) = tree.function.spans.get(next.0 as usize).copied().flatten() {
            return Some(source);
        }
        if let Def::Result(op, _) = tree.def(next) {
            values.extend(tree.ops[op].op.shape().operands);
        }
    }
    None
}

/// The user's name of the memory that an op accesses.
fn name_of<'k>(tree: &Tree<'k>, op: OpId) -> &'k str {
    match tree.ops[op].op {
        Op::Load { mem, .. } | Op::Store { mem, .. } | Op::Atomic { mem, .. } => match mem {
            Mem::Array(array) => &tree.function.arrays[array.0 as usize].name,
            Mem::Local(local) => &tree.function.locals[local.0 as usize].name,
        },
        _ => "",
    }
}

fn value_of(tree: &Tree<'_>, op: OpId) -> Value {
    let shape = tree.ops[op].op.shape();
    shape.results.first().copied().unwrap_or_else(|| shape.operands[0])
}

/// The old value of an atomic decides something that the reverse sweep needs.
pub(super) fn old_value(tree: &Tree<'_>, atomic: OpId) -> Refusal {
    let name = name_of(tree, atomic);
    let message = format!(
        "what this atomic on `{name}` returns depends on the order of threads, and cannot be computed again for the \
         gradient. Split the kernel in two, or mark it `no_adjoint`"
    );
    Refusal::at(tree, value_of(tree, atomic), message)
}

/// The old value of a float atomic in a result.
pub(super) fn old_float(tree: &Tree<'_>, atomic: OpId) -> Refusal {
    let name = name_of(tree, atomic);
    let message = format!(
        "what this atomic on `{name}` returns depends on the order of threads; its derivative is undefined. Split the \
         kernel in two, or wrap the value in `detach(..)` if a derivative of zero is meant"
    );
    Refusal::at(tree, value_of(tree, atomic), message)
}

/// An atomic that has no derivative.
pub(super) fn atomic_kind(tree: &Tree<'_>, atomic: OpId, kind: AtomicKind) -> Refusal {
    let name = name_of(tree, atomic);
    let message = format!(
        "`{kind:?}` as an atomic on the floats of `{name}` has no derivative. Use atomic additions, or mark the kernel \
         `no_adjoint`"
    );
    Refusal::at(tree, value_of(tree, atomic), message)
}

/// An array that is added to and read.
pub(super) fn added_and_read(tree: &Tree<'_>, load: OpId) -> Refusal {
    let name = name_of(tree, load);
    let message = format!(
        "`{name}` is added to by other threads and read in the same kernel, so that what is read depends on their order. \
         Use two kernels"
    );
    Refusal::at(tree, value_of(tree, load), message)
}

/// A checkpoint that does not fit.
pub(super) fn checkpoint(tree: &Tree<'_>, id: OpId, bytes: u64, limit: u64) -> Refusal {
    let message = format!(
        "a loop keeps {bytes} bytes a turn for its gradient, and eight such states do not fit the {limit} bytes that a \
         thread has. Raise `checkpoint_bytes`, or make what the loop carries smaller"
    );
    Refusal::at(tree, tree.parts(id).body.params.first().copied().unwrap_or(Value(0)), message)
}

/// Floats of half precision that several threads may add to.
pub(super) fn shared_halves(array: &str) -> Refusal {
    let message = format!(
        "several threads may add to the gradient of one element of `{array}`, and its half-precision floats have no atomic \
         addition. Use `f32` elements, or mark the kernel `no_adjoint`"
    );
    Refusal { source: None, message }
}

/// `grad(..)` names no parameter.
pub(super) fn grad_of_nothing(function: &Function, name: &str) -> Refusal {
    let mut known: Vec<&str> = function.params.iter().filter_map(|p| p.name.split(['.', '[']).next()).collect();
    known.dedup();
    let known = match &known[..] {
        [] => "it has none".to_string(),
        names => format!("it has `{}`", names.join("`, `")),
    };
    let message = format!("`grad({name})` names no scalar parameter of `{}`; {known}", function.name);
    Refusal { source: None, message }
}

/// `grad(..)` names an array.
pub(super) fn grad_of_array(name: &str) -> Refusal {
    let message = format!(
        "`{name}` is an array, and those have gradients without being asked. Take it out of `grad(..)`, which names scalar \
         parameters"
    );
    Refusal { source: None, message }
}

/// `grad(..)` names what has no derivative.
pub(super) fn grad_without_floats(name: &str) -> Refusal {
    let message = format!("`{name}` holds no floats, so that it has no gradient. Take it out of `grad(..)`");
    Refusal { source: None, message }
}

/// A mistake of this pass itself.
pub(super) fn gap(what: &str) -> Refusal {
    let message = format!(
        "the gradient of this kernel meets a gap in the compiler ({what}). Please report it with the kernel; `no_adjoint` \
         leaves the gradient out"
    );
    Refusal { source: None, message }
}
