//! Integer division: neither by zero, nor the smallest value by -1.

use super::facts::Facts;
use crate::builtins::Builtin;
use crate::ir::{Op, Scalar, Value};
use crate::planted::{self, Bug};

/// How many values one attempt to refute looks at.
const BUDGET: usize = 64;

/// Shows that an integer `Div` or `Rem` is defined; other builtins always are.
pub(super) fn check(facts: &Facts<'_>, builtin: Builtin, args: &[Value], result: Value) -> Result<(), String> {
    let scalar = facts.function.scalar(result);
    if !matches!(builtin, Builtin::Div | Builtin::Rem) || !scalar.is_int() {
        return Ok(());
    }
    let (dividend, divisor) = (args[0], args[1]);
    if !excluded(facts, &[(divisor, 0)]) {
        return Err(format!("nothing shows that the divisor v{} is not zero", divisor.0));
    }
    let min = 1u64 << (scalar.bits() - 1);
    if scalar.is_signed()
        && !planted::is(Bug::GuardForgetsOverflow)
        && !excluded(facts, &[(dividend, min), (divisor, scalar.mask())])
    {
        return Err(format!("nothing shows that v{} / v{} does not overflow", dividend.0, divisor.0));
    }
    Ok(())
}

/// Whether the values cannot all be what is assumed: one is assumed to be two things, or is another constant, or a known
/// condition would be otherwise.
fn excluded(facts: &Facts<'_>, assumed: &[(Value, u64)]) -> bool {
    if let &[(a, x), (b, y)] = assumed
        && a == b
        && x != y
    {
        return true;
    }
    if assumed.iter().any(|&(value, bits)| facts.constant(value).is_some_and(|c| c != bits)) {
        return true;
    }
    assumed.iter().any(|&(value, _)| {
        facts.about(value).any(|(cond, truth)| {
            let mut suppose = Suppose { facts, assumed, budget: BUDGET };
            suppose.value(cond).is_some_and(|bits| (bits == 1) != truth)
        })
    })
}

/// Evaluates under assumptions, as far as they reach.
struct Suppose<'a, 'k> {
    facts: &'a Facts<'k>,
    assumed: &'a [(Value, u64)],
    budget: usize,
}

impl Suppose<'_, '_> {
    fn value(&mut self, value: Value) -> Option<u64> {
        self.budget = self.budget.checked_sub(1).filter(|_| self.facts.burn())?;
        let value = self.facts.same(value);
        if let Some(&(_, bits)) = self.assumed.iter().find(|a| a.0 == value) {
            return Some(bits);
        }
        let (builtin, args) = match self.facts.def(value)? {
            Op::Const { bits, .. } => return Some(*bits),
            Op::Pure { builtin, args, .. } => (*builtin, args),
            _ => return None,
        };
        let known: Vec<Option<u64>> = args.iter().map(|&a| self.value(a)).collect();
        let zero = known.contains(&Some(0));
        let one = known.contains(&Some(1));
        match builtin {
            Builtin::And if zero => return Some(0),
            Builtin::Or if one && self.facts.function.scalar(value) == Scalar::Bool => return Some(1),
            Builtin::Select => return known[if known[0]? == 1 { 1 } else { 2 }],
            _ => {}
        }
        let known: Option<Vec<u64>> = known.into_iter().collect();
        let scalars: Vec<Scalar> = args.iter().map(|&v| self.facts.function.scalar(v)).collect();
        builtin.eval(&scalars, self.facts.function.scalar(value), &known?)
    }
}
