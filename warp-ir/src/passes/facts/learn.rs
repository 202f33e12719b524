//! Facts from conditions.

use super::{Def, Facts, Term, Undo};
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// How deep a condition is looked into.
const DEPTH: u32 = 24;

impl Facts {
    /// Learns that a condition holds, or that it does not, until the scope is left.
    pub(in super::super) fn assume(&mut self, cond: Value, truth: bool) {
        self.learn(cond, truth, DEPTH);
    }

    fn learn(&mut self, cond: Value, truth: bool, depth: u32) {
        if depth == 0 || self.known[cond.0 as usize].is_some() {
            return;
        }
        self.known[cond.0 as usize] = Some(truth);
        self.trail.push(Undo::Known(cond));
        let depth = depth - 1;
        match self.def(cond) {
            Def::Pure(builtin, args) => self.learn_pure(builtin, args, truth, depth),
            Def::Joined(decider, [then, otherwise]) => {
                // One arm yields the opposite: the other one ran.
                if self.known[then.0 as usize] == Some(!truth) {
                    self.learn(decider, false, depth);
                    self.learn(otherwise, truth, depth);
                } else if self.known[otherwise.0 as usize] == Some(!truth) {
                    self.learn(decider, true, depth);
                    self.learn(then, truth, depth);
                }
            }
            _ => {}
        }
    }

    fn learn_pure(&mut self, builtin: Builtin, [a, b, c]: [Value; 3], truth: bool, depth: u32) {
        match (builtin, truth) {
            (Builtin::Not, _) => self.learn(a, !truth, depth),
            (Builtin::And, true) | (Builtin::Or, false) => {
                self.learn(a, truth, depth);
                self.learn(b, truth, depth);
            }
            (Builtin::And, false) | (Builtin::Or, true) => {
                // One side is known not to decide, so the other one does.
                if self.known[a.0 as usize] == Some(!truth) {
                    self.learn(b, truth, depth);
                } else if self.known[b.0 as usize] == Some(!truth) {
                    self.learn(a, truth, depth);
                }
            }
            (Builtin::Select, _) if self.known[b.0 as usize] == Some(!truth) => {
                self.learn(a, false, depth);
                self.learn(c, truth, depth);
            }
            (Builtin::Select, _) if self.known[c.0 as usize] == Some(!truth) => {
                self.learn(a, true, depth);
                self.learn(b, truth, depth);
            }
            (Builtin::Lt | Builtin::Le | Builtin::Eq | Builtin::Ne, _) if self.scalar(a).is_int() => {
                self.learn_order(builtin, a, b, truth, depth)
            }
            _ => {}
        }
    }

    fn learn_order(&mut self, builtin: Builtin, a: Value, b: Value, truth: bool, depth: u32) {
        match (builtin, truth) {
            (Builtin::Lt, true) => self.below(a, b, -1, depth),
            (Builtin::Lt, false) => self.below(b, a, 0, depth),
            (Builtin::Le, true) => self.below(a, b, -(planted::is(Bug::ElideTakesEqualForLess) as i128), depth),
            (Builtin::Le, false) => self.below(b, a, -1, depth),
            (Builtin::Eq, true) | (Builtin::Ne, false) => {
                self.below(a, b, 0, depth);
                self.below(b, a, 0, depth);
            }
            _ if self.proving => {}
            // Different, and one known not to be above the other.
            _ if self.at_most(a, b, 0) => self.below(a, b, -1, depth),
            _ if self.at_most(b, a, 0) => self.below(b, a, -1, depth),
            _ => {}
        }
    }

    /// Learns `a <= b + k`.
    fn below(&mut self, a: Value, b: Value, k: i128, depth: u32) {
        let (x, kx) = self.term(a);
        let (y, ky) = self.term(b);
        self.order(x, y, k + ky - kx);
        if !self.proving {
            self.learn_of_summands(a, y, k + ky);
            self.learn_nonempty(b, depth);
        }
    }

    /// `a <= y + k` says something of `p` where `a` is `p + q` or `p - q`.
    fn learn_of_summands(&mut self, a: Value, y: Term, k: i128) {
        let Some((builtin, p, q)) = self.pure(a) else { return };
        let unsigned = !self.scalar(a).is_signed();
        match builtin {
            Builtin::Add if self.sums_exactly(p, q) => {
                for (one, other) in [(p, q), (q, p)] {
                    let least = self.bounds(other).0;
                    if self.constant(one).is_none() {
                        self.order(Some(self.same(one)), y, k - least);
                    }
                }
            }
            // Wrapping at the bottom makes a difference larger, which does no harm.
            Builtin::Sub if unsigned && self.constant(p).is_none() => {
                let most = self.bounds(q).1;
                self.order(Some(self.same(p)), y, k + most);
            }
            _ => {}
        }
    }

    /// `b` is known to be above 0 now, perhaps. Where it is `if c { n } else { 0 }`, then `c` holds, and `b` is `n`.
    fn learn_nonempty(&mut self, b: Value, depth: u32) {
        let Def::Pure(Builtin::Select, [cond, n, zero]) = self.def(b) else { return };
        if self.constant(zero) == Some(0) && self.prove(None, Some(b), -1) {
            self.learn(cond, true, depth);
            self.order(Some(self.same(b)), Some(self.same(n)), 0);
            self.order(Some(self.same(n)), Some(self.same(b)), 0);
        }
    }

    /// Learns `x <= y + k`.
    pub(in super::super) fn order(&mut self, x: Term, y: Term, k: i128) {
        if let Some(x) = x {
            self.above[x.0 as usize].push((y, k));
        }
        if let Some(y) = y {
            self.below[y.0 as usize].push((x, k));
        }
        self.trail.push(Undo::Order(x, y));
    }

    /// A value as a term and a number to add.
    pub(in super::super) fn term(&self, value: Value) -> (Term, i128) {
        match self.constant(value) {
            Some(number) => (None, number),
            None => (Some(self.same(value)), 0),
        }
    }
}
