//! Hoisting: what every turn of a loop computes alike is computed once, before the loop.
//!
//! Pure ops that are defined for all operands move; ops inside an `If` stay there.

use super::constants::constants_of;
use super::may_speculate;
use crate::ir::*;
use crate::planted::{self, Bug};

/// Hoists loop-invariant ops of a function.
pub(super) fn hoist(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let constants = constants_of(&body, function.values.len());
    let mut pass = Hoist { depths: vec![0; function.values.len()], constants, function };
    pass.region(&mut body, 0);
    function.body = body;
}

struct Hoist<'f> {
    function: &'f Function,
    /// How many loops are around the definition of each value.
    depths: Vec<u32>,
    constants: Vec<Option<u64>>,
}

impl Hoist<'_> {
    fn region(&mut self, region: &mut Region, depth: u32) {
        self.define(&region.params, depth);
        let ops = std::mem::take(&mut region.ops);
        region.ops.reserve(ops.len());
        for mut op in ops {
            match &mut op {
                Op::Loop { cond, body, .. } => {
                    for inner in [cond, body] {
                        self.region(inner, depth + 1);
                        self.pull(inner, depth, &mut region.ops);
                    }
                }
                Op::If { then, otherwise, .. } => {
                    self.region(then, depth);
                    self.region(otherwise, depth);
                }
                _ => {}
            }
            self.define(op.shape().results, depth);
            region.ops.push(op);
        }
    }

    fn define(&mut self, values: &[Value], depth: u32) {
        for value in values {
            self.depths[value.0 as usize] = depth;
        }
    }

    /// Moves invariant ops of a loop's region out to `depth`.
    fn pull(&mut self, inner: &mut Region, depth: u32, out: &mut Vec<Op>) {
        let ops = std::mem::take(&mut inner.ops);
        for op in ops {
            if self.is_invariant(&op, depth) {
                self.define(op.shape().results, depth);
                out.push(op);
            } else {
                inner.ops.push(op);
            }
        }
    }

    fn is_invariant(&self, op: &Op, depth: u32) -> bool {
        let outside = |v: &Value| planted::is(Bug::HoistIgnoresCarriedValues) || self.depths[v.0 as usize] <= depth;
        let bits = |v: Value| self.constants[v.0 as usize];
        may_speculate(op, bits, |v| self.function.scalar(v)) && op.shape().operands.iter().all(outside)
    }
}
