//! Logarithms.

use super::exponential::{LN_2_F32, LN_2_F64};
use super::format::{Format, bits_of, by_type};
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
    let lowest = by_type(x, 0x3f2a_aaab, 0x3fe6_a09e_0000_0000);
    let exponent = ((bits_of(x) - lowest).bitcast(format.signed)) >> format.fraction;
    let mantissa = (bits_of(x).bitcast(format.signed) - (exponent << format.fraction)).bitcast(x.scalar());
    (mantissa - 1.0, exponent.cast(x.scalar()))
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
