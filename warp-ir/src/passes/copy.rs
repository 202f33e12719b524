//! Copies of regions with values of their own.

use crate::hash::QuickMap;
use crate::ir::*;

/// Makes copies; remembers which value of a copy stands for which of the original.
#[derive(Default)]
pub(super) struct Copier {
    names: QuickMap<Value, Value>,
}

impl Copier {
    /// From now on copies say `to` where the original says `value`.
    pub(super) fn name(&mut self, value: Value, to: Value) {
        self.names.insert(value, to);
    }

    /// What copies say for a value of the original.
    pub(super) fn get(&self, value: Value) -> Value {
        self.names.get(&value).copied().unwrap_or(value)
    }

    /// A copy of a region.
    pub(super) fn region(&mut self, function: &mut Function, region: &Region) -> Region {
        let params = region.params.iter().map(|&p| self.fresh(function, p)).collect();
        let ops = self.ops(function, &region.ops);
        let yields = region.yields.iter().map(|&y| self.get(y)).collect();
        Region { params, ops, yields }
    }

    /// Copies of some ops.
    pub(super) fn ops(&mut self, function: &mut Function, ops: &[Op]) -> Vec<Op> {
        ops.iter().map(|op| self.op(function, op)).collect()
    }

    fn op(&mut self, function: &mut Function, op: &Op) -> Op {
        let mut copy = match op {
            Op::If { cond, then, otherwise, results } => {
                let then = self.region(function, then);
                let otherwise = self.region(function, otherwise);
                Op::If { cond: *cond, then, otherwise, results: results.clone() }
            }
            Op::Loop { inits, cond, body, results } => {
                let cond = self.region(function, cond);
                let body = self.region(function, body);
                Op::Loop { inits: inits.clone(), cond, body, results: results.clone() }
            }
            Op::Custom { values, by, gradient, results } => {
                let gradient = self.region(function, gradient);
                Op::Custom { values: values.clone(), by: by.clone(), gradient, results: results.clone() }
            }
            _ => op.clone(),
        };
        copy.map_operands(|v| *v = self.get(*v));
        copy.map_results(|r| *r = self.fresh(function, *r));
        copy
    }

    fn fresh(&mut self, function: &mut Function, value: Value) -> Value {
        let fresh = function.value(function.scalar(value));
        if !function.spans.is_empty() {
            function.spans[fresh.0 as usize] = function.spans[value.0 as usize];
        }
        self.name(value, fresh);
        fresh
    }
}
