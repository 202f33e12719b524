//! Which version of an array a load of the primal kernel saw.

use std::collections::BTreeMap;

use super::place::Place;
use super::tree::{Def, OpId, Tree};
use crate::builtins::Builtin;
use crate::ir::*;
use crate::validate::Term;

/// What a value that was loaded from an array parameter is in the adjoint kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    /// The kernel does not write the leaf: the array as the launch saw it.
    ReadOnly,
    /// No own store can come before: the array before the launch.
    Before,
    /// An own store may come before.
    After,
    /// Atomics of any thread may come before.
    Shared,
}

/// The version that a load sees.
pub(super) fn version(tree: &Tree<'_>, places: &BTreeMap<OpId, Place>, load: OpId) -> Version {
    let Op::Load { mem, leaf, .. } = tree.ops[load].op else { return Version::ReadOnly };
    let writes = tree.writes(*mem, *leaf);
    if writes.is_empty() {
        return Version::ReadOnly;
    }
    // Atomics are for memory that threads share: what was read there depends on their order.
    if tree.has_atomics(*mem, *leaf) {
        return Version::Shared;
    }
    let (before, behind) = writes.split_at(writes.partition_point(|&store| store < load));
    // Of stores behind it a load sees only those that a loop around both brings back.
    let outermost = tree.owners(load).filter(|&o| matches!(tree.ops[o].op, Op::Loop { .. })).last();
    let end = outermost.map_or(0, |outermost| tree.ops[outermost].end);
    let seen = |store: OpId| match common_loops(tree, load, store)[..] {
        [] => false,
        [single] => !steps_along(tree, single, &places[&load], &places[&store]),
        _ => true,
    };
    let after = before.iter().any(|&store| !exclusive(tree, load, store))
        || behind.iter().take_while(|&&store| store < end).any(|&store| seen(store));
    if after { Version::After } else { Version::Before }
}

/// Whether two ops stand in different arms of one `If` and no loop brings one after the other.
fn exclusive(tree: &Tree<'_>, a: OpId, b: OpId) -> bool {
    let Some(branch) = tree.owners(a).find(|&o| tree.is_inside(b, o)) else { return false };
    matches!(tree.ops[branch].op, Op::If { .. })
        && tree.arm(a, branch) != tree.arm(b, branch)
        && common_loops(tree, a, b).is_empty()
}

/// The loops around both ops, innermost first.
fn common_loops(tree: &Tree<'_>, a: OpId, b: OpId) -> Vec<OpId> {
    tree.owners(a).filter(|&o| matches!(tree.ops[o].op, Op::Loop { .. }) && tree.is_inside(b, o)).collect()
}

/// Whether two places have in some dimension the same index, which no two turns of the loop share.
fn steps_along(tree: &Tree<'_>, within: OpId, a: &Place, b: &Place) -> bool {
    a.iter().zip(b).any(|pair| match pair {
        (Term::Value(x), Term::Value(y)) => x == y && differs_by_turn(tree, within, *x),
        _ => false,
    })
}

/// Whether a value is another in each turn: a counter, perhaps plus what does not change.
fn differs_by_turn(tree: &Tree<'_>, within: OpId, value: Value) -> bool {
    let counts = |v: Value| match tree.def(v) {
        Def::Carried(l, k) if l == within => {
            step(tree, l, k).is_some_and(|s| s.is_some_and(|c| tree.constant(c).is_some_and(|bits| bits != 0)))
        }
        _ => false,
    };
    match tree.pure(value) {
        Some((Builtin::Add, &[a, b])) => {
            counts(a) && !tree.is_within(b, Some(within)) || counts(b) && !tree.is_within(a, Some(within))
        }
        _ => counts(value),
    }
}

/// How a carried integer goes from turn to turn in closed form: by a step from outside the loop, or (`Some(None)`)
/// not at all.
pub(super) fn step(tree: &Tree<'_>, id: OpId, k: usize) -> Option<Option<Value>> {
    let body = tree.parts(id).body;
    let (param, next) = (body.params[k], body.yields[k]);
    if param == next {
        return Some(None);
    }
    if !tree.function.scalar(param).is_int() {
        return None;
    }
    let outside = |v: Value| !tree.is_within(v, Some(id)) || tree.constant(v).is_some();
    match tree.pure(next) {
        Some((Builtin::Add, &[a, b])) if a == param && outside(b) => Some(Some(b)),
        Some((Builtin::Add, &[a, b])) if b == param && outside(a) => Some(Some(a)),
        _ => None,
    }
}

/// The number of turns of a loop that counts from zero by ones while below a bound from outside.
pub(super) fn closed_count(tree: &Tree<'_>, id: OpId) -> Option<Value> {
    let parts = tree.parts(id);
    let [go] = parts.cond.yields[..] else { return None };
    let Some((Builtin::Lt, &[counter, bound])) = tree.pure(go) else { return None };
    let Def::Cond(_, k) = tree.def(counter) else { return None };
    let one = step(tree, id, k)?.and_then(|s| tree.constant(s)) == Some(1);
    let outside = !tree.is_within(bound, Some(id)) || tree.constant(bound).is_some();
    let from_zero = tree.constant(parts.inits[k]) == Some(0);
    (counter == parts.cond.params[k] && one && outside && from_zero).then_some(bound)
}
