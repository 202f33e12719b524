//! Regions of the primal, written once more as they are.

use super::tree::{OpId, Tree};
use crate::builder::Builder;
use crate::ir::*;

/// Writes ops of the primal into another kernel.
pub(super) trait Copying<'k> {
    fn tree(&self) -> &Tree<'k>;

    fn builder(&mut self) -> &mut Builder;

    /// What stands for a value here.
    fn get(&self, value: Value) -> Value;

    /// From here on `to` stands for a value.
    fn name(&mut self, value: Value, to: Value);

    /// An op without regions.
    fn plain(&mut self, id: OpId, op: &Op);

    fn get_all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&v| self.get(v)).collect()
    }

    fn name_all(&mut self, values: &[Value], to: &[Value]) {
        values.iter().zip(to).for_each(|(&v, &to)| self.name(v, to));
    }

    fn copy_ops(&mut self, ops: &[OpId]) {
        for &id in ops {
            match self.tree().ops[id].op {
                Op::If { cond, then, otherwise, results } => {
                    let [then, otherwise] = [then, otherwise].map(|region| region.yields.clone());
                    let arms =
                        [(0, then), (1, otherwise)].map(|(k, yields)| self.copy_region(id, k, &[], &[], &yields));
                    let [then, otherwise] = arms;
                    let cond = self.get(*cond);
                    let fresh = self.builder().push_if(cond, then, otherwise);
                    self.name_all(results, &fresh);
                }
                Op::Loop { inits, cond, body, results } => {
                    let inits = self.get_all(inits);
                    let scalars: Vec<Scalar> = inits.iter().map(|&v| self.builder().scalar(v)).collect();
                    let [cond, body] = [(0, cond), (1, body)]
                        .map(|(k, region)| self.copy_region(id, k, &scalars, &region.params, &region.yields));
                    let fresh = self.builder().push_loop(&inits, cond, body);
                    self.name_all(results, &fresh);
                }
                // Who copies says by other means how values change.
                Op::Custom { values, results, .. } => {
                    let values = self.get_all(values);
                    self.name_all(results, &values);
                }
                op => self.plain(id, op),
            }
        }
    }

    /// Region `k` of an op, whose parameters are of these types.
    fn copy_region(&mut self, id: OpId, k: usize, scalars: &[Scalar], params: &[Value], yields: &[Value]) -> Region {
        let fresh = self.builder().open(scalars);
        self.name_all(params, &fresh);
        let ops = self.tree().ops[id].regions[k].clone();
        self.copy_ops(&ops);
        let yields = self.get_all(yields);
        self.builder().close(&yields)
    }
}
