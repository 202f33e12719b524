//! The parts of a kernel with one loop that threads leave at different turns: before it, its turns, behind it.

use std::collections::HashSet;

use warp_ir::ir::{Function, Op, Region, Value};
use warp_ir::uniformity::{Kind, Uniformity};

use super::effects::writes;
use super::pressure::note_uses;
use super::shelf::Shelves;
use super::{Stop, refused};

/// A kernel cut at its loop.
pub(super) struct Parts<'k> {
    pub before: &'k [Op],
    pub inits: &'k [Value],
    pub cond: &'k Region,
    pub body: &'k Region,
    pub results: &'k [Value],
    pub after: &'k [Op],
    /// Ops before the loop that are as well made again: constants, and what is known of arrays.
    pub again: Vec<&'k Op>,
    /// Values made before the loop that all threads of a row share, and that are needed later.
    pub shared: Vec<Value>,
    /// Those that rise by a constant from thread to thread, and that are needed behind the loop.
    pub rows: Vec<(Value, i64)>,
    /// Those that differ between threads, and that turns of the loop read.
    pub outside: Vec<Value>,
    /// All that is needed behind the loop.
    pub used_after: HashSet<Value>,
    /// What threads lay down.
    pub shelves: Shelves,
}

impl<'k> Parts<'k> {
    /// Cuts a kernel. `uses` says how often values are used.
    pub(super) fn of(function: &'k Function, kinds: &Uniformity, uses: &[u32]) -> Result<Parts<'k>, Stop> {
        let ops = &function.body.ops;
        let apart = |op: &Op| matches!(op, Op::Loop { cond, .. } if !kinds.is_uniform(cond.yields[0]));
        let Some((at, Op::Loop { inits, cond, body, results })) = ops.iter().enumerate().find(|(_, op)| apart(op))
        else {
            return refused("it has no loop of its own that threads leave at different turns");
        };
        let (before, after) = (&ops[..at], &ops[at + 1..]);
        if ops[..=at].iter().any(writing) {
            return refused("it writes before or in its loop");
        }
        if [cond, body].into_iter().any(|region| asks_for_thread(region, kinds)) {
            return refused("turns of its loop ask which thread they belong to");
        }
        let (mut in_loop, mut used_after) = (HashSet::new(), HashSet::new());
        [cond, body].into_iter().for_each(|region| note_uses(region, &mut in_loop, &mut HashSet::new()));
        note_ops(after, &mut used_after);
        used_after.extend(&function.body.yields);
        let mut parts = Parts {
            before,
            inits,
            cond,
            body,
            results,
            after,
            again: vec![],
            shared: vec![],
            rows: vec![],
            outside: vec![],
            used_after,
            shelves: Shelves::default(),
        };
        for op in before {
            parts.sort(op, &in_loop, function, kinds);
        }
        for (k, result) in results.iter().enumerate().filter(|(_, result)| uses[result.0 as usize] > 0) {
            parts.shelves.add_result(k, function.scalar(*result));
        }
        Ok(parts)
    }

    /// Decides how the results of an op before the loop come to where they are needed.
    fn sort(&mut self, op: &'k Op, in_loop: &HashSet<Value>, function: &Function, kinds: &Uniformity) {
        if matches!(op, Op::Const { .. } | Op::Extent { .. } | Op::Stride { .. }) {
            return self.again.push(op);
        }
        for &value in op.shape().results {
            let (turns, after) = (in_loop.contains(&value), self.used_after.contains(&value));
            let begins = self.inits.contains(&value);
            let kind = kinds.kind(value);
            match kind {
                Kind::Uniform if turns || after || begins => self.shared.push(value),
                Kind::Linear(stride) if after => self.rows.push((value, stride)),
                _ => {}
            }
            let laid_down = turns || begins || (after && kind == Kind::Varying);
            if kind != Kind::Uniform && laid_down {
                self.shelves.add_input(value, function.scalar(value));
                self.outside.extend(turns.then_some(value));
            }
        }
    }

    /// For each of the values that the loop carries, whether it is needed afterwards.
    pub(super) fn needed(&self) -> Vec<bool> {
        (0..self.results.len()).map(|k| self.shelves.results.iter().any(|(result, _)| *result == k)).collect()
    }
}

fn writing(op: &Op) -> bool {
    matches!(op, Op::Store { .. } | Op::Atomic { .. } | Op::Print { .. }) || op.shape().regions.into_iter().any(writes)
}

/// Whether a region asks for the coordinate that differs between lanes.
fn asks_for_thread(region: &Region, kinds: &Uniformity) -> bool {
    region.ops.iter().any(|op| match op {
        Op::Tid { result, .. } => !kinds.is_uniform(*result),
        _ => op.shape().regions.into_iter().any(|inner| asks_for_thread(inner, kinds)),
    })
}

fn note_ops(ops: &[Op], used: &mut HashSet<Value>) {
    for op in ops {
        let shape = op.shape();
        used.extend(&shape.operands);
        shape.regions.into_iter().for_each(|region| note_uses(region, used, &mut HashSet::new()));
    }
}
