//! Divisions and square roots that do not wait for each other share one vector instruction.
//!
//! A machine has one divider, which takes several cycles for a scalar and no more for a vector. `-p / r` of a vector
//! is three divisions, and takes the time of one. Each lane is rounded as the scalar would be, so the bits stay.

use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use warp_core::backend::BackendError;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Op, Scalar, Value};
use warp_ir::planted::{self, Bug};

use super::Lowering;

/// How far ahead divisions are looked for. Values made earlier than they are needed take registers meanwhile.
const WINDOW: usize = 32;
/// Fewer are not worth the moves into lanes and out.
const FEWEST: usize = 3;
/// Floats in a vector.
const LANES: usize = 4;

/// Neighbouring divisions, as positions in the ops of a region.
struct Group {
    builtin: Builtin,
    /// Ops that the divisions need, or that lie between and need none of them.
    before: Vec<usize>,
    divisions: Vec<usize>,
}

impl Lowering<'_, '_> {
    /// Lowers a group that starts with the first of the ops, if there is one. `done` says of each op whether it has been
    /// lowered.
    pub(super) fn divisions(&mut self, ops: &[Op], done: &mut [bool]) -> Result<(), BackendError> {
        let Some(group) = self.group(ops, done) else { return Ok(()) };
        for at in &group.before {
            self.op(&ops[*at])?;
        }
        let mut operands = Vec::new();
        for place in 0..if group.builtin == Builtin::Div { 2 } else { 1 } {
            let lanes: Vec<clif::Value> =
                group.divisions.iter().map(|at| self.get(division(&ops[*at]).expect("in a group").1[place])).collect();
            operands.push(self.gather(&lanes));
        }
        let all = match operands[..] {
            [a, b] => self.builder.ins().fdiv(a, b),
            _ => self.builder.ins().sqrt(operands[0]),
        };
        for (lane, at) in group.divisions.iter().enumerate() {
            let lane = if planted::is(Bug::CpuSwapsLanes) { lane ^ 1 } else { lane };
            let is = self.builder.ins().extractlane(all, lane as u8);
            self.set(division(&ops[*at]).expect("in a group").2, is);
        }
        for at in group.before.into_iter().chain(group.divisions) {
            done[at] = true;
        }
        Ok(())
    }

    fn group(&self, ops: &[Op], done: &[bool]) -> Option<Group> {
        let (builtin, _, first) = division(ops.first()?)?;
        // Of doubles a vector holds two, for which the moves would cost what the divider saves.
        if self.scalar(first) != Scalar::F32 {
            return None;
        }
        let (mut before, mut divisions, mut waiting) = (Vec::new(), Vec::new(), Vec::<Value>::new());
        // Ops after the last division stay where they are.
        let mut needed = 0;
        for (at, op) in ops.iter().enumerate().take(WINDOW).filter(|(at, _)| !done[*at]) {
            let result = match op {
                Op::Pure { result, .. } | Op::Const { result, .. } => *result,
                _ => break,
            };
            let waits = op.shape().operands.iter().any(|operand| waiting.contains(operand));
            let same = division(op).is_some_and(|(other, ..)| other == builtin && self.scalar(result) == Scalar::F32);
            match (waits, same) {
                (true, _) => waiting.push(result),
                (false, true) if divisions.len() < LANES => {
                    divisions.push(at);
                    waiting.push(result);
                    needed = before.len();
                }
                _ => before.push(at),
            }
        }
        before.truncate(needed);
        (divisions.len() >= FEWEST).then_some(Group { builtin, before, divisions })
    }

    /// Values side by side in a vector.
    fn gather(&mut self, values: &[clif::Value]) -> clif::Value {
        // Divisors are often one value, and a broadcast is one instruction.
        let shared = values.iter().skip(1).any(|value| *value == values[0]);
        let start = match shared {
            true => self.builder.ins().splat(types::F32X4, values[0]),
            false => self.builder.ins().scalar_to_vector(types::F32X4, values[0]),
        };
        let others = values.iter().enumerate().skip(1).filter(|(_, value)| !shared || **value != values[0]);
        others.fold(start, |vector, (lane, value)| self.builder.ins().insertlane(vector, *value, lane as u8))
    }
}

/// A division or root of floats: its builtin, operands and result.
fn division(op: &Op) -> Option<(Builtin, &[Value], Value)> {
    match op {
        Op::Pure { builtin: builtin @ (Builtin::Div | Builtin::Sqrt), args, result } => Some((*builtin, args, *result)),
        _ => None,
    }
}
