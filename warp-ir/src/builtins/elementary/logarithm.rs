//! Logarithms.

use super::exponential::{LN_2_F32, LN_2_F64};
use super::format::{Format, bits_of, by_type, power_of_two};
use super::polynomial::polynomial;
use crate::builtins::coefficients as c;
use crate::builtins::value::Value;
use crate::ir::Scalar;

/// The natural logarithm.
#[inline(always)]
pub(in crate::builtins) fn ln<V: Value>(args: &[V], _result: Scalar) -> V {
    of_positive(args[0], |x, more| {
        let (part, exponent) = split(x);
        let exponent = exponent + more;
        let [first, second] = by_type(x, LN_2_F32, LN_2_F64);
        let (high, low) = ln_of_part(part);
        let low = exponent.mul_add(x.lit(second), low);
        exponent.mul_add(x.lit(first), high + low)
    })
}

/// The logarithm to base 2; exact for powers of 2.
#[inline(always)]
pub(in crate::builtins) fn log2<V: Value>(args: &[V], _result: Scalar) -> V {
    let [first, second] = by_type(args[0], LOG2_E_F32, LOG2_E_F64);
    of_positive(args[0], |x, more| {
        let (part, exponent) = split(x);
        let (high, low) = scaled_ln(part, first, second);
        let whole = exponent + more;
        let sum = whole + high;
        sum + ((whole - sum) + high + low)
    })
}

/// The logarithm to base 10.
#[inline(always)]
pub(in crate::builtins) fn log10<V: Value>(args: &[V], _result: Scalar) -> V {
    let [first, second] = by_type(args[0], LOG10_E_F32, LOG10_E_F64);
    // With few digits, so that the product with an exponent is exact.
    let [coarse, fine] = by_type(args[0], LOG10_2_F32, LOG10_2_F64);
    of_positive(args[0], |x, more| {
        let (part, exponent) = split(x);
        let (high, low) = scaled_ln(part, first, second);
        let exponent = exponent + more;
        let large = exponent * coarse;
        let sum = large + high;
        // Where the exponent is 0 the first sum is the second operand.
        let left = (large - sum) + high;
        sum + (left + exponent.mul_add(x.lit(fine), low))
    })
}

/// `ln(1 + x)`, exact for small x too.
#[inline(always)]
pub(in crate::builtins) fn ln_1p<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let sum = x + 1.0;
    let format = Format::of(x);
    let usual = bits_of(sum).lt(x.literal(format.word, format.infinity()));
    let seldom = || {
        let unless_zero = sum.lt(x.lit(0.0)).select(x.lit(f64::NAN), x);
        sum.eq(x.lit(0.0)).select(x.lit(f64::NEG_INFINITY), unless_zero)
    };
    let value = ln_of_sum(x, sum);
    (usual & sum.ne(x.lit(0.0))).eq(usual.lit(0.0)).rarely(seldom, value)
}

/// `ln(1 + x)` for a finite x above -1, with the rounded sum.
#[inline(always)]
pub(super) fn ln_of_sum<V: Value>(x: V, sum: V) -> V {
    let exponent = exponent_of(sum);
    // x scaled so that 1 + x has no exponent: the part is rounded once. In two steps, since the inverse of the largest
    // power of 2 is not a normal number.
    let half = exponent >> 1u64;
    let (first, second) = (power_of_two(x, -half), power_of_two(x, half - exponent));
    let part = (x * first).mul_add(second, first.mul_add(second, x.lit(-1.0)));
    let exponent = exponent.cast(x.scalar());
    let [first, second] = by_type(x, LN_2_F32, LN_2_F64);
    let (high, low) = ln_of_part(part);
    let low = exponent.mul_add(x.lit(second), low);
    exponent.mul_add(x.lit(first), high + low).copysign(x)
}

/// The logarithm of e in two parts, and of 2, where the product of the first part with an exponent is exact.
const LOG2_E_F32: [f64; 2] = [1.4426950216293335, 1.925963033500011e-08];
const LOG2_E_F64: [f64; 2] = [std::f64::consts::LOG2_E, 2.0355273740931033e-17];
const LOG10_E_F32: [f64; 2] = [0.4342944920063019, -1.0103049952192578e-08];
const LOG10_E_F64: [f64; 2] = [std::f64::consts::LOG10_E, 1.098319650216765e-17];
const LOG10_2_F32: [f64; 2] = [0.301025390625, 4.605038981195214e-06];
const LOG10_2_F64: [f64; 2] = [0.301029995663157, 8.241712586023572e-13];

/// `ln(1 + part)` times a factor in two parts, as a pair.
#[inline(always)]
fn scaled_ln<V: Value>(part: V, first: f64, second: f64) -> (V, V) {
    let (high, low) = ln_of_part(part);
    let product = high * first;
    let rest = high.mul_add(part.lit(first), -product);
    (product, low.mul_add(part.lit(first), high.mul_add(part.lit(second), rest)))
}

/// A logarithm, by a function of a normal number and of an exponent to add. Zero gives minus infinity, a negative
/// number NaN, infinity and NaN themselves.
#[inline(always)]
fn of_positive<V: Value>(x: V, function: impl Fn(V, f64) -> V) -> V {
    let format = Format::of(x);
    let smallest = x.literal(format.word, format.smallest());
    let usual = (bits_of(x) - smallest).lt(x.literal(format.word, format.infinity() - format.smallest()));
    let seldom = || {
        let (scale, more) = by_type(x, ((1u64 << 24) as f64, -24.0), ((1u64 << 54) as f64, -54.0));
        let small = function(x * scale, more);
        let zero = x.lit(0.0);
        // Infinity and NaN stay, what is below zero becomes NaN.
        let positive = x.lt(x.lit(f64::INFINITY)).select(small, x);
        let unless_zero = x.lt(zero).select(x.lit(f64::NAN), positive);
        x.eq(zero).select(x.lit(f64::NEG_INFINITY), unless_zero)
    };
    usual.eq(usual.lit(0.0)).rarely(seldom, function(x, 0.0))
}

/// `x = (1 + part) 2^exponent`, with the part from about -1/3 to 1/3 (F32) or -0.29 to 0.41 (F64).
#[inline(always)]
pub(super) fn split<V: Value>(x: V) -> (V, V) {
    let format = Format::of(x);
    let exponent = exponent_of(x);
    let mantissa = (bits_of(x).bitcast(format.signed) - (exponent << format.fraction)).bitcast(x.scalar());
    (mantissa - 1.0, exponent.cast(x.scalar()))
}

/// The exponent that [`split`] takes out, as a signed word.
#[inline(always)]
fn exponent_of<V: Value>(x: V) -> V {
    let format = Format::of(x);
    let lowest = by_type(x, 0x3f2a_aaab, 0x3fe6_a09e_0000_0000);
    ((bits_of(x) - lowest).bitcast(format.signed)) >> format.fraction
}

/// `ln(1 + part)` as a pair, whose first member is the part less half its square.
#[inline(always)]
pub(super) fn ln_of_part<V: Value>(part: V) -> (V, V) {
    let half = part * -0.5;
    let high = half.mul_add(part, part);
    let dropped = half.mul_add(part, part - high);
    let square = part * part;
    let low = match part.scalar() {
        Scalar::F32 => (square * part).mul_add(polynomial(part, &c::LN_F32), dropped),
        _ => {
            // By the series in s = part / (2 + part), of which 2s = part - s part.
            let s = part / (part + 2.0);
            let z = s * s;
            s.mul_add(square.mul_add(part.lit(0.5), z * polynomial(z, &c::ATANH_F64)), dropped)
        }
    };
    (high, low)
}
