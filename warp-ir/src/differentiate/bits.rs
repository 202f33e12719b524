//! Numbers that travel as the bits of integers.

use std::collections::BTreeSet;

use super::tree::Tree;
use crate::builtins::Builtin;
use crate::ir::*;

/// Which integers hold bits of numbers.
pub(super) struct Bits<'a, 'k> {
    tree: &'a Tree<'k>,
    values: Vec<bool>,
    memory: BTreeSet<(Mem, u16)>,
    changed: bool,
}

impl<'a, 'k> Bits<'a, 'k> {
    /// Follows the bits of the numbers that are `asked` about.
    pub(super) fn new(tree: &'a Tree<'k>, asked: impl Fn(Value) -> bool) -> Bits<'a, 'k> {
        let values = vec![false; tree.function.values.len()];
        let mut bits = Bits { tree, values, memory: BTreeSet::new(), changed: true };
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

    fn holds(&self, value: Value) -> bool {
        self.values[value.0 as usize]
    }

    fn is_int(&self, value: Value) -> bool {
        self.tree.function.scalar(value).is_int()
    }

    fn mark_if(&mut self, any: &[Value], value: Value) {
        if any.iter().any(|&v| self.holds(v)) {
            self.mark(value);
        }
    }

    /// A comparison of bits is no bits.
    fn mark(&mut self, value: Value) {
        if self.is_int(value) && !std::mem::replace(&mut self.values[value.0 as usize], true) {
            self.changed = true;
        }
    }

    fn put(&mut self, mem: Mem, leaf: u16, value: Value) {
        if self.holds(value) {
            self.changed |= self.memory.insert((mem, leaf));
        }
    }

    fn get(&mut self, mem: Mem, leaf: u16, value: Value) {
        if self.memory.contains(&(mem, leaf)) {
            self.mark(value);
        }
    }

    fn walk(&mut self, asked: &impl Fn(Value) -> bool) {
        let tree = self.tree;
        for site in &tree.ops {
            match site.op {
                Op::Pure { builtin: Builtin::Bitcast, args, result } if asked(args[0]) => self.mark(*result),
                Op::Pure { args, result, .. } => self.mark_if(args, *result),
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
