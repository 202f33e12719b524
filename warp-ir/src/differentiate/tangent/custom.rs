//! Derivatives of the user's own, forward: what turns adjoints of results into adjoints of operands is linear, and called
//! with an adjoint of one it gives a row of the matrix of derivatives.

use super::super::copy::Copying;
use super::super::tree::{OpId, Tree, adjoint_scalar};
use super::Forward;
use crate::builder::Builder;
use crate::ir::*;

impl Forward<'_, '_> {
    /// Hands values on as the primal does, so that going back through the tangent finds the same derivative; and makes
    /// their tangents by it.
    pub(super) fn custom(&mut self, id: OpId) {
        let Op::Custom { values, by, gradient, results } = self.tree.ops[id].op else { return };
        let (handed, own) = (self.get_all(values), self.get_all(by));
        let scalars: Vec<Scalar> = gradient.params.iter().map(|&p| self.tree.function.scalar(p)).collect();
        let again = self.copy_region(id, 0, &scalars, &gradient.params, &gradient.yields);
        let fresh = self.b.push_custom(&handed, &own, again);
        self.name_all(results, &fresh);
        let floats: Vec<Value> = results.iter().copied().filter(|&result| self.carries(result)).collect();
        let changes = by.iter().any(|v| self.tangents[v.0 as usize].is_some());
        self.aside = self.locals_inside(id);
        for (row, result) in floats.into_iter().enumerate() {
            self.tangents[result.0 as usize] = if changes { self.row(id, row, result) } else { None };
        }
        self.aside.clear();
    }

    /// The tangent of one result: the row of derivatives, times the tangents of the operands.
    fn row(&mut self, id: OpId, row: usize, result: Value) -> Option<Value> {
        let Op::Custom { by, gradient, .. } = self.tree.ops[id].op else { return None };
        for (k, &param) in gradient.params.iter().enumerate() {
            let number = self.b.const_(Scalar::F32, u64::from(if k == row { 1f32 } else { 0.0 }.to_bits()));
            let adjoint = self.b.cast(self.tree.function.scalar(param), number);
            self.name(param, adjoint);
        }
        self.copy_ops(&self.tree.ops[id].regions[0].clone());
        let scalar = adjoint_scalar(self.tree.function.scalar(result));
        let mut sum = None;
        for (&operand, &slope) in by.iter().zip(&gradient.yields) {
            let Some(tangent) = self.tangents[operand.0 as usize] else { continue };
            let slope = self.get(slope);
            let slope = self.b.cast(adjoint_scalar(self.tree.function.scalar(operand)), slope);
            let part = self.b.mul(slope, tangent);
            // A tangent of zero gives nothing, whatever the derivative makes of the values.
            let (zero, nan) = (self.b.zero(self.b.scalar(part)), self.b.ne(part, part));
            let still = self.b.eq(tangent, zero);
            let of_nothing = self.b.and(still, nan);
            let part = self.b.select(of_nothing, zero, part);
            let part = self.b.cast(scalar, part);
            sum = Some(match sum {
                Some(sum) => self.b.add(sum, part),
                None => part,
            });
        }
        sum
    }

    /// For the local arrays of a derivative others, as those stay the ones of the derivative that is handed on.
    fn locals_inside(&mut self, id: OpId) -> Vec<(LocalId, LocalId)> {
        let mut pairs: Vec<(LocalId, LocalId)> = vec![];
        for at in id + 1..self.tree.ops[id].end {
            if let Op::Fill { local, .. }
            | Op::Store { mem: Mem::Local(local), .. }
            | Op::Load { mem: Mem::Local(local), .. } = self.tree.ops[at].op
                && pairs.iter().all(|(of, _)| of != local)
            {
                let of = &self.tree.function.locals[local.0 as usize];
                pairs.push((*local, self.b.local(&of.name, &of.leaves, of.len)));
            }
        }
        pairs
    }
}

impl<'k> Copying<'k> for Forward<'_, 'k> {
    fn tree(&self) -> &Tree<'k> {
        self.tree
    }

    fn builder(&mut self) -> &mut Builder {
        &mut self.b
    }

    fn get(&self, value: Value) -> Value {
        self.names[value.0 as usize].unwrap_or(value)
    }

    fn name(&mut self, value: Value, to: Value) {
        self.names[value.0 as usize] = Some(to);
    }

    fn plain(&mut self, _: OpId, op: &Op) {
        let mut op = op.clone();
        op.map_local(|local| {
            if let Some((_, other)) = self.aside.iter().find(|(of, _)| of == local) {
                *local = *other;
            }
        });
        self.copy(&op);
    }
}
