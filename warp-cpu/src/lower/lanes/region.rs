//! Branches and loops. Where all threads of a group go the same way, a branch is a branch; where they part, the group
//! gives up. Arms that only compute are computed both.

use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder};
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Op, Region, Scalar, Value};
use warp_ir::planted::{self, Bug};
use warp_ir::uniformity::Kind;

use super::super::clif_type;
use super::effects::writes;
use super::wide::{Wide, canonical_types};
use super::{Lanes, Stop, refused};

/// Ops of both arms of a branch that is replaced by choices, at most.
const LONGEST_ARMS: usize = 16;

impl Lanes<'_, '_> {
    /// The ops of a region, in order.
    pub(super) fn ops(&mut self, ops: &[Op]) -> Result<(), Stop> {
        ops.iter().try_for_each(|op| self.op(op))
    }

    pub(super) fn branch(
        &mut self,
        cond: Value,
        then: &Region,
        otherwise: &Region,
        results: &[Value],
    ) -> Result<(), Stop> {
        let decides = self.get(cond);
        if !matches!(decides, Wide::Same(_)) && self.only_computes(then) && self.only_computes(otherwise) {
            return self.both_arms(&decides, [then, otherwise], results);
        }
        if !matches!(decides, Wide::Same(_)) && self.live.is_some() {
            return self.arm_by_arm(&decides, [then, otherwise], results);
        }
        self.flush_before_region(&[then, otherwise])?;
        let [then_block, otherwise_block] = std::array::from_fn(|_| self.one.builder.create_block());
        if let Wide::Same(decides) = decides {
            self.settle();
            self.one.builder.ins().brif(decides, then_block, &[], otherwise_block, &[]);
        } else {
            self.note_exit()?;
            self.settle();
            let parts = self.one.builder.create_block();
            let all = self.holds_in_all(&decides);
            self.one.builder.ins().brif(all, then_block, &[], parts, &[]);
            self.one.builder.switch_to_block(parts);
            let none = self.holds_in_none(&decides);
            let give_up = self.give_up();
            self.one.builder.ins().brif(none, otherwise_block, &[], give_up, &[]);
        }
        let join = self.block_for(results);
        let before = (self.committed, self.elements.clone());
        let mut committed = false;
        for (block, region) in [(then_block, then), (otherwise_block, otherwise)] {
            self.one.builder.switch_to_block(block);
            (self.committed, self.elements) = before.clone();
            self.inside(|lanes| lanes.ops(&region.ops))?;
            self.settle();
            self.jump(join, results, &region.yields);
            committed |= self.committed;
        }
        self.committed = committed;
        self.elements = before.1;
        self.forget_written(&[then, otherwise]);
        self.one.builder.switch_to_block(join);
        self.bind(join, results);
        Ok(())
    }

    /// Lowers the inside of a region, all of whose writes are made at its end.
    fn inside(&mut self, body: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let outside = std::mem::replace(&mut self.held_outside, self.pending.len());
        body(self)?;
        self.flush(self.held_outside)?;
        self.held_outside = outside;
        Ok(())
    }

    /// Elements of arrays that regions write to have to be loaded again.
    fn forget_written(&mut self, regions: &[&Region]) {
        if regions.iter().any(|region| writes(region)) {
            self.elements.clear();
        }
    }

    /// Computes both arms, and chooses.
    fn both_arms(&mut self, cond: &Wide, arms: [&Region; 2], results: &[Value]) -> Result<(), Stop> {
        arms.iter().try_for_each(|arm| self.ops(&arm.ops))?;
        for (k, result) in results.iter().enumerate() {
            let [yes, no] = arms.map(|arm| self.get(arm.yields[k]));
            let scalar = self.one.scalar(*result);
            let chosen = self.select(cond, &yes, &no, scalar)?;
            self.set(*result, chosen);
        }
        Ok(())
    }

    /// Whether a region may be computed where its condition does not hold, and is short.
    fn only_computes(&self, region: &Region) -> bool {
        let may = |op: &Op| match op {
            Op::Pure { builtin: Builtin::Div | Builtin::Rem, result, .. } => !self.one.scalar(*result).is_int(),
            Op::Pure { builtin, .. } => !builtin.row().is_function(),
            Op::Table { .. } => false,
            _ => op.is_pure(),
        };
        region.ops.len() <= LONGEST_ARMS && region.ops.iter().all(may)
    }

    pub(super) fn repeat(
        &mut self,
        inits: &[Value],
        cond: &Region,
        body: &Region,
        results: &[Value],
    ) -> Result<(), Stop> {
        if !self.kinds.is_uniform(cond.yields[0]) {
            return self.repeat_apart(inits, cond, body, results);
        }
        self.flush_before_region(&[body])?;
        self.settle();
        self.forget_written(&[body]);
        let elements = self.elements.clone();
        let [head, turn, exit] = [&cond.params[..], &[], results].map(|params| self.block_for(params));
        self.jump(head, &cond.params, inits);
        self.one.builder.switch_to_block(head);
        self.bind(head, &cond.params);
        self.ops(&cond.ops)?;
        for (there, here) in cond.params.iter().zip(&body.params) {
            let is = self.get(*there);
            self.set(*here, is);
        }
        let goes_on = self.one.get(cond.yields[0]);
        let leaving = self.arguments(results, &cond.params);
        self.one.builder.ins().brif(goes_on, turn, &[], exit, &leaving);
        self.one.builder.switch_to_block(turn);
        let (exits, committed) = (self.exits, self.committed);
        self.inside(|lanes| lanes.ops(&body.ops))?;
        self.settle();
        if self.committed && self.exits > exits {
            return refused("a loop may go wrong after a turn that has written");
        }
        self.committed |= committed;
        self.jump(head, &cond.params, &body.yields);
        self.elements = elements;
        self.one.builder.switch_to_block(exit);
        self.bind(exit, results);
        Ok(())
    }

    /// A loop that threads leave at different turns. It goes on as long as one of them does; what the others carry stays,
    /// so that they will not want to go on in later turns either.
    fn repeat_apart(&mut self, inits: &[Value], cond: &Region, body: &Region, results: &[Value]) -> Result<(), Stop> {
        self.flush_before_region(&[body])?;
        self.settle();
        let (outside, elements) = (self.live, self.elements.clone());
        let [head, turn, exit] = [&cond.params[..], &[], results].map(|params| self.block_for(params));
        self.jump(head, &cond.params, inits);
        self.one.builder.switch_to_block(head);
        self.bind(head, &cond.params);
        self.ops(&cond.ops)?;
        let goes_on = self.get(cond.yields[0]);
        let goes_on = self.mask(&goes_on);
        let live = match outside {
            Some(live) => self.one.builder.ins().band(live, goes_on),
            None => goes_on,
        };
        self.live = Some(live);
        let none = self.holds_in_none(&Wide::Vectors(vec![live]));
        let leaving = self.arguments(results, &cond.params);
        self.one.builder.ins().brif(none, exit, &leaving, turn, &[]);

        self.one.builder.switch_to_block(turn);
        for (there, here) in cond.params.iter().zip(&body.params) {
            let is = self.get(*there);
            self.set(*here, is);
        }
        self.ops(&body.ops)?;
        self.settle();
        let mut args = vec![];
        for (before, after) in body.params.iter().zip(&body.yields) {
            let (scalar, before, after) = (self.one.scalar(*before), self.get(*before), self.get(*after));
            let next = match planted::is(Bug::CpuGroupsForgetLeavers) {
                true => after,
                false => self.select(&Wide::Vectors(vec![live]), &after, &before, scalar)?,
            };
            args.extend(self.canonical(scalar, &next).into_iter().map(BlockArg::Value));
        }
        self.one.builder.ins().jump(head, &args);
        (self.live, self.elements) = (outside, elements);
        self.one.builder.switch_to_block(exit);
        self.bind(exit, results);
        Ok(())
    }

    /// Both arms one after the other where not all threads are here, each of them if one of its threads is.
    fn arm_by_arm(&mut self, decides: &Wide, arms: [&Region; 2], results: &[Value]) -> Result<(), Stop> {
        self.flush_before_region(&arms)?;
        self.settle();
        let outside = self.live;
        let all = outside.expect("asked for where not all threads are here");
        let yes = self.mask(decides);
        let scalars: Vec<Scalar> = results.iter().map(|result| self.one.scalar(*result)).collect();
        let mut outcomes = vec![];
        for (k, region) in arms.into_iter().enumerate() {
            let live = match k {
                0 => self.one.builder.ins().band(all, yes),
                _ => self.one.builder.ins().band_not(all, yes),
            };
            let [arm, after] = std::array::from_fn(|_| self.one.builder.create_block());
            let mut nothing = vec![];
            for scalar in &scalars {
                let zero = Wide::Same(self.one.constant(*scalar, 0));
                nothing.extend(self.canonical(*scalar, &zero).into_iter().map(BlockArg::Value));
                for ty in canonical_types(*scalar) {
                    self.one.builder.append_block_param(after, ty);
                }
            }
            let none = self.holds_in_none(&Wide::Vectors(vec![live]));
            self.one.builder.ins().brif(none, after, &nothing, arm, &[]);
            self.one.builder.switch_to_block(arm);
            let elements = self.elements.clone();
            self.live = Some(live);
            self.ops(&region.ops)?;
            self.settle();
            let mut yields = vec![];
            for (scalar, value) in scalars.iter().zip(&region.yields) {
                let value = self.get(*value);
                yields.extend(self.canonical(*scalar, &value).into_iter().map(BlockArg::Value));
            }
            self.one.builder.ins().jump(after, &yields);
            (self.live, self.elements) = (outside, elements);
            self.one.builder.switch_to_block(after);
            outcomes.push(self.one.builder.block_params(after).to_vec());
        }
        let mut at = 0;
        for (scalar, result) in scalars.into_iter().zip(results) {
            let end = at + canonical_types(scalar).len();
            let [a, b] = [0, 1].map(|k| self.of_canonical(&outcomes[k][at..end]));
            let chosen = self.select(&Wide::Vectors(vec![yes]), &a, &b, scalar)?;
            self.set(*result, chosen);
            at = end;
        }
        Ok(())
    }

    /// How a value is handed to a block.
    fn types_of(&self, value: Value) -> Vec<clif::Type> {
        let scalar = self.one.scalar(value);
        match self.kinds.kind(value) {
            Kind::Uniform | Kind::Linear(_) => vec![clif_type(scalar)],
            Kind::Varying => canonical_types(scalar),
        }
    }

    fn block_for(&mut self, values: &[Value]) -> clif::Block {
        let block = self.one.builder.create_block();
        for ty in values.iter().flat_map(|value| self.types_of(*value)).collect::<Vec<_>>() {
            self.one.builder.append_block_param(block, ty);
        }
        block
    }

    /// What is handed to a block for values `to`, of which these are the values now.
    fn arguments(&mut self, to: &[Value], from: &[Value]) -> Vec<BlockArg> {
        let mut args = vec![];
        for (to, from) in to.iter().zip(from) {
            let (scalar, is) = (self.one.scalar(*to), self.get(*from));
            let parts = match self.kinds.kind(*to) {
                Kind::Uniform | Kind::Linear(_) => self.scalars(scalar, &is)[..1].to_vec(),
                Kind::Varying => self.canonical(scalar, &is),
            };
            args.extend(parts.into_iter().map(BlockArg::Value));
        }
        args
    }

    fn jump(&mut self, block: clif::Block, to: &[Value], from: &[Value]) {
        let args = self.arguments(to, from);
        self.one.builder.ins().jump(block, &args);
    }

    /// Takes values from the parameters of a block.
    fn bind(&mut self, block: clif::Block, values: &[Value]) {
        let params = self.one.builder.block_params(block).to_vec();
        let mut rest = &params[..];
        for value in values {
            let (own, others) = rest.split_at(self.types_of(*value).len());
            rest = others;
            let wide = match self.kinds.kind(*value) {
                Kind::Uniform => Wide::Same(own[0]),
                Kind::Linear(stride) => Wide::Linear { first: own[0], stride },
                Kind::Varying => self.of_canonical(own),
            };
            self.set(*value, wide);
        }
    }
}
