//! Branches: both run on the same state, and what they changed meets after them.

use std::collections::BTreeSet;

use warp_ir::ir::{Op, Region, Scalar, Value};

use super::state::{Changes, Held};
use super::{Cell, Lower};
use crate::front::ast::*;
use crate::front::planted::{self, Bug};
use crate::front::types::Ty;

/// How deep branches may nest: below the IR's own limit, which counts loops and inlined functions too.
const DEEPEST: usize = 96;

/// A branch that was lowered: its region without yields, its value, what it changed.
struct Branch {
    region: Region,
    values: Vec<Value>,
    changes: Changes,
}

impl Lower<'_> {
    /// `if cond { then } else { otherwise }` with values of type `ty`.
    pub(super) fn either(
        &mut self,
        cond: Value,
        ty: &Ty,
        then: impl FnOnce(&mut Self) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        let then = self.branch(ty, then);
        let otherwise = self.branch(ty, otherwise);
        self.meet(cond, then, otherwise)
    }

    fn branch(&mut self, ty: &Ty, run: impl FnOnce(&mut Self) -> Vec<Value>) -> Branch {
        self.b.open(&[]);
        let mark = self.state.mark();
        self.depth += 1;
        let mut values = if self.too_deep() { vec![] } else { run(self) };
        self.depth -= 1;
        if values.len() != self.count(ty) {
            values = self.zeros(ty);
        }
        let region = self.b.close(&[]);
        Branch { region, values, changes: self.state.roll_back(mark) }
    }

    /// Code after a branch that leaves stands inside the other branch, so that also a long row of guards nests.
    fn too_deep(&mut self) -> bool {
        if self.depth > DEEPEST && !self.told_depth {
            self.told_depth = true;
            let span = self.body.expr(self.body.root).span;
            self.errors.refuse(
                span,
                format!(
                    "branches of this function are nested more than {DEEPEST} deep (statements after an early `return`, \
                     `break` or `continue` count as nested): move a part into a `#[func]`"
                ),
            );
        }
        self.depth > DEEPEST
    }

    fn meet(&mut self, cond: Value, mut then: Branch, mut otherwise: Branch) -> Vec<Value> {
        let mut yields: Vec<(Value, Value)> = vec![];
        let mut values: Vec<Leaf> = vec![];
        for (&y, &n) in then.values.iter().zip(&otherwise.values) {
            values.push(leaf(&mut yields, y, n));
        }
        let cells: BTreeSet<Cell> = then.changes.keys().chain(otherwise.changes.keys()).copied().collect();
        let mut joined: Vec<(Cell, Joined)> = vec![];
        for cell in cells {
            let old = self.state.get(cell).clone();
            if old == Held::Nothing {
                continue; // Its scope ended with the branch.
            }
            let y = then.changes.get(&cell).unwrap_or(&old).clone();
            let n = otherwise.changes.get(&cell).unwrap_or(&old).clone();
            let known = self.join(&y, &n, (&mut then.region, &mut otherwise.region), &mut yields);
            joined.push((cell, known));
        }
        then.region.yields = yields.iter().map(|(y, _)| *y).collect();
        otherwise.region.yields = yields.iter().map(|(_, n)| *n).collect();
        let results = match then.region.ops.is_empty() && otherwise.region.ops.is_empty() {
            true => yields.iter().map(|&(y, n)| self.b.select(cond, y, n)).collect(),
            false => self.b.push_if(cond, then.region, otherwise.region),
        };
        let pick = |leaf: &Leaf| match leaf {
            Leaf::Same(value) => *value,
            Leaf::Result(k) => results[*k],
        };
        for (cell, joined) in joined {
            let held = match joined {
                Joined::Held(held) => held,
                Joined::Leaves(leaves) => Held::Values(leaves.iter().map(pick).collect()),
                Joined::Condition => Held::Values(vec![cond]),
                Joined::Opposite => Held::Values(vec![self.b.not(cond)]),
            };
            self.state.set(cell, held);
        }
        values.iter().map(pick).collect()
    }

    /// How a cell goes on after two branches.
    fn join(
        &mut self,
        y: &Held,
        n: &Held,
        regions: (&mut Region, &mut Region),
        yields: &mut Vec<(Value, Value)>,
    ) -> Joined {
        match (y, n) {
            _ if y == n => return Joined::Held(y.clone()),
            (Held::Known(true), Held::Known(false)) => return Joined::Condition,
            (Held::Known(false), Held::Known(true)) => return Joined::Opposite,
            (Held::Nothing, _) | (_, Held::Nothing) => return Joined::Held(Held::Nothing),
            _ => {}
        }
        let types = self.types_of(y, n);
        let ys = self.materialise(y, &types, regions.0);
        let ns = self.materialise(n, &types, regions.1);
        Joined::Leaves(ys.into_iter().zip(ns).map(|(y, n)| leaf(yields, y, n)).collect())
    }

    fn types_of(&self, y: &Held, n: &Held) -> Vec<Scalar> {
        match (y, n) {
            (Held::Values(values), _) | (_, Held::Values(values)) => values.iter().map(|&v| self.b.scalar(v)).collect(),
            (Held::Uninit(scalars), _) | (_, Held::Uninit(scalars)) => scalars.clone(),
            _ => vec![Scalar::Bool],
        }
    }

    /// The values of a cell at the end of a closed region.
    fn materialise(&mut self, held: &Held, types: &[Scalar], region: &mut Region) -> Vec<Value> {
        let constant = |lower: &mut Self, region: &mut Region, scalar: Scalar, bits: u64| {
            let result = lower.b.value(scalar);
            region.ops.push(Op::Const { bits, result });
            result
        };
        match held {
            Held::Values(values) => values.clone(),
            Held::Known(flag) => vec![constant(self, region, Scalar::Bool, *flag as u64)],
            Held::Uninit(_) | Held::Nothing => types.iter().map(|&s| constant(self, region, s, 0)).collect(),
        }
    }

    /// `left && right`, `left || right`: the right side runs only when it decides.
    pub(super) fn logic(&mut self, and: bool, left: ExprId, right: ExprId) -> Vec<Value> {
        let first = self.scalar(left);
        if self.effects.is_simple(right) || planted::is(Bug::LogicRunsBothSides) {
            let second = self.scalar(right);
            return vec![if and { self.b.and(first, second) } else { self.b.or(first, second) }];
        }
        self.guarded(&Ty::BOOL, |lower| {
            let run = |l: &mut Self| vec![l.scalar(right)];
            match and {
                true => lower.either(first, &Ty::BOOL, run, |l| vec![l.b.bool(false)]),
                false => lower.either(first, &Ty::BOOL, |l| vec![l.b.bool(true)], run),
            }
        })
    }

    /// A condition with `let` in it, whose variables must outlive the branches of the chain that binds them.
    pub(super) fn condition(&mut self, cond: ExprId) -> Value {
        let mut declared = vec![];
        self.declare_chain(cond, &mut declared);
        let holds = self.scalar(cond);
        self.undeclare(&declared);
        holds
    }

    fn declare_chain(&mut self, cond: ExprId, declared: &mut Vec<VarId>) {
        match &self.body.expr(cond).kind {
            Kind::Logic { left, right, .. } => {
                self.declare_chain(*left, declared);
                self.declare_chain(*right, declared);
            }
            Kind::Let { pat, .. } => declared.extend(self.declare(*pat)),
            _ => {}
        }
    }
}

/// A leaf after two branches.
enum Leaf {
    Same(Value),
    /// A result of the `If`, by position.
    Result(usize),
}

/// A cell after two branches.
enum Joined {
    Held(Held),
    Leaves(Vec<Leaf>),
    /// The flag is the condition itself.
    Condition,
    Opposite,
}

fn leaf(yields: &mut Vec<(Value, Value)>, y: Value, n: Value) -> Leaf {
    if y == n {
        return Leaf::Same(y);
    }
    let at = yields.iter().position(|pair| *pair == (y, n)).unwrap_or_else(|| {
        yields.push((y, n));
        yields.len() - 1
    });
    Leaf::Result(at)
}
