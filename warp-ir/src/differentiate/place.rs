//! Where accesses of the primal kernel go, dimension by dimension, so that the adjoint can check each index again.

use std::collections::BTreeMap;

use super::Refusal;
use super::tree::{OpId, Tree};
use crate::builder::Builder;
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

/// The flat index of an element, checked in each dimension and in the form that proofs read.
pub(super) fn flat(b: &mut Builder, array: ArrayId, indices: &[Value], source: SourceId) -> Value {
    for (dim, &index) in indices.iter().enumerate() {
        b.check_index(Mem::Array(array), dim as u8, index, source);
    }
    let param = &b.function().arrays[array.0 as usize];
    if param.rank == 1 && !param.strided {
        return indices[0];
    }
    let strided = param.strided;
    let mut flat: Option<Value> = None;
    for (dim, &index) in indices.iter().enumerate() {
        flat = Some(match flat {
            _ if strided => {
                let stride = b.stride(array, dim as u8);
                let part = b.mul(index, stride);
                flat.map_or(part, |flat| b.add(flat, part))
            }
            None => index,
            Some(flat) => {
                let extent = b.extent(array, dim as u8);
                let row = b.mul(flat, extent);
                b.add(row, index)
            }
        });
    }
    flat.unwrap_or(indices[0])
}
