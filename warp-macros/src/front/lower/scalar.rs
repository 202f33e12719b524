//! Methods of primitive types, as ops.

use warp_ir::builtins::Builtin;
use warp_ir::ir::{CheckKind, Scalar, Value};
use warp_ir::library::row_of;

use super::Lower;
use super::iter::unsigned;
use crate::front::ast::*;
use crate::front::types::Ty;

impl Lower<'_> {
    pub(super) fn scalar_method(&mut self, id: ExprId, ty: &Ty, name: &str, own: Value, args: &[ExprId]) -> Vec<Value> {
        let scalar = self.b.scalar(own);
        let exponent = args.first().and_then(|&e| self.literal_int(e));
        let params = crate::front::infer::scalar_method(ty, name).map(|(p, _)| p).unwrap_or_default();
        let values: Vec<Value> = args.iter().zip(&params).flat_map(|(&arg, ty)| self.value(arg, ty)).collect();
        if scalar.is_half() {
            return self.half_method(id, name, own, &values);
        }
        match scalar {
            Scalar::Bool => vec![if name == "eq" { self.b.eq(own, values[0]) } else { self.b.ne(own, values[0]) }],
            Scalar::F32 | Scalar::F64 => vec![self.float_method(id, name, own, &values, exponent)],
            _ => self.int_method(id, name, own, &values, exponent),
        }
    }

    /// The value of an integer literal, negative ones too.
    fn literal_int(&self, id: ExprId) -> Option<i64> {
        match self.body.expr(id).kind {
            Kind::Int { value, .. } => i64::try_from(value).ok(),
            Kind::Unary { op: Unary::Neg, value } => Some(-self.literal_int(value)?),
            _ => None,
        }
    }

    fn half_method(&mut self, id: ExprId, name: &str, own: Value, values: &[Value]) -> Vec<Value> {
        let scalar = self.b.scalar(own);
        let wide = self.b.cast(Scalar::F32, own);
        vec![match name {
            "to_f32" => wide,
            "to_f64" => self.b.cast(Scalar::F64, own),
            "to_bits" => self.bits_of(own),
            "min" | "max" => {
                let other = self.b.cast(Scalar::F32, values[0]);
                let result = if name == "min" { self.b.min(wide, other) } else { self.b.max(wide, other) };
                self.b.cast(scalar, result)
            }
            "clamp" => {
                let [low, high] = [0, 1].map(|k| self.b.cast(Scalar::F32, values[k]));
                let result = self.clamp(id, wide, low, high);
                self.b.cast(scalar, result)
            }
            "copysign" => self.half_with_sign_of(own, values[0]),
            "signum" => {
                let one = self.b.f32(1.0);
                let one = self.b.cast(scalar, one);
                let sign = self.half_with_sign_of(one, own);
                let nan = self.b.ne(wide, wide);
                self.b.select(nan, own, sign)
            }
            "is_normal" => {
                let least = if scalar == Scalar::F16 { 2f32.powi(-14) } else { f32::MIN_POSITIVE };
                let (size, least, infinity) = (self.b.abs(wide), self.b.f32(least), self.b.f32(f32::INFINITY));
                let (above, below) = (self.b.le(least, size), self.b.lt(size, infinity));
                self.b.and(above, below)
            }
            "is_sign_negative" | "is_sign_positive" => self.classify(name, own),
            "clone" => own,
            _ => self.classify(name, wide),
        }]
    }

    /// The magnitude of a half float with the sign of another.
    fn half_with_sign_of(&mut self, x: Value, other: Value) -> Value {
        let (scalar, bits, other) = (self.b.scalar(x), self.bits_of(x), self.bits_of(other));
        let (size, sign) = (self.b.int(Scalar::U16, 0x7fff), self.b.int(Scalar::U16, 0x8000));
        let (bits, other) = (self.b.and(bits, size), self.b.and(other, sign));
        let both = self.b.or(bits, other);
        self.b.bitcast(scalar, both)
    }

    /// A float literal of the type of `like`.
    pub(super) fn number(&mut self, like: Value, x: f64) -> Value {
        match self.b.scalar(like) {
            Scalar::F64 => self.b.f64(x),
            _ => self.b.f32(x as f32),
        }
    }

    fn classify(&mut self, name: &str, x: Value) -> Value {
        match name {
            "is_nan" => self.b.ne(x, x),
            "is_infinite" => {
                let (size, infinity) = (self.b.abs(x), self.number(x, f64::INFINITY));
                self.b.eq(size, infinity)
            }
            "is_finite" => {
                let (size, infinity) = (self.b.abs(x), self.number(x, f64::INFINITY));
                self.b.lt(size, infinity)
            }
            _ => {
                let bits = self.bits_of(x);
                let scalar = self.b.scalar(bits);
                let half = self.b.const_(scalar, scalar.mask() >> 1);
                match name {
                    "is_sign_negative" => self.b.lt(half, bits),
                    _ => self.b.le(bits, half),
                }
            }
        }
    }

    fn float_method(&mut self, id: ExprId, name: &str, x: Value, args: &[Value], exponent: Option<i64>) -> Value {
        match name {
            "sqrt" => self.b.sqrt(x),
            "abs" => self.b.abs(x),
            "floor" => self.b.floor(x),
            "ceil" => self.b.ceil(x),
            "trunc" => self.b.pure(Builtin::Trunc, &[x]),
            "round" => self.b.pure(Builtin::Round, &[x]),
            "round_ties_even" => self.b.pure(Builtin::RoundEven, &[x]),
            "fract" => {
                let whole = self.b.pure(Builtin::Trunc, &[x]);
                self.b.sub(x, whole)
            }
            "signum" => {
                let one = self.number(x, 1.0);
                let sign = self.b.pure(Builtin::Copysign, &[one, x]);
                let nan = self.b.ne(x, x);
                self.b.select(nan, x, sign)
            }
            "recip" => {
                let one = self.number(x, 1.0);
                self.b.div(one, x)
            }
            "to_degrees" => {
                let factor = match self.b.scalar(x) {
                    Scalar::F64 => self.b.f64(180.0 / std::f64::consts::PI),
                    // The factor of the standard library, rounded once.
                    _ => self.b.f32(57.295_78_f32),
                };
                self.b.mul(x, factor)
            }
            "to_radians" => {
                let factor = match self.b.scalar(x) {
                    Scalar::F64 => self.b.f64(std::f64::consts::PI / 180.0),
                    _ => self.b.f32(std::f32::consts::PI / 180.0),
                };
                self.b.mul(x, factor)
            }
            "min" => self.b.min(x, args[0]),
            "max" => self.b.max(x, args[0]),
            "copysign" => self.b.pure(Builtin::Copysign, &[x, args[0]]),
            "mul_add" => self.b.fma(x, args[0], args[1]),
            "clamp" => self.clamp(id, x, args[0], args[1]),
            "rem_euclid" => {
                let rest = self.b.rem(x, args[0]);
                let (zero, size) = (self.number(x, 0.0), self.b.abs(args[0]));
                let negative = self.b.lt(rest, zero);
                let raised = self.b.add(rest, size);
                self.b.select(negative, raised, rest)
            }
            "div_euclid" => self.float_div_euclid(x, args[0]),
            "powi" => match exponent {
                Some(n) => self.powi_literal(x, n),
                None => self.powi(x, args[0]),
            },
            "to_bits" => self.bits_of(x),
            "clone" => x,
            _ => match row_of(self.b.scalar(x), name) {
                Some(builtin) => self.b.pure(builtin, &[&[x], args].concat()),
                None => self.classify(name, x),
            },
        }
    }

    fn float_div_euclid(&mut self, x: Value, y: Value) -> Value {
        let quotient = self.b.div(x, y);
        let quotient = self.b.pure(Builtin::Trunc, &[quotient]);
        let rest = self.b.rem(x, y);
        let (zero, one) = (self.number(x, 0.0), self.number(x, 1.0));
        let negative = self.b.lt(rest, zero);
        let positive = self.b.lt(zero, y);
        let (less, more) = (self.b.sub(quotient, one), self.b.add(quotient, one));
        let moved = self.b.select(positive, less, more);
        self.b.select(negative, moved, quotient)
    }

    /// Bounds that are crossed or not numbers are a fault, as in Rust.
    pub(super) fn clamp(&mut self, id: ExprId, x: Value, low: Value, high: Value) -> Value {
        self.check_bounds(id, low, high);
        let below = self.b.lt(x, low);
        let raised = self.b.select(below, low, x);
        let above = self.b.lt(high, raised);
        self.b.select(above, high, raised)
    }

    pub(super) fn check_bounds(&mut self, id: ExprId, low: Value, high: Value) {
        let ordered = self.b.le(low, high);
        let source = self.source(id);
        self.b.check(ordered, CheckKind::ClampBounds, &[low, high], source);
    }

    fn powi_literal(&mut self, x: Value, n: i64) -> Value {
        let one = self.number(x, 1.0);
        let power = self.power_literal(x, one, n.unsigned_abs());
        if n < 0 { self.b.div(one, power) } else { power }
    }

    /// By squaring, lowest bit first.
    fn power_literal(&mut self, x: Value, one: Value, mut n: u64) -> Value {
        let (mut result, mut base) = (None, x);
        while n != 0 {
            if n & 1 == 1 {
                result = Some(match result {
                    None => base,
                    Some(r) => self.b.mul(r, base),
                });
            }
            n >>= 1;
            if n != 0 {
                base = self.b.mul(base, base);
            }
        }
        result.unwrap_or(one)
    }

    fn powi(&mut self, x: Value, n: Value) -> Value {
        let size = self.b.abs(n);
        let size = self.b.cast(Scalar::U32, size);
        let one = self.number(x, 1.0);
        let power = self.power(x, one, size);
        let zero = self.b.int(Scalar::I32, 0);
        let negative = self.b.lt(n, zero);
        let inverse = self.b.div(one, power);
        self.b.select(negative, inverse, power)
    }

    /// `x` to the power `n` (`U32`).
    fn power(&mut self, x: Value, one: Value, n: Value) -> Value {
        let results = self.b.loop_(
            &[n, one, x],
            |b, carried| {
                let zero = b.int(Scalar::U32, 0);
                b.ne(carried[0], zero)
            },
            |b, carried| {
                let (n, result, base) = (carried[0], carried[1], carried[2]);
                let bit = b.int(Scalar::U32, 1);
                let low = b.and(n, bit);
                let odd = b.eq(low, bit);
                let product = b.mul(result, base);
                let result = b.select(odd, product, result);
                let next = b.shr(n, bit);
                let square = b.mul(base, base);
                vec![next, result, square]
            },
        );
        results[1]
    }

    fn int_method(&mut self, id: ExprId, name: &str, x: Value, args: &[Value], exponent: Option<i64>) -> Vec<Value> {
        let scalar = self.b.scalar(x);
        let (zero, one) = (self.b.int(scalar, 0), self.b.int(scalar, 1));
        vec![match name {
            "count_ones" => self.b.pure(Builtin::CountOnes, &[x]),
            "leading_zeros" => self.b.pure(Builtin::LeadingZeros, &[x]),
            "trailing_zeros" => self.b.pure(Builtin::TrailingZeros, &[x]),
            "count_zeros" | "leading_ones" | "trailing_ones" => {
                let inverted = self.b.not(x);
                let builtin = match name {
                    "count_zeros" => Builtin::CountOnes,
                    "leading_ones" => Builtin::LeadingZeros,
                    _ => Builtin::TrailingZeros,
                };
                self.b.pure(builtin, &[inverted])
            }
            "reverse_bits" => self.b.pure(Builtin::ReverseBits, &[x]),
            "swap_bytes" => self.b.pure(Builtin::SwapBytes, &[x]),
            "rotate_left" => self.b.pure(Builtin::RotateLeft, &[x, args[0]]),
            "rotate_right" => self.b.pure(Builtin::RotateRight, &[x, args[0]]),
            "wrapping_shl" => {
                let by = self.b.cast(scalar, args[0]);
                self.b.shl(x, by)
            }
            "wrapping_shr" => {
                let by = self.b.cast(scalar, args[0]);
                self.b.shr(x, by)
            }
            "min" => self.b.min(x, args[0]),
            "max" => self.b.max(x, args[0]),
            "clamp" => self.clamp(id, x, args[0], args[1]),
            "wrapping_add" => self.b.add(x, args[0]),
            "wrapping_sub" => self.b.sub(x, args[0]),
            "wrapping_mul" => self.b.mul(x, args[0]),
            "wrapping_neg" => self.b.neg(x),
            "abs" | "wrapping_abs" => self.b.abs(x),
            "unsigned_abs" => {
                let size = self.b.abs(x);
                self.b.cast(unsigned(scalar), size)
            }
            "cast_unsigned" => self.b.cast(unsigned(scalar), x),
            "cast_signed" => self.b.cast(signed(scalar), x),
            "is_negative" => self.b.lt(x, zero),
            "is_positive" => self.b.lt(zero, x),
            "signum" => {
                let minus = self.b.const_(scalar, u64::MAX);
                let (negative, positive) = (self.b.lt(x, zero), self.b.lt(zero, x));
                let rest = self.b.select(positive, one, zero);
                self.b.select(negative, minus, rest)
            }
            "is_power_of_two" => {
                let ones = self.b.pure(Builtin::CountOnes, &[x]);
                let single = self.b.int(Scalar::U32, 1);
                self.b.eq(ones, single)
            }
            "pow" | "wrapping_pow" => match exponent {
                Some(n) => self.power_literal(x, one, n.max(0) as u64),
                None => self.power(x, one, args[0]),
            },
            "abs_diff" => {
                let less = self.b.lt(x, args[0]);
                let (up, down) = (self.b.sub(args[0], x), self.b.sub(x, args[0]));
                let distance = self.b.select(less, up, down);
                self.b.cast(unsigned(scalar), distance)
            }
            "clone" => x,
            "saturating_add" | "saturating_sub" => self.saturating(name == "saturating_add", x, args[0]),
            "checked_add" | "checked_sub" => {
                let add = name == "checked_add";
                let (value, overflow) = self.overflowing(add, x, args[0]);
                return vec![self.b.not(overflow), value];
            }
            "checked_div" | "checked_rem" => return self.checked_division(name == "checked_div", x, args[0]),
            _ => self.division_method(id, name, x, args[0]),
        }]
    }

    fn division_method(&mut self, id: ExprId, name: &str, a: Value, b: Value) -> Value {
        let scalar = self.b.scalar(a);
        let (zero, one) = (self.b.int(scalar, 0), self.b.int(scalar, 1));
        if name.starts_with("wrapping") {
            self.check_zero(id, b);
            let quotient = name == "wrapping_div";
            let divide = |l: &mut Self| vec![if quotient { l.b.div(a, b) } else { l.b.rem(a, b) }];
            if !scalar.is_signed() {
                return divide(self)[0];
            }
            // `MIN / -1` is `MIN`, its remainder 0.
            let overflow = self.overflows(a, b);
            let wrapped = if quotient { a } else { zero };
            return self.either(overflow, &Ty::Scalar(scalar), |_| vec![wrapped], divide)[0];
        }
        self.check_division(id, a, b);
        let rest = self.b.rem(a, b);
        if name == "div_ceil" {
            let quotient = self.b.div(a, b);
            let inexact = self.b.ne(rest, zero);
            let more = self.b.add(quotient, one);
            return self.b.select(inexact, more, quotient);
        }
        if !scalar.is_signed() {
            return if name == "div_euclid" { self.b.div(a, b) } else { rest };
        }
        let negative = self.b.lt(rest, zero);
        if name == "rem_euclid" {
            let size = self.b.abs(b);
            let raised = self.b.add(rest, size);
            return self.b.select(negative, raised, rest);
        }
        let quotient = self.b.div(a, b);
        let positive = self.b.lt(zero, b);
        let (less, more) = (self.b.sub(quotient, one), self.b.add(quotient, one));
        let moved = self.b.select(positive, less, more);
        self.b.select(negative, moved, quotient)
    }

    /// The wrapped sum or difference, and whether it wrapped.
    fn overflowing(&mut self, add: bool, a: Value, b: Value) -> (Value, Value) {
        let scalar = self.b.scalar(a);
        let result = if add { self.b.add(a, b) } else { self.b.sub(a, b) };
        if !scalar.is_signed() {
            let overflow = if add { self.b.lt(result, a) } else { self.b.lt(a, b) };
            return (result, overflow);
        }
        // The result's sign is wrong: against both operands of a sum, against the first and not the second of a difference.
        let first = self.b.xor(a, result);
        let second = if add { self.b.xor(b, result) } else { self.b.xor(a, b) };
        let both = self.b.and(first, second);
        let zero = self.b.int(scalar, 0);
        (result, self.b.lt(both, zero))
    }

    fn saturating(&mut self, add: bool, a: Value, b: Value) -> Value {
        let scalar = self.b.scalar(a);
        let (result, overflow) = self.overflowing(add, a, b);
        let bound = if scalar.is_signed() {
            let max = self.b.const_(scalar, scalar.mask() >> 1);
            let min = self.b.const_(scalar, (scalar.mask() >> 1) + 1);
            let zero = self.b.int(scalar, 0);
            let negative = self.b.lt(a, zero);
            self.b.select(negative, min, max)
        } else {
            self.b.const_(scalar, if add { u64::MAX } else { 0 })
        };
        self.b.select(overflow, bound, result)
    }

    fn checked_division(&mut self, quotient: bool, a: Value, b: Value) -> Vec<Value> {
        let scalar = self.b.scalar(a);
        let zero = self.b.int(scalar, 0);
        let mut fine = self.b.ne(b, zero);
        if scalar.is_signed() {
            let overflow = self.overflows(a, b);
            let fits = self.b.not(overflow);
            fine = self.b.and(fine, fits);
        }
        let ty = Ty::Scalar(scalar);
        let divide = |l: &mut Self| vec![if quotient { l.b.div(a, b) } else { l.b.rem(a, b) }];
        // A division stands under its own condition.
        let value = self.either(fine, &ty, divide, |l| l.zeros(&ty));
        vec![fine, value[0]]
    }
}

fn signed(scalar: Scalar) -> Scalar {
    use Scalar::*;
    match scalar {
        U8 => I8,
        U16 => I16,
        U32 => I32,
        U64 => I64,
        other => other,
    }
}
