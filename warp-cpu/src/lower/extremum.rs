//! Minimum, maximum and choice of floats without branches.
//!
//! Cranelift makes a branch of a scalar float `select`, and a long sequence of `fmin`. On x86-64 a comparison and a
//! blend of vectors whose first lane is the scalar are single instructions, and moving between the two costs nothing.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, Type, types};
use warp_ir::builtins::Builtin;
use warp_ir::ir::Scalar;

use super::{Definition, Lowering};

/// Whether choices of floats go through vectors.
const BLENDS: bool = cfg!(target_arch = "x86_64");
/// How deep conditions are looked into; parts may be shared, so there may be twice as many masks at each level.
const DEPTH: u32 = 3;

impl Lowering<'_, '_> {
    /// `Select` of floats. Where it is seldom needed it may branch: vectors of constants would be made before the loop and
    /// kept for it.
    pub(super) fn choose(&mut self, cond: clif::Value, yes: clif::Value, no: clif::Value) -> clif::Value {
        if !BLENDS || self.seldom {
            return self.builder.ins().select(cond, yes, no);
        }
        if let Some(number) = self.not_a_number(cond) {
            return self.choose_at_nan(number, cond, yes, no);
        }
        let ty = self.value_type(yes);
        let compared = matches!(self.definitions.get(&cond), Some(Definition::Compare(..)));
        let mask = match self.float_mask(cond, ty, DEPTH) {
            Some(mask) => mask,
            None => self.mask_of(cond, ty),
        };
        if !compared && self.constant_bits(yes) == Some(0) {
            let no = self.lanes(vector_of(ty), no);
            let kept = self.builder.ins().band_not(no, mask);
            return self.builder.ins().extractlane(kept, 0);
        }
        self.blend(mask, yes, no)
    }

    /// The value that has to be NaN for a condition to hold.
    fn not_a_number(&self, cond: clif::Value) -> Option<clif::Value> {
        let Some(&Definition::Both(a, b)) = self.definitions.get(&cond) else { return None };
        [a, b].into_iter().find_map(|part| match self.definitions.get(&part) {
            Some(&Definition::Compare(FloatCC::NotEqual, x, y)) if x == y => Some(x),
            _ => None,
        })
    }

    /// `Select` that needs a NaN to choose `yes`. Gradients are full of such guards, which hardly ever find one: a branch
    /// that is foretold takes them off the way of the numbers.
    fn choose_at_nan(
        &mut self,
        number: clif::Value,
        cond: clif::Value,
        yes: clif::Value,
        no: clif::Value,
    ) -> clif::Value {
        if let Some(&Definition::Negative(of)) = self.definitions.get(&no) {
            // The sign goes behind the choice, where a sum becomes a difference.
            let number = if number == no { of } else { number };
            let yes = self.builder.ins().fneg(yes);
            let chosen = self.choose_at_nan(number, cond, yes, of);
            let negative = self.builder.ins().fneg(chosen);
            self.definitions.insert(negative, Definition::Negative(chosen));
            return negative;
        }
        let ty = self.value_type(no);
        let [rare, next] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(rare);
        let chosen = self.builder.append_block_param(next, ty);
        let is_nan = self.builder.ins().fcmp(FloatCC::Unordered, number, number);
        self.builder.ins().brif(is_nan, rare, &[], next, &[no.into()]);
        self.builder.switch_to_block(rare);
        let other = self.builder.ins().select(cond, yes, no);
        self.builder.ins().jump(next, &[other.into()]);
        self.builder.switch_to_block(next);
        chosen
    }

    /// The mask of a condition that is made of comparisons of floats of this type alone, in the first lane: such a
    /// condition need not leave the vector registers.
    fn float_mask(&mut self, cond: clif::Value, ty: Type, depth: u32) -> Option<clif::Value> {
        let depth = depth.checked_sub(1)?;
        match *self.definitions.get(&cond)? {
            Definition::Compare(condition, x, y) if self.value_type(x) == ty => Some(self.lane_mask(condition, x, y)),
            Definition::Both(a, b) => {
                let (a, b) = (self.float_mask(a, ty, depth)?, self.float_mask(b, ty, depth)?);
                Some(self.bits_and(a, b))
            }
            Definition::Either(a, b) => {
                let (a, b) = (self.float_mask(a, ty, depth)?, self.float_mask(b, ty, depth)?);
                Some(self.bits_or(a, b))
            }
            _ => None,
        }
    }

    /// `Min` or `Max` of floats; a constant operand leaves one comparison and one blend.
    pub(super) fn extremum(&mut self, builtin: Builtin, scalar: Scalar, a: clif::Value, b: clif::Value) -> clif::Value {
        let (constant, other) = match (self.constant_bits(a), self.constant_bits(b)) {
            (_, Some(bits)) => (Some((bits, b)), a),
            (Some(bits), None) => (Some((bits, a)), b),
            (None, None) => (None, a),
        };
        match constant {
            Some((bits, constant)) if BLENDS && !is_nan(scalar, bits) => {
                let zero = bits & (scalar.mask() >> 1) == 0;
                let positive = bits >> (scalar.bits() - 1) == 0;
                // The variable is taken where it is strictly beyond the constant, so that a NaN gives the constant; at a
                // zero of the losing sign also where it is equal, since it may be the zero of the winning one.
                let condition = match (builtin, zero && positive, zero && !positive) {
                    (Builtin::Min, true, _) => FloatCC::LessThanOrEqual,
                    (Builtin::Min, ..) => FloatCC::LessThan,
                    (_, _, true) => FloatCC::GreaterThanOrEqual,
                    _ => FloatCC::GreaterThan,
                };
                let mask = self.lane_mask(condition, other, constant);
                self.blend(mask, other, constant)
            }
            _ => self.extremum_of(builtin, a, b),
        }
    }

    /// `Min` or `Max` of floats of which nothing is known: IEEE `minimumNumber` and `maximumNumber`.
    fn extremum_of(&mut self, builtin: Builtin, a: clif::Value, b: clif::Value) -> clif::Value {
        let minimum = builtin == Builtin::Min;
        if !BLENDS {
            let both = if minimum { self.builder.ins().fmin(a, b) } else { self.builder.ins().fmax(a, b) };
            let a_is_number = self.builder.ins().fcmp(FloatCC::Equal, a, a);
            let b_is_number = self.builder.ins().fcmp(FloatCC::Equal, b, b);
            let unless_b = self.builder.ins().select(b_is_number, both, a);
            return self.builder.ins().select(a_is_number, unless_b, b);
        }
        let ty = vector_of(self.value_type(a));
        let (x, y) = (self.lanes(ty, a), self.lanes(ty, b));
        let chosen = self.extremum_of_vectors(minimum, x, y);
        self.builder.ins().extractlane(chosen, 0)
    }

    /// `Min` or `Max` in each lane.
    pub(super) fn extremum_of_vectors(&mut self, minimum: bool, x: clif::Value, y: clif::Value) -> clif::Value {
        let condition = if minimum { FloatCC::LessThan } else { FloatCC::GreaterThan };
        // Both ways round the comparison picks the same number, or at equal ones the two operands: their union has the
        // sign if one of them has it, their intersection if both have.
        let first = self.pick(condition, x, y);
        let second = self.pick(condition, y, x);
        let numbers = if minimum { self.bits_or(first, second) } else { self.bits_and(first, second) };
        let b_is_nan = self.lanes_mask(FloatCC::Unordered, y, y);
        let unless_b = self.builder.ins().bitselect(b_is_nan, x, numbers);
        let a_is_nan = self.lanes_mask(FloatCC::Unordered, x, x);
        self.builder.ins().bitselect(a_is_nan, y, unless_b)
    }

    /// `condition(x, y) ? x : y` in each lane.
    fn pick(&mut self, condition: FloatCC, x: clif::Value, y: clif::Value) -> clif::Value {
        let mask = self.lanes_mask(condition, x, y);
        self.builder.ins().bitselect(mask, x, y)
    }

    fn bits_or(&mut self, x: clif::Value, y: clif::Value) -> clif::Value {
        self.builder.ins().bor(x, y)
    }

    fn bits_and(&mut self, x: clif::Value, y: clif::Value) -> clif::Value {
        self.builder.ins().band(x, y)
    }

    /// A scalar as the first lane of a vector.
    fn lanes(&mut self, ty: Type, scalar: clif::Value) -> clif::Value {
        self.builder.ins().scalar_to_vector(ty, scalar)
    }

    fn lanes_mask(&mut self, condition: FloatCC, x: clif::Value, y: clif::Value) -> clif::Value {
        let mask = self.builder.ins().fcmp(condition, x, y);
        let ty = self.value_type(x);
        self.builder.ins().bitcast(ty, MemFlagsData::new().with_endianness(clif::Endianness::Little), mask)
    }

    /// The mask of a comparison of scalars, in the first lane.
    fn lane_mask(&mut self, condition: FloatCC, x: clif::Value, y: clif::Value) -> clif::Value {
        let ty = vector_of(self.value_type(x));
        let (x, y) = (self.lanes(ty, x), self.lanes(ty, y));
        self.lanes_mask(condition, x, y)
    }

    /// The mask of a boolean, in the first lane.
    fn mask_of(&mut self, cond: clif::Value, ty: Type) -> clif::Value {
        let (lane, lanes) = match ty {
            types::F32 => (types::I32, types::I32X4),
            _ => (types::I64, types::I64X2),
        };
        let wide = self.builder.ins().uextend(lane, cond);
        let mask = self.builder.ins().ineg(wide);
        let mask = self.lanes(lanes, mask);
        self.builder.ins().bitcast(vector_of(ty), MemFlagsData::new().with_endianness(clif::Endianness::Little), mask)
    }

    /// `mask ? yes : no` of scalars.
    fn blend(&mut self, mask: clif::Value, yes: clif::Value, no: clif::Value) -> clif::Value {
        let ty = self.value_type(mask);
        let (yes, no) = (self.lanes(ty, yes), self.lanes(ty, no));
        let chosen = self.builder.ins().bitselect(mask, yes, no);
        self.builder.ins().extractlane(chosen, 0)
    }
}

fn vector_of(lane: Type) -> Type {
    if lane == types::F32 { types::F32X4 } else { types::F64X2 }
}

fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        _ => f64::from_bits(bits).is_nan(),
    }
}
