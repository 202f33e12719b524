//! What the threads of a bundle must agree on, and giving up where they do not.

use std::slice::from_ref;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use warp_ir::ir::Scalar;
use warp_ir::planted::{self, Bug};

use super::wide::{Edge, LARGEST_EDGE, Wide};
use super::{LANES, Lanes, Stop, refused};

impl Lanes<'_, '_> {
    /// Asks that a truth, given for each group, holds for all threads of the bundle, before anything that is lowered after
    /// it.
    pub(super) fn require(&mut self, conds: &[Wide]) -> Result<(), Stop> {
        if let Wide::Same(is) = conds[0]
            && self.one.constant_bits(is) == Some(1)
        {
            return Ok(());
        }
        self.note_exit()?;
        let tells = match conds[0] {
            Wide::Same(_) => true,
            Wide::Edge { .. } | Wide::Scalars(_) => self.live.is_none(),
            _ => false,
        };
        if tells {
            let all = self.holds_in_all(conds);
            self.go_on_if(all);
            return Ok(());
        }
        self.each(|lanes| {
            let mut mask = lanes.mask(&conds[lanes.group]);
            if let Some(live) = lanes.live() {
                let elsewhere = lanes.one.builder.ins().bnot(live);
                mask = lanes.one.builder.ins().bor(mask, elsewhere);
            }
            lanes.untested = Some(match lanes.untested {
                Some(untested) => lanes.one.builder.ins().band(untested, mask),
                None => mask,
            });
            Ok(())
        })?;
        Ok(())
    }

    /// The mask of the threads of this group that are here, where not all are.
    pub(super) fn live(&self) -> Option<clif::Value> {
        self.live.as_ref().map(|live| live[self.group])
    }

    /// A bundle may give up here, which it must not once it has changed memory.
    pub(super) fn note_exit(&mut self) -> Result<(), Stop> {
        self.exits += 1;
        if self.committed { refused("something may go wrong in it after it has written") } else { Ok(()) }
    }

    /// Tests what has been asked for so far.
    pub(super) fn settle(&mut self) {
        if let Some(mask) = self.untested.take()
            && !planted::is(Bug::CpuGroupsSkipChecks)
        {
            let all = self.is_full(mask);
            self.go_on_if(all);
        }
    }

    fn go_on_if(&mut self, cond: clif::Value) {
        let next = self.one.builder.create_block();
        let give_up = self.give_up();
        self.one.unless(cond, (next, &[]), (give_up, &[]));
        self.one.builder.switch_to_block(next);
    }

    pub(super) fn give_up(&self) -> clif::Block {
        self.give_up.expect("the frame has made it")
    }

    /// Whether a mask holds all lanes.
    pub(super) fn is_full(&mut self, mask: clif::Value) -> clif::Value {
        let bits = self.mask_bits(mask);
        if planted::is(Bug::CpuGroupsFollowTheFirst) {
            return self.one.builder.ins().band_imm_u(bits, 1);
        }
        self.one.builder.ins().icmp_imm_u(IntCC::Equal, bits, (1 << LANES) - 1)
    }

    /// Whether a mask holds no lane.
    pub(super) fn is_empty(&mut self, mask: clif::Value) -> clif::Value {
        let bits = self.mask_bits(mask);
        self.one.builder.ins().icmp_imm_u(IntCC::Equal, bits, 0)
    }

    /// A bit for each lane.
    pub(super) fn mask_bits(&mut self, mask: clif::Value) -> clif::Value {
        self.one.builder.ins().vhigh_bits(types::I32, mask)
    }

    /// A comparison of a value that rises by one from lane to lane with one that is the same in all: scalars tell whether
    /// it holds everywhere or nowhere. `None` for other comparisons.
    pub(super) fn edge(&mut self, condition: IntCC, a: &Wide, b: &Wide) -> Option<Wide> {
        let (linear_first, first, bound) = match (a, b) {
            (Wide::Linear { first, stride: 1 }, Wide::Same(bound)) => (true, *first, *bound),
            (Wide::Same(bound), Wide::Linear { first, stride: 1 }) => (false, *first, *bound),
            _ => return None,
        };
        let below = match (condition, linear_first) {
            (IntCC::UnsignedLessThan, true) | (IntCC::UnsignedLessThanOrEqual, false) => IntCC::UnsignedLessThan,
            (IntCC::UnsignedLessThanOrEqual, true) | (IntCC::UnsignedLessThan, false) => IntCC::UnsignedLessThanOrEqual,
            _ => return None,
        };
        // `first + k below bound`, or its opposite where the bound stands before.
        let (low, high) = (self.all_below(below, first, bound), self.none_below(below, first, bound));
        let (all, none) = if linear_first { (low, high) } else { (high, low) };
        let of = Box::new(Edge::Compare(condition, a.clone(), b.clone()));
        Some(Wide::Edge { all, none, of })
    }

    /// Whether `first + k` is below the bound for all lanes, without a wrap: `first` is below the bound less the rise, if
    /// the bound is large enough.
    fn all_below(&mut self, below: IntCC, first: clif::Value, bound: clif::Value) -> clif::Value {
        let rise = self.threads() as i64 - 1;
        let last = self.one.builder.ins().iadd_imm_s(bound, -rise);
        let small = self.one.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, bound, rise);
        let zero = self.one.builder.ins().iconst(types::I64, 0);
        let last = self.one.builder.ins().select(small, zero, last);
        let holds = self.one.builder.ins().icmp(below, first, last);
        if below == IntCC::UnsignedLessThan {
            return holds;
        }
        let large = self.one.builder.ins().icmp_imm_u(IntCC::Equal, small, 0);
        self.one.builder.ins().band(holds, large)
    }

    /// Whether `first + k` is below the bound for no lane, without a wrap.
    fn none_below(&mut self, below: IntCC, first: clif::Value, bound: clif::Value) -> clif::Value {
        let above = match below {
            IntCC::UnsignedLessThan => IntCC::UnsignedGreaterThanOrEqual,
            _ => IntCC::UnsignedGreaterThan,
        };
        let above = self.one.builder.ins().icmp(above, first, bound);
        let wraps = -(self.threads() as i64 - 1);
        let straight = self.one.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, first, wraps);
        self.one.builder.ins().band(above, straight)
    }

    /// `And`, `Or` and `Not` of truths.
    pub(super) fn both(&mut self, a: &Wide, b: &Wide) -> Wide {
        if let Some(decided) = self.decided_by(a, b, false).or(self.decided_by(b, a, false)) {
            return decided;
        }
        if let Some([(all_a, none_a), (all_b, none_b)]) = self.scalar_truths(a, b) {
            let all = self.one.builder.ins().band(all_a, all_b);
            let none = self.one.builder.ins().bor(none_a, none_b);
            return Wide::Edge { all, none, of: Box::new(Edge::Both(a.clone(), b.clone())) };
        }
        let (a, b) = (self.mask(a), self.mask(b));
        Wide::Vectors(vec![self.one.builder.ins().band(a, b)])
    }

    pub(super) fn either(&mut self, a: &Wide, b: &Wide) -> Wide {
        if let Some(decided) = self.decided_by(a, b, true).or(self.decided_by(b, a, true)) {
            return decided;
        }
        if let Some([(all_a, none_a), (all_b, none_b)]) = self.scalar_truths(a, b) {
            let all = self.one.builder.ins().bor(all_a, all_b);
            let none = self.one.builder.ins().band(none_a, none_b);
            return Wide::Edge { all, none, of: Box::new(Edge::Either(a.clone(), b.clone())) };
        }
        let (a, b) = (self.mask(a), self.mask(b));
        Wide::Vectors(vec![self.one.builder.ins().bor(a, b)])
    }

    pub(super) fn negated(&mut self, a: &Wide) -> Wide {
        if let Wide::Edge { all, none, .. } = a
            && a.truths() < LARGEST_EDGE
        {
            return Wide::Edge { all: *none, none: *all, of: Box::new(Edge::Not(a.clone())) };
        }
        let a = self.mask(a);
        Wide::Vectors(vec![self.one.builder.ins().bnot(a)])
    }

    /// What two truths come to where the first one is known: that one if it is `strong`, else the other one.
    fn decided_by(&self, known: &Wide, other: &Wide, strong: bool) -> Option<Wide> {
        let Wide::Same(is) = known else { return None };
        let bits = self.one.constant_bits(*is)?;
        Some(if (bits == 1) == strong { known.clone() } else { other.clone() })
    }

    /// Whether each of two truths holds in all lanes and in none, where scalars tell.
    fn scalar_truths(&mut self, a: &Wide, b: &Wide) -> Option<[(clif::Value, clif::Value); 2]> {
        let is_edge = |wide: &Wide| matches!(wide, Wide::Edge { .. });
        let is_scalar = |wide: &Wide| matches!(wide, Wide::Edge { .. } | Wide::Same(_));
        let fits = (is_edge(a) || is_edge(b)) && is_scalar(a) && is_scalar(b);
        let fits = fits && a.truths() + b.truths() <= LARGEST_EDGE;
        fits.then(|| [a, b].map(|wide| (self.holds_in_all(from_ref(wide)), self.holds_in_none(from_ref(wide)))))
    }

    /// A comparison of integers of 64 bits.
    pub(super) fn compare_wide(&mut self, condition: IntCC, scalar: Scalar, a: &Wide, b: &Wide) -> Wide {
        if let Some(edge) = self.edge(condition, a, b) {
            return edge;
        }
        if let Some(mask) = self.compare_extended(condition, a, b) {
            return Wide::Vectors(vec![mask]);
        }
        let (a, b) = (self.vectors(scalar, a), self.vectors(scalar, b));
        Wide::Vectors(vec![self.compare_vectors(condition, &a, &b)])
    }

    /// `x < n` of an extended 32-bit number and one that is the same in all lanes, in 32 bits.
    fn compare_extended(&mut self, condition: IntCC, a: &Wide, b: &Wide) -> Option<clif::Value> {
        let (IntCC::UnsignedLessThan, Wide::Extended { from, signed }, Wide::Same(bound)) = (condition, a, b) else {
            return None;
        };
        if *signed {
            // A negative number is a large one without a sign, in 32 bits as in 64: it is below no extent of an array.
            if !self.extents.contains(bound) {
                return None;
            }
            let from = self.vectors(Scalar::I32, from)[0];
            let most = self.one.builder.ins().iconst(types::I64, 1 << 31);
            let bound = self.one.builder.ins().umin(*bound, most);
            let bound = self.one.builder.ins().ireduce(types::I32, bound);
            let bound = self.one.builder.ins().splat(types::I32X4, bound);
            return Some(self.one.builder.ins().icmp(condition, from, bound));
        }
        // The bound may be 2^32, or more, or 0: `x <= n - 1` fits 32 bits where it is not 0.
        let from = self.vectors(Scalar::U32, from)[0];
        let most = self.one.builder.ins().iconst(types::I64, 1 << 32);
        let last = self.one.builder.ins().umin(*bound, most);
        let last = self.one.builder.ins().iadd_imm_s(last, -1);
        let last = self.one.builder.ins().ireduce(types::I32, last);
        let last = self.one.builder.ins().splat(types::I32X4, last);
        let within = self.one.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, from, last);
        let some = self.one.builder.ins().icmp_imm_u(IntCC::NotEqual, *bound, 0);
        let some = self.mask(&Wide::Same(some));
        Some(self.one.builder.ins().band(within, some))
    }

    /// A comparison of vectors of two 64-bit integers or floats, as a mask of four lanes.
    pub(super) fn compare_vectors(&mut self, condition: IntCC, a: &[clif::Value], b: &[clif::Value]) -> clif::Value {
        let masks = [0, 1].map(|k| self.one.builder.ins().icmp(condition, a[k], b[k]));
        self.narrow_mask(masks)
    }

    /// Two masks of two lanes as one of four.
    pub(super) fn narrow_mask(&mut self, masks: [clif::Value; 2]) -> clif::Value {
        let masks = masks.map(|mask| self.bits_as(types::I32X4, mask));
        self.shuffle(masks[0], masks[1], [0, 2, 4, 6])
    }

    /// A mask of four lanes as two of two.
    pub(super) fn widen_mask(&mut self, mask: clif::Value) -> [clif::Value; 2] {
        let halves = [self.shuffle(mask, mask, [0, 0, 1, 1]), self.shuffle(mask, mask, [2, 2, 3, 3])];
        halves.map(|half| self.bits_as(types::I64X2, half))
    }
}
