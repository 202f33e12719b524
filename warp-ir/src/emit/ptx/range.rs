//! Which 64-bit indices fit in 32 bits: bounds of each unsigned value, from the widths of a launch, from how values are
//! defined, and from what loops count. And of which no more than the lower half is needed, as they end in addresses of
//! elements that are known to lie near.

use super::abi::{MOST_THREADS, NARROW, Width};
use crate::builtins::Builtin;
use crate::ir::{Function, Mem, Op, Region, Scalar, Value};
use crate::planted::{self, Bug};

/// Extents are below this.
const EXTENT: u64 = 1 << 48;

/// Bounds of unsigned values, the smallest and the largest; of other values those of all 64 bits.
pub(super) struct Ranges<'f> {
    function: &'f Function,
    width: Width,
    bounds: Vec<(u64, u64)>,
    /// Sums and products whose upper half nobody needs.
    halves: Vec<bool>,
}

/// What defines a value, as far as counting loops are concerned.
fn pure(ops: &[Op], value: Value) -> Option<(Builtin, &[Value])> {
    ops.iter().find_map(|op| match op {
        Op::Pure { builtin, args, result } if *result == value => Some((*builtin, &args[..])),
        _ => None,
    })
}

impl<'f> Ranges<'f> {
    pub(super) fn of(function: &'f Function, width: Width) -> Ranges<'f> {
        let most = |scalar: &Scalar| match scalar {
            Scalar::Bool | Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => (0, scalar.mask()),
            _ => (0, u64::MAX),
        };
        let bounds = function.values.iter().map(most).collect();
        let halves = vec![false; function.values.len()];
        let mut ranges = Ranges { function, width, bounds, halves };
        ranges.constants(&function.body);
        ranges.region(&function.body);
        let mut whole = vec![false; function.values.len()];
        ranges.needs(&function.body, &mut whole);
        ranges
    }

    /// Steps of loops are constants of their bodies, and looked at before these are.
    fn constants(&mut self, region: &Region) {
        for op in &region.ops {
            if let Op::Const { bits, result } = op {
                self.set(*result, (*bits, *bits));
            }
            op.shape().regions.into_iter().for_each(|nested| self.constants(nested));
        }
    }

    fn get(&self, value: Value) -> (u64, u64) {
        self.bounds[value.0 as usize]
    }

    fn set(&mut self, value: Value, bounds: (u64, u64)) {
        self.bounds[value.0 as usize] = bounds;
    }

    /// Whether a value is a `U64` that is held in 32 bits: it fits, or nobody needs more of it.
    pub(super) fn is_short(&self, value: Value) -> bool {
        self.fits(value) || self.is_half(value)
    }

    /// Whether a value is a `U64` that fits in 32 bits.
    pub(super) fn fits(&self, value: Value) -> bool {
        let fits = self.get(value).1 <= u64::from(u32::MAX) || planted::is(Bug::PtxTakesAllForShort);
        self.function.scalar(value) == Scalar::U64 && fits
    }

    /// Whether a value is a sum or product of which nobody needs more than the lower half.
    pub(super) fn is_half(&self, value: Value) -> bool {
        self.halves[value.0 as usize]
    }

    /// Finds what is needed in `whole`, from the last op to the first; what remains of sums and products is halves.
    fn needs(&mut self, region: &Region, whole: &mut [bool]) {
        region.yields.iter().for_each(|value| whole[value.0 as usize] = true);
        for op in region.ops.iter().rev() {
            op.shape().regions.into_iter().rev().for_each(|nested| self.needs(nested, whole));
            let near = |mem: &Mem| self.width == Width::Narrow || matches!(mem, Mem::Local(_));
            match op {
                Op::Pure { builtin: Builtin::Add | Builtin::Sub | Builtin::Mul, result, .. }
                    if self.function.scalar(*result) == Scalar::U64 && !whole[result.0 as usize] =>
                {
                    // The lower half of it comes from the lower halves of these.
                    self.halves[result.0 as usize] = true;
                }
                Op::Load { mem, .. } if near(mem) => {}
                Op::Store { mem, value, .. } if near(mem) => whole[value.0 as usize] = true,
                Op::Atomic { mem, value, compare, .. } if near(mem) => {
                    whole[value.0 as usize] = true;
                    compare.iter().for_each(|value| whole[value.0 as usize] = true);
                }
                _ => op.shape().operands.iter().for_each(|value| whole[value.0 as usize] = true),
            }
        }
    }

    fn region(&mut self, region: &Region) {
        for op in &region.ops {
            self.op(op);
        }
    }

    fn op(&mut self, op: &Op) {
        let narrow = self.width == Width::Narrow;
        match op {
            Op::Tid { result, .. } => self.set(*result, (0, if narrow { NARROW } else { MOST_THREADS } - 1)),
            Op::Extent { result, .. } => self.set(*result, (0, if narrow { NARROW } else { EXTENT } - 1)),
            Op::Stride { result, .. } if narrow => self.set(*result, (0, NARROW - 1)),
            Op::Pure { builtin, args, result } => {
                if let Some(bounds) = self.pure(*builtin, args, *result) {
                    self.set(*result, bounds);
                }
            }
            Op::If { then, otherwise, results, .. } => {
                self.region(then);
                self.region(otherwise);
                for (k, &result) in results.iter().enumerate() {
                    let (a, b) = (self.get(then.yields[k]), self.get(otherwise.yields[k]));
                    self.set(result, (a.0.min(b.0), a.1.max(b.1)));
                }
            }
            Op::Loop { inits, cond, body, results } => self.repeat(inits, cond, body, results),
            _ => {}
        }
    }

    fn repeat(&mut self, inits: &[Value], cond: &Region, body: &Region, results: &[Value]) {
        self.region(cond);
        for (k, &result) in results.iter().enumerate() {
            let Some((turning, over)) = self.counter(k, inits, cond, body) else { continue };
            self.set(cond.params[k], over);
            self.set(body.params[k], turning);
            self.set(result, over);
        }
        self.region(cond);
        self.region(body);
    }

    /// Bounds of a carried value that counts up to a limit: in the body, and where the condition is tested.
    fn counter(&self, k: usize, inits: &[Value], cond: &Region, body: &Region) -> Option<((u64, u64), (u64, u64))> {
        if self.function.scalar(inits[k]) != Scalar::U64 {
            return None;
        }
        let (first, last) = self.get(inits[k]);
        if body.yields[k] == body.params[k] {
            return Some(((first, last), (first, last)));
        }
        let limit = self.limit(cond.yields[0], cond.params[k], &cond.ops)?;
        let (Builtin::Add, &[a, b]) = pure(&body.ops, body.yields[k])? else { return None };
        let step = match (a == body.params[k], b == body.params[k]) {
            (true, false) => self.get(b),
            (false, true) => self.get(a),
            _ => return None,
        };
        let highest = limit.checked_sub(1)?;
        // The step is added without a wrap, so that the count never falls below its first value.
        let next = highest.checked_add(step.1)?;
        Some(((first, highest), (first, last.max(next))))
    }

    /// What a carried value is below while a condition holds.
    fn limit(&self, condition: Value, counter: Value, ops: &[Op]) -> Option<u64> {
        match pure(ops, condition)? {
            (Builtin::Lt, &[a, b]) if a == counter => Some(self.get(b).1),
            (Builtin::Le, &[a, b]) if a == counter => self.get(b).1.checked_add(1),
            (Builtin::And, &[a, b]) => self.limit(a, counter, ops).or_else(|| self.limit(b, counter, ops)),
            _ => None,
        }
    }

    fn pure(&self, builtin: Builtin, args: &[Value], result: Value) -> Option<(u64, u64)> {
        let scalar = self.function.scalar(result);
        let unsigned = |value: Value| {
            let scalar = self.function.scalar(value);
            scalar == Scalar::Bool || scalar.is_int() && !scalar.is_signed()
        };
        if !unsigned(result) || scalar == Scalar::Bool {
            return None;
        }
        let most = scalar.mask();
        let (a, b) = (self.get(args[0]), self.get(*args.get(1).unwrap_or(&args[0])));
        let fits = |low: Option<u64>, high: Option<u64>| low.zip(high).filter(|(_, high)| *high <= most);
        match builtin {
            Builtin::Add => fits(a.0.checked_add(b.0), a.1.checked_add(b.1)),
            Builtin::Sub => fits(a.0.checked_sub(b.1), a.1.checked_sub(b.0)),
            Builtin::Mul => fits(a.0.checked_mul(b.0), a.1.checked_mul(b.1)),
            Builtin::Div => Some((a.0 / b.1.max(1), a.1 / b.0.max(1))),
            Builtin::Rem => Some((0, a.1.min(b.1.saturating_sub(1)))),
            Builtin::Min => Some((a.0.min(b.0), a.1.min(b.1))),
            Builtin::Max => Some((a.0.max(b.0), a.1.max(b.1))),
            Builtin::And => Some((0, a.1.min(b.1))),
            Builtin::Or | Builtin::Xor => {
                let bits = (a.1 | b.1).checked_ilog2().map_or(0, |top| u64::MAX >> (63 - top));
                Some((0, bits))
            }
            Builtin::Shl if b.0 == b.1 && b.0 < u64::from(scalar.bits()) => {
                let factor = 1u64 << b.0;
                fits(a.0.checked_mul(factor), a.1.checked_mul(factor))
            }
            Builtin::Shr if b.0 == b.1 && b.0 < u64::from(scalar.bits()) => Some((a.0 >> b.0, a.1 >> b.0)),
            Builtin::Shr => Some((0, a.1)),
            Builtin::Select => {
                let c = self.get(args[2]);
                Some((b.0.min(c.0), b.1.max(c.1)))
            }
            Builtin::Cast if unsigned(args[0]) => Some(if a.1 <= most { a } else { (0, most) }),
            _ => None,
        }
    }
}
