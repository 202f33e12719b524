//! Numbers that travel as the bits of integers.

use std::collections::BTreeMap;

use super::tree::Tree;
use crate::builtins::Builtin;
use crate::ir::*;

/// Which integers hold bits of numbers, and in which of their bits are those of a mantissa. Without these an integer is
/// the same between one power of two and the next, and so is what is computed of it.
pub(super) struct Bits<'a, 'k> {
    tree: &'a Tree<'k>,
    values: Vec<Option<u64>>,
    memory: BTreeMap<(Mem, u16), u64>,
    changed: bool,
}

impl<'a, 'k> Bits<'a, 'k> {
    /// Follows the bits of the numbers that are `asked` about.
    pub(super) fn new(tree: &'a Tree<'k>, asked: impl Fn(Value) -> bool) -> Bits<'a, 'k> {
        let values = vec![None; tree.function.values.len()];
        let mut bits = Bits { tree, values, memory: BTreeMap::new(), changed: true };
        while std::mem::take(&mut bits.changed) {
            bits.walk(&asked);
        }
        bits
    }

    /// Numbers that are put together from such bits.
    pub(super) fn numbers_again(&self) -> impl Iterator<Item = Value> + '_ {
        self.tree.ops.iter().filter_map(|site| match site.op {
            Op::Pure { builtin: Builtin::Bitcast, args, result } if self.holds(args[0]) && !self.is_int(*result) => {
                Some(*result)
            }
            _ => None,
        })
    }

    /// Numbers that integers with bits of a mantissa are cast to.
    pub(super) fn numbers_of_integers(&self) -> impl Iterator<Item = Value> + '_ {
        self.tree.ops.iter().filter_map(|site| match site.op {
            Op::Pure { builtin: Builtin::Cast, args, result }
                if self.mantissa(args[0]) != 0 && !self.is_int(*result) =>
            {
                Some(*result)
            }
            _ => None,
        })
    }

    fn holds(&self, value: Value) -> bool {
        self.values[value.0 as usize].is_some()
    }

    fn mantissa(&self, value: Value) -> u64 {
        self.values[value.0 as usize].unwrap_or(0)
    }

    /// Where bits of mantissas are after a builtin. What carries move on is a step as long as the bits below are.
    fn through(&self, builtin: Builtin, args: &[Value]) -> u64 {
        let all = args.iter().fold(0, |all, &arg| all | self.mantissa(arg));
        let constant = |k: usize| args.get(k).and_then(|&arg| self.tree.constant(arg));
        let scalar = self.tree.function.scalar(args[0]);
        let signed = scalar.is_signed();
        let wide = match self.mantissa(args[0]) {
            mantissa if signed => sign_extended(mantissa, scalar.bits()),
            mantissa => mantissa,
        };
        match (builtin, constant(1).map(|by| by % u64::from(scalar.bits()))) {
            (Builtin::Shl, Some(by)) => wide << by,
            (Builtin::Shr, Some(by)) if signed => ((wide as i64) >> by) as u64,
            (Builtin::Shr, Some(by)) => wide >> by,
            (Builtin::And, _) => [constant(0), constant(1)].into_iter().flatten().fold(all, |all, mask| all & mask),
            (Builtin::Cast, _) => wide,
            (Builtin::Or | Builtin::Xor | Builtin::Not | Builtin::Bitcast, _) => all,
            (Builtin::Add | Builtin::Sub | Builtin::Neg | Builtin::Min | Builtin::Max | Builtin::Select, _) => all,
            _ if all == 0 => 0,
            _ => u64::MAX,
        }
    }

    fn is_int(&self, value: Value) -> bool {
        self.tree.function.scalar(value).is_int()
    }

    fn mark_if(&mut self, any: &[Value], value: Value) {
        for &from in any {
            if self.holds(from) {
                self.mark(value, self.mantissa(from));
            }
        }
    }

    /// A comparison of bits is no bits.
    fn mark(&mut self, value: Value, mantissa: u64) {
        if !self.is_int(value) {
            return;
        }
        let known = self.values[value.0 as usize];
        let now = known.unwrap_or(0) | (mantissa & self.tree.function.scalar(value).mask());
        self.changed |= known != Some(now);
        self.values[value.0 as usize] = Some(now);
    }

    fn put(&mut self, mem: Mem, leaf: u16, value: Value) {
        if self.holds(value) {
            let known = self.memory.get(&(mem, leaf)).copied();
            let now = known.unwrap_or(0) | self.mantissa(value);
            self.changed |= known != Some(now);
            self.memory.insert((mem, leaf), now);
        }
    }

    fn get(&mut self, mem: Mem, leaf: u16, value: Value) {
        if let Some(&mantissa) = self.memory.get(&(mem, leaf)) {
            self.mark(value, mantissa);
        }
    }

    fn walk(&mut self, asked: &impl Fn(Value) -> bool) {
        let tree = self.tree;
        for site in &tree.ops {
            match site.op {
                Op::Pure { builtin: Builtin::Bitcast, args, result } if asked(args[0]) => {
                    self.mark(*result, mantissa_of(tree.function.scalar(args[0])));
                }
                Op::Pure { builtin, args, result } if args.iter().any(|&arg| self.holds(arg)) => {
                    self.mark(*result, self.through(*builtin, args));
                }
                Op::Load { mem, leaf, result, .. } => self.get(*mem, *leaf, *result),
                Op::Store { mem, leaf, value, .. } => self.put(*mem, *leaf, *value),
                Op::Fill { local, leaf, value } => self.put(Mem::Local(*local), *leaf, *value),
                Op::Atomic { mem, leaf, value, result, .. } => {
                    self.put(*mem, *leaf, *value);
                    self.get(*mem, *leaf, *result);
                }
                Op::If { then, otherwise, results, .. } => {
                    for (k, &result) in results.iter().enumerate() {
                        self.mark_if(&[then.yields[k], otherwise.yields[k]], result);
                    }
                }
                Op::Loop { inits, cond, body, results } => {
                    for k in 0..inits.len() {
                        for to in [cond.params[k], body.params[k], results[k]] {
                            self.mark_if(&[inits[k], body.yields[k]], to);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// The bits of a float's mantissa.
fn mantissa_of(scalar: Scalar) -> u64 {
    let bits = match scalar {
        Scalar::BF16 => 7,
        Scalar::F16 => 10,
        Scalar::F32 => 23,
        _ => 52,
    };
    (1 << bits) - 1
}

/// The bits of a signed integer, the highest one repeated.
fn sign_extended(bits: u64, width: u32) -> u64 {
    let above = 64 - width;
    (((bits << above) as i64) >> above) as u64
}
