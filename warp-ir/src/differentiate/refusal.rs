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

    /// A refusal at the user's expression for an op on memory.
    pub(super) fn at_access(tree: &Tree<'_>, op: OpId, message: impl Into<String>) -> Refusal {
        Refusal { source: source_of_access(tree, op), message: message.into() }
    }
}

/// Where a value comes from: the access that it is, else the first one among its operands, else its statement.
fn source_of(tree: &Tree<'_>, value: Value) -> Option<SourceId> {
    let mut values = vec![value];
    for at in 0.. {
        let Some(&next) = values.get(at).filter(|_| at < 32) else { break };
        if let Def::Result(op, _) = tree.def(next) {
            if let Some(source) = source_of_check(tree, op) {
                return Some(source);
            }
            values.extend(tree.ops[op].op.shape().operands);
        }
    }
    values.iter().find_map(|value| statement(tree, *value))
}

fn statement(tree: &Tree<'_>, value: Value) -> Option<SourceId> {
    tree.function.spans.get(value.0 as usize).copied().flatten()
}

/// The place of an access to memory: that of the check that it stands under, else its statement.
pub(super) fn source_of_access(tree: &Tree<'_>, op: OpId) -> Option<SourceId> {
    let checked = source_of_check(tree, op);
    checked.or_else(|| tree.ops[op].op.shape().results.first().and_then(|&result| statement(tree, result)))
}

fn source_of_check(tree: &Tree<'_>, op: OpId) -> Option<SourceId> {
    let (Op::Load { mem, index, .. } | Op::Store { mem, index, .. } | Op::Atomic { mem, index, .. }) = tree.ops[op].op
    else {
        return None;
    };
    let checks = (0..op).rev().filter_map(|at| match tree.ops[at].op {
        Op::Check { kind: CheckKind::Index { mem: m, .. }, operands, source, .. } if m == mem => {
            Some((operands[0] == *index, *source))
        }
        _ => None,
    });
    let mut near = None;
    for (same, source) in checks {
        if same {
            return Some(source);
        }
        near = near.or(Some(source));
    }
    near
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

/// The old value of an atomic in a loop decides something that the reverse sweep needs.
pub(super) fn old_value_in_loop(tree: &Tree<'_>, atomic: OpId) -> Refusal {
    let name = name_of(tree, atomic);
    let message = format!(
        "what this atomic on `{name}` returns depends on the order of threads, and in a loop it cannot be computed again on \
         the way back. Move it out of the loop, or mark the kernel `no_adjoint`"
    );
    Refusal::at_access(tree, atomic, message)
}

/// The old value of a float atomic in a result.
pub(super) fn old_float(tree: &Tree<'_>, atomic: OpId) -> Refusal {
    let name = name_of(tree, atomic);
    let message = format!(
        "what this atomic on `{name}` returns depends on the order of threads; its derivative is undefined. Split the \
         kernel in two, or wrap the value in `detach(..)` if a derivative of zero is meant"
    );
    Refusal::at_access(tree, atomic, message)
}

/// An atomic that has no derivative.
pub(super) fn atomic_kind(tree: &Tree<'_>, atomic: OpId, kind: AtomicKind) -> Refusal {
    let name = name_of(tree, atomic);
    let kind = match kind {
        AtomicKind::CompareExchange => "compare-exchange",
        _ => "exchange",
    };
    let message = format!(
        "an atomic {kind} on the floats of `{name}` has no derivative, as it depends on the order of threads. Use atomic \
         additions, maxima or minima, or mark the kernel `no_adjoint`"
    );
    Refusal::at_access(tree, atomic, message)
}

/// An atomic of which forward mode would have to know the end.
pub(super) fn choice_forward(tree: &Tree<'_>, atomic: OpId) -> Refusal {
    let (name, kind) = (name_of(tree, atomic), kind_of(tree, atomic));
    let message = format!(
        "which thread finds {kind} in `{name}` is known after the launch alone, so that this kernel has no forward \
         derivative. Take its gradient, or find {kind} with a kernel of one thread"
    );
    Refusal::at_access(tree, atomic, message)
}

/// A maximum of an array that something else writes too.
pub(super) fn maximum_and_more(tree: &Tree<'_>, atomic: OpId, other: OpId) -> Refusal {
    let (name, kind) = (name_of(tree, atomic), kind_of(tree, atomic));
    let message = format!(
        "`{name}` holds {kind} of what threads find, and is also written in another way, so that what won cannot be told. \
         Use a separate array for {kind}"
    );
    Refusal::at_access(tree, other, message)
}

/// An array of which the contents both before and after the launch are wanted.
pub(super) fn before_and_after(tree: &Tree<'_>, load: OpId) -> Refusal {
    let name = name_of(tree, load);
    let message = format!(
        "the elements of `{name}` hold the maximum or minimum of what threads find, and beside it what the kernel reads and \
         overwrites. Use a separate array for the maximum"
    );
    Refusal::at_access(tree, load, message)
}

fn kind_of(tree: &Tree<'_>, atomic: OpId) -> &'static str {
    match tree.ops[atomic].op {
        Op::Atomic { kind: AtomicKind::Min, .. } => "the minimum",
        _ => "the maximum",
    }
}

/// An array that atomics of any thread change, and that is read.
pub(super) fn added_and_read(tree: &Tree<'_>, load: OpId) -> Refusal {
    let name = name_of(tree, load);
    let Op::Load { mem, leaf, .. } = tree.ops[load].op else { return gap("no load") };
    let adds = |at: OpId| matches!(tree.ops[at].op, Op::Atomic { kind: AtomicKind::Add | AtomicKind::Sub, .. });
    let how = if tree.writes(*mem, *leaf).iter().any(|&at| adds(at)) { "added to" } else { "written" };
    let message = format!(
        "`{name}` is {how} by other threads and read in the same kernel, so that what is read depends on their order. Use \
         two kernels"
    );
    Refusal::at_access(tree, load, message)
}

/// Checkpoints that do not fit, of a loop that makes `turns` or any number of turns.
pub(super) fn checkpoint(tree: &Tree<'_>, id: OpId, bytes: u64, turns: Option<u64>, least: u64, limit: u64) -> Refusal {
    let states = match turns {
        Some(turns) if turns <= least => format!("the states of its {turns} turns"),
        _ => "eight such states".into(),
    };
    let message = format!(
        "a loop keeps {bytes} bytes a turn for its gradient, and {states} do not fit the {limit} bytes that a thread has. \
         Raise `checkpoint_bytes` to {}, or make what the loop carries smaller",
        bytes * least
    );
    Refusal { source: source_of_loop(tree, id), message }
}

/// A state whose copies are larger than any local array: its largest part, in bytes, and the name of the local array that
/// this is, if it is one.
pub(super) fn copies(tree: &Tree<'_>, id: OpId, (bytes, name): (u64, &str), least: u64, limit: u64) -> Refusal {
    let what = match name {
        "" => "what it carries".to_string(),
        name => format!("`{name}`"),
    };
    let message = format!(
        "the gradient of this loop keeps {what} as it is before {least} of its turns, {bytes} bytes each, and {limit} bytes \
         are the most that a thread has for it, whatever `checkpoint_bytes` says. {SMALLER}"
    );
    Refusal { source: source_of_loop(tree, id), message }
}

/// Checkpoints of all loops that do not fit beside local arrays; told at the one with the largest state.
pub(super) fn all_checkpoints(tree: &Tree<'_>, id: OpId, bytes: u64, room: u64) -> Refusal {
    let message = format!(
        "the loops of this kernel keep {bytes} bytes in each thread for its gradient at the least, this one the largest \
         states of them, and {room} bytes are left beside local arrays. {SMALLER}"
    );
    Refusal { source: source_of_loop(tree, id), message }
}

/// The derivatives of a local array that are larger than the array, and than any may be.
pub(super) fn twin_of_local(tree: &Tree<'_>, local: usize, bytes: u64, limit: u64) -> Refusal {
    let name = &tree.function.locals[local].name;
    let message = format!(
        "the derivatives of `{name}` take {bytes} bytes in each thread, as those of halves are in single precision, and \
         {limit} bytes are the most that an array in a kernel may have. {SMALLER}"
    );
    Refusal { source: source_of_local(tree, Some(LocalId(local as u32))), message }
}

/// Local arrays that have no room for their derivatives beside them.
pub(super) fn twins_of_locals(tree: &Tree<'_>, bytes: u64, limit: u64) -> Refusal {
    let message = format!(
        "the arrays in this kernel and their derivatives take {bytes} bytes in each thread, more than the {limit} that \
         kernels allow. {SMALLER}"
    );
    Refusal { source: source_of_local(tree, None), message }
}

const SMALLER: &str = "Make it smaller, pass an array of the host and give each thread a part of it, or mark the kernel \
    `no_adjoint`";

/// A place in a loop: that of a check where it has one, else where the first of its values comes from.
fn source_of_loop(tree: &Tree<'_>, id: OpId) -> Option<SourceId> {
    let inside = || (id..tree.ops[id].end).map(|at| tree.ops[at].op);
    let check = inside().find_map(|op| match op {
        Op::Check { source, .. } => Some(*source),
        _ => None,
    });
    let values = || inside().flat_map(|op| op.shape().results).chain(tree.parts(id).inits);
    check.or_else(|| values().find_map(|&value| source_of(tree, value)))
}

/// The first access to a local array, or to any.
fn source_of_local(tree: &Tree<'_>, local: Option<LocalId>) -> Option<SourceId> {
    let meant = |mem: &Mem| matches!(mem, Mem::Local(l) if local.is_none_or(|local| local == *l));
    let access = |at: &OpId| match tree.ops[*at].op {
        Op::Load { mem, .. } | Op::Store { mem, .. } => meant(mem),
        _ => false,
    };
    (0..tree.ops.len()).filter(access).find_map(|at| source_of_access(tree, at))
}

/// Floats of half precision that several threads may add to.
pub(super) fn shared_halves(tree: &Tree<'_>, access: OpId) -> Refusal {
    let name = name_of(tree, access);
    let message = format!(
        "several threads may add to the gradient of one element of `{name}`, and its half-precision floats have no atomic \
         addition. Use `f32` elements, or hand the array over with `.detach()` if no gradient is meant to reach it"
    );
    Refusal::at_access(tree, access, message)
}

/// Threads that touch each other's elements.
pub(super) fn overlap(tree: &Tree<'_>, store: OpId, threads: &str, both_store: bool) -> Refusal {
    let name = name_of(tree, store);
    let way = match both_store {
        true => "let one thread write it, or add to it with `atomic_add`",
        false => "write to a second array",
    };
    Refusal::at_access(tree, store, format!("threads {threads} touch the same element of `{name}`; {way}"))
}

/// The names of two threads: where one is as far from the other in all launches, by their distance.
pub(super) fn threads(one: &[u64], other: &[u64], alike: bool) -> String {
    let (one, other) = if one > other { (other, one) } else { (one, other) };
    let named = |coordinates: &[u64]| {
        let words: Vec<String> = (0..coordinates.len())
            .map(|d| match (alike, coordinates[d] as i64 - one[d] as i64) {
                (false, _) => coordinates[d].to_string(),
                (true, 0) => ["i", "j", "k", "l"][d].to_string(),
                (true, by) => format!("{}{by:+}", ["i", "j", "k", "l"][d]),
            })
            .collect();
        if words.len() == 1 { words.concat() } else { format!("({})", words.join(", ")) }
    };
    format!("{} and {}", named(one), named(other))
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

/// A kernel without a gradient on purpose.
pub(super) fn no_adjoint(kernel: &str) -> Refusal {
    let message = format!(
        "`{kernel}` has no gradient: it is marked `no_adjoint`, or it is the reverse of another kernel. Second derivatives \
         are the forward derivative of the gradient (`hvp`)"
    );
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
