//! Contraction: a product with one use and the sum that uses it become one `fma`, rounded once.
//!
//! Where both operands of a sum are such products, the left one is taken. Nothing else decides, so that every backend
//! contracts alike.

use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// Contracts a function.
pub(super) fn contract(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let count = function.values.len();
    let mut pass = Contract { uses: vec![0; count], factors: vec![Factors::None; count], function };
    pass.scan(&body);
    pass.region(&mut body);
    function.body = body;
}

#[derive(Clone, Copy)]
enum Factors {
    None,
    /// `a * b`
    Product(Value, Value),
    /// `-a`
    Negated(Value),
}

struct Contract<'f> {
    function: &'f mut Function,
    uses: Vec<u32>,
    factors: Vec<Factors>,
}

impl Contract<'_> {
    fn scan(&mut self, region: &Region) {
        for op in &region.ops {
            let shape = op.shape();
            shape.operands.iter().for_each(|v| self.uses[v.0 as usize] += 1);
            shape.regions.iter().for_each(|r| self.scan(r));
            if let Op::Pure { builtin, args, result } = op
                && self.function.scalar(*result).is_float()
            {
                self.factors[result.0 as usize] = match (builtin, &args[..]) {
                    (Builtin::Mul, &[a, b]) => Factors::Product(a, b),
                    (Builtin::Neg, &[a]) => Factors::Negated(a),
                    _ => Factors::None,
                };
            }
        }
        region.yields.iter().for_each(|v| self.uses[v.0 as usize] += 1);
    }

    fn region(&mut self, region: &mut Region) {
        let ops = std::mem::take(&mut region.ops);
        region.ops.reserve(ops.len());
        for mut op in ops {
            op.regions_mut().into_iter().for_each(|r| self.region(r));
            match op {
                Op::Pure { builtin: builtin @ (Builtin::Add | Builtin::Sub), args, result }
                    if self.function.scalar(result).is_float() =>
                {
                    self.sum(builtin, args, result, &mut region.ops)
                }
                _ => region.ops.push(op),
            }
        }
    }

    fn sum(&mut self, builtin: Builtin, args: Vec<Value>, result: Value, out: &mut Vec<Op>) {
        let minus = builtin == Builtin::Sub && !planted::is(Bug::ContractForgetsSign);
        let (product, negate, other, negate_other) = match (self.product(args[0]), self.product(args[1])) {
            (Some((a, b, negative)), _) => ((a, b), negative, args[1], minus),
            (None, Some((a, b, negative))) => ((a, b), negative != minus, args[0], false),
            (None, None) => return out.push(Op::Pure { builtin, args, result }),
        };
        let first = if negate { self.negated(product.0, out) } else { product.0 };
        let other = if negate_other { self.negated(other, out) } else { other };
        out.push(Op::Pure { builtin: Builtin::Fma, args: vec![first, product.1, other], result });
    }

    /// The factors of a product that nothing else uses, and whether it is negated.
    fn product(&self, value: Value) -> Option<(Value, Value, bool)> {
        let once = |v: Value| planted::is(Bug::ContractSharedProduct) || self.uses.get(v.0 as usize) == Some(&1);
        let factors = |v: Value| self.factors.get(v.0 as usize).copied().unwrap_or(Factors::None);
        match factors(value) {
            _ if !once(value) => None,
            Factors::Product(a, b) => Some((a, b, false)),
            Factors::Negated(inner) => match factors(inner) {
                Factors::Product(a, b) if once(inner) => Some((a, b, true)),
                _ => None,
            },
            Factors::None => None,
        }
    }

    fn negated(&mut self, value: Value, out: &mut Vec<Op>) -> Value {
        let result = self.function.value(self.function.scalar(value));
        out.push(Op::Pure { builtin: Builtin::Neg, args: vec![value], result });
        result
    }
}
