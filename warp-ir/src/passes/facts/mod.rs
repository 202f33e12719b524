//! Range facts: what dominating conditions, checks and loops say about integers.
//!
//! Each integer value stands for its mathematical number. A fact is a difference bound, `x <= y + k`, where `y` may be
//! missing and stands for 0. `prove.rs` searches chains of facts and of bounds that follow from how values are defined;
//! `learn.rs` makes facts of conditions. Axioms: a thread's coordinate is below 2^62, an extent below 2^48.

mod learn;
mod prove;

use std::collections::HashMap;

use crate::builtins::Builtin;
use crate::ir::*;

/// A value, or 0 where there is none.
pub(super) type Term = Option<Value>;

/// `dims[tid_dim] <= extent(array, dim)`, taken for granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Covered {
    pub(super) array: ArrayId,
    pub(super) dim: u8,
    pub(super) tid_dim: u8,
}

/// What is known at one place of a function.
pub(super) struct Facts {
    scalars: Vec<Scalar>,
    defs: Vec<Def>,
    /// Values that are the same number as another one: extents, coordinates, carried values of a loop's condition.
    same: Vec<Value>,
    known: Vec<Option<bool>>,
    /// For each `x`: the `(y, k)` of facts `x <= y + k`.
    above: Vec<Vec<(Term, i128)>>,
    /// For each `y`: the `(x, k)` of the same facts.
    below: Vec<Vec<(Term, i128)>>,
    trail: Vec<Undo>,
    extents: HashMap<(ArrayId, u8), Value>,
    tids: HashMap<u8, Value>,
    /// What the launch promises, and whether a proof has needed it.
    covered: Vec<(Covered, bool)>,
    /// Steps that the proof under way may still take.
    budget: u32,
    /// A proof is under way: what is learned for its sake starts no other proofs.
    proving: bool,
}

enum Undo {
    Known(Value),
    Order(Term, Term),
}

/// How a value is defined, as far as proofs look.
#[derive(Clone, Copy, Debug)]
pub(super) enum Def {
    Other,
    Const(i128),
    Tid(u8),
    Extent,
    Pure(Builtin, [Value; 3]),
    /// A result of an `If`.
    Joined(Value, [Value; 2]),
}

/// A point to come back to.
#[derive(Clone, Copy)]
pub(super) struct Scope(usize);

impl Facts {
    pub(super) fn new(function: &Function, covered: Vec<Covered>) -> Facts {
        let count = function.values.len();
        let mut facts = Facts {
            scalars: function.values.clone(),
            defs: vec![Def::Other; count],
            same: (0..count as u32).map(Value).collect(),
            known: vec![None; count],
            above: vec![vec![]; count],
            below: vec![vec![]; count],
            trail: vec![],
            extents: HashMap::new(),
            tids: HashMap::new(),
            covered: covered.into_iter().map(|c| (c, false)).collect(),
            budget: 0,
            proving: false,
        };
        facts.define(&function.body);
        facts
    }

    fn define(&mut self, region: &Region) {
        for op in &region.ops {
            match op {
                Op::Const { bits, result } => {
                    let number = number(self.scalar(*result), *bits);
                    self.set(*result, number.map_or(Def::Other, Def::Const));
                    if self.scalar(*result) == Scalar::Bool {
                        self.known[result.0 as usize] = Some(bits & 1 == 1);
                    }
                }
                Op::Tid { dim, result } => {
                    self.same[result.0 as usize] = *self.tids.entry(*dim).or_insert(*result);
                    self.set(*result, Def::Tid(*dim));
                }
                Op::Extent { array, dim, result } => {
                    self.same[result.0 as usize] = *self.extents.entry((*array, *dim)).or_insert(*result);
                    self.set(*result, Def::Extent);
                }
                Op::Pure { builtin, args, result } if (1..=3).contains(&args.len()) => {
                    let mut three = [args[0]; 3];
                    three[..args.len()].copy_from_slice(args);
                    self.set(*result, Def::Pure(*builtin, three));
                }
                Op::If { cond, then, otherwise, results } => {
                    for (k, result) in results.iter().enumerate() {
                        self.set(*result, Def::Joined(*cond, [then.yields[k], otherwise.yields[k]]));
                    }
                }
                Op::Loop { cond, body, .. } => {
                    for (&there, &here) in cond.params.iter().zip(&body.params) {
                        self.same[there.0 as usize] = here;
                    }
                }
                _ => {}
            }
            op.shape().regions.into_iter().for_each(|r| self.define(r));
        }
    }

    fn set(&mut self, value: Value, def: Def) {
        self.defs[value.0 as usize] = def;
    }

    fn scalar(&self, value: Value) -> Scalar {
        self.scalars[value.0 as usize]
    }

    /// The value that stands for all that are the same number.
    fn same(&self, value: Value) -> Value {
        self.same[value.0 as usize]
    }

    pub(super) fn def(&self, value: Value) -> Def {
        self.defs[value.0 as usize]
    }

    /// The builtin that defines a value, with its first two operands (the same one twice where there is one).
    fn pure(&self, value: Value) -> Option<(Builtin, Value, Value)> {
        match self.def(value) {
            Def::Pure(builtin, [a, b, _]) => Some((builtin, a, b)),
            _ => None,
        }
    }

    /// The smallest and the largest number of the type of a value.
    pub(super) fn range(&self, value: Value) -> (i128, i128) {
        range(self.scalar(value))
    }

    /// The number of an integer constant.
    pub(super) fn constant(&self, value: Value) -> Option<i128> {
        match self.def(value) {
            Def::Const(number) => Some(number),
            _ => None,
        }
    }

    /// The extents that the function asks for.
    pub(super) fn extents(&self) -> impl Iterator<Item = (ArrayId, u8, Value)> + '_ {
        self.extents.iter().map(|(&(array, dim), &value)| (array, dim, value))
    }

    /// The promises of the launch that proofs have needed.
    pub(super) fn needed(&self) -> Vec<Covered> {
        self.covered.iter().filter(|(_, needed)| *needed).map(|(covered, _)| *covered).collect()
    }

    pub(super) fn enter(&self) -> Scope {
        Scope(self.trail.len())
    }

    /// Forgets what was learned since.
    pub(super) fn leave(&mut self, scope: Scope) {
        for undo in self.trail.drain(scope.0..).rev() {
            match undo {
                Undo::Known(value) => self.known[value.0 as usize] = None,
                Undo::Order(x, y) => {
                    if let Some(x) = x {
                        self.above[x.0 as usize].pop();
                    }
                    if let Some(y) = y {
                        self.below[y.0 as usize].pop();
                    }
                }
            }
        }
    }
}

/// The mathematical number of integer bits; a truth is 0 or 1.
fn number(scalar: Scalar, bits: u64) -> Option<i128> {
    if scalar.is_float() || scalar.is_half() {
        return None;
    }
    let shift = 64 - scalar.bits();
    Some(match scalar.is_signed() {
        true => i128::from(((bits << shift) as i64) >> shift),
        false => i128::from(bits & scalar.mask()),
    })
}

/// The smallest and the largest number of an integer type.
fn range(scalar: Scalar) -> (i128, i128) {
    match scalar.is_signed() {
        true => (-(1i128 << (scalar.bits() - 1)), (1i128 << (scalar.bits() - 1)) - 1),
        false => (0, i128::from(scalar.mask())),
    }
}
