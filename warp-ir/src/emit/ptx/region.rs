//! Regions: branches and loops become labels and jumps.
//!
//! Loops are turned round: the condition is tested before the loop and again at its end, so that a turn takes one jump.
//! What a region yields is computed straight into the register where it is wanted, where nothing else needs that
//! register's old contents.

use super::emitter::{Emitted, Emitter, Scope, Val};
use super::text::{Class, Reg};
use crate::builtins::{Builtin, Ptx};
use crate::ir::{Op, Region, Scalar, Value};
use crate::planted::{self, Bug};

/// A condition with more ops is not written twice.
const LONGEST_CONDITION: usize = 12;
/// Arms with so few ops together are computed both.
const SMALL_ARMS: usize = 2;

impl Emitter<'_, '_> {
    /// The ops of a region, in order.
    pub(super) fn region_ops(&mut self, ops: &[Op]) -> Emitted {
        let groups = self.groups(ops);
        for at in 0..ops.len() {
            self.op(ops, at, &groups)?;
        }
        Ok(())
    }

    fn scoped<T>(&mut self, write: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        self.scopes.push(Scope::default());
        let result = write(self);
        if !planted::is(Bug::PtxLeaksAddresses) {
            self.scopes.pop();
        }
        result
    }

    pub(super) fn branch(&mut self, cond: Value, then: &Region, otherwise: &Region, results: &[Value]) -> Emitted {
        let cond = self.get(cond);
        if let Val::Bits(bits) = cond {
            let arm = if bits & 1 == 1 { then } else { otherwise };
            return self.scoped(|e| {
                e.region_ops(&arm.ops)?;
                for (&result, &value) in results.iter().zip(&arm.yields) {
                    let operand = e.operand(value);
                    e.alias(result, &operand);
                }
                Ok(())
            });
        }
        if self.is_small(then, otherwise, results) {
            return self.choose(&cond, then, otherwise, results);
        }
        let places: Vec<Val> = results.iter().map(|&result| self.define(result, "if")).collect();
        let (first, second) = (self.fresh_label("else"), self.fresh_label("end"));
        let empty =
            [(otherwise, then, false), (then, otherwise, true)].into_iter().find(|(arm, ..)| arm.ops.is_empty());
        if let Some((empty, full, truth)) = empty.filter(|_| !self.is_needed(&cond, &places)) {
            // What the empty arm hands out is there before the branch, so that nothing has to be jumped over.
            self.hand_out(&empty.yields, &places);
            self.branch_if(&cond, truth, &second);
            self.arm(full, &places)?;
        } else {
            self.branch_if(&cond, false, &first);
            self.arm(then, &places)?;
            self.source = None;
            self.ins(format!("bra.uni {second};"));
            self.place(&first);
            self.arm(otherwise, &places)?;
        }
        self.place(&second);
        Ok(())
    }

    /// Whether a condition lies in a place that is written before the branch.
    fn is_needed(&self, cond: &Val, places: &[Val]) -> bool {
        let Val::Pred(reg, _) = cond else { return false };
        places.iter().any(|place| matches!(place, Val::Pred(to, _) if to == reg))
    }

    /// An arm, whose yields end up in these places.
    fn arm(&mut self, region: &Region, places: &[Val]) -> Emitted {
        let wanted = self.aim(region, places, &[]);
        self.scoped(|e| e.region_ops(&region.ops))?;
        wanted.iter().for_each(|value| drop(self.targets.remove(value)));
        self.hand_out(&region.yields, places);
        Ok(())
    }

    /// Has ops of a region write straight to the places of its yields; gives the values for which that is so. `params` are
    /// the values that lie there before.
    fn aim(&mut self, region: &Region, places: &[Val], params: &[Value]) -> Vec<Value> {
        let mut wanted = vec![];
        for (k, (value, place)) in region.yields.iter().zip(places).enumerate() {
            let (Val::Reg(reg) | Val::Short(reg) | Val::Pred(reg, false)) = place else { continue };
            let short = matches!(place, Val::Short(_));
            if self.uses[value.0 as usize] != 1 || short != self.ranges.is_short(*value) || wanted.contains(value) {
                continue;
            }
            let Some(at) = region.ops.iter().position(|op| writes_a_register(op, *value)) else { continue };
            if let Some(&old) = params.get(k)
                && (!self.is_instruction(&region.ops[at])
                    || needs_later(region, at, old) && !planted::is(Bug::PtxOverwritesTooEarly))
            {
                continue;
            }
            // A truth may turn out to be the negation of a register, which is in no register of its own.
            if matches!(place, Val::Pred(..)) {
                continue;
            }
            self.targets.insert(*value, reg.clone());
            wanted.push(*value);
        }
        wanted
    }

    /// Whether an op is one instruction, which reads its operands before it writes.
    fn is_instruction(&self, op: &Op) -> bool {
        match op {
            Op::Pure { builtin, args, result } => {
                let scalars: Vec<Scalar> = args.iter().map(|&arg| self.scalar(arg)).collect();
                matches!(builtin.row().ptx(&scalars, self.scalar(*result)), Some(Ptx::Text(_)))
            }
            _ => false,
        }
    }

    /// Copies yields to their places, all at once.
    fn hand_out(&mut self, yields: &[Value], places: &[Val]) {
        let mut from: Vec<_> = yields.iter().map(|&value| self.operand(value)).collect();
        for k in 0..from.len() {
            let overwritten = |other: &Val| place_of(other).is_some() && place_of(other) == place_of(&from[k].0);
            // An earlier copy would overwrite what this one reads.
            let clash = from[k].0 != places[k] && places[..k].iter().any(overwritten);
            if clash && !planted::is(Bug::PtxCopiesInOrder) {
                let class = match (&from[k].0, from[k].1) {
                    (Val::Short(_), _) => Class::B32,
                    (_, scalar) => Class::of(scalar),
                };
                let copy = self.fresh(class, "copy");
                let to = match &from[k].0 {
                    Val::Short(_) => Val::Short(copy),
                    Val::Pred(..) => Val::Pred(copy, false),
                    _ => Val::Reg(copy),
                };
                let operand = from[k].clone();
                self.assign(&to, &operand);
                from[k].0 = to;
            }
        }
        for (place, operand) in places.iter().zip(&from) {
            self.assign(place, operand);
        }
    }

    pub(super) fn repeat(&mut self, inits: &[Value], cond: &Region, body: &Region, results: &[Value]) -> Emitted {
        let mut places = vec![];
        for (k, &init) in inits.iter().enumerate() {
            let all = [init, cond.params[k], body.params[k], body.yields[k], results[k]];
            let short = all.iter().all(|&value| self.ranges.is_short(value));
            let scalar = self.scalar(init);
            let class = if short { Class::B32 } else { Class::of(scalar) };
            let reg: Reg = self.register(results[k], class, "loop");
            self.shared.changing.insert(reg.clone());
            places.push(match (scalar, short) {
                (Scalar::Bool, _) => Val::Pred(reg, false),
                (_, true) => Val::Short(reg),
                _ => Val::Reg(reg),
            });
        }
        self.hand_out(inits, &places);
        for values in [&cond.params[..], &body.params, results] {
            values.iter().zip(&places).for_each(|(&value, place)| self.set(value, place.clone()));
        }
        let (again, end) = (self.fresh_label("loop"), self.fresh_label("after"));
        let turned = cond.ops.len() <= LONGEST_CONDITION;
        if turned {
            self.test(cond, false, &end)?;
            self.place(&again);
        } else {
            self.place(&again);
            self.test(cond, false, &end)?;
        }
        let wanted = self.aim(body, &places, &body.params);
        self.scoped(|e| e.region_ops(&body.ops))?;
        wanted.iter().for_each(|value| drop(self.targets.remove(value)));
        self.hand_out(&body.yields, &places);
        if turned {
            self.test(cond, true, &again)?;
        } else {
            self.source = None;
            self.ins(format!("bra.uni {again};"));
        }
        self.place(&end);
        Ok(())
    }

    /// Goes to a label if the condition of a loop is as wanted.
    fn test(&mut self, cond: &Region, wanted: bool, label: &str) -> Emitted {
        self.scoped(|e| {
            e.region_ops(&cond.ops)?;
            let goes_on = e.get(cond.yields[0]);
            e.branch_if(&goes_on, wanted, label);
            Ok(())
        })
    }

    /// Whether computing both arms takes less than a branch.
    fn is_small(&self, then: &Region, otherwise: &Region, results: &[Value]) -> bool {
        let ops = || then.ops.iter().chain(&otherwise.ops);
        let counted = ops().filter(|op| !matches!(op, Op::Const { .. })).count();
        let truths = results.iter().any(|&result| self.scalar(result) == Scalar::Bool);
        counted <= SMALL_ARMS && results.len() <= SMALL_ARMS && !truths && ops().all(|op| self.is_cheap(op))
    }

    /// Whether an op may be computed where it is not wanted, and is one instruction.
    fn is_cheap(&self, op: &Op) -> bool {
        use crate::builtins::Builtin::*;
        match op {
            Op::Const { .. } => true,
            Op::Pure { builtin, result, .. } => {
                let scalar = self.scalar(*result);
                match builtin {
                    Add | Sub | Mul | Neg | Abs | Min | Max => scalar.size() >= 4,
                    Fma | And | Or | Xor => true,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn choose(&mut self, cond: &Val, then: &Region, otherwise: &Region, results: &[Value]) -> Emitted {
        self.region_ops(&then.ops)?;
        self.region_ops(&otherwise.ops)?;
        for (k, &result) in results.iter().enumerate() {
            let operands =
                [(cond.clone(), Scalar::Bool), self.operand(then.yields[k]), self.operand(otherwise.yields[k])];
            self.select(result, &operands)?;
        }
        Ok(())
    }
}

fn place_of(val: &Val) -> Option<&Reg> {
    match val {
        Val::Bits(_) => None,
        Val::Reg(reg) | Val::Short(reg) | Val::Pred(reg, _) => Some(reg),
    }
}

/// Whether an op defines a value by one last write to its register, having read its operands.
fn writes_a_register(op: &Op, value: Value) -> bool {
    match op {
        Op::Pure { result, .. } | Op::Load { result, .. } => *result == value,
        _ => false,
    }
}

/// Whether a value is needed after the op at a position, or one that addresses may be counted from it.
fn needs_later(region: &Region, at: usize, value: Value) -> bool {
    let mut counted = vec![value];
    count_from(&region.ops, &mut counted);
    let yielded = region.ops[at].shape().results.first().copied();
    counted
        .into_iter()
        .filter(|&v| Some(v) != yielded)
        .any(|v| region.yields.contains(&v) || reads(&region.ops[at + 1..], v))
}

/// Adds what is a sum or difference of values in a list.
fn count_from(ops: &[Op], counted: &mut Vec<Value>) {
    for op in ops {
        if let Op::Pure { builtin: Builtin::Add | Builtin::Sub, args, result } = op
            && args.iter().any(|arg| counted.contains(arg))
        {
            counted.push(*result);
        }
        op.shape().regions.into_iter().for_each(|region| count_from(&region.ops, counted));
    }
}

/// Whether ops read a value, nested ones included.
fn reads(ops: &[Op], value: Value) -> bool {
    ops.iter().any(|op| {
        let shape = op.shape();
        shape.operands.contains(&value)
            || shape.regions.iter().any(|region| region.yields.contains(&value) || reads(&region.ops, value))
    })
}
