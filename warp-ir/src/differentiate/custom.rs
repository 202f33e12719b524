//! Derivatives of the user's own: forward the values are handed on, backwards the region is run in place of any rule.

use std::collections::BTreeMap;

use super::emit::Emit;
use super::needs::Keep;
use super::place::{Place, values};
use super::tree::{OpId, Tree, adjoint_scalar, carries};
use crate::ir::*;
use crate::planted::{self, Bug};

/// What the region of a `Custom` reads of values from outside.
pub(super) fn needed(tree: &Tree<'_>, places: &BTreeMap<OpId, Place>, id: OpId) -> Vec<Value> {
    let Op::Custom { gradient, .. } = tree.ops[id].op else { return vec![] };
    let mut read = gradient.yields.clone();
    for at in id + 1..tree.ops[id].end {
        let shape = tree.ops[at].op.shape();
        read.extend(shape.operands);
        read.extend(shape.regions.into_iter().flat_map(|region| &region.yields));
        read.extend(places.get(&at).into_iter().flat_map(values));
    }
    read.retain(|&v| !tree.is_hidden_in(v, id) && !gradient.params.contains(&v));
    read
}

/// The loads from arrays that the region of a `Custom` makes.
pub(super) fn loads(tree: &Tree<'_>, id: OpId) -> Vec<OpId> {
    let is_load = |&at: &OpId| matches!(tree.ops[at].op, Op::Load { mem: Mem::Array(_), .. });
    (id + 1..tree.ops[id].end).filter(is_load).collect()
}

/// Whether a derivative prints: then the adjoint needs the kernel's sites.
pub(super) fn prints(tree: &Tree<'_>) -> bool {
    let inside = |at: OpId| tree.owners(at).any(|owner| matches!(tree.ops[owner].op, Op::Custom { .. }));
    (0..tree.ops.len()).any(|at| matches!(tree.ops[at].op, Op::Print { .. }) && inside(at))
}

impl Emit<'_, '_> {
    /// The results of a `Custom` that are kept are what it hands on.
    pub(super) fn replay_custom(&mut self, id: OpId, keep: &Keep) {
        let Op::Custom { values, results, .. } = self.op(id) else { return };
        for (&value, &result) in values.iter().zip(results).filter(|(_, result)| keep.has(**result)) {
            let value = self.get(value);
            self.name(result, value);
        }
    }

    /// Runs the region of a `Custom`. What a user writes may divide by what is zero where no adjoint comes in, and must not
    /// make a NaN of it. A NaN that an unguarded rule has made may not become anything else, or nobody would see that the
    /// guarded variant has to run.
    pub(super) fn reverse_custom(&mut self, id: OpId) {
        let Op::Custom { by, gradient, results, .. } = self.op(id) else { return };
        let floats: Vec<Value> = results.iter().copied().filter(|&r| carries(self.scalar(r))).collect();
        let seeds: Vec<Option<Value>> = floats.iter().map(|&r| self.take_adjoint(r)).collect();
        let Some(nothing) = self.all_zero(&seeds) else { return };
        let spoiled = if self.options.guarded { None } else { self.any_nan(&seeds) };
        if spoiled.is_some() {
            self.b.open(&[]);
        }
        let scope = self.enter();
        for ((&param, &of), seed) in gradient.params.iter().zip(&floats).zip(seeds) {
            let seed = seed.unwrap_or_else(|| self.b.zero(adjoint_scalar(self.scalar(of))));
            let narrow = self.b.cast(self.scalar(param), seed);
            self.name(param, narrow);
        }
        let keep = Keep::all_inside(self.tree, id);
        self.replay(&self.tree.ops[id].regions[0], &keep);
        let active: Vec<usize> = (0..by.len()).filter(|&k| self.activity.of(by[k])).collect();
        let mut found: Vec<Value> = active.iter().map(|&k| self.get(gradient.yields[k])).collect();
        self.leave(scope);
        if let Some(spoiled) = spoiled {
            found = self.unless(spoiled, &found);
        }
        if planted::is(Bug::AdjointForgetsCustom) {
            return;
        }
        for (k, found) in active.into_iter().zip(found) {
            let found = self.b.cast(adjoint_scalar(self.scalar(by[k])), found);
            let (zero, nan) = (self.b.zero(self.b.scalar(found)), self.b.ne(found, found));
            let of_nothing = self.b.and(nothing, nan);
            let adjoint = self.b.select(of_nothing, zero, found);
            self.add_adjoint(by[k], adjoint);
        }
    }

    /// Closes the region that has computed values: it runs unless an adjoint is spoiled, and then the values are NaN. A
    /// derivative of the user's own may wait for ever for a NaN to become small, or fault at one.
    fn unless(&mut self, spoiled: Value, found: &[Value]) -> Vec<Value> {
        let run = self.b.close(found);
        self.b.open(&[]);
        let nans: Vec<Value> = found
            .iter()
            .map(|&value| {
                let scalar = self.b.scalar(value);
                self.b.const_(scalar, quiet_nan(scalar))
            })
            .collect();
        let nan = self.b.close(&nans);
        self.b.push_if(spoiled, nan, run)
    }

    /// Whether all of these adjoints are zero; none where there are none.
    fn all_zero(&mut self, adjoints: &[Option<Value>]) -> Option<Value> {
        let mut all = None;
        for &adjoint in adjoints.iter().flatten() {
            let zero = self.b.zero(self.b.scalar(adjoint));
            let one = self.b.eq(adjoint, zero);
            all = Some(match all {
                Some(all) => self.b.and(all, one),
                None => one,
            });
        }
        all
    }

    /// Whether one of these adjoints is NaN; none where there are none.
    fn any_nan(&mut self, adjoints: &[Option<Value>]) -> Option<Value> {
        let mut any = None;
        for &adjoint in adjoints.iter().flatten() {
            let one = self.b.ne(adjoint, adjoint);
            any = Some(match any {
                Some(any) => self.b.or(any, one),
                None => one,
            });
        }
        any
    }
}

/// A number that is none. Adjoints are `f32` or `f64`.
fn quiet_nan(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::F64 => f64::NAN.to_bits(),
        Scalar::F16 => 0x7e00,
        Scalar::BF16 => 0x7fc0,
        _ => f32::NAN.to_bits().into(),
    }
}
