//! Indices as sums of the thread's coordinates and of what is the same in all threads.

use std::collections::BTreeMap;

use super::solve::{Equation, LARGEST, divisor};
use super::tree::{Def, Tree};
use crate::builtins::Builtin;
use crate::ir::*;
use crate::validate::Term;

/// `sum of scale * coordinate + sum of factor * atom + constant`, wrapping as indices do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Linear {
    pub(super) scales: [u64; 4],
    /// What is the same in all threads, and not known here.
    pub(super) atoms: BTreeMap<Atom, u64>,
    constant: u64,
}

/// A quantity that is the same in all threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Atom {
    Extent(ArrayId, u8),
    Value(Value),
}

impl Linear {
    /// The index without its atoms.
    pub(super) fn at(&self, thread: &[u64]) -> u64 {
        let parts = self.scales.iter().zip(thread).map(|(scale, t)| scale.wrapping_mul(*t));
        parts.fold(self.constant, u64::wrapping_add)
    }

    /// That the parts with coordinates are so much together, as an equation in the coordinates; none where the numbers are
    /// too large to say.
    pub(super) fn equation(&self, total: u64) -> Option<Equation> {
        let small = |n: u64| Some(n as i64).filter(|n| n.unsigned_abs() < LARGEST as u64);
        let mut scales = [0; 4];
        for (to, &scale) in scales.iter_mut().zip(&self.scales) {
            *to = small(scale)?;
        }
        Some(Equation { scales, total: small(total)? })
    }

    /// What indices have in common that move alike and that two threads may share.
    pub(super) fn residue(&self) -> Linear {
        let (common, constant) = (self.scales.iter().fold(0, |a, &b| divisor(a, b as i64)), self.constant as i64);
        let constant = if common == 0 { constant } else { constant.wrapping_rem_euclid(common) };
        Linear { constant: constant as u64, ..self.clone() }
    }

    fn atom(atom: Atom) -> Linear {
        Linear { atoms: BTreeMap::from([(atom, 1)]), ..Linear::default() }
    }

    fn plus(mut self, other: &Linear) -> Linear {
        self.scales.iter_mut().zip(other.scales).for_each(|(a, b)| *a = a.wrapping_add(b));
        for (&atom, &factor) in &other.atoms {
            let sum = self.atoms.entry(atom).or_default();
            *sum = sum.wrapping_add(factor);
        }
        self.atoms.retain(|_, factor| *factor != 0);
        self.constant = self.constant.wrapping_add(other.constant);
        self
    }

    fn times(mut self, factor: u64) -> Linear {
        self.scales.iter_mut().chain(self.atoms.values_mut()).for_each(|f| *f = f.wrapping_mul(factor));
        self.atoms.retain(|_, factor| *factor != 0);
        self.constant = self.constant.wrapping_mul(factor);
        self
    }

    fn known(&self) -> Option<u64> {
        (self.scales == [0; 4] && self.atoms.is_empty()).then_some(self.constant)
    }
}

/// Which values are the same in all threads, whatever the launch.
pub(super) struct Uniform(Vec<bool>);

impl Uniform {
    pub(super) fn new(tree: &Tree<'_>) -> Uniform {
        let mut uniform = Uniform(vec![false; tree.function.values.len()]);
        tree.function.params.iter().for_each(|param| uniform.0[param.value.0 as usize] = true);
        for site in &tree.ops {
            let same = match site.op {
                Op::Tid { .. } => false,
                Op::Load { mem: mem @ Mem::Array(_), leaf, .. } if !tree.writes(*mem, *leaf).is_empty() => false,
                Op::Load { mem: Mem::Array(_), index, .. } => uniform.is(*index),
                op if op.is_pure() => op.shape().operands.iter().all(|&v| uniform.is(v)),
                _ => false,
            };
            site.op.shape().results.iter().for_each(|r| uniform.0[r.0 as usize] = same);
        }
        uniform
    }

    pub(super) fn is(&self, value: Value) -> bool {
        self.0[value.0 as usize]
    }
}

/// An index in this form.
pub(super) fn linear(tree: &Tree<'_>, uniform: &Uniform, term: &Term) -> Option<Linear> {
    match *term {
        Term::Const(constant) => Some(Linear { constant, ..Linear::default() }),
        Term::Extent(array, dim) => Some(Linear::atom(Atom::Extent(array, dim))),
        Term::Value(value) => of(tree, uniform, value, 16),
    }
}

fn of(tree: &Tree<'_>, uniform: &Uniform, value: Value, depth: u32) -> Option<Linear> {
    let depth = depth.checked_sub(1)?;
    if tree.function.scalar(value) != Scalar::U64 {
        return None;
    }
    if let Some(constant) = tree.constant(value) {
        return Some(Linear { constant, ..Linear::default() });
    }
    let part = |value: Value| of(tree, uniform, value, depth);
    let sum = match (tree.pure(value), tree.def(value)) {
        (Some((Builtin::Add, &[a, b])), _) => part(a).zip(part(b)).map(|(a, b)| a.plus(&b)),
        (Some((Builtin::Sub, &[a, b])), _) => part(a).zip(part(b)).map(|(a, b)| a.plus(&b.times(u64::MAX))),
        (Some((Builtin::Mul, &[a, b])), _) => part(a).zip(part(b)).and_then(|(a, b)| match (a.known(), b.known()) {
            (_, Some(factor)) => Some(a.times(factor)),
            (Some(factor), _) => Some(b.times(factor)),
            _ => None,
        }),
        (Some((Builtin::Shl, &[a, b])), _) => {
            part(a).zip(tree.constant(b)).map(|(a, amount)| a.times(1 << (amount & 63)))
        }
        (None, Def::Result(op, _)) => match tree.ops[op].op {
            Op::Tid { dim, .. } => {
                let mut scales = [0; 4];
                scales[*dim as usize] = 1;
                Some(Linear { scales, ..Linear::default() })
            }
            Op::Extent { array, dim, .. } => Some(Linear::atom(Atom::Extent(*array, *dim))),
            _ => None,
        },
        _ => None,
    };
    sum.or_else(|| uniform.is(value).then(|| Linear::atom(Atom::Value(value))))
}
