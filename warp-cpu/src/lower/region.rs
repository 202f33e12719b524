//! Regions: branches and loops become blocks with parameters.
//!
//! Loops are turned round: the condition is tested once before the loop and again at its end, so that a turn takes one
//! jump. `break` and its relatives arrive as flags that a branch at the end of the body sets and the condition reads.
//! There the end of the body is made once for each arm of the branch, where the flag is a constant: the arm that
//! breaks jumps out of the loop, and the other one tests what is left of the condition.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder};
use warp_core::backend::BackendError;
use warp_ir::ir::{Op, Region, Scalar, Value};
use warp_ir::planted::{self, Bug};

use super::{Lowering, clif_type};

/// A condition with more ops is not made twice.
const LONGEST_CONDITION: usize = 12;
/// Nor is the end of a loop's body that is longer than this, after its last branch.
const LONGEST_END: usize = 6;
/// Ends of the body of one loop.
const MOST_ENDS: usize = 8;

/// What follows the ops of a region: gets its yields.
type Next<'n, 'a, 'f> = &'n mut dyn FnMut(&mut Lowering<'a, 'f>, Vec<clif::Value>) -> Result<(), BackendError>;

impl<'a, 'f> Lowering<'a, 'f> {
    /// The ops of a region, in order.
    pub(super) fn region_ops(&mut self, ops: &[Op]) -> Result<(), BackendError> {
        let mut done = vec![false; ops.len()];
        for (at, op) in ops.iter().enumerate() {
            if !done[at] {
                self.divisions(&ops[at..], &mut done[at..])?;
            }
            if !done[at] {
                self.guards(&ops[at..], &mut done[at..])?;
            }
            if !done[at] {
                self.op(op)?;
            }
        }
        Ok(())
    }

    fn all(&self, values: &[Value]) -> Vec<clif::Value> {
        values.iter().map(|value| self.get(*value)).collect()
    }

    fn bind(&mut self, values: &[Value], to: &[clif::Value]) {
        values.iter().zip(to).for_each(|(value, is)| self.set(*value, *is));
    }

    /// A block with a parameter for each value.
    fn block_for(&mut self, values: &[Value]) -> clif::Block {
        let block = self.builder.create_block();
        for value in values {
            let ty = clif_type(self.scalar(*value));
            self.builder.append_block_param(block, ty);
        }
        block
    }

    fn jump(&mut self, block: clif::Block, args: &[clif::Value]) {
        let args: Vec<BlockArg> = args.iter().copied().map(BlockArg::Value).collect();
        self.builder.ins().jump(block, &args);
    }

    /// Goes on in one of two blocks.
    fn fork(&mut self, cond: clif::Value, yes: (clif::Block, &[clif::Value]), no: (clif::Block, &[clif::Value])) {
        match self.constant_bits(cond) {
            Some(0) => self.jump(no.0, no.1),
            Some(_) => self.jump(yes.0, yes.1),
            None => {
                let [to_yes, to_no] =
                    [yes.1, no.1].map(|args| args.iter().copied().map(BlockArg::Value).collect::<Vec<_>>());
                self.builder.ins().brif(cond, yes.0, &to_yes, no.0, &to_no);
            }
        }
    }

    /// Goes on in a loop if `goes_on` holds, else at an end that lies behind it. That is named first: then the code
    /// generator comes to it last, and takes what does not change out of the loop. The other way round it would take the loop
    /// for finished.
    pub(super) fn unless(
        &mut self,
        goes_on: clif::Value,
        turn: (clif::Block, &[BlockArg]),
        exit: (clif::Block, &[BlockArg]),
    ) {
        let ends = self.builder.ins().icmp_imm_u(IntCC::Equal, goes_on, 0);
        self.builder.ins().brif(ends, exit.0, exit.1, turn.0, turn.1);
    }

    /// Starts a block; its parameters.
    fn enter(&mut self, block: clif::Block) -> Vec<clif::Value> {
        self.builder.switch_to_block(block);
        self.builder.block_params(block).to_vec()
    }

    pub(super) fn branch(
        &mut self,
        cond: Value,
        then: &Region,
        otherwise: &Region,
        results: &[Value],
    ) -> Result<(), BackendError> {
        let cond = self.get(cond);
        if let Some(bits) = self.constant_bits(cond) {
            let arm = if bits == 1 { then } else { otherwise };
            self.region_ops(&arm.ops)?;
            let yields = self.all(&arm.yields);
            self.bind(results, &yields);
            return Ok(());
        }
        let [then_block, otherwise_block] = std::array::from_fn(|_| self.builder.create_block());
        let join = self.block_for(results);
        self.builder.ins().brif(cond, then_block, &[], otherwise_block, &[]);
        for (block, region) in [(then_block, then), (otherwise_block, otherwise)] {
            self.builder.switch_to_block(block);
            self.region_ops(&region.ops)?;
            let yields = self.all(&region.yields);
            self.jump(join, &yields);
        }
        let params = self.enter(join);
        self.bind(results, &params);
        Ok(())
    }

    pub(super) fn repeat(
        &mut self,
        inits: &[Value],
        cond: &Region,
        body: &Region,
        results: &[Value],
    ) -> Result<(), BackendError> {
        let (body_block, exit) = (self.block_for(&body.params), self.block_for(results));
        let inits = self.all(inits);
        let first = inits.clone();
        if cond.ops.len() > LONGEST_CONDITION {
            let head = self.block_for(&cond.params);
            self.jump(head, &inits);
            let carried = self.enter(head);
            self.test(cond, carried, body_block, exit)?;
            let params = self.enter(body_block);
            self.bind(&body.params, &params);
            self.region_ops(&body.ops)?;
            let yields = self.all(&body.yields);
            self.jump(head, &yields);
        } else {
            self.test(cond, inits, body_block, exit)?;
            let params = self.enter(body_block);
            self.bind(&body.params, &params);
            let flags = body.params.iter().any(|param| self.scalar(*param) == Scalar::Bool);
            let mut ends = if flags { MOST_ENDS } else { 1 };
            self.end(&body.ops, &body.yields, &mut ends, &mut |lowering, yields| {
                lowering.test(cond, yields, body_block, exit)
            })?;
        }
        let params = self.enter(exit);
        self.bind(results, if planted::is(Bug::CpuForgetsLoopResults) { &first } else { &params });
        Ok(())
    }

    /// Tests the condition of a loop for carried values and goes on in its body or after it.
    fn test(
        &mut self,
        cond: &Region,
        carried: Vec<clif::Value>,
        body: clif::Block,
        exit: clif::Block,
    ) -> Result<(), BackendError> {
        self.bind(&cond.params, &carried);
        self.region_ops(&cond.ops)?;
        let goes_on = self.get(cond.yields[0]);
        // A short condition stands at the end of the loop's body, behind all that the loop has.
        if cond.ops.len() <= LONGEST_CONDITION || self.constant_bits(goes_on).is_some() {
            self.fork(goes_on, (body, &carried), (exit, &carried));
        } else {
            let carried: Vec<BlockArg> = carried.into_iter().map(BlockArg::Value).collect();
            self.unless(goes_on, (body, &carried), (exit, &carried));
        }
        Ok(())
    }

    /// The ops of a region, then `next`, which ends the block: once, or once for each arm of a branch at the end. `ends`
    /// is how often `next` may still be made.
    fn end(
        &mut self,
        ops: &[Op],
        yields: &[Value],
        ends: &mut usize,
        next: Next<'_, 'a, 'f>,
    ) -> Result<(), BackendError> {
        let last = ops.iter().rposition(|op| !op.is_pure());
        let splits = last.is_some_and(|at| ops.len() - at - 1 <= LONGEST_END && *ends > 1);
        let Some((at, Op::If { cond, then, otherwise, results })) =
            last.filter(|_| splits).map(|at| (at, &ops[at])).filter(|(_, op)| matches!(op, Op::If { .. }))
        else {
            self.region_ops(ops)?;
            let yields = self.all(yields);
            return next(self, yields);
        };
        *ends -= 1;
        self.region_ops(&ops[..at])?;
        let decided = self.get(*cond);
        let arms = [self.builder.create_block(), self.builder.create_block()];
        self.fork(decided, (arms[0], &[]), (arms[1], &[]));
        for (block, region, truth) in [(arms[0], then, true), (arms[1], otherwise, false)] {
            self.builder.switch_to_block(block);
            // In this arm, and in the end of the body that is made for it, the condition is known.
            let known = self.truth(truth);
            self.set(*cond, known);
            self.end(&region.ops, &region.yields, ends, &mut |lowering, arm| {
                lowering.bind(results, &arm);
                lowering.region_ops(&ops[at + 1..])?;
                let yields = lowering.all(yields);
                next(lowering, yields)
            })?;
        }
        // The condition may come from outside the loop, where nothing is known of it.
        if !planted::is(Bug::CpuKeepsConditionAfterLoop) {
            self.set(*cond, decided);
        }
        Ok(())
    }
}
