//! Truths, in predicate registers. A negation costs nothing until somebody needs it in a register.

use super::emitter::{Emitter, Operand, Val};
use super::text::Reg;
use crate::builtins::Builtin;
use crate::ir::{Scalar, Value};

impl Emitter<'_, '_> {
    /// A builtin of truths.
    pub(super) fn logic(&mut self, builtin: Builtin, operands: &[Operand], value: Option<Value>) -> Val {
        let a = &operands[0].0;
        let b = operands.get(1).map_or(a, |operand| &operand.0);
        match builtin {
            Builtin::Not => self.known(negated(a), value),
            Builtin::Ne | Builtin::Xor => self.differ(a, b, false, value),
            Builtin::Eq => self.differ(a, b, true, value),
            Builtin::And => self.both(a, b, value),
            // Either of two is not neither.
            Builtin::Or => self.either(a, b, value),
            Builtin::Lt => self.both(&negated(a), b, value),
            _ => self.either(&negated(a), b, value),
        }
    }

    /// `and` and `or` as a part of the comparison just before them, if nothing else needs that one's result.
    pub(super) fn join(&mut self, builtin: Builtin, args: &[Value], result: Value) -> bool {
        let operator = match (builtin, self.scalar(result)) {
            (Builtin::And, Scalar::Bool) => "and",
            (Builtin::Or, Scalar::Bool) => "or",
            _ => return false,
        };
        let &[a, b] = args else { return false };
        [(b, a), (a, b)].into_iter().any(|(last, other)| self.join_to(last, other, operator, result))
    }

    fn join_to(&mut self, last: Value, other: Value, operator: &str, result: Value) -> bool {
        let (Val::Pred(register, false), Val::Pred(other, negated)) = (self.get(last), self.get(other)) else {
            return false;
        };
        if self.uses[last.0 as usize] != 1 || other == register {
            return false;
        }
        let other = format!("{}{other}", if negated { "!" } else { "" });
        // The result's register may be the other's, which the instruction reads before.
        let Some(line) = self.out.last() else { return false };
        if line.joined(&register, "", operator, &other).is_none() {
            return false;
        }
        let to = self.truth(Some(result));
        let joined = self.out.last().and_then(|line| line.joined(&register, &to, operator, &other));
        if let (Some(last), Some(joined)) = (self.out.last_mut(), joined) {
            *last = joined;
        }
        true
    }

    /// A truth that is there already.
    fn known(&mut self, is: Val, value: Option<Value>) -> Val {
        match value {
            Some(value) => self.alias(value, &(is, Scalar::Bool)),
            None => is,
        }
    }

    fn differ(&mut self, a: &Val, b: &Val, equal: bool, value: Option<Value>) -> Val {
        match (a, b) {
            (Val::Bits(bits), other) | (other, Val::Bits(bits)) => {
                let same = (bits & 1 == 0) != equal;
                self.known(if same { other.clone() } else { negated(other) }, value)
            }
            (Val::Pred(a, not_a), Val::Pred(b, not_b)) => {
                let to = self.truth(value);
                self.ins(format!("xor.pred {to}, {a}, {b};"));
                Val::Pred(to, (not_a != not_b) != equal)
            }
            _ => a.clone(),
        }
    }

    fn both(&mut self, a: &Val, b: &Val, value: Option<Value>) -> Val {
        match (a, b) {
            (Val::Bits(bits), other) | (other, Val::Bits(bits)) => {
                let is = if bits & 1 == 1 { other.clone() } else { Val::Bits(0) };
                self.known(is, value)
            }
            (Val::Pred(a, true), Val::Pred(b, true)) => {
                let to = self.truth(value);
                self.ins(format!("or.pred {to}, {a}, {b};"));
                Val::Pred(to, true)
            }
            _ => {
                let (a, b) = (self.predicate(a), self.predicate(b));
                let to = self.truth(value);
                self.ins(format!("and.pred {to}, {a}, {b};"));
                Val::Pred(to, false)
            }
        }
    }

    fn either(&mut self, a: &Val, b: &Val, value: Option<Value>) -> Val {
        match (a, b) {
            (Val::Bits(bits), other) | (other, Val::Bits(bits)) => {
                let is = if bits & 1 == 1 { Val::Bits(1) } else { other.clone() };
                self.known(is, value)
            }
            (Val::Pred(a, true), Val::Pred(b, true)) => {
                let to = self.truth(value);
                self.ins(format!("and.pred {to}, {a}, {b};"));
                Val::Pred(to, true)
            }
            _ => {
                let (a, b) = (self.predicate(a), self.predicate(b));
                let to = self.truth(value);
                self.ins(format!("or.pred {to}, {a}, {b};"));
                Val::Pred(to, false)
            }
        }
    }

    /// `cond ? a : b` of truths.
    pub(super) fn select_truth(&mut self, operands: &[Operand], value: Option<Value>) -> Val {
        let [cond, a, b] = [0, 1, 2].map(|k| operands[k].0.clone());
        match (&cond, &a, &b) {
            (Val::Bits(bits), ..) => self.known(if bits & 1 == 1 { a } else { b }, value),
            (_, Val::Bits(1), _) => self.either(&cond, &b, value),
            (_, Val::Bits(_), _) => self.both(&negated(&cond), &b, value),
            (_, _, Val::Bits(1)) => self.either(&negated(&cond), &a, value),
            (_, _, Val::Bits(_)) => self.both(&cond, &a, value),
            _ => {
                let yes = self.both(&cond, &a, None);
                let no = self.both(&negated(&cond), &b, None);
                self.either(&yes, &no, value)
            }
        }
    }

    fn truth(&mut self, value: Option<Value>) -> Reg {
        match self.result(value, Scalar::Bool, "truth") {
            Val::Pred(reg, _) | Val::Reg(reg) | Val::Short(reg) => reg,
            Val::Bits(_) => unreachable!("a result is in a register"),
        }
    }
}

/// The opposite of a truth.
pub(super) fn negated(val: &Val) -> Val {
    match val {
        Val::Bits(bits) => Val::Bits(bits & 1 ^ 1),
        Val::Pred(reg, not) => Val::Pred(reg.clone(), !not),
        other => other.clone(),
    }
}
