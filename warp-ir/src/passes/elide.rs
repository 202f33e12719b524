//! Elision: checks that range facts prove go, and branches on proven conditions become certain.
//!
//! A check whose failure is certain stays, since it reports.

use super::facts::{Covered, Def, Facts};
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// How many extents a result of an `If` is compared with.
const EXTENTS: usize = 8;

/// Elides checks; `covered` is what the launch promises. Gives the promises that were needed.
pub(super) fn elide_checks(function: &mut Function, covered: Vec<Covered>) -> Elided {
    let facts = Facts::new(function, covered);
    let mut body = std::mem::take(&mut function.body);
    let mut pass = Elide { facts, function, dropped: 0, decided: 0 };
    pass.region(&mut body);
    let elided = Elided { dropped: pass.dropped, decided: pass.decided, needed: pass.facts.needed() };
    function.body = body;
    elided
}

/// What elision did.
pub(super) struct Elided {
    /// Checks that are gone.
    pub(super) dropped: usize,
    /// Branches whose outcome is certain now.
    pub(super) decided: usize,
    /// Promises of the launch that this needed.
    pub(super) needed: Vec<Covered>,
}

struct Elide<'f> {
    facts: Facts,
    function: &'f mut Function,
    dropped: usize,
    decided: usize,
}

/// What is known of a value where an arm ends: bounds, and which extents it is below.
struct Exit {
    bounds: (i128, i128),
    below: Vec<Value>,
}

impl Elide<'_> {
    fn region(&mut self, region: &mut Region) {
        let ops = std::mem::take(&mut region.ops);
        region.ops.reserve(ops.len());
        for mut op in ops {
            match &mut op {
                Op::Check { cond, .. } => {
                    if self.facts.decide_for_good(*cond) == Some(true) {
                        self.dropped += 1;
                        continue;
                    }
                    self.facts.assume(*cond, true);
                }
                Op::If { cond, then, otherwise, results } => {
                    let truth = self.facts.decide_for_good(*cond);
                    self.branch(*cond, [then, otherwise], results);
                    if let Some(truth) = truth {
                        *cond = self.certain(*cond, truth, &mut region.ops);
                    }
                }
                Op::Loop { inits, cond, body, results } => self.repeat(inits, cond, body, results),
                _ => {}
            }
            region.ops.push(op);
        }
    }

    /// A constant in the place of a decided condition, unless that is one already.
    fn certain(&mut self, cond: Value, truth: bool, out: &mut Vec<Op>) -> Value {
        if matches!(self.facts.def(cond), Def::Const(_)) {
            return cond;
        }
        self.decided += 1;
        let result = self.function.value(Scalar::Bool);
        out.push(Op::Const { bits: truth as u64, result });
        result
    }

    fn branch(&mut self, cond: Value, arms: [&mut Region; 2], results: &[Value]) {
        let mut exits = vec![];
        for (arm, truth) in arms.into_iter().zip([true, false]) {
            let scope = self.facts.enter();
            self.facts.assume(cond, truth);
            self.region(arm);
            exits.push(self.exits(&arm.yields));
            if !planted::is(Bug::ElideKeepsFactsOfArms) {
                self.facts.leave(scope);
            }
        }
        let (otherwise, then) = (exits.pop().unwrap_or_default(), exits.pop().unwrap_or_default());
        for ((&result, t), o) in results.iter().zip(then).zip(otherwise) {
            let (Some(t), Some(o)) = (t, o) else { continue };
            self.within(result, (t.bounds.0.min(o.bounds.0), t.bounds.1.max(o.bounds.1)));
            for extent in t.below.into_iter().filter(|e| o.below.contains(e)) {
                self.facts.order(Some(result), Some(extent), -1);
            }
        }
    }

    fn exits(&mut self, yields: &[Value]) -> Vec<Option<Exit>> {
        yields.iter().map(|&value| self.function.scalar(value).is_int().then(|| self.exit(value))).collect()
    }

    fn exit(&mut self, value: Value) -> Exit {
        let bounds = self.facts.bounds(value);
        let mut below = vec![];
        if self.function.scalar(value) == Scalar::U64 {
            let extents: Vec<Value> = self.facts.extents().map(|(_, _, extent)| extent).take(EXTENTS).collect();
            below.extend(extents.into_iter().filter(|&extent| self.facts.at_most(value, extent, -1)));
        }
        Exit { bounds, below }
    }

    fn within(&mut self, value: Value, (low, high): (i128, i128)) {
        self.facts.order(None, Some(value), -low);
        self.facts.order(Some(value), None, high);
    }

    fn repeat(&mut self, inits: &[Value], cond: &mut Region, body: &mut Region, results: &[Value]) {
        let ints: Vec<usize> = (0..inits.len()).filter(|&k| self.function.scalar(inits[k]).is_int()).collect();
        // A loop may run no turn: its condition says nothing of what it began with, once it is over.
        let first: Vec<_> = ints.iter().map(|&k| self.facts.bounds(inits[k])).collect();
        let scope = self.facts.enter();
        self.facts.assume(cond.yields[0], true);
        let turns: Vec<Turns> = ints.iter().map(|&k| self.turns(inits[k], body.params[k], body.yields[k])).collect();
        for (&k, turns) in ints.iter().zip(&turns) {
            self.learn_carried(turns, turns.first, inits[k], body.params[k]);
        }
        self.region(body);
        self.facts.leave(scope);
        for ((&k, turns), first) in ints.iter().zip(&turns).zip(first) {
            let first = if planted::is(Bug::ElideTrustsConditionAfterLoop) { turns.first } else { first };
            self.learn_carried(turns, first, inits[k], results[k]);
        }
    }

    /// What holds of a carried value in every turn. The condition is assumed, and nothing else of this turn.
    fn turns(&mut self, init: Value, param: Value, next: Value) -> Turns {
        let (first, later) = (self.facts.bounds(init), self.facts.bounds(next));
        let (low, high) = self.facts.bounds(param);
        let (smallest, largest) = self.facts.range(param);
        let steps = self.steps(next, param, 8);
        let rises = planted::is(Bug::ElideTrustsCounters)
            || steps.is_some_and(|(least, most)| least >= 0 && high + most <= largest);
        let falls = steps.is_some_and(|(least, most)| most <= 0 && low + least >= smallest);
        Turns { first, later, rises, falls }
    }

    /// The constants that `value` may be `from` plus, modulo the type.
    fn steps(&self, value: Value, from: Value, depth: u32) -> Option<(i128, i128)> {
        if value == from {
            return Some((0, 0));
        }
        let depth = depth.checked_sub(1)?;
        let both = |a, b| {
            let ((a, b), (c, d)) = (self.steps(a, from, depth)?, self.steps(b, from, depth)?);
            Some((a.min(c), b.max(d)))
        };
        match self.facts.def(value) {
            Def::Pure(Builtin::Add, [a, b, _]) => {
                let (start, step) = match self.facts.constant(b) {
                    Some(step) => (a, step),
                    None => (b, self.facts.constant(a)?),
                };
                let (least, most) = self.steps(start, from, depth)?;
                Some((least + step, most + step))
            }
            Def::Pure(Builtin::Sub, [a, b, _]) => {
                let step = self.facts.constant(b)?;
                let (least, most) = self.steps(a, from, depth)?;
                Some((least - step, most - step))
            }
            Def::Pure(Builtin::Select, [_, a, b]) | Def::Joined(_, [a, b]) => both(a, b),
            _ => None,
        }
    }

    /// `first` are the bounds of the init where `value` stands.
    fn learn_carried(&mut self, turns: &Turns, first: (i128, i128), init: Value, value: Value) {
        self.within(value, (first.0.min(turns.later.0), first.1.max(turns.later.1)));
        let (x, kx) = self.facts.term(init);
        if turns.rises {
            self.facts.order(x, Some(value), -kx);
        }
        if turns.falls {
            self.facts.order(Some(value), x, kx);
        }
    }
}

/// What the turns of a loop make of a carried value.
struct Turns {
    /// Bounds of its init, in a turn.
    first: (i128, i128),
    /// Bounds of what a turn leaves in it.
    later: (i128, i128),
    /// It is never below its init.
    rises: bool,
    /// It is never above its init.
    falls: bool,
}
