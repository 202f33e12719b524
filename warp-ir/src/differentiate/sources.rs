//! Places in the user's source, in kernels that are derived from another one.

use crate::builder::Builder;
use crate::ir::*;

/// Where each place of the primal stands in a derived kernel.
pub(super) struct Sources(Vec<SourceId>);

impl Sources {
    /// Brings the places of the primal. Two instances of one function bring the same ones, which a builder has once.
    pub(super) fn new(b: &mut Builder, primal: &Function) -> Sources {
        Sources(primal.sources.iter().map(|source| b.source(source.clone())).collect())
    }

    /// Values that are made from now on come from the statement of an op of the primal, where that is known.
    pub(super) fn at(&self, b: &mut Builder, primal: &Function, op: &Op) {
        if let Some(statement) = primal.statement(op) {
            b.at(Some(self.0[statement.0 as usize]));
        }
    }

    /// Gives the copy of a check its place.
    pub(super) fn rename(&self, copy: &mut Op) {
        if let Op::Check { source, .. } = copy {
            *source = self.0[source.0 as usize];
        }
    }
}
