//! Branches. Where all threads of a bundle go the same way, a branch is a branch. Where they part, the bundle gives up; but at
//! the edge of a grid, and where some threads are not here anyway, they go through one arm after the other, under a mask.
//! Arms that only compute are computed both.

use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder};
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Op, Region, Scalar, Value};
use warp_ir::planted::{self, Bug};
use warp_ir::uniformity::Kind;

use super::super::clif_type;
use super::effects::writes;
use super::wide::{Wide, canonical_types};
use super::{Lanes, Masks, Stop};

/// Ops of both arms of a branch that is replaced by choices, at most.
const LONGEST_ARMS: usize = 16;
/// Ops of both arms of a branch for which there is code under masks beside that for threads that go together.
const LONGEST_PARTS: usize = 256;

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
        let decides = self.get_each(cond);
        if !matches!(decides[0], Wide::Same(_)) && self.only_computes(then) && self.only_computes(otherwise) {
            return self.both_arms(cond, [then, otherwise], results);
        }
        if !matches!(decides[0], Wide::Same(_)) && self.live.is_some() {
            return self.arm_by_arm(cond, [then, otherwise], results);
        }
        self.flush_before_region(&[then, otherwise])?;
        let [then_block, otherwise_block] = std::array::from_fn(|_| self.one.builder.create_block());
        let join = self.block_for(results);
        let before = (self.committed, self.elements.clone());
        let mut committed = false;
        if let Wide::Same(decides) = decides[0] {
            self.settle();
            self.one.builder.ins().brif(decides, then_block, &[], otherwise_block, &[]);
        } else {
            // At an edge threads part once. Where numbers decide they may part everywhere, and go faster one by one.
            let is_edge = matches!(decides[0], Wide::Edge { .. });
            let masked = self.masked_branches && is_edge && length(then) + length(otherwise) <= LONGEST_PARTS;
            if !masked {
                self.note_exit()?;
            }
            self.settle();
            let [differ, parts] = std::array::from_fn(|_| self.one.builder.create_block());
            self.one.builder.set_cold_block(parts);
            let all = self.holds_in_all(&decides);
            self.one.builder.ins().brif(all, then_block, &[], differ, &[]);
            self.one.builder.switch_to_block(differ);
            let none = self.holds_in_none(&decides);
            let give_up = self.give_up();
            self.one.unless(none, (otherwise_block, &[]), (if masked { parts } else { give_up }, &[]));
            if masked {
                self.one.builder.switch_to_block(parts);
                let first = self.one.builder.func.dfg.num_blocks();
                self.arm_by_arm(cond, [then, otherwise], results)?;
                self.jump(join, results, results);
                for block in first..self.one.builder.func.dfg.num_blocks() {
                    self.one.builder.set_cold_block(clif::Block::with_number(block as u32).expect("it exists"));
                }
                committed = self.committed;
            }
        }
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
    pub(super) fn inside(&mut self, body: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let outside = std::mem::replace(&mut self.held_outside, self.pending.len());
        self.depth += 1;
        body(self)?;
        self.flush(self.held_outside)?;
        self.depth -= 1;
        self.held_outside = outside;
        Ok(())
    }

    /// Elements of arrays that regions write to have to be loaded again.
    pub(super) fn forget_written(&mut self, regions: &[&Region]) {
        if regions.iter().any(|region| writes(region)) {
            self.elements.clear();
        }
    }

    /// Computes both arms, and chooses.
    fn both_arms(&mut self, cond: Value, arms: [&Region; 2], results: &[Value]) -> Result<(), Stop> {
        arms.iter().try_for_each(|arm| self.ops(&arm.ops))?;
        for (k, result) in results.iter().enumerate() {
            let (scalar, decided) = (self.one.scalar(*result), self.decided.get(result).copied());
            self.set_each(*result, |lanes| {
                let [decides, yes, no] = [cond, arms[0].yields[k], arms[1].yields[k]].map(|value| lanes.get(value));
                match decided {
                    Some(arm) => Ok([yes, no][arm].clone()),
                    None => lanes.select(&decides, &yes, &no, scalar),
                }
            })?;
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

    /// Both arms one after the other, each of them if one of its threads is here.
    fn arm_by_arm(&mut self, decides: Value, arms: [&Region; 2], results: &[Value]) -> Result<(), Stop> {
        self.flush_before_region(&arms)?;
        self.settle();
        let outside = self.live.clone();
        let yes = self.masks(decides);
        let all = match &outside {
            Some(outside) => outside.clone(),
            None => vec![self.mask_of(true); self.groups],
        };
        let scalars: Vec<Scalar> = results.iter().map(|result| self.one.scalar(*result)).collect();
        let mut outcomes = vec![];
        for (k, region) in arms.into_iter().enumerate() {
            let live = all.iter().zip(&yes).map(|(all, yes)| match k {
                0 => self.one.builder.ins().band(*all, *yes),
                _ => self.one.builder.ins().band_not(*all, *yes),
            });
            let live: Masks = live.collect();
            let [arm, after] = std::array::from_fn(|_| self.one.builder.create_block());
            let mut nothing = vec![];
            for scalar in &scalars {
                let zero = Wide::Same(self.one.constant(*scalar, 0));
                let zero = self.canonical(*scalar, &zero);
                for _ in 0..self.groups {
                    nothing.extend(zero.iter().copied().map(BlockArg::Value));
                    for ty in canonical_types(*scalar) {
                        self.one.builder.append_block_param(after, ty);
                    }
                }
            }
            let none = self.none_in(live.clone());
            self.one.builder.ins().brif(none, after, &nothing, arm, &[]);
            self.one.builder.switch_to_block(arm);
            let elements = self.elements.clone();
            self.live = Some(live);
            self.inside(|lanes| lanes.ops(&region.ops))?;
            self.settle();
            let mut yields = vec![];
            for (scalar, value) in scalars.iter().zip(&region.yields) {
                yields.extend(self.canonical_each(*scalar, *value).into_iter().map(BlockArg::Value));
            }
            self.one.builder.ins().jump(after, &yields);
            (self.live, self.elements) = (outside.clone(), elements);
            self.one.builder.switch_to_block(after);
            outcomes.push(self.one.builder.block_params(after).to_vec());
        }
        let mut at = 0;
        for (scalar, result) in scalars.into_iter().zip(results) {
            let length = canonical_types(scalar).len();
            self.set_each(*result, |lanes| {
                let own = at + lanes.group * length..at + (lanes.group + 1) * length;
                let [a, b] = [0, 1].map(|k| lanes.of_canonical(&outcomes[k][own.clone()]));
                if planted::is(Bug::CpuGroupsMixArms) {
                    return Ok(a);
                }
                lanes.select(&Wide::Vectors(vec![yes[lanes.group]]), &a, &b, scalar)
            })?;
            at += self.groups * length;
        }
        self.forget_written(&arms);
        Ok(())
    }

    /// How a value is handed to a block.
    fn types_of(&self, value: Value) -> Vec<clif::Type> {
        let scalar = self.one.scalar(value);
        match self.kinds.kind(value) {
            Kind::Uniform | Kind::Linear(_) => vec![clif_type(scalar)],
            Kind::Varying => canonical_types(scalar).repeat(self.groups),
        }
    }

    pub(super) fn block_for(&mut self, values: &[Value]) -> clif::Block {
        let block = self.one.builder.create_block();
        for ty in values.iter().flat_map(|value| self.types_of(*value)).collect::<Vec<_>>() {
            self.one.builder.append_block_param(block, ty);
        }
        block
    }

    /// What is handed to a block for values `to`, of which these are the values now.
    pub(super) fn arguments(&mut self, to: &[Value], from: &[Value]) -> Vec<BlockArg> {
        let mut args = vec![];
        for (to, from) in to.iter().zip(from) {
            let (scalar, is) = (self.one.scalar(*to), self.get(*from));
            let parts = match self.kinds.kind(*to) {
                Kind::Uniform | Kind::Linear(_) => self.scalars(scalar, &is)[..1].to_vec(),
                Kind::Varying => self.canonical_each(scalar, *from),
            };
            args.extend(parts.into_iter().map(BlockArg::Value));
        }
        args
    }

    pub(super) fn jump(&mut self, block: clif::Block, to: &[Value], from: &[Value]) {
        let args = self.arguments(to, from);
        self.one.builder.ins().jump(block, &args);
    }

    /// Takes values from the parameters of a block.
    pub(super) fn bind(&mut self, block: clif::Block, values: &[Value]) {
        let params = self.one.builder.block_params(block).to_vec();
        let mut rest = &params[..];
        for value in values {
            let (own, others) = rest.split_at(self.types_of(*value).len());
            rest = others;
            match self.kinds.kind(*value) {
                Kind::Uniform => self.set(*value, Wide::Same(own[0])),
                Kind::Linear(stride) => self.set(*value, Wide::Linear { first: own[0], stride }),
                Kind::Varying => {
                    for (group, own) in own.chunks(own.len() / self.groups).enumerate() {
                        self.group = group;
                        let wide = self.of_canonical(own);
                        self.set(*value, wide);
                    }
                    self.group = 0;
                }
            }
        }
    }

    /// Gives values to others, as they are.
    pub(super) fn hand_on(&mut self, from: &[Value], to: &[Value]) {
        for (from, to) in from.iter().zip(to) {
            for (group, is) in self.get_each(*from).into_iter().enumerate() {
                self.group = group;
                self.set(*to, is);
            }
        }
        self.group = 0;
    }

    /// A value in the form of [`canonical_types`], for all groups.
    fn canonical_each(&mut self, scalar: Scalar, value: Value) -> Vec<clif::Value> {
        let mut parts = vec![];
        for (group, is) in self.get_each(value).into_iter().enumerate() {
            self.group = group;
            parts.extend(self.canonical(scalar, &is));
        }
        self.group = 0;
        parts
    }
}

/// Ops of a region, and of those inside of it.
fn length(region: &Region) -> usize {
    region.ops.iter().map(|op| 1 + op.shape().regions.into_iter().map(length).sum::<usize>()).sum()
}
