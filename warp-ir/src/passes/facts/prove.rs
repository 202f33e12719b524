//! Proofs of `x <= y + k`: a bounded search along facts and definitions.

use super::{Def, Facts, Term, range};
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// Steps of one proof.
const BUDGET: u32 = 400;

/// Conditions, and parts of conditions, that are looked at for one decision.
const CONDITIONS: u32 = 64;

/// Length of a chain.
const DEPTH: u32 = 10;

/// Coordinates and extents are at most these.
const TID: i128 = (1 << 62) - 1;
const EXTENT: i128 = (1 << 48) - 1;

impl Facts {
    /// Whether a condition is known to be true or known to be false here.
    fn decide(&mut self, cond: Value) -> Option<bool> {
        self.decide_within(cond, &mut { CONDITIONS })
    }

    /// [`decide`](Facts::decide), while there are conditions left to look at: those of a condition share their parts, so
    /// that there may be many more ways through it than ops.
    fn decide_within(&mut self, cond: Value, left: &mut u32) -> Option<bool> {
        if self.known[cond.0 as usize].is_some() {
            return self.known[cond.0 as usize];
        }
        let Def::Pure(builtin, [a, b, _]) = self.def(cond) else { return None };
        *left = left.checked_sub(1)?;
        match builtin {
            Builtin::Not => self.decide_within(a, left).map(|t| !t),
            Builtin::And => self.decide_both(a, b, true, left),
            Builtin::Or => self.decide_both(a, b, false, left),
            _ if !self.scalar(a).is_int() => None,
            Builtin::Lt => self.decide_order(a, b, -1),
            Builtin::Le => self.decide_order(a, b, 0),
            Builtin::Eq => self.decide_equal(a, b),
            Builtin::Ne => self.decide_equal(a, b).map(|t| !t),
            _ => None,
        }
    }

    /// [`decide`](Facts::decide) for a decision that is acted on: promises of the launch that did not lead to one do not
    /// count as needed.
    pub(in super::super) fn decide_for_good(&mut self, cond: Value) -> Option<bool> {
        let needed: Vec<bool> = self.covered.iter().map(|(_, needed)| *needed).collect();
        let decided = self.decide(cond);
        if decided.is_none() {
            self.covered.iter_mut().zip(needed).for_each(|(covered, needed)| covered.1 = needed);
        }
        decided
    }

    /// `a && b` (`all`), or `a || b`.
    fn decide_both(&mut self, a: Value, b: Value, all: bool, left: &mut u32) -> Option<bool> {
        let first = self.decide_within(a, left);
        if first == Some(!all) {
            return first;
        }
        match self.decide_within(b, left) {
            Some(second) if second != all => Some(second),
            second => first.and(second),
        }
    }

    /// `a <= b + k`.
    fn decide_order(&mut self, a: Value, b: Value, k: i128) -> Option<bool> {
        if self.at_most(a, b, k) {
            Some(true)
        } else if self.at_most(b, a, -k - 1) {
            Some(false)
        } else {
            None
        }
    }

    fn decide_equal(&mut self, a: Value, b: Value) -> Option<bool> {
        let (ab, ba) = (self.at_most(a, b, 0), self.at_most(b, a, 0));
        if ab && ba {
            return Some(true);
        }
        (self.at_most(a, b, -1) || self.at_most(b, a, -1)).then_some(false)
    }

    /// Whether `a <= b + k` for certain.
    pub(in super::super) fn at_most(&mut self, a: Value, b: Value, k: i128) -> bool {
        let (x, kx) = self.term(a);
        let (y, ky) = self.term(b);
        self.prove(x, y, k + ky - kx)
    }

    /// Whether `x <= y + k` for certain.
    pub(in super::super) fn prove(&mut self, x: Term, y: Term, k: i128) -> bool {
        self.budget = BUDGET;
        let outer = std::mem::replace(&mut self.proving, true);
        let shown = self.search(x, y, k, DEPTH);
        self.proving = outer;
        shown
    }

    /// Constant bounds of an integer value, the smallest and the largest number that it can be.
    pub(in super::super) fn bounds(&mut self, value: Value) -> (i128, i128) {
        self.budget = BUDGET;
        (self.lower(value, 4), self.upper(value, 4))
    }

    /// The largest number that a value can be, as far as one can tell.
    fn upper(&mut self, value: Value, depth: u32) -> i128 {
        if let Some(number) = self.constant(value) {
            return number;
        }
        let value = self.same(value);
        let mut bound = self.largest(value);
        if depth > 0 && self.spend() {
            for at in 0..self.above[value.0 as usize].len() {
                let (y, k) = self.above[value.0 as usize][at];
                bound = bound.min(y.map_or(0, |y| self.upper(y, depth - 1)) + k);
            }
            bound = bound.min(self.upper_by_definition(value, depth - 1).unwrap_or(bound));
        }
        bound
    }

    /// The smallest number that a value can be, as far as one can tell.
    fn lower(&mut self, value: Value, depth: u32) -> i128 {
        if let Some(number) = self.constant(value) {
            return number;
        }
        let value = self.same(value);
        let mut bound = self.smallest(value);
        if depth > 0 && self.spend() {
            for at in 0..self.below[value.0 as usize].len() {
                let (x, k) = self.below[value.0 as usize][at];
                bound = bound.max(x.map_or(0, |x| self.lower(x, depth - 1)) - k);
            }
            bound = bound.max(self.lower_by_definition(value, depth - 1).unwrap_or(bound));
        }
        bound
    }

    fn largest(&self, value: Value) -> i128 {
        match self.def(value) {
            Def::Tid(_) => TID,
            Def::Extent => EXTENT,
            Def::Pure(Builtin::CountOnes | Builtin::LeadingZeros | Builtin::TrailingZeros, [a, ..]) => {
                i128::from(self.scalar(a).bits())
            }
            _ => range(self.scalar(value)).1,
        }
    }

    fn smallest(&self, value: Value) -> i128 {
        range(self.scalar(value)).0
    }

    fn upper_by_definition(&mut self, value: Value, depth: u32) -> Option<i128> {
        let (builtin, a, b) = self.pure(value)?;
        let unsigned = !self.scalar(value).is_signed();
        match builtin {
            Builtin::Add if self.adds_without_wrap(a, b, depth) => Some(self.upper(a, depth) + self.upper(b, depth)),
            Builtin::Sub if unsigned && self.lower(a, depth) >= self.upper(b, depth) => {
                Some(self.upper(a, depth) - self.lower(b, depth))
            }
            Builtin::Mul if unsigned => self.upper(a, depth).checked_mul(self.upper(b, depth)),
            // Asked once: a second answer may be worse, when the steps have run out.
            Builtin::Div if self.lower(a, depth) >= 0 => {
                let least = self.lower(b, depth);
                (least >= 1).then(|| self.upper(a, depth) / least)
            }
            Builtin::Rem if unsigned || self.lower(b, depth) >= 1 => Some(self.upper(b, depth) - 1),
            Builtin::And if self.lower(a, depth) >= 0 && self.lower(b, depth) >= 0 => {
                Some(self.upper(a, depth).min(self.upper(b, depth)))
            }
            Builtin::Shr if self.lower(a, depth) >= 0 => {
                let shift = self.constant(b).unwrap_or(0) & i128::from(self.scalar(value).bits() - 1);
                Some(self.upper(a, depth) >> shift)
            }
            Builtin::Min => Some(self.upper(a, depth).min(self.upper(b, depth))),
            Builtin::Max => Some(self.upper(a, depth).max(self.upper(b, depth))),
            Builtin::Select => {
                let [t, o] = self.choices(value)?;
                Some(self.upper(t, depth).max(self.upper(o, depth)))
            }
            Builtin::Cast if self.scalar(a) == Scalar::Bool => Some(1),
            Builtin::Cast if self.casts_exactly(a, value, depth) => Some(self.upper(a, depth)),
            _ => None,
        }
    }

    fn lower_by_definition(&mut self, value: Value, depth: u32) -> Option<i128> {
        let (builtin, a, b) = self.pure(value)?;
        match builtin {
            Builtin::Add if self.adds_without_wrap(a, b, depth) => Some(self.lower(a, depth) + self.lower(b, depth)),
            Builtin::Div if self.lower(a, depth) >= 0 && self.lower(b, depth) >= 1 => Some(0),
            Builtin::Rem | Builtin::Shr if self.lower(a, depth) >= 0 => Some(0),
            Builtin::And if self.lower(a, depth) >= 0 || self.lower(b, depth) >= 0 => Some(0),
            Builtin::Min => Some(self.lower(a, depth).min(self.lower(b, depth))),
            Builtin::Max => Some(self.lower(a, depth).max(self.lower(b, depth))),
            Builtin::Select => {
                let [t, o] = self.choices(value)?;
                Some(self.lower(t, depth).min(self.lower(o, depth)))
            }
            Builtin::Cast if self.scalar(a) == Scalar::Bool => Some(0),
            Builtin::Cast if self.casts_exactly(a, value, depth) => Some(self.lower(a, depth)),
            _ => None,
        }
    }

    /// The two values that a select chooses from.
    fn choices(&self, value: Value) -> Option<[Value; 2]> {
        match self.def(value) {
            Def::Pure(Builtin::Select, [_, a, b]) => Some([a, b]),
            _ => None,
        }
    }

    /// Whether the sum of two numbers is a number of their type.
    fn adds_without_wrap(&mut self, a: Value, b: Value, depth: u32) -> bool {
        let (smallest, largest) = range(self.scalar(a));
        self.scalar(a).is_int()
            && self.upper(a, depth) + self.upper(b, depth) <= largest
            && self.lower(a, depth) + self.lower(b, depth) >= smallest
    }

    /// The same, in a new proof.
    pub(super) fn sums_exactly(&mut self, a: Value, b: Value) -> bool {
        self.budget = BUDGET;
        self.adds_without_wrap(a, b, 4)
    }

    /// Whether a cast between integers keeps the number.
    fn casts_exactly(&mut self, from: Value, to: Value, depth: u32) -> bool {
        if !self.scalar(from).is_int() || !self.scalar(to).is_int() {
            return false;
        }
        let (smallest, largest) = range(self.scalar(to));
        let (low, high) = range(self.scalar(from));
        (low >= smallest || self.lower(from, depth) >= smallest)
            && (high <= largest || self.upper(from, depth) <= largest)
    }

    fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }

    /// Whether `x <= y + k`, by chains of at most `depth` steps.
    fn search(&mut self, x: Term, y: Term, k: i128, depth: u32) -> bool {
        let (x, k) = match x.map(|x| self.term(x)) {
            Some((x, number)) => (x, k - number),
            None => (None, k),
        };
        let (y, k) = match y.map(|y| self.term(y)) {
            Some((y, number)) => (y, k + number),
            None => (None, k),
        };
        if x == y {
            return k >= 0;
        }
        if x.map_or(0, |x| self.largest(x)) <= y.map_or(0, |y| self.smallest(y)) + k {
            return true;
        }
        if depth == 0 || !self.spend() {
            return false;
        }
        self.by_facts(x, y, k, depth - 1)
            || x.is_some_and(|x| self.down_from(x, y, k, depth - 1))
            || y.is_some_and(|y| self.up_to(x, y, k, depth - 1))
    }

    fn by_facts(&mut self, x: Term, y: Term, k: i128, depth: u32) -> bool {
        match (x, y) {
            (Some(x), _) => {
                (0..self.above[x.0 as usize].len()).rev().any(|at| {
                    let (next, step) = self.above[x.0 as usize][at];
                    self.search(next, y, k - step, depth)
                }) || self.by_cover(x, y, k, depth)
            }
            (None, Some(y)) => {
                (0..self.below[y.0 as usize].len()).rev().any(|at| {
                    let (next, step) = self.below[y.0 as usize][at];
                    self.search(None, next, k - step, depth)
                }) || self.by_cover_below(y, k, depth)
            }
            (None, None) => false,
        }
    }

    /// A coordinate is below each extent that the launch is promised not to exceed.
    fn by_cover(&mut self, x: Value, y: Term, k: i128, depth: u32) -> bool {
        let Def::Tid(dim) = self.def(x) else { return false };
        (0..self.covered.len()).any(|at| {
            let (covered, _) = self.covered[at];
            let Some(&extent) = self.extents.get(&(covered.array, covered.dim)) else { return false };
            let shown = covered.tid_dim == dim && self.search(Some(extent), y, k + 1, depth);
            self.covered[at].1 |= shown;
            shown
        })
    }

    /// The same from below: an extent is above the coordinate that it covers.
    fn by_cover_below(&mut self, y: Value, k: i128, depth: u32) -> bool {
        (0..self.covered.len()).any(|at| {
            let (covered, _) = self.covered[at];
            if self.extents.get(&(covered.array, covered.dim)) != Some(&y) {
                return false;
            }
            let Some(&tid) = self.tids.get(&covered.tid_dim) else { return false };
            let shown = self.search(None, Some(tid), k + 1, depth);
            self.covered[at].1 |= shown;
            shown
        })
    }

    /// `x <= z + c` by the definition of `x`, and `z + c <= y + k`.
    fn down_from(&mut self, x: Value, y: Term, k: i128, depth: u32) -> bool {
        let Some((builtin, a, b)) = self.pure(x) else { return false };
        if y.is_none() && self.upper_by_definition(x, 3).is_some_and(|bound| bound <= k) {
            return true;
        }
        let unsigned = !self.scalar(x).is_signed();
        match builtin {
            Builtin::Add => self.sum_at_most(x, [a, b], y, k, depth),
            Builtin::Sub if unsigned => {
                (planted::is(Bug::ElideForgetsWrap) || self.search(Some(b), Some(a), 0, depth)) && {
                    let least = self.lower(b, 2);
                    self.search(Some(a), y, k + least, depth)
                }
            }
            Builtin::Sub => {
                let (least, most) = (self.lower(b, 2), self.upper(b, 2));
                self.lower(a, 2) - most >= self.smallest(x) && self.search(Some(a), y, k + least, depth)
            }
            Builtin::Rem if unsigned || self.lower(b, 2) >= 1 => {
                self.search(Some(b), y, k + 1, depth) || (unsigned && self.search(Some(a), y, k, depth))
            }
            Builtin::Div | Builtin::Shr if unsigned => self.search(Some(a), y, k, depth),
            Builtin::And if unsigned => self.search(Some(a), y, k, depth) || self.search(Some(b), y, k, depth),
            Builtin::Min => self.search(Some(a), y, k, depth) || self.search(Some(b), y, k, depth),
            Builtin::Max => self.search(Some(a), y, k, depth) && self.search(Some(b), y, k, depth),
            Builtin::Select => self.both_choices(x, |facts, chosen| facts.search(Some(chosen), y, k, depth)),
            Builtin::Cast if self.casts_exactly(a, x, 3) => self.search(Some(a), y, k, depth),
            Builtin::Cast if unsigned && self.scalar(a).is_int() && !self.scalar(a).is_signed() => {
                self.search(Some(a), y, k, depth)
            }
            _ => false,
        }
    }

    /// `a + b <= y + k` for a sum `x` of a type that may wrap.
    fn sum_at_most(&mut self, x: Value, [a, b]: [Value; 2], y: Term, k: i128, depth: u32) -> bool {
        // Wrapping at the top makes a sum smaller, which does no harm; at the bottom it would.
        let harmless = !self.scalar(x).is_signed() || self.lower(a, 2) + self.lower(b, 2) >= self.smallest(x);
        harmless
            && [(a, b), (b, a)].into_iter().any(|(one, other)| {
                let most = self.upper(other, 2);
                self.search(Some(one), y, k - most, depth) || self.start_and_offset(one, other, y, k, depth)
            })
    }

    /// `start + offset <= end + c`, since `offset <= (end - start) + c` and `start <= end`; then `end + c <= y + k`.
    fn start_and_offset(&mut self, start: Value, offset: Value, y: Term, k: i128, depth: u32) -> bool {
        let (start, offset) = (self.same(start), self.same(offset));
        let mut links = vec![(offset, 0)];
        for &(term, c) in &self.above[offset.0 as usize] {
            links.extend(term.map(|t| (t, c)));
        }
        // One more step, for a length that is known to be a difference.
        for at in 1..links.len().min(8) {
            let (link, c) = links[at];
            links.extend(self.above[link.0 as usize].iter().filter_map(|&(t, d)| t.map(|t| (t, c + d))));
        }
        links.into_iter().take(32).any(|(length, c)| match self.pure(length) {
            Some((Builtin::Sub, end, from)) if self.same(from) == start && !self.scalar(length).is_signed() => {
                self.search(Some(from), Some(end), 0, depth) && self.search(Some(end), y, k - c, depth)
            }
            _ => false,
        })
    }

    /// `y >= z + c` by the definition of `y`, and `x <= z + c + k`.
    fn up_to(&mut self, x: Term, y: Value, k: i128, depth: u32) -> bool {
        let Some((builtin, a, b)) = self.pure(y) else { return false };
        if x.is_none() && self.lower_by_definition(y, 3).is_some_and(|bound| -k <= bound) {
            return true;
        }
        let unsigned = !self.scalar(y).is_signed();
        match builtin {
            Builtin::Add => {
                let fits = self.upper(a, 2) + self.upper(b, 2) <= self.largest(y);
                fits && [(a, b), (b, a)].into_iter().any(|(one, other)| {
                    let least = self.lower(other, 2);
                    self.search(x, Some(one), k + least, depth)
                })
            }
            // Wrapping at the bottom makes a difference larger, which does no harm; at the top it would.
            Builtin::Sub if unsigned || self.upper(a, 2) - self.lower(b, 2) <= self.largest(y) => {
                let most = self.upper(b, 2);
                self.search(x, Some(a), k - most, depth)
            }
            Builtin::Or if unsigned => self.search(x, Some(a), k, depth) || self.search(x, Some(b), k, depth),
            Builtin::Max => self.search(x, Some(a), k, depth) || self.search(x, Some(b), k, depth),
            Builtin::Min => self.search(x, Some(a), k, depth) && self.search(x, Some(b), k, depth),
            Builtin::Select => self.both_choices(y, |facts, chosen| facts.search(x, Some(chosen), k, depth)),
            Builtin::Cast if self.casts_exactly(a, y, 3) => self.search(x, Some(a), k, depth),
            _ => false,
        }
    }

    /// Whether something holds for both values that a select chooses from, each where it is chosen.
    fn both_choices(&mut self, select: Value, mut holds: impl FnMut(&mut Facts, Value) -> bool) -> bool {
        let Def::Pure(Builtin::Select, [cond, then, otherwise]) = self.def(select) else { return false };
        if let Some(truth) = self.known[cond.0 as usize] {
            return holds(self, if truth { then } else { otherwise });
        }
        [(then, true), (otherwise, false)].into_iter().all(|(chosen, truth)| {
            let scope = self.enter();
            self.assume(cond, truth);
            let held = holds(self, chosen);
            self.leave(scope);
            held
        })
    }
}
