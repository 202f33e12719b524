//! Indices in range.
//!
//! * An index into a local array or a constant table: an upper bound below the length, from constants, masks, remainders
//!   and known orders.
//! * An index into a one-dimensional array without strides: known to be below the extent. Parts of arrays count:
//!   `start + i` is in range where `i < end - start`, `start <= end` and `end <= extent` are known.
//! * A flat index of several dimensions or of a strided array: a sum of `index * stride` over the dimensions, or where
//!   the array is not strided Horner's form over extents, with each index known to be below its extent.
//!   A missing summand is index 0, a bare stride is index 1.

use super::facts::{Facts, Order, Term};
use crate::builtins::Builtin;
use crate::ir::{ArrayId, Mem, Op, Scalar, Value};
use crate::planted::{self, Bug};

/// How large a sum over the dimensions may be, in additions and summands.
const SUMS: usize = 32;

/// How many steps one proof may take.
const BUDGET: usize = 256;

/// Shows that `index` is in range of `mem`; gives the index in each dimension.
pub(super) fn check(facts: &Facts<'_>, mem: Mem, index: Value) -> Result<Vec<Term>, String> {
    let single = |bound| Proof::new(facts).below(index, bound).then(|| vec![facts.term(index)]);
    let shown = match mem {
        Mem::Local(local) => single(Term::Const(u64::from(facts.function.locals[local.0 as usize].len))),
        Mem::Array(array) => {
            let param = &facts.function.arrays[array.0 as usize];
            match (param.rank, param.strided) {
                (1, false) => single(Term::Extent(array, 0)),
                (rank, true) => strided(facts, array, rank, index),
                (rank, false) => contiguous(facts, array, rank, index).or_else(|| strided(facts, array, rank, index)),
            }
        }
    };
    shown.ok_or_else(|| format!("nothing shows that the index v{} is in range", index.0))
}

/// Shows that `index` is below the length of a constant table.
pub(super) fn check_table(facts: &Facts<'_>, table: u32, index: Value) -> Result<(), String> {
    let len = facts.function.tables[table as usize].1.len() as u64;
    if Proof::new(facts).below(index, Term::Const(len)) {
        return Ok(());
    }
    Err(format!("nothing shows that the index v{} is below the table's length, {len}", index.0))
}

/// `sum over dimensions of index[d] * stride[d]`.
fn strided(facts: &Facts<'_>, array: ArrayId, rank: u8, flat: Value) -> Option<Vec<Term>> {
    let mut summands = Vec::new();
    if !collect_sum(facts, flat, &mut { SUMS }, &mut summands) {
        return None;
    }
    let mut indices = [Term::Const(0); 4];
    let mut seen = [false; 4];
    for summand in summands {
        let (dim, index) = stride_product(facts, array, summand)?;
        if std::mem::replace(&mut seen[dim as usize], true) {
            return None;
        }
        indices[dim as usize] = index;
    }
    let looked_at = if planted::is(Bug::GuardIgnoresDimension) { 1 } else { rank };
    (0..looked_at)
        .all(|dim| Proof::new(facts).term_below(indices[dim as usize], Term::Extent(array, dim)))
        .then(|| indices[..rank as usize].to_vec())
}

/// The summands of a tree of additions, constants zero left out; false when there are more than dimensions, or more than
/// `left` additions and zeros.
fn collect_sum(facts: &Facts<'_>, value: Value, left: &mut usize, summands: &mut Vec<Value>) -> bool {
    let Some(fewer) = left.checked_sub(1) else { return false };
    *left = fewer;
    match facts.pure(value) {
        Some((Builtin::Add, &[a, b])) => collect_sum(facts, a, left, summands) && collect_sum(facts, b, left, summands),
        _ if facts.constant(value) == Some(0) => true,
        _ => {
            summands.push(value);
            summands.len() <= 4
        }
    }
}

/// The dimension and the index of `index * stride`.
fn stride_product(facts: &Facts<'_>, array: ArrayId, summand: Value) -> Option<(u8, Term)> {
    let stride = |v: Value| match facts.def(v) {
        Some(Op::Stride { array: of, dim, .. }) if *of == array => Some(*dim),
        _ => None,
    };
    if let Some(dim) = stride(summand) {
        return Some((dim, Term::Const(1)));
    }
    match facts.pure(summand)? {
        (Builtin::Mul, &[a, b]) => match (stride(a), stride(b)) {
            (None, Some(dim)) => Some((dim, facts.term(a))),
            (Some(dim), None) => Some((dim, facts.term(b))),
            _ => None,
        },
        (Builtin::Shl, &[a, b]) => Some((stride(a)?, Term::Const(1 << (facts.constant(b)? & 63)))),
        _ => None,
    }
}

/// `((i0 * extent1 + i1) * extent2 + i2) ..`.
fn contiguous(facts: &Facts<'_>, array: ArrayId, rank: u8, flat: Value) -> Option<Vec<Term>> {
    let mut indices = vec![Term::Const(0); rank as usize];
    let mut flat = Some(facts.term(flat));
    for dim in (0..rank).rev() {
        let extent = Term::Extent(array, dim);
        // What is left of the flat index: nothing (all leading indices are 0), the index itself, or a sum.
        let choices: Vec<(Option<Term>, Term)> = match flat {
            None => vec![(None, Term::Const(0))],
            Some(term) if dim == 0 => vec![(None, term)],
            Some(term) => horner(facts, term, extent),
        };
        let fits = |choice: &(Option<Term>, Term)| Proof::new(facts).term_below(choice.1, extent);
        (flat, indices[dim as usize]) = choices.into_iter().find(fits)?;
    }
    Some(indices)
}

/// The ways to read `term` as `rest * extent + index`.
fn horner(facts: &Facts<'_>, term: Term, extent: Term) -> Vec<(Option<Term>, Term)> {
    // The extent itself is one times it.
    let product = |v: Value| match facts.pure(v) {
        _ if facts.term(v) == extent => Some(Term::Const(1)),
        Some((Builtin::Mul, &[a, b])) if facts.term(b) == extent => Some(facts.term(a)),
        Some((Builtin::Mul, &[a, b])) if facts.term(a) == extent => Some(facts.term(b)),
        _ => None,
    };
    let mut ways = vec![(None, term)];
    if term == extent {
        ways.push((Some(Term::Const(1)), Term::Const(0)));
    }
    let Term::Value(value) = term else { return ways };
    if let Some(rest) = product(value) {
        ways.push((Some(rest), Term::Const(0)));
    }
    if let Some((Builtin::Add, &[a, b])) = facts.pure(value) {
        ways.extend(product(a).map(|rest| (Some(rest), facts.term(b))));
        ways.extend(product(b).map(|rest| (Some(rest), facts.term(a))));
    }
    ways
}

/// An attempt at `index < bound`, of bounded length.
struct Proof<'a, 'k> {
    facts: &'a Facts<'k>,
    budget: usize,
}

impl<'a, 'k> Proof<'a, 'k> {
    fn new(facts: &'a Facts<'k>) -> Proof<'a, 'k> {
        Proof { facts, budget: BUDGET }
    }

    fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0 && self.facts.burn()
    }

    fn term_below(&mut self, index: Term, bound: Term) -> bool {
        match index {
            Term::Value(value) => self.below(value, bound),
            _ => self.ordered(index, bound),
        }
    }

    fn below(&mut self, index: Value, bound: Term) -> bool {
        if !self.spend() {
            return false;
        }
        if self.ordered(self.facts.term(index), bound) || self.upper(index) < self.lower(bound) {
            return true;
        }
        // The start of a part that is not empty: `start + 0`.
        let term = self.facts.term(index);
        if self.part_below(term, Term::Const(0), bound) {
            return true;
        }
        let Some((Builtin::Add, &[a, b])) = self.facts.pure(index) else { return false };
        let (a, b) = (self.facts.term(a), self.facts.term(b));
        self.part_below(a, b, bound) || self.part_below(b, a, bound)
    }

    /// `start + offset < bound`, since `offset < end - start` and `start <= end <= bound` for some `end`.
    fn part_below(&mut self, start: Term, offset: Term, bound: Term) -> bool {
        let facts = self.facts;
        // A part of a local array may end at a number, which only its start was compared with.
        let number = |(term, _)| match (term, bound) {
            (Term::Const(end), Term::Const(len)) if end <= len => Some(term),
            _ => None,
        };
        let ends = std::iter::once(bound).chain(facts.below(bound).map(|(term, _)| term));
        let ends = ends.chain(facts.above(start).filter_map(number));
        for end in ends {
            if !self.spend() {
                return false;
            }
            if !self.at_most(start, end) {
                continue;
            }
            if let (Term::Const(s), Term::Const(e)) = (start, end)
                && self.term_below(offset, Term::Const(e - s))
            {
                return true;
            }
            for &difference in facts.differences(end, start) {
                if self.term_below(offset, Term::Value(difference)) {
                    return true;
                }
            }
        }
        false
    }

    /// `small < great` by a known order, directly or over one or two terms between.
    fn ordered(&mut self, small: Term, great: Term) -> bool {
        if let (Term::Const(a), Term::Const(b)) = (small, great) {
            return a < b;
        }
        if let Term::Const(c) = small
            && c < self.lower(great)
        {
            return true;
        }
        let facts = self.facts;
        for (between, order) in facts.above(small) {
            if !self.spend() {
                return false;
            }
            let reached = match order {
                Order::Less => self.at_most(between, great),
                Order::LessOrEqual => facts.above(between).any(|(t, o)| t == great && o == Order::Less),
            };
            if reached {
                return true;
            }
        }
        false
    }

    /// `small <= great` by a known order or constants.
    fn at_most(&self, small: Term, great: Term) -> bool {
        if small == great {
            return true;
        }
        match (small, great) {
            (Term::Const(0), _) => true,
            (Term::Const(a), Term::Const(b)) => a <= b,
            (Term::Const(a), _) if a <= self.lower(great) => true,
            _ => self.facts.above(small).any(|(term, _)| term == great),
        }
    }

    /// A number that `term` is known to be at least.
    fn lower(&self, term: Term) -> u64 {
        match term {
            Term::Const(c) => c,
            _ => {
                let bound = |(small, order)| match (small, order) {
                    (Term::Const(c), Order::Less) => c.saturating_add(1),
                    (Term::Const(c), Order::LessOrEqual) => c,
                    // Above anything means above 0.
                    (_, Order::Less) => 1,
                    _ => 0,
                };
                self.facts.below(term).map(bound).max().unwrap_or(0)
            }
        }
    }

    /// A number that an unsigned value is known to be at most.
    fn upper(&mut self, value: Value) -> u64 {
        let scalar = self.facts.function.scalar(value);
        if scalar.is_signed() || !(scalar.is_int() || scalar == Scalar::Bool) || !self.spend() {
            return scalar.mask();
        }
        let by_order = self.upper_by_order(self.facts.term(value));
        by_order.min(scalar.mask()).min(self.upper_by_op(value).unwrap_or(u64::MAX))
    }

    fn upper_by_order(&self, term: Term) -> u64 {
        let bound = |(great, order)| match (great, order) {
            (Term::Const(c), Order::Less) => c.saturating_sub(1),
            (Term::Const(c), Order::LessOrEqual) => c,
            _ => u64::MAX,
        };
        self.facts.above(term).map(bound).min().unwrap_or(u64::MAX)
    }

    fn upper_by_op(&mut self, value: Value) -> Option<u64> {
        if let Some(bits) = self.facts.constant(value) {
            return Some(bits);
        }
        let (builtin, args) = self.facts.pure(value)?;
        Some(match (builtin, args) {
            // Constants come last as a rule: with them first, a long way to the other operand costs no proof.
            (Builtin::And | Builtin::Min, &[a, b]) => self.upper(b).min(self.upper(a)),
            (Builtin::Max, &[a, b]) | (Builtin::Select, &[_, a, b]) => self.upper(a).max(self.upper(b)),
            (Builtin::Rem, &[a, b]) => self.upper(b).saturating_sub(1).min(self.upper(a)),
            (Builtin::Div, &[a, b]) => self.upper(a) / self.facts.constant(b)?.max(1),
            (Builtin::Shr, &[a, b]) => {
                let bits = u64::from(self.facts.function.scalar(a).bits());
                self.upper(a) >> (self.facts.constant(b)? & (bits - 1))
            }
            (Builtin::Add, &[a, b]) => {
                let mask = self.facts.function.scalar(value).mask();
                self.upper(a).checked_add(self.upper(b)).filter(|sum| *sum <= mask)?
            }
            (Builtin::Cast, &[a]) if !self.facts.function.scalar(a).is_float() => {
                let from = self.facts.function.scalar(a);
                match from.is_signed() || from.is_half() {
                    true => return None,
                    false => self.upper(a),
                }
            }
            (Builtin::CountOnes | Builtin::LeadingZeros | Builtin::TrailingZeros, &[a]) => {
                u64::from(self.facts.function.scalar(a).bits())
            }
            _ => return None,
        })
    }
}
