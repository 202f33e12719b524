//! Several groups side by side: ops group by group, and what all threads of a bundle agree on.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder};
use warp_ir::ir::{Scalar, Value};
use warp_ir::uniformity::Kind;

use super::wide::Wide;
use super::{LANES, Lanes, Masks, Stop};

impl Lanes<'_, '_> {
    /// Threads in a bundle.
    pub(super) fn threads(&self) -> usize {
        LANES * self.groups
    }

    /// Lowers something for each group. What it sets is used for all of them.
    pub(super) fn each<T>(&mut self, mut body: impl FnMut(&mut Self) -> Result<T, Stop>) -> Result<Vec<T>, Stop> {
        let each = (0..self.groups).map(|group| {
            self.group = group;
            body(self)
        });
        let each = each.collect();
        self.group = 0;
        each
    }

    /// Sets a value to what is computed for each group, once if that is the same for all of them.
    pub(super) fn set_each(
        &mut self,
        value: Value,
        mut compute: impl FnMut(&mut Self) -> Result<Wide, Stop>,
    ) -> Result<(), Stop> {
        let uniform = self.kinds.kind(value) == Kind::Uniform;
        for group in 0..self.groups {
            self.group = group;
            let is = compute(self)?;
            let done = uniform || is.is_of_all_groups();
            self.set(value, is);
            if done {
                break;
            }
        }
        self.group = 0;
        Ok(())
    }

    /// A value in each group.
    pub(super) fn get_each(&mut self, value: Value) -> Vec<Wide> {
        let outer = self.group;
        let each = (0..self.groups).map(|group| {
            self.group = group;
            self.get(value)
        });
        let each = each.collect();
        self.group = outer;
        each
    }

    /// A truth as a mask for each group.
    pub(super) fn masks(&mut self, truth: Value) -> Masks {
        let truths = self.get_each(truth);
        self.masks_of(&truths)
    }

    fn masks_of(&mut self, truths: &[Wide]) -> Masks {
        let outer = self.group;
        let masks = truths.iter().enumerate().map(|(group, truth)| {
            self.group = group;
            self.mask(truth)
        });
        let masks = masks.collect();
        self.group = outer;
        masks
    }

    /// Whether a truth, given for each group, holds in all threads.
    pub(super) fn holds_in_all(&mut self, truths: &[Wide]) -> clif::Value {
        match &truths[0] {
            Wide::Same(is) => *is,
            Wide::Edge { all, .. } => *all,
            Wide::Scalars(_) => self.fold_scalars(truths, |lanes, a, b| lanes.one.builder.ins().band(a, b)),
            _ => {
                let masks = self.masks_of(truths);
                let all = self.fold(masks, |lanes, a, b| lanes.one.builder.ins().band(a, b));
                self.is_full(all)
            }
        }
    }

    /// Whether a truth, given for each group, holds in no thread.
    pub(super) fn holds_in_none(&mut self, truths: &[Wide]) -> clif::Value {
        match &truths[0] {
            Wide::Same(is) => self.one.builder.ins().icmp_imm_u(IntCC::Equal, *is, 0),
            Wide::Edge { none, .. } => *none,
            Wide::Scalars(_) => {
                let any = self.fold_scalars(truths, |lanes, a, b| lanes.one.builder.ins().bor(a, b));
                self.one.builder.ins().icmp_imm_u(IntCC::Equal, any, 0)
            }
            _ => {
                let masks = self.masks_of(truths);
                self.none_in(masks)
            }
        }
    }

    /// Whether masks, one for each group, are empty.
    pub(super) fn none_in(&mut self, masks: Masks) -> clif::Value {
        let any = self.fold(masks, |lanes, a, b| lanes.one.builder.ins().bor(a, b));
        self.is_empty(any)
    }

    /// Whether a truth holds in no thread of this group.
    pub(super) fn none_of_group(&mut self, truth: &Wide) -> clif::Value {
        if let Wide::Same(is) = truth {
            return self.one.builder.ins().icmp_imm_u(IntCC::Equal, *is, 0);
        }
        let mask = self.mask(truth);
        self.is_empty(mask)
    }

    fn fold_scalars(
        &mut self,
        truths: &[Wide],
        both: impl FnMut(&mut Self, clif::Value, clif::Value) -> clif::Value,
    ) -> clif::Value {
        let outer = self.group;
        let lanes: Vec<clif::Value> = (0..self.groups)
            .flat_map(|group| {
                self.group = group;
                self.scalars(Scalar::Bool, &truths[group])
            })
            .collect();
        self.group = outer;
        self.fold(lanes, both)
    }

    fn fold(
        &mut self,
        masks: Masks,
        mut both: impl FnMut(&mut Self, clif::Value, clif::Value) -> clif::Value,
    ) -> clif::Value {
        let mut masks = masks.into_iter();
        let first = masks.next().expect("there is a group");
        masks.fold(first, |folded, mask| both(self, folded, mask))
    }
}
