//! Rows of branches: `if .. else if ..` and `match`. A long row is cut into pieces, so that branches nest less: a piece
//! says whether one of its arms ran, and the next one runs where none did.

use warp_ir::ir::Value;

use super::Lower;
use super::place::Place;
use crate::front::ast::*;
use crate::front::types::Ty;

/// Rows up to this long are one piece.
const LONG: usize = 16;

/// How many of `count` branches, one after another, make a piece: then both pieces and branches inside one are few.
pub(super) fn piece(count: usize) -> usize {
    if count <= LONG { count } else { LONG.max(count.isqrt()) }
}

/// A row of branches, or a piece of one.
#[derive(Clone)]
struct Row {
    /// Type of the value that the arms give.
    ty: Ty,
    /// Whether more arms follow: then a flag stands before the value, which says whether an arm ran.
    more: bool,
}

impl Row {
    /// The type of what the row gives.
    fn whole(&self) -> Ty {
        match self.more {
            true => Ty::Tuple(vec![Ty::BOOL, self.ty.clone()]),
            false => self.ty.clone(),
        }
    }
}

/// What the arms of a match meet.
struct Met {
    ty: Ty,
    values: Vec<Value>,
    /// Where it stands, if it is a `&mut`.
    place: Option<Place>,
}

impl Lower<'_> {
    /// Lowers an `if` expression with all `else if` that follow.
    pub(super) fn if_(&mut self, id: ExprId) -> Vec<Value> {
        let (mut arms, mut next) = (vec![], Some(id));
        while let Some(id) = next
            && let Kind::If { cond, then, otherwise } = self.body.expr(id).kind
        {
            arms.push((cond, then));
            next = otherwise;
        }
        let ty = self.ty(id).clone();
        self.chain(&ty, &arms, next, piece(arms.len()))
    }

    fn chain(&mut self, ty: &Ty, arms: &[(ExprId, ExprId)], last: Option<ExprId>, piece: usize) -> Vec<Value> {
        if arms.len() <= piece {
            return self.branches(&Row { ty: ty.clone(), more: false }, arms, last);
        }
        let (first, rest) = arms.split_at(piece);
        let values = self.branches(&Row { ty: ty.clone(), more: true }, first, None);
        self.unless_taken(ty, values, |lower| lower.chain(ty, rest, last, piece))
    }

    /// What a piece gave where one of its arms ran, else the rest of the row.
    fn unless_taken(
        &mut self,
        ty: &Ty,
        mut values: Vec<Value>,
        rest: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        if values.is_empty() {
            return self.zeros(ty);
        }
        let taken = values.remove(0);
        self.either(taken, ty, |_| values, |lower| lower.guarded(ty, rest))
    }

    fn branches(&mut self, row: &Row, arms: &[(ExprId, ExprId)], last: Option<ExprId>) -> Vec<Value> {
        let whole = row.whole();
        let Some((&(cond, then), rest)) = arms.split_first() else {
            return match last {
                Some(last) => self.value(last, &row.ty),
                None => self.zeros(&whole),
            };
        };
        let cond = self.condition(cond);
        if self.dead() {
            return self.zeros(&whole);
        }
        self.guarded(&whole, |lower| {
            lower.either(cond, &whole, |l| l.taken(row, then), |l| l.branches(row, rest, last))
        })
    }

    /// An arm that runs.
    fn taken(&mut self, row: &Row, body: ExprId) -> Vec<Value> {
        let values = self.value(body, &row.ty);
        match row.more {
            true => std::iter::once(self.b.bool(true)).chain(values).collect(),
            false => values,
        }
    }

    pub(super) fn match_(&mut self, id: ExprId, value: ExprId, arms: &[Arm]) -> Vec<Value> {
        let ty = self.ty(id).clone();
        let of = self.ty(value).clone();
        let place = self.referred(value);
        let values = match &place {
            Some(place) => self.read(place),
            None => self.value(value, &of),
        };
        let met = Met { ty: of, values, place };
        self.guarded(&ty, |lower| lower.matched(&ty, &met, arms, piece(arms.len())))
    }

    fn matched(&mut self, ty: &Ty, met: &Met, arms: &[Arm], piece: usize) -> Vec<Value> {
        if arms.len() <= piece {
            return self.arms(&Row { ty: ty.clone(), more: false }, met, arms);
        }
        let (first, rest) = arms.split_at(piece);
        let values = self.arms(&Row { ty: ty.clone(), more: true }, met, first);
        self.unless_taken(ty, values, |lower| lower.matched(ty, met, rest, piece))
    }

    /// The arms one after another; the very last one is reached only when it matches.
    fn arms(&mut self, row: &Row, met: &Met, arms: &[Arm]) -> Vec<Value> {
        let whole = row.whole();
        let Some((arm, rest)) = arms.split_first() else { return self.zeros(&whole) };
        if self.dead() {
            return self.zeros(&whole);
        }
        let last = rest.is_empty() && !row.more;
        match self.arm_condition(met, arm, last) {
            None => self.taken(row, arm.body),
            Some(cond) => self.guarded(&whole, |lower| {
                lower.either(cond, &whole, |l| l.taken(row, arm.body), |l| l.arms(row, met, rest))
            }),
        }
    }

    /// Binds the variables of an arm; gives whether it runs, `None`: always.
    fn arm_condition(&mut self, met: &Met, arm: &Arm, last: bool) -> Option<Value> {
        if let (false, Some(guard)) = (arm.cases.is_empty(), arm.guard) {
            return Some(self.guarded_cases(met, arm, guard));
        }
        let matched = if last && arm.guard.is_none() { None } else { self.matches(arm.pat, &met.ty, &met.values) };
        self.outlive_branches(arm.pat);
        self.bind_to(arm.pat, &met.ty, &met.values, met.place.as_ref());
        match (matched, arm.guard) {
            (matched, None) => matched,
            (None, Some(guard)) => Some(self.scalar(guard)),
            (Some(matched), Some(guard)) if self.effects.is_simple(guard) => {
                let guard = self.scalar(guard);
                Some(self.b.and(matched, guard))
            }
            (Some(matched), Some(guard)) => {
                let no = |l: &mut Self| vec![l.b.bool(false)];
                Some(self.either(matched, &Ty::BOOL, |l| vec![l.scalar(guard)], no)[0])
            }
        }
    }

    /// A guard on alternatives that bind: it is tried for each one that matches, with the variables of that one, until
    /// it holds.
    fn guarded_cases(&mut self, met: &Met, arm: &Arm, guard: ExprId) -> Value {
        if met.place.is_some() {
            let span = self.body.pat(arm.pat).span;
            let sentence = "kernels have no guard on alternatives that bind parts of a `&mut`: write an arm for each";
            self.errors.refuse(span, sentence);
        }
        let declared = self.declare(arm.pat);
        let mut found = self.b.bool(false);
        for &case in &arm.cases {
            let open = self.b.not(found);
            let cond = match self.matches(case, &met.ty, &met.values) {
                Some(matched) => self.b.and(open, matched),
                None => open,
            };
            let tried = self.guarded(&Ty::BOOL, |lower| {
                let run = |l: &mut Self| {
                    l.bind(case, &met.ty, &met.values);
                    vec![l.scalar(guard)]
                };
                lower.either(cond, &Ty::BOOL, run, |_| vec![found])
            });
            found = tried[0];
        }
        self.undeclare(&declared);
        found
    }
}
