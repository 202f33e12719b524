//! Whether threads may meet on an element, so that its gradient needs atomic additions.

use std::collections::BTreeMap;

use super::activity::Activity;
use super::memory::step;
use super::place::Place;
use super::tree::{Def, OpId, Tree, carries};
use crate::builtins::Builtin;
use crate::ir::*;
use crate::validate::Term;

/// For each array parameter whether threads may meet in its gradient.
pub(super) fn shared(tree: &Tree<'_>, activity: &Activity, places: &BTreeMap<OpId, Place>, rank: u8) -> Vec<bool> {
    let arrays = tree.function.arrays.iter().enumerate();
    arrays.map(|(k, array)| !apart(tree, activity, places, rank, ArrayId(k as u32), array)).collect()
}

/// The leaf of an array whose gradient the reverse of an op reads or changes.
pub(super) fn touched(tree: &Tree<'_>, activity: &Activity, op: OpId) -> Option<(ArrayId, u16)> {
    let (mem, leaf) = match tree.ops[op].op {
        Op::Load { mem, leaf, result, .. } if activity.of(*result) => (mem, leaf),
        Op::Store { mem, leaf, .. } | Op::Atomic { mem, leaf, .. } => (mem, leaf),
        _ => return None,
    };
    match *mem {
        Mem::Array(array) if carries(tree.function.arrays[array.0 as usize].leaves[*leaf as usize]) => {
            Some((array, *leaf))
        }
        _ => None,
    }
}

/// Whether each dimension of the launch leads to another index in some dimension of the array, in all accesses alike.
fn apart(
    tree: &Tree<'_>,
    activity: &Activity,
    places: &BTreeMap<OpId, Place>,
    rank: u8,
    id: ArrayId,
    array: &ArrayParam,
) -> bool {
    let touches = |at: &&OpId| touched(tree, activity, **at).is_some_and(|(array, _)| array == id);
    let places: Vec<&Place> = places.keys().filter(touches).map(|at| &places[at]).collect();
    let mut free: Vec<usize> = (0..array.rank as usize).collect();
    (0..rank as usize).all(|dim| {
        let leads = |along: &usize| {
            let forms: Option<Vec<Form>> = places.iter().map(|place| form_of(tree, &place[*along])).collect();
            forms.is_some_and(|forms| keeps_apart(&forms, dim))
        };
        let found = free.iter().position(leads);
        found.map(|at| free.remove(at)).is_some()
    })
}

/// Whether indices of these forms are equal only for threads with one coordinate in `dim`.
fn keeps_apart(forms: &[Form], dim: usize) -> bool {
    let Some(first) = forms.first() else { return true };
    let scale = first.scales[dim];
    let alike = forms.iter().all(|f| (0..4).all(|d| f.scales[d] == if d == dim { scale } else { 0 }));
    let low = forms.iter().map(|f| f.low).min().unwrap_or(0);
    let high = forms.iter().map(|f| f.high).max().unwrap_or(0);
    alike && high - low < scale
}

/// `sum of scale * coordinate + something from low to high`.
#[derive(Clone, Copy)]
struct Form {
    scales: [u64; 4],
    low: u64,
    high: u64,
}

/// Bounds under which sums stay far from wrapping: coordinates lie below 2^48.
const SCALE: u64 = 1 << 12;
const RANGE: u64 = 1 << 48;

impl Form {
    fn range(low: u64, high: u64) -> Option<Form> {
        (high < RANGE).then_some(Form { scales: [0; 4], low, high })
    }

    fn plus(self, other: Form) -> Option<Form> {
        let mut sum = self;
        for (scale, more) in sum.scales.iter_mut().zip(other.scales) {
            *scale += more;
        }
        (sum.low, sum.high) = (self.low + other.low, self.high + other.high);
        sum.bounded()
    }

    fn times(self, factor: u64) -> Option<Form> {
        if factor >= RANGE || (factor >= SCALE && self.scales != [0; 4]) {
            return None;
        }
        let high = self.high.checked_mul(factor)?;
        Form { scales: self.scales.map(|s| s * factor), low: self.low * factor, high }.bounded()
    }

    fn bounded(self) -> Option<Form> {
        (self.high < RANGE && self.scales.iter().all(|&s| s < SCALE)).then_some(self)
    }
}

fn form_of(tree: &Tree<'_>, term: &Term) -> Option<Form> {
    match *term {
        Term::Const(bits) => Form::range(bits, bits),
        Term::Extent(..) => None,
        Term::Value(value) => form(tree, value, 16),
    }
}

fn form(tree: &Tree<'_>, value: Value, depth: u32) -> Option<Form> {
    let depth = depth.checked_sub(1)?;
    if tree.function.scalar(value) != Scalar::U64 {
        return None;
    }
    if let Some(bits) = tree.constant(value) {
        return Form::range(bits, bits);
    }
    match tree.def(value) {
        Def::Carried(id, k) => counter(tree, id, k),
        Def::Result(id, _) => match tree.ops[id].op {
            Op::Tid { dim, .. } => {
                let mut scales = [0; 4];
                scales[*dim as usize] = 1;
                Some(Form { scales, low: 0, high: 0 })
            }
            Op::Pure { builtin, args, .. } => match (builtin, &args[..]) {
                (Builtin::Add, &[a, b]) => form(tree, a, depth)?.plus(form(tree, b, depth)?),
                (Builtin::Mul, &[a, b]) => match (tree.constant(a), tree.constant(b)) {
                    (_, Some(factor)) => form(tree, a, depth)?.times(factor),
                    (Some(factor), _) => form(tree, b, depth)?.times(factor),
                    _ => None,
                },
                (Builtin::Shl, &[a, b]) => form(tree, a, depth)?.times(1 << (tree.constant(b)? & 63)),
                (Builtin::Rem, &[_, b]) => Form::range(0, tree.constant(b)?.checked_sub(1)?),
                (Builtin::And, &[a, b]) => Form::range(0, tree.constant(a).or(tree.constant(b))?),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// A counter from one constant by ones while below another.
fn counter(tree: &Tree<'_>, id: OpId, k: usize) -> Option<Form> {
    let parts = tree.parts(id);
    let start = tree.constant(parts.inits[k])?;
    let one = tree.constant(step(tree, id, k)??)?;
    let Some((Builtin::Lt, &[counter, bound])) = tree.pure(parts.cond.yields[0]) else { return None };
    let end = tree.constant(bound)?;
    (one == 1 && counter == parts.cond.params[k] && start < end).then(|| Form::range(start, end - 1))?
}
