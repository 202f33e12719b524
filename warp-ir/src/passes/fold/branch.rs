//! Folding of `If`.

use super::Fold;
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// How many pure ops a condition may have to be computed without a branch.
const FLAT_OPS: usize = 6;

impl Fold<'_> {
    pub(super) fn branch(
        &mut self,
        cond: Value,
        mut then: Region,
        mut otherwise: Region,
        results: Vec<Value>,
        out: &mut Vec<Op>,
    ) {
        if let Some(truth) = self.known.truth(cond) {
            return self.splice(if truth { then } else { otherwise }, &results, out);
        }
        if let Some((Builtin::Not, &[inner])) = self.known.pure(cond) {
            self.changed = true;
            if planted::is(Bug::FoldForgetsToSwapArms) {
                return self.branch(inner, then, otherwise, results, out);
            }
            return self.branch(inner, otherwise, then, results, out);
        }
        self.arm(cond, true, &mut then);
        self.arm(cond, false, &mut otherwise);
        if self.flattens(&then, &otherwise, &results) {
            self.changed = true;
            out.append(&mut then.ops);
            out.append(&mut otherwise.ops);
            for (at, result) in results.into_iter().enumerate() {
                self.pure(Builtin::Select, vec![cond, then.yields[at], otherwise.yields[at]], result, out);
            }
            return;
        }
        self.joined(cond, then, otherwise, results, out);
    }

    fn arm(&mut self, cond: Value, truth: bool, region: &mut Region) {
        let scope = self.known.enter();
        self.known.learn(cond, truth as u64);
        self.region(region);
        if !planted::is(Bug::FoldKeepsFactsOfArms) {
            self.known.leave(scope);
        }
    }

    /// The only region that can run takes the place of the `If`.
    fn splice(&mut self, region: Region, results: &[Value], out: &mut Vec<Op>) {
        self.changed = true;
        self.ops(region.ops, out);
        if self.stopped {
            return;
        }
        for (&result, &value) in results.iter().zip(&region.yields) {
            self.to.set(result, value);
        }
    }

    /// Arms that only compute a little become selects: where no float leaves them (a select of floats would send
    /// gradients into the arm that did not run), or where they are empty.
    fn flattens(&self, then: &Region, otherwise: &Region, results: &[Value]) -> bool {
        let ops = || then.ops.iter().chain(&otherwise.ops);
        let cheap = ops().filter(|op| !matches!(op, Op::Const { .. })).count() <= FLAT_OPS;
        let exact = results.iter().all(|&r| !self.known.scalar(r).is_float() && !self.known.scalar(r).is_half());
        let empty = ops().all(|op| matches!(op, Op::Const { .. }));
        !results.is_empty() && (empty || (cheap && exact)) && ops().all(|op| self.speculates(op))
    }

    /// Whether an op may be computed where its guard does not hold.
    fn speculates(&self, op: &Op) -> bool {
        if planted::is(Bug::FoldSpeculatesDivision) {
            return op.is_pure();
        }
        super::super::may_speculate(op, |v| self.known.bits(v), |v| self.known.scalar(v))
    }

    /// An `If` that stays: results on which its arms agree, and truths that repeat the condition, leave it.
    fn joined(
        &mut self,
        cond: Value,
        mut then: Region,
        mut otherwise: Region,
        mut results: Vec<Value>,
        out: &mut Vec<Op>,
    ) {
        let mut negations = vec![];
        let mut kept = 0;
        for at in 0..results.len() {
            let (result, t, o) = (results[at], then.yields[at], otherwise.yields[at]);
            let (tb, ob) = (self.known.bits(t), self.known.bits(o));
            let bool = self.known.scalar(result) == Scalar::Bool;
            match (tb, ob) {
                _ if t == o => self.to.set(result, t),
                (Some(x), Some(y)) if x == y => self.become_constant(result, x, out),
                (Some(1), Some(0)) if bool => self.to.set(result, cond),
                (Some(0), Some(1)) if bool => negations.push(result),
                _ => {
                    self.known.set_joined(result, cond, tb, ob);
                    (then.yields[kept], otherwise.yields[kept], results[kept]) = (t, o, result);
                    kept += 1;
                }
            }
        }
        self.changed |= kept < results.len();
        then.yields.truncate(kept);
        otherwise.yields.truncate(kept);
        results.truncate(kept);
        out.push(Op::If { cond, then, otherwise, results });
        for result in negations {
            self.pure(Builtin::Not, vec![cond], result, out);
        }
        self.learn_from_stop(cond, out);
    }

    /// Where one arm stops every thread that enters it, the condition is known after the `If`.
    fn learn_from_stop(&mut self, cond: Value, out: &[Op]) {
        let Some(Op::If { then, otherwise, .. }) = out.iter().rev().find(|op| matches!(op, Op::If { .. })) else {
            return;
        };
        let stops = |region: &Region| {
            region.ops.iter().any(|op| match op {
                Op::Check { cond, .. } => self.known.truth(*cond) == Some(false),
                _ => false,
            })
        };
        match (stops(then), stops(otherwise)) {
            (true, false) => self.known.learn(cond, 0),
            (false, true) => self.known.learn(cond, 1),
            _ => {}
        }
    }
}
