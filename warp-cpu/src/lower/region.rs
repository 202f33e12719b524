//! Regions: branches and loops become blocks with parameters.

use cranelift_codegen::ir::{BlockArg, InstBuilder};
use warp_core::backend::BackendError;
use warp_ir::ir::{Region, Value};

use super::{Lowering, clif_type};

impl Lowering<'_, '_> {
    /// The ops of a region, in order.
    pub(super) fn region_ops(&mut self, region: &Region) -> Result<(), BackendError> {
        region.ops.iter().try_for_each(|op| self.op(op))
    }

    fn yields(&self, region: &Region) -> Vec<BlockArg> {
        region.yields.iter().map(|value| BlockArg::Value(self.get(*value))).collect()
    }

    /// Appends a block parameter for each value and defines the values by them.
    fn define_by_params(&mut self, block: cranelift_codegen::ir::Block, values: &[Value]) {
        for value in values {
            let ty = clif_type(self.scalar(*value));
            let param = self.builder.append_block_param(block, ty);
            self.set(*value, param);
        }
    }

    pub(super) fn branch(
        &mut self,
        cond: Value,
        then: &Region,
        otherwise: &Region,
        results: &[Value],
    ) -> Result<(), BackendError> {
        let [then_block, otherwise_block, join] = std::array::from_fn(|_| self.builder.create_block());
        let cond = self.get(cond);
        self.builder.ins().brif(cond, then_block, &[], otherwise_block, &[]);
        for (block, region) in [(then_block, then), (otherwise_block, otherwise)] {
            self.builder.switch_to_block(block);
            self.region_ops(region)?;
            let yields = self.yields(region);
            self.builder.ins().jump(join, &yields);
        }
        self.define_by_params(join, results);
        self.builder.switch_to_block(join);
        Ok(())
    }

    pub(super) fn repeat(
        &mut self,
        inits: &[Value],
        cond: &Region,
        body: &Region,
        results: &[Value],
    ) -> Result<(), BackendError> {
        let [head, body_block, exit] = std::array::from_fn(|_| self.builder.create_block());
        let inits: Vec<BlockArg> = inits.iter().map(|value| BlockArg::Value(self.get(*value))).collect();
        self.builder.ins().jump(head, &inits);
        self.define_by_params(head, &cond.params);
        self.builder.switch_to_block(head);
        self.region_ops(cond)?;
        let goes_on = self.get(cond.yields[0]);
        self.builder.ins().brif(goes_on, body_block, &[], exit, &[]);
        // The parameters of the head are the carried values for the body and, at the exit, the results.
        for ((carried, inside), result) in cond.params.iter().zip(&body.params).zip(results) {
            let is = self.get(*carried);
            self.set(*inside, is);
            self.set(*result, is);
        }
        self.builder.switch_to_block(body_block);
        self.region_ops(body)?;
        let yields = self.yields(body);
        self.builder.ins().jump(head, &yields);
        self.builder.switch_to_block(exit);
        Ok(())
    }
}
