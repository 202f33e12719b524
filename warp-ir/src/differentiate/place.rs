//! Where accesses of the primal kernel go, dimension by dimension, so that the adjoint can check each index again.

use std::collections::BTreeMap;

use super::Refusal;
use super::tree::{OpId, Tree};
use crate::ir::*;
use crate::validate::{Term, Valid, indices};

/// The index of an access in each dimension.
pub(super) type Place = Vec<Term>;

/// The places of all loads, stores and atomics.
pub(super) fn places(tree: &Tree<'_>, kernel: &Valid<Kernel>) -> Result<BTreeMap<OpId, Place>, Refusal> {
    let found = indices(kernel).map_err(|e| Refusal { source: None, message: e.to_string() })?;
    let accesses = (0..tree.ops.len())
        .filter(|&at| matches!(tree.ops[at].op, Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. }));
    Ok(accesses.zip(found).collect())
}

/// The values among a place's indices.
pub(super) fn values(place: &Place) -> impl Iterator<Item = Value> + '_ {
    place.iter().filter_map(|term| match term {
        Term::Value(value) => Some(*value),
        _ => None,
    })
}
