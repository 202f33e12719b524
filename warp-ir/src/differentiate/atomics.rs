//! Atomics on floats: which have a derivative, and the reverse of those that do.
//!
//! Additions and subtractions read the gradient of what they add to. A maximum has one winner: the thread whose value is
//! what the launch left, bit for bit. The first such thread takes the gradient and leaves zero for the others; where
//! none does, the contents before had won, and keep the gradient.

use std::collections::BTreeMap;

use super::activity::Activity;
use super::emit::Emit;
use super::plain::bits_of;
use super::tree::{OpId, Tree, adjoint_scalar, carries};
use super::{Refusal, refusal};
use crate::ir::*;
use crate::planted::{self, Bug};

/// Whether an op keeps the greater or the smaller number in memory that threads share.
pub(super) fn chooses(function: &Function, op: &Op) -> bool {
    match op {
        Op::Atomic { kind: AtomicKind::Min | AtomicKind::Max, mem: Mem::Array(_), value, .. } => {
            carries(function.scalar(*value))
        }
        _ => false,
    }
}

/// Refuses atomics without a derivative.
pub(super) fn check(tree: &Tree<'_>, activity: &Activity) -> Result<(), Refusal> {
    // The first load of each leaf that a gradient flows through.
    let mut reads = BTreeMap::new();
    for (id, site) in tree.ops.iter().enumerate() {
        if let Op::Load { mem, leaf, result, .. } = site.op
            && activity.of(*result)
        {
            reads.entry((*mem, *leaf)).or_insert(id);
        }
    }
    for (id, site) in tree.ops.iter().enumerate() {
        let Op::Atomic { kind, mem, leaf, value, result, .. } = site.op else { continue };
        if !carries(tree.function.scalar(*value)) {
            continue;
        }
        match kind {
            AtomicKind::Add | AtomicKind::Sub => {}
            AtomicKind::Min | AtomicKind::Max => {
                let same = |at: &OpId| matches!(tree.ops[*at].op, Op::Atomic { kind: k, .. } if k == kind);
                if let Some(&other) = tree.writes(*mem, *leaf).iter().find(|at| !same(at)) {
                    return Err(refusal::maximum_and_more(tree, id, other));
                }
            }
            _ => return Err(refusal::atomic_kind(tree, id, *kind)),
        }
        if activity.of(*result) {
            return Err(refusal::old_float(tree, id));
        }
        if let Some(&load) = reads.get(&(*mem, *leaf)) {
            return Err(refusal::added_and_read(tree, load));
        }
    }
    Ok(())
}

impl Emit<'_, '_> {
    /// Only additions, subtractions, minima and maxima on arrays that threads share get here.
    pub(super) fn reverse_atomic(&mut self, id: OpId) {
        let Op::Atomic { kind, mem, index, leaf, value, .. } = self.op(id) else { return };
        if chooses(self.tree.function, self.op(id)) {
            return self.reverse_choice(id);
        }
        if !self.activity.of(*value) {
            return;
        }
        let Some(found) = self.read_memory(id, *mem, *index, *leaf) else { return };
        let more = if *kind == AtomicKind::Sub { self.b.neg(found) } else { found };
        self.add_adjoint(*value, more);
    }

    /// Takes the gradient where the thread's value is what the launch left.
    fn reverse_choice(&mut self, id: OpId) {
        let Op::Atomic { mem: Mem::Array(array), leaf, value, .. } = self.op(id) else { return };
        let Some((gradient, _)) = self.grads[array.0 as usize] else { return };
        let indices = self.indices(id);
        let at = self.flat_in(*array, &indices);
        let left = self.b.load(Mem::Array(*array), at, *leaf);
        let own = self.get(*value);
        let at = self.flat_in(gradient, &indices);
        let scalar = self.scalar(*value);
        let sides = [left, own].map(|side| match bits_of(scalar) {
            Some(bits) => self.b.bitcast(bits, side),
            None => side,
        });
        let won = self.b.eq(sides[0], sides[1]);
        self.b.open(&[]);
        let zero = self.b.zero(scalar);
        let kind = if planted::is(Bug::AdjointSharesMaximum) { AtomicKind::Add } else { AtomicKind::Exchange };
        let taken = self.b.atomic(kind, Mem::Array(gradient), at, *leaf, zero);
        let take = self.b.close(&[taken]);
        self.b.open(&[]);
        let zero = self.b.zero(scalar);
        let leave = self.b.close(&[zero]);
        let taken = self.b.push_if(won, take, leave)[0];
        let wide = self.b.cast(adjoint_scalar(scalar), taken);
        self.add_adjoint(*value, wide);
    }
}
