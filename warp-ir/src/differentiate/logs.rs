//! Which overwritten elements have to be logged, and how many at most.

use super::memory::closed_count;
use super::needs::Needs;
use super::refusal;
use super::tree::{OpId, Tree};
use crate::ir::*;

/// A leaf of an array whose stores in loops are taken back.
pub(super) struct Logged {
    pub(super) of: (ArrayId, u16),
    /// Its stores in loops.
    pub(super) stores: Vec<OpId>,
    /// The most entries that a thread can need, where that is known.
    pub(super) most: Option<u64>,
    pub(super) source: Option<SourceId>,
}

/// The logs of a kernel, in order.
pub(super) fn logged(tree: &Tree<'_>, needs: &Needs) -> Vec<Logged> {
    let mut of: Vec<(ArrayId, u16)> = needs.loops.values().flat_map(|plan| plan.logs.iter().copied()).collect();
    of.sort_unstable();
    of.dedup();
    of.into_iter()
        .map(|(array, leaf)| {
            let writes = |&at: &OpId| match tree.ops[at].op {
                Op::Store { mem, leaf: l, .. } => {
                    (*mem, *l) == (Mem::Array(array), leaf) && tree.ops[at].inside.is_some()
                }
                _ => false,
            };
            let stores: Vec<OpId> = (0..tree.ops.len()).filter(writes).collect();
            let turns = stores.iter().map(|&store| turns_around(tree, store));
            let most = turns.sum::<Option<u64>>();
            let source = stores.first().and_then(|&store| refusal::source_of_access(tree, store));
            Logged { of: (array, leaf), stores, most, source }
        })
        .collect()
}

/// How often an op runs at most.
fn turns_around(tree: &Tree<'_>, op: OpId) -> Option<u64> {
    let loops = tree.owners(op).filter(|&o| matches!(tree.ops[o].op, Op::Loop { .. }));
    let turns = loops.map(|l| closed_count(tree, l).and_then(|count| tree.constant(count)));
    turns.take(64).try_fold(1u64, |product, turns| product.checked_mul(turns?)).filter(|most| *most < 1 << 32)
}
