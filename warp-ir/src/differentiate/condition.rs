//! Conditions that accesses stand under, as steps that a launch can compute.

use std::collections::BTreeMap;

use super::meeting::{Condition, Step, StepOf};
use super::tree::{Def, OpId, Tree};
use crate::builtins::Builtin;
use crate::ir::*;

/// Values that have to be true, or false.
pub(super) type Conditions = Vec<(Value, bool)>;

/// The most steps that a launch computes, and how deep they lie.
const STEPS: usize = 64;
const DEPTH: u32 = 32;

/// The conditions around an op that runs once where they hold; none in loops, and where any of them depends on more than
/// the launch. `computable` remembers which do not.
pub(super) fn around(tree: &Tree<'_>, op: OpId, computable: &mut BTreeMap<Value, bool>) -> Option<Conditions> {
    let mut conditions = vec![];
    for owner in tree.owners(op) {
        let Op::If { cond, .. } = tree.ops[owner].op else { return None };
        let known = computable.entry(*cond).or_insert_with(|| Steps::new(tree).value(*cond, DEPTH).is_some());
        if !*known {
            return None;
        }
        conditions.push((*cond, tree.arm(op, owner) == 0));
    }
    conditions.sort_unstable();
    Some(conditions)
}

/// The steps of two lists of conditions.
pub(super) fn computed(tree: &Tree<'_>, of: [&Conditions; 2]) -> Option<(Vec<Step>, [Vec<Condition>; 2])> {
    let mut steps = Steps::new(tree);
    let mut conditions = [vec![], vec![]];
    for (found, of) in conditions.iter_mut().zip(of) {
        for &(value, holds) in of {
            found.push(Condition { step: steps.value(value, DEPTH)?, holds });
        }
    }
    Some((steps.all, conditions))
}

struct Steps<'a, 'k> {
    tree: &'a Tree<'k>,
    all: Vec<Step>,
    known: BTreeMap<Value, u32>,
}

impl<'a, 'k> Steps<'a, 'k> {
    fn new(tree: &'a Tree<'k>) -> Steps<'a, 'k> {
        Steps { tree, all: vec![], known: BTreeMap::new() }
    }

    /// The step of a value; none where it is made of more than the launch decides.
    fn value(&mut self, value: Value, depth: u32) -> Option<u32> {
        if let Some(&step) = self.known.get(&value) {
            return Some(step);
        }
        let depth = depth.checked_sub(1)?;
        let of = match self.tree.def(value) {
            Def::Param => {
                let at = self.tree.function.params.iter().position(|param| param.value == value)?;
                StepOf::Param(at as u32)
            }
            Def::Result(id, k) => match self.tree.ops[id].op {
                Op::Const { bits, .. } => StepOf::Const(*bits),
                Op::Slot { slot, .. } => StepOf::Slot(*slot),
                Op::Tid { dim, .. } => StepOf::Tid(*dim),
                Op::Extent { array, dim, .. } => StepOf::Extent(*array, *dim),
                // What devices compute in bits of their own decides nothing here.
                Op::Pure { builtin, args, .. } if builtin.row().ulp == 0 => {
                    StepOf::Pure(*builtin, self.values(args, depth)?)
                }
                Op::If { cond, then, otherwise, .. } => {
                    self.joined(*cond, then.yields[k], otherwise.yields[k], depth)?
                }
                _ => return None,
            },
            Def::Cond(..) | Def::Carried(..) => return None,
        };
        if self.all.len() >= STEPS {
            return None;
        }
        self.all.push(Step { of, scalar: self.tree.function.scalar(value) });
        let step = self.all.len() as u32 - 1;
        self.known.insert(value, step);
        Some(step)
    }

    fn values(&mut self, values: &[Value], depth: u32) -> Option<Vec<u32>> {
        values.iter().map(|&v| self.value(v, depth)).collect()
    }

    /// What an `If` gives: of `a && b` and `a || b`, that.
    fn joined(&mut self, cond: Value, then: Value, otherwise: Value, depth: u32) -> Option<StepOf> {
        let is_bool = self.tree.function.scalar(then) == Scalar::Bool;
        let constant = |v: Value| self.tree.constant(v).filter(|_| is_bool);
        let (builtin, args) = match (constant(then), constant(otherwise)) {
            (_, Some(0)) => (Builtin::And, vec![cond, then]),
            (Some(1), _) => (Builtin::Or, vec![cond, otherwise]),
            _ => (Builtin::Select, vec![cond, then, otherwise]),
        };
        Some(StepOf::Pure(builtin, self.values(&args, depth)?))
    }
}
