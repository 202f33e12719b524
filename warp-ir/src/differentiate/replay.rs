//! The primal run again: what a [`Keep`] holds, and nothing else.

use super::emit::Emit;
use super::needs::{Keep, Plan};
use super::recording::own_place;
use super::refusal;
use super::tree::OpId;
use crate::ir::*;

impl Emit<'_, '_> {
    /// Runs kept ops again, without a thought to their reverse.
    pub(super) fn replay(&mut self, ops: &[OpId], keep: &Keep) {
        for &id in ops.iter().filter(|id| keep.ops.contains(id)) {
            self.at_statement(id);
            match self.op(id) {
                Op::If { .. } => self.replay_if(id, keep, &[], |emit, ops| emit.replay(ops, keep)),
                Op::Loop { .. } => self.replay_loop(id, keep, None),
                Op::Custom { .. } => self.replay_custom(id, keep),
                _ => self.replay_op(id),
            }
        }
    }

    /// An op without regions.
    pub(super) fn replay_op(&mut self, id: OpId) {
        match self.op(id) {
            Op::Load { .. } => self.load(id),
            Op::Store { .. } => self.store(id),
            Op::Fill { local, leaf, value } => {
                let value = self.get(*value);
                self.b.fill(*local, *leaf, value);
            }
            Op::Atomic { result, .. } => match self.returned.get(&id).copied() {
                Some(record) => {
                    let at = own_place(&mut self.b, record, self.rank, self.source);
                    let old = self.b.load(Mem::Array(record), at, 0);
                    self.name(*result, old);
                }
                None => self.fail(refusal::gap("the old value of an atomic is not recorded")),
            },
            _ => self.copy(id),
        }
    }

    /// An `If`, whose arms are run by `arm`, with the values `exports` that only one of them defines.
    pub(super) fn replay_if(
        &mut self,
        id: OpId,
        keep: &Keep,
        exports: &[Value],
        mut arm: impl FnMut(&mut Self, &[OpId]),
    ) {
        let Op::If { cond, then, otherwise, results } = self.op(id) else { return };
        let kept: Vec<usize> = (0..results.len()).filter(|&k| keep.has(results[k])).collect();
        let cond = self.get(*cond);
        let mut arms = vec![];
        for (k, region) in [then, otherwise].into_iter().enumerate() {
            self.b.open(&[]);
            let scope = self.enter();
            let ops = &self.tree.ops[id].regions[k];
            arm(self, ops);
            let mut yields: Vec<Value> = kept.iter().map(|&r| self.get(region.yields[r])).collect();
            for &export in exports {
                yields.push(match self.defined_in(export, ops) {
                    true => self.get(export),
                    false => self.b.zero(self.export_scalar(export)),
                });
            }
            arms.push(self.b.close(&yields));
            self.leave(scope);
        }
        let [then, otherwise] = arms.try_into().unwrap_or_default();
        let fresh = self.b.push_if(cond, then, otherwise);
        let named = kept.iter().map(|&k| results[k]).chain(exports.iter().copied());
        named.zip(fresh).for_each(|(value, fresh)| self.name(value, fresh));
    }

    /// A loop; with a plan the first sweep of one that is reversed.
    pub(super) fn replay_loop(&mut self, id: OpId, keep: &Keep, plan: Option<&Plan>) {
        let parts = self.tree.parts(id);
        let kept: Vec<usize> = (0..parts.inits.len()).filter(|&k| keep.carried.contains(&(id, k))).collect();
        let mut inits: Vec<Value> = kept.iter().map(|&k| self.get(parts.inits[k])).collect();
        let recording = plan.map(|plan| self.begin_recording(id, plan, &mut inits));
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.b.scalar(v)).collect();

        let scope = self.enter();
        let params = self.b.open(&scalars);
        kept.iter().zip(&params).for_each(|(&k, &p)| self.name(parts.cond.params[k], p));
        self.replay(&self.tree.ops[id].regions[0], keep);
        let go = self.get(parts.cond.yields[0]);
        let cond = self.b.close(&[go]);
        self.leave(scope);

        let params = self.b.open(&scalars);
        kept.iter().zip(&params).for_each(|(&k, &p)| self.name(parts.body.params[k], p));
        let counters = recording.as_ref().map(|r| self.record_turn(id, r, &params[kept.len()..]));
        self.replay(&self.tree.ops[id].regions[1], keep);
        let mut yields: Vec<Value> = kept.iter().map(|&k| self.get(parts.body.yields[k])).collect();
        yields.extend(counters.into_iter().flatten());
        let body = self.b.close(&yields);
        self.leave(scope);

        let fresh = self.b.push_loop(&inits, cond, body);
        kept.iter().zip(&fresh).for_each(|(&k, &f)| self.name(parts.results[k], f));
        if let Some(recording) = recording {
            self.end_recording(id, recording, &fresh[kept.len()..]);
        }
    }
}
