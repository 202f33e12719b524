//! Activity: which values lie between an input and an output that gradients are asked of.

use std::collections::BTreeSet;

use super::Refusal;
use super::bits::Bits;
use super::tree::{Tree, carries};
use crate::builtins::{Adjoint, Builtin};
use crate::ir::*;

/// Refuses a kernel in which any number that a gradient may flow through is put together from bits.
pub(super) fn no_bits_of_numbers(tree: &Tree<'_>) -> Result<(), Refusal> {
    let all: Vec<u32> = (0..tree.function.params.len() as u32).collect();
    Activity::new(tree, &all).map(drop)
}

/// What a derivative flows through.
pub(super) struct Activity {
    values: Vec<bool>,
    locals: BTreeSet<(LocalId, u16)>,
}

impl Activity {
    /// With the scalar parameters that are inputs, by position.
    pub(super) fn new(tree: &Tree<'_>, params: &[u32]) -> Result<Activity, Refusal> {
        let mut flow = Flow::new(tree);
        for &param in params {
            flow.vary(tree.function.params[param as usize].value);
        }
        while flow.forward() {}
        while flow.backward() {}
        flow.no_bits_of_numbers()?;
        let values = (0..flow.varied.len()).map(|v| flow.varied[v] && flow.useful[v]).collect();
        let locals = flow.varied_locals.intersection(&flow.useful_locals).copied().collect();
        Ok(Activity { values, locals })
    }

    /// Whether a value has an adjoint.
    pub(super) fn of(&self, value: Value) -> bool {
        self.values[value.0 as usize]
    }

    /// Whether a leaf of a local array has adjoints.
    pub(super) fn of_local(&self, local: LocalId, leaf: u16) -> bool {
        self.locals.contains(&(local, leaf))
    }

    pub(super) fn locals(&self) -> impl Iterator<Item = (LocalId, u16)> + '_ {
        self.locals.iter().copied()
    }

    /// Whether a leaf of a memory has adjoints; of array parameters every leaf of floats does.
    pub(super) fn of_leaf(&self, function: &Function, mem: Mem, leaf: u16) -> bool {
        match mem {
            Mem::Array(array) => carries(function.arrays[array.0 as usize].leaves[leaf as usize]),
            Mem::Local(local) => self.of_local(local, leaf),
        }
    }
}

struct Flow<'a, 'k> {
    tree: &'a Tree<'k>,
    varied: Vec<bool>,
    useful: Vec<bool>,
    varied_locals: BTreeSet<(LocalId, u16)>,
    useful_locals: BTreeSet<(LocalId, u16)>,
    changed: bool,
}

impl<'a, 'k> Flow<'a, 'k> {
    fn new(tree: &'a Tree<'k>) -> Flow<'a, 'k> {
        let none = vec![false; tree.function.values.len()];
        Flow {
            tree,
            varied: none.clone(),
            useful: none,
            varied_locals: BTreeSet::new(),
            useful_locals: BTreeSet::new(),
            changed: false,
        }
    }

    fn scalar(&self, value: Value) -> Scalar {
        self.tree.function.scalar(value)
    }

    fn vary(&mut self, value: Value) {
        if carries(self.scalar(value)) && !std::mem::replace(&mut self.varied[value.0 as usize], true) {
            self.changed = true;
        }
    }

    fn vary_if(&mut self, any: &[Value], value: Value) {
        if any.iter().any(|v| self.varied[v.0 as usize]) {
            self.vary(value);
        }
    }

    fn use_(&mut self, value: Value) {
        if carries(self.scalar(value)) && !std::mem::replace(&mut self.useful[value.0 as usize], true) {
            self.changed = true;
        }
    }

    fn use_if(&mut self, any: &[Value], value: Value) {
        if any.iter().any(|v| self.useful[v.0 as usize]) {
            self.use_(value);
        }
    }

    /// One walk from inputs to outputs; whether it found anything.
    fn forward(&mut self) -> bool {
        self.changed = false;
        for site in &self.tree.ops {
            match site.op {
                Op::Pure { builtin, args, result } if has_rule(*builtin) => self.vary_if(args, *result),
                Op::Load { mem: Mem::Array(_), result, .. } | Op::Atomic { mem: Mem::Array(_), result, .. } => {
                    self.vary(*result)
                }
                Op::Load { mem: Mem::Local(local), leaf, result, .. }
                    if self.varied_locals.contains(&(*local, *leaf)) =>
                {
                    self.vary(*result)
                }
                Op::Store { mem: Mem::Local(local), leaf, value, .. } | Op::Fill { local, leaf, value }
                    if self.varied[value.0 as usize] =>
                {
                    self.changed |= self.varied_locals.insert((*local, *leaf))
                }
                Op::Custom { by, results, .. } => results.iter().for_each(|&result| self.vary_if(by, result)),
                Op::If { then, otherwise, results, .. } => {
                    for (k, &result) in results.iter().enumerate() {
                        self.vary_if(&[then.yields[k], otherwise.yields[k]], result);
                    }
                }
                Op::Loop { inits, cond, body, results } => {
                    for k in 0..inits.len() {
                        for to in [cond.params[k], body.params[k], results[k]] {
                            self.vary_if(&[inits[k], body.yields[k]], to);
                        }
                    }
                }
                _ => {}
            }
        }
        self.changed
    }

    /// One walk from outputs to inputs; whether it found anything.
    fn backward(&mut self) -> bool {
        self.changed = false;
        for site in self.tree.ops.iter().rev() {
            match site.op {
                Op::Pure { builtin, args, result } if has_rule(*builtin) => {
                    args.iter().for_each(|&arg| self.use_if(&[*result], arg));
                }
                Op::Store { mem: Mem::Array(_), value, .. } | Op::Atomic { mem: Mem::Array(_), value, .. } => {
                    self.use_(*value)
                }
                Op::Store { mem: Mem::Local(local), leaf, value, .. } | Op::Fill { local, leaf, value }
                    if self.useful_locals.contains(&(*local, *leaf)) =>
                {
                    self.use_(*value)
                }
                Op::Load { mem: Mem::Local(local), leaf, result, .. } if self.useful[result.0 as usize] => {
                    self.changed |= self.useful_locals.insert((*local, *leaf))
                }
                Op::Custom { by, results, .. } => by.iter().for_each(|&by| self.use_if(results, by)),
                Op::If { then, otherwise, results, .. } => {
                    for (k, &result) in results.iter().enumerate() {
                        self.use_if(&[result], then.yields[k]);
                        self.use_if(&[result], otherwise.yields[k]);
                    }
                }
                Op::Loop { inits, body, results, .. } => {
                    for k in 0..inits.len() {
                        let either = [results[k], body.params[k]];
                        self.use_if(&either, inits[k]);
                        self.use_if(&either, body.yields[k]);
                        // What is carried has an adjoint in every turn once it has one in any.
                        self.use_if(&either, results[k]);
                        self.use_if(&either, body.params[k]);
                    }
                }
                _ => {}
            }
        }
        self.changed
    }

    /// Refuses numbers that travel as bits: their derivative would be lost without a word.
    fn no_bits_of_numbers(&self) -> Result<(), Refusal> {
        let is_number = |v: Value| carries(self.scalar(v));
        let bits = Bits::new(self.tree, |v| is_number(v) && self.varied[v.0 as usize]);
        let lost = |v: &Value| is_number(*v) && self.useful[v.0 as usize];
        if let Some(value) = bits.numbers_again().find(lost) {
            return Err(Refusal::at(self.tree, value, BITS));
        }
        match bits.numbers_of_integers().find(lost) {
            Some(value) => Err(Refusal::at(self.tree, value, INTEGER)),
            None => Ok(()),
        }
    }
}

const BITS: &str = "a number that a gradient flows through is taken apart into bits and put together again, which has no \
    derivative. Compute it with arithmetic (`abs`, `copysign`, `mul_add`), or mark the kernel `no_adjoint`";

const INTEGER: &str = "the bits of a number that a gradient flows through are taken for an integer, and that for a number, which \
    has no derivative. Compute it with arithmetic (`log2`, `exp2`), or wrap the number in `detach(..)` if a derivative of \
    zero is meant";

fn has_rule(builtin: Builtin) -> bool {
    matches!(builtin.row().adjoint, Adjoint::Rule { .. })
}
