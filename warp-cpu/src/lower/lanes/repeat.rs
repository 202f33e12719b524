//! Loops. Those that all threads of a bundle leave at the same turn are loops; others go on for those that are still in it.

use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, types};
use warp_ir::ir::{Region, Value};
use warp_ir::planted::{self, Bug};

use super::effects::writes;
use super::leaving::{self, Break};
use super::wide::Wide;
use super::{Lanes, Masks, Stop, refused};

impl Lanes<'_, '_> {
    pub(super) fn repeat(
        &mut self,
        inits: &[Value],
        cond: &Region,
        body: &Region,
        results: &[Value],
    ) -> Result<(), Stop> {
        if writes(cond) {
            return refused("the condition of a loop writes");
        }
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
        let exits = self.exits;
        self.ops(&cond.ops)?;
        self.hand_on(&cond.params, &body.params);
        self.settle();
        let goes_on = self.one.get(cond.yields[0]);
        let leaving = self.arguments(results, &cond.params);
        self.one.unless(goes_on, (turn, &[]), (exit, &leaving));
        self.one.builder.switch_to_block(turn);
        let committed = self.committed;
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

    /// A loop that threads leave at different turns. It goes on as long as one of them does, with a mask of those that
    /// do; what the others carry stays, where it is needed after the loop.
    fn repeat_apart(&mut self, inits: &[Value], cond: &Region, body: &Region, results: &[Value]) -> Result<(), Stop> {
        self.flush_before_region(&[body])?;
        self.settle();
        self.forget_written(&[body]);
        let (outside, elements) = (self.live.clone(), self.elements.clone());
        self.apart = true;
        let needed = results.iter().map(|result| self.one.survey.uses[result.0 as usize] > 0).collect();
        let this = leaving::Loop { cond, body, inits, needed };
        let by_break = this.by_break(&self.one.survey.uses, &self.constants);
        let flag = by_break.as_ref().and_then(|by_break| by_break.flag);
        let [turn, exit] = [&body.params[..], results].map(|params| self.block_for(params));
        let live: Masks = (0..self.groups).map(|_| self.one.builder.append_block_param(turn, types::I32X4)).collect();
        let exits = self.exits;
        let start = cond.params.iter().zip(inits).map(|(param, init)| self.arguments(&[*param], &[*init]));
        let start: Vec<Vec<BlockArg>> = start.collect();
        let first = match &outside {
            Some(outside) => outside.clone(),
            None => vec![self.mask_of(true); self.groups],
        };
        self.hand_on(inits, &cond.params);
        self.turn_if_any(cond, flag, first, &start, turn, exit)?;

        self.one.builder.switch_to_block(turn);
        self.bind(turn, &body.params);
        self.live = Some(live.clone());
        if let Some(by_break) = &by_break {
            let lowered = self.one.truth(false);
            by_break.flag.into_iter().for_each(|flag| self.set(body.params[flag], Wide::Same(lowered)));
            self.decided.extend(&by_break.decided);
        }
        let committed = self.committed;
        self.inside(|lanes| lanes.ops(&body.ops))?;
        self.settle();
        let staying = match &by_break {
            None => live.clone(),
            Some(by_break) => self.without_leavers(by_break, &live),
        };
        for (k, (before, after)) in body.params.iter().zip(&body.yields).enumerate() {
            let changes = if by_break.as_ref().is_some_and(|by_break| by_break.stays[k]) { &staying } else { &live };
            let scalar = self.one.scalar(*before);
            self.set_each(cond.params[k], |lanes| {
                let (before, after) = (lanes.get(*before), lanes.get(*after));
                match !this.needed[k] || planted::is(Bug::CpuGroupsForgetLeavers) {
                    true => Ok(after),
                    false => lanes.select(&Wide::Vectors(vec![changes[lanes.group]]), &after, &before, scalar),
                }
            })?;
        }
        self.turn_if_any(cond, flag, staying, &start, turn, exit)?;
        if self.committed && self.exits > exits {
            return refused("a loop may go wrong after a turn that has written");
        }
        self.committed |= committed;
        (self.live, self.elements) = (outside, elements);
        self.one.builder.switch_to_block(exit);
        self.bind(exit, results);
        Ok(())
    }

    /// Goes on in the block `turn` if one of the threads that are `still` in the loop takes another turn, else in `exit`.
    /// The loop carries what the parameters of its condition are now, but for a `flag` that stays as it was at the `start`.
    fn turn_if_any(
        &mut self,
        cond: &Region,
        flag: Option<usize>,
        still: Masks,
        start: &[Vec<BlockArg>],
        turn: clif::Block,
        exit: clif::Block,
    ) -> Result<(), Stop> {
        self.live = Some(still.clone());
        if let Some(flag) = flag {
            let lowered = self.one.truth(false);
            self.set(cond.params[flag], Wide::Same(lowered));
        }
        self.ops(&cond.ops)?;
        self.settle();
        let goes_on = self.masks(cond.yields[0]);
        let live: Masks = still.iter().zip(goes_on).map(|(a, b)| self.one.builder.ins().band(*a, b)).collect();
        let none = self.none_in(live.clone());
        let mut leaving = vec![];
        for (k, param) in cond.params.iter().enumerate() {
            match flag == Some(k) {
                true => leaving.extend(&start[k]),
                false => leaving.extend(self.arguments(&[*param], &[*param])),
            }
        }
        let going_on: Vec<BlockArg> = leaving.iter().copied().chain(live.into_iter().map(BlockArg::Value)).collect();
        self.one.builder.ins().brif(none, exit, &leaving, turn, &going_on);
        Ok(())
    }

    /// Of the threads in a loop those that do not leave it in this turn.
    pub(super) fn without_leavers(&mut self, by_break: &Break, live: &Masks) -> Masks {
        if planted::is(Bug::CpuGroupsForgetExits) {
            return live.clone();
        }
        let decides = self.masks(by_break.cond);
        let each = live.iter().zip(decides).map(|(live, decides)| match by_break.arm {
            0 => self.one.builder.ins().band_not(*live, decides),
            _ => self.one.builder.ins().band(*live, decides),
        });
        each.collect()
    }
}
