//! The recording sweep: the primal run again in such a way that its reverse finds what it reads.

use super::emit::Emit;
use super::needs::{Keep, Plan};
use super::slots::{Kind, Recording};
use super::tree::OpId;
use crate::ir::*;

/// Values beyond those of the primal: counts of its loops.
#[derive(Clone, Copy)]
pub(super) enum Count {
    /// The number of turns.
    Turns,
    /// The number of slots that are filled.
    Filled,
    /// What a store to memory has overwritten.
    Old,
}

/// How many of them each op has.
pub(super) const COUNTS: usize = 3;

impl Emit<'_, '_> {
    /// The number that stands for a count of a loop among the names.
    pub(super) fn count_of(&self, id: OpId, count: Count) -> Value {
        Value((self.tree.function.values.len() + COUNTS * id + count as usize) as u32)
    }

    pub(super) fn export_scalar(&self, export: Value) -> Scalar {
        let values = &self.tree.function.values;
        match values.get(export.0 as usize) {
            Some(scalar) => *scalar,
            None => match self.op((export.0 as usize - values.len()) / COUNTS) {
                Op::Store { value, .. } => self.scalar(*value),
                _ => Scalar::U64,
            },
        }
    }

    /// Whether one of the ops, or one inside them, gives a value or a count.
    pub(super) fn defined_in(&self, export: Value, ops: &[OpId]) -> bool {
        let values = self.tree.function.values.len();
        let by = match (export.0 as usize).checked_sub(values) {
            Some(count) => count / COUNTS,
            None => match self.tree.def(export) {
                super::tree::Def::Result(id, _) => id,
                _ => return false,
            },
        };
        ops.iter().any(|&op| op == by || self.tree.is_inside(by, op))
    }

    /// Runs a region's ops, and keeps in scope what their reverse reads.
    pub(super) fn record(&mut self, ops: &[OpId], keep: &Keep) {
        for &id in ops {
            let relevant = self.needs.relevant[id];
            match self.op(id) {
                Op::If { .. } if relevant => {
                    let exports = self.exports(id);
                    if keep.ops.contains(&id) {
                        self.replay_if(id, keep, &exports, |emit, ops| emit.record(ops, keep));
                    }
                }
                Op::Loop { .. } if relevant => {
                    let plan = self.needs.loops.get(&id);
                    match plan.filter(|plan| self.kind(id, plan) != Kind::Free) {
                        Some(plan) => self.replay_loop(id, keep, Some(plan)),
                        None if keep.ops.contains(&id) => self.replay_loop(id, keep, None),
                        None => {}
                    }
                }
                Op::Store { .. } if self.is_replayed(id) => self.store_keeping(id),
                _ => self.replay(&[id], keep),
            }
        }
    }

    /// What the arms of an `If` define and its reverse reads.
    fn exports(&self, id: OpId) -> Vec<Value> {
        let mut exports = vec![];
        for inner in self.tree.turn_of(id) {
            let results = self.op(inner).shape().results;
            let kept = |r: &&Value| self.needs.values.contains(r) && !self.tree.is_again(**r);
            exports.extend(results.iter().filter(kept).copied());
            if self.is_replayed(inner) {
                exports.push(self.count_of(inner, Count::Old));
            }
            if let Some(plan) = self.needs.loops.get(&inner) {
                match self.kind(inner, plan) {
                    Kind::Free => {}
                    Kind::Dynamic => {
                        exports.push(self.count_of(inner, Count::Turns));
                        exports.push(self.count_of(inner, Count::Filled));
                    }
                    Kind::Counted | Kind::Static => exports.push(self.count_of(inner, Count::Turns)),
                }
            }
        }
        exports
    }

    /// What the first sweep of a loop carries beside the primal's values.
    pub(super) fn begin_recording(&mut self, id: OpId, plan: &Plan, inits: &mut Vec<Value>) -> Recording {
        let kind = self.kind(id, plan);
        let slots = match kind {
            Kind::Static | Kind::Dynamic => Some(self.make_slots(id, plan)),
            Kind::Free | Kind::Counted => None,
        };
        inits.push(self.b.u64(0));
        if kind == Kind::Dynamic {
            inits.extend([self.b.u64(0), self.b.u64(1)]);
        }
        Recording { kind, slots }
    }

    /// What a turn of the first sweep does beside the primal's; the next counters.
    pub(super) fn record_turn(&mut self, id: OpId, recording: &Recording, counters: &[Value]) -> Vec<Value> {
        let turn = counters[0];
        let mut next = vec![];
        match (&recording.slots, recording.kind) {
            (Some(slots), Kind::Dynamic) => {
                let thinned = self.save_thinning(id, slots, turn, counters[1], counters[2]);
                next.extend(thinned);
            }
            (Some(slots), _) => self.save_state(id, slots, turn, turn),
            _ => {}
        }
        let one = self.b.u64(1);
        next.insert(0, self.b.add(turn, one));
        next
    }

    /// Names the counts after the first sweep.
    pub(super) fn end_recording(&mut self, id: OpId, recording: Recording, counters: &[Value]) {
        self.name(self.count_of(id, Count::Turns), counters[0]);
        if recording.kind == Kind::Dynamic {
            self.name(self.count_of(id, Count::Filled), counters[1]);
        }
        if let Some(slots) = recording.slots {
            self.slots.insert(id, slots);
        }
    }
}
