//! Folding of `Loop`.

use super::Fold;
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

impl Fold<'_> {
    pub(super) fn repeat(
        &mut self,
        mut inits: Vec<Value>,
        mut cond: Region,
        mut body: Region,
        mut results: Vec<Value>,
        out: &mut Vec<Op>,
    ) {
        self.drop_unchanged(&mut inits, &mut cond, &mut body, &mut results);
        if self.never_runs(&inits, &cond) {
            self.changed = true;
            for (&result, &init) in results.iter().zip(&inits) {
                self.to.set(result, init);
            }
            return;
        }
        self.region(&mut cond);
        let scope = self.known.enter();
        self.learn_of_carried(&cond, true, &body.params);
        self.region(&mut body);
        self.known.leave(scope);
        self.learn_of_carried(&cond, planted::is(Bug::FoldTrustsConditionAfterLoop), &results);
        out.push(Op::Loop { inits, cond, body, results });
    }

    /// Carried values that no turn changes are what they were before the loop.
    fn drop_unchanged(
        &mut self,
        inits: &mut Vec<Value>,
        cond: &mut Region,
        body: &mut Region,
        results: &mut Vec<Value>,
    ) {
        let keep: Vec<bool> = (0..inits.len()).map(|k| body.yields[k] != body.params[k]).collect();
        for k in (0..inits.len()).filter(|&k| !keep[k]) {
            self.changed = true;
            for value in [cond.params[k], body.params[k], results[k]] {
                self.to.set(value, inits[k]);
            }
        }
        for list in [inits, &mut cond.params, &mut body.params, &mut body.yields, results] {
            super::super::retain_marked(list, &keep);
        }
    }

    /// Whether the condition fails at once, by constants.
    fn never_runs(&self, inits: &[Value], cond: &Region) -> bool {
        let mut here: Vec<(Value, u64)> = vec![];
        for (&param, &init) in cond.params.iter().zip(inits) {
            here.extend(self.known.bits(init).map(|bits| (param, bits)));
        }
        if here.is_empty() && self.known.bits(self.to.get(cond.yields[0])).is_none() {
            return false;
        }
        for op in &cond.ops {
            let (result, bits) = match op {
                Op::Const { bits, result } => (*result, Some(*bits)),
                Op::Pure { builtin, args, result } => (*result, self.with(&here, *builtin, args, *result)),
                _ => continue,
            };
            here.extend(bits.map(|bits| (result, bits)));
        }
        self.bits_with(&here, cond.yields[0]) == Some(0)
    }

    fn bits_with(&self, here: &[(Value, u64)], value: Value) -> Option<u64> {
        let local = here.iter().find(|(v, _)| *v == value).map(|(_, bits)| *bits);
        local.or_else(|| self.known.bits(self.to.get(value)))
    }

    fn with(&self, here: &[(Value, u64)], builtin: Builtin, args: &[Value], result: Value) -> Option<u64> {
        let bits: Vec<Option<u64>> = args.iter().map(|&a| self.bits_with(here, a)).collect();
        if builtin == Builtin::And && self.known.scalar(result) == Scalar::Bool && bits.contains(&Some(0)) {
            return Some(0);
        }
        let bits: Option<Vec<u64>> = bits.into_iter().collect();
        let scalars: Vec<Scalar> = args.iter().map(|&a| self.known.scalar(a)).collect();
        builtin.eval(&scalars, self.known.scalar(result), &bits?)
    }

    /// What a loop's condition says when it is `truth`, about its carried values as `there` names them.
    fn learn_of_carried(&mut self, cond: &Region, truth: bool, there: &[Value]) {
        self.known.learn(cond.yields[0], truth as u64);
        for (&param, &value) in cond.params.iter().zip(there) {
            if let Some(bits) = self.known.bits(param) {
                self.known.learn(value, bits);
            }
        }
    }
}
