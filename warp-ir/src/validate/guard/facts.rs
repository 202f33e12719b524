//! What is known to hold at a place: conditions of dominating checks and enclosing ifs, and the orders they imply.

use std::cell::Cell;
use std::collections::HashMap;

use crate::builtins::Builtin;
use crate::ir::{ArrayId, Function, Op, Region, Scalar, Value};
use crate::planted::{self, Bug};

/// A `U64` quantity, so that two ops that ask the same extent are one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    Const(u64),
    Extent(ArrayId, u8),
    Value(Value),
}

/// How far conditions are looked into. Longer ones are allowed, and prove less.
const LOOK: usize = 48;

/// How many values of one condition lead to it, when something about them is to be shown.
const MENTIONS: usize = 12;

/// Steps that all proofs may take together, for each op: proofs of ordinary programs take a few dozen.
const FUEL: usize = 512;

/// Known facts. All lists are undone to their length by [`leave`](Facts::leave).
pub(super) struct Facts<'k> {
    pub(super) function: &'k Function,
    defs: Vec<Option<&'k Op>>,
    /// What the parameters of a loop's condition stand for here: those of its body, and its results behind it.
    same: HashMap<Value, Value>,
    /// `Sub(a, b)` values by their terms: lengths of parts.
    differences: HashMap<(Term, Term), Vec<Value>>,
    /// `a < b` and `a <= b` on `U64`, by the greater side.
    below: HashMap<Term, Vec<(Term, Order)>>,
    /// The same, by the smaller side.
    above: HashMap<Term, Vec<(Term, Order)>>,
    /// Conditions known, by the values that they mention.
    mentions: HashMap<Value, Vec<(Value, bool)>>,
    trail: Vec<Step>,
    /// Steps left. Without any, facts are no longer found, and proofs fail.
    fuel: Cell<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Less,
    LessOrEqual,
}

enum Step {
    Order(Term, Term),
    Mention(Value),
}

impl<'k> Facts<'k> {
    pub(super) fn new(function: &'k Function) -> Facts<'k> {
        let mut facts = Facts {
            function,
            defs: vec![None; function.values.len()],
            same: HashMap::new(),
            differences: HashMap::new(),
            below: HashMap::new(),
            above: HashMap::new(),
            mentions: HashMap::new(),
            trail: Vec::new(),
            fuel: Cell::new(FUEL),
        };
        facts.index(&function.body);
        facts
    }

    fn index(&mut self, region: &'k Region) {
        self.fuel.set(self.fuel.get() + region.ops.len() * FUEL);
        for op in &region.ops {
            let shape = op.shape();
            for result in shape.results {
                self.defs[result.0 as usize] = Some(op);
            }
            if let Op::Pure { builtin: Builtin::Sub, args, result } = op
                && self.function.scalar(*result) == Scalar::U64
            {
                let key = (self.term(args[0]), self.term(args[1]));
                self.differences.entry(key).or_default().push(*result);
            }
            for nested in shape.regions {
                self.index(nested);
            }
        }
    }

    /// The builtin and operands that define a value.
    pub(super) fn pure(&self, value: Value) -> Option<(Builtin, &'k [Value])> {
        match self.defs[value.0 as usize] {
            Some(Op::Pure { builtin, args, .. }) => Some((*builtin, args)),
            _ => None,
        }
    }

    /// The op that defines a value; none for parameters.
    pub(super) fn def(&self, value: Value) -> Option<&'k Op> {
        self.defs[value.0 as usize]
    }

    pub(super) fn constant(&self, value: Value) -> Option<u64> {
        match self.defs[value.0 as usize] {
            Some(Op::Const { bits, .. }) => Some(*bits),
            _ => None,
        }
    }

    /// From here on the parameters of a loop's condition are these values.
    pub(super) fn rename(&mut self, params: &[Value], values: &[Value]) {
        self.same.extend(params.iter().copied().zip(values.iter().copied()));
    }

    /// The value that stands for a value.
    pub(super) fn same(&self, value: Value) -> Value {
        self.same.get(&value).copied().unwrap_or(value)
    }

    pub(super) fn term(&self, value: Value) -> Term {
        match self.defs[value.0 as usize] {
            Some(Op::Const { bits, .. }) => Term::Const(*bits),
            Some(Op::Extent { array, .. }) if planted::is(Bug::GuardIgnoresDimension) => Term::Extent(*array, 0),
            Some(Op::Extent { array, dim, .. }) => Term::Extent(*array, *dim),
            _ => Term::Value(self.same(value)),
        }
    }

    /// Values that compute `a - b`.
    pub(super) fn differences(&self, a: Term, b: Term) -> &[Value] {
        self.differences.get(&(a, b)).map_or(&[], Vec::as_slice)
    }

    /// The latest known terms below (or equal to) `term`, latest first.
    pub(super) fn below(&self, term: Term) -> impl Iterator<Item = (Term, Order)> + '_ {
        self.below
            .get(&term)
            .into_iter()
            .flat_map(|list| list.iter().rev().take(LOOK).copied())
            .take_while(|_| self.burn())
    }

    /// The latest known terms above (or equal to) `term`, latest first.
    pub(super) fn above(&self, term: Term) -> impl Iterator<Item = (Term, Order)> + '_ {
        self.above
            .get(&term)
            .into_iter()
            .flat_map(|list| list.iter().rev().take(LOOK).copied())
            .take_while(|_| self.burn())
    }

    /// The latest conditions known about `value`, with what they are known to be.
    pub(super) fn about(&self, value: Value) -> impl Iterator<Item = (Value, bool)> + '_ {
        self.mentions
            .get(&value)
            .into_iter()
            .flat_map(|list| list.iter().rev().take(LOOK).copied())
            .take_while(|_| self.burn())
    }

    /// Takes one step, unless none are left.
    pub(super) fn burn(&self) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left > 0
    }

    pub(super) fn enter(&self) -> usize {
        self.trail.len()
    }

    pub(super) fn leave(&mut self, scope: usize) {
        if planted::is(Bug::GuardKeepsFactsOfArms) {
            return;
        }
        for step in self.trail.drain(scope..) {
            match step {
                Step::Order(small, great) => {
                    self.below.get_mut(&great).map(Vec::pop);
                    self.above.get_mut(&small).map(Vec::pop);
                }
                Step::Mention(value) => {
                    self.mentions.get_mut(&value).map(Vec::pop);
                }
            }
        }
    }

    /// Learns that `cond` is `truth`.
    pub(super) fn assume(&mut self, cond: Value, truth: bool) {
        self.assume_orders(cond, truth, &mut { LOOK });
        self.mention(cond, truth);
    }

    /// Remembers a condition with each value that it mentions.
    fn mention(&mut self, cond: Value, truth: bool) {
        let mut mentioned = Vec::new();
        self.leaves(cond, &mut mentioned);
        for value in mentioned {
            self.mentions.entry(value).or_default().push((cond, truth));
            self.trail.push(Step::Mention(value));
        }
    }

    fn assume_orders(&mut self, cond: Value, truth: bool, look: &mut usize) {
        if *look == 0 {
            return;
        }
        *look -= 1;
        if let Some((arm, taken)) = self.arm_of(cond, truth) {
            self.mention(arm, taken);
            return self.assume_orders(arm, taken, look);
        }
        let Some((builtin, args)) = self.pure(cond) else { return };
        match (builtin, truth, args) {
            (Builtin::And, true, &[a, b]) | (Builtin::Or, false, &[a, b]) => {
                self.assume_orders(a, truth, look);
                self.assume_orders(b, truth, look);
            }
            (Builtin::Not, _, &[a]) => self.assume_orders(a, !truth, look),
            // `a && b` and `a || b` as selects.
            (Builtin::Select, true, &[c, a, b]) if self.constant(b) == Some(0) => {
                self.assume_orders(c, true, look);
                self.assume_orders(a, true, look);
            }
            (Builtin::Select, false, &[c, a, b]) if self.constant(a) == Some(1) => {
                self.assume_orders(c, false, look);
                self.assume_orders(b, false, look);
            }
            (Builtin::Eq, true, &[a, b]) | (Builtin::Ne, false, &[a, b]) if self.function.scalar(a) == Scalar::U64 => {
                let (a, b) = (self.term(a), self.term(b));
                self.learn(a, b, Order::LessOrEqual);
                self.learn(b, a, Order::LessOrEqual);
            }
            (Builtin::Lt | Builtin::Le, _, &[a, b]) if self.function.scalar(a) == Scalar::U64 => {
                let (a, b) = (self.term(a), self.term(b));
                match (builtin, truth) {
                    (Builtin::Lt, true) => self.learn(a, b, Order::Less),
                    (Builtin::Lt, false) => self.learn(b, a, Order::LessOrEqual),
                    (_, true) if planted::is(Bug::GuardTakesEqualForLess) => self.learn(a, b, Order::Less),
                    (_, true) => self.learn(a, b, Order::LessOrEqual),
                    (_, false) => self.learn(b, a, Order::Less),
                }
            }
            _ => {}
        }
    }

    /// For a result of an `If` one of whose arms yields a constant: if that is not `truth`, the other arm ran, so that
    /// the `If`'s own condition is known.
    fn arm_of(&self, value: Value, truth: bool) -> Option<(Value, bool)> {
        let Some(Op::If { cond, then, otherwise, results }) = self.def(value) else { return None };
        let at = results.iter().position(|result| *result == value)?;
        let yields_other = |region: &Region| {
            region.yields.get(at).and_then(|&v| self.constant(v)).is_some_and(|bits| (bits & 1 == 1) != truth)
        };
        match (yields_other(then), yields_other(otherwise)) {
            (true, _) => Some((*cond, false)),
            (_, true) => Some((*cond, true)),
            _ => None,
        }
    }

    fn learn(&mut self, small: Term, great: Term, order: Order) {
        // What is known once is not said again: the same check many times over must not crowd others out.
        let known =
            self.above.get(&small).is_some_and(|list| list.iter().rev().take(LOOK).any(|k| *k == (great, order)));
        if known {
            return;
        }
        self.below.entry(great).or_default().push((small, order));
        self.above.entry(small).or_default().push((great, order));
        self.trail.push(Step::Order(small, great));
    }

    /// Values in the expression of `cond`, itself included.
    fn leaves(&self, cond: Value, found: &mut Vec<Value>) {
        let cond = self.same(cond);
        if found.len() >= MENTIONS || found.contains(&cond) {
            return;
        }
        found.push(cond);
        if let Some((_, args)) = self.pure(cond) {
            args.iter().for_each(|&a| self.leaves(a, found));
        }
    }
}
