//! Exponential functions.

use super::format::{Format, bits_of, by_type, nearest_whole, power_of_two, size_bits};
use super::polynomial::polynomial;
use crate::builtins::coefficients as c;
use crate::builtins::value::Value;
use crate::ir::Scalar;

/// The natural logarithm of 2 in two parts.
pub(super) const LN_2_F32: [f64; 2] = [0.6931471824645996, -1.9046542121259336e-09];
pub(super) const LN_2_F64: [f64; 2] = [std::f64::consts::LN_2, 2.3190468138462996e-17];

/// e to the power x.
#[inline(always)]
pub(in crate::builtins) fn exp<V: Value>(args: &[V], _result: Scalar) -> V {
    scaled(args[0], by_type(args[0], 87.0, 708.0), by_type(args[0], (-104.0, 89.0), (-746.0, 710.0)), |x| {
        let (power, number) = natural_power(x, x.lit(0.0));
        (power + 1.0, number)
    })
}

/// 2 to the power x.
#[inline(always)]
pub(in crate::builtins) fn exp2<V: Value>(args: &[V], _result: Scalar) -> V {
    scaled(args[0], by_type(args[0], 126.0, 1022.0), by_type(args[0], (-151.0, 128.5), (-1076.0, 1024.5)), |x| {
        let (whole, number) = nearest_whole(x, 1.0);
        (power_of_part(x - whole), number)
    })
}

/// e to the power x, less 1, exact for small x too.
#[inline(always)]
pub(in crate::builtins) fn exp_m1<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let (low, high) = by_type(x, (-20.0, 89.0), (-40.0, 710.0));
    // Comparisons leave a NaN as it is.
    let above = x.lt(x.lit(low)).select(x.lit(low), x);
    let within = x.lit(high).lt(above).select(x.lit(high), above);
    half_power_less_half(within, 1).copysign(x)
}

/// `(e^x - 1) 2^(1 - halves) `: for `halves` 1 the difference itself, for 2 the half of it, which overflows later.
#[inline(always)]
pub(super) fn half_power_less_half<V: Value>(x: V, halves: u64) -> V {
    let (power, number) = natural_power(x, x.lit(0.0));
    let number = signed_number(x, number);
    // The largest powers overflow before the difference does.
    let over = (number >> by_type(x, 7, 10)) << 2u64;
    let scale = power_of_two(x, number - over);
    let one = power_of_two(x, -over);
    let last = power_of_two(x, if halves == 1 { over } else { over - 1u64 });
    power.mul_add(scale, scale - one) * last
}

/// A number of powers of 2 as a signed word, from the bits that [`nearest_whole`] gives.
#[inline(always)]
pub(super) fn signed_number<V: Value>(x: V, number: V) -> V {
    let format = Format::of(x);
    (number - format.whole).bitcast(format.signed)
}

/// `value * 2^number` for what `function` gives of x. Beyond `usual` the exponent may not be a normal number's: there x
/// is kept in `range`, outside which nothing changes, and the power is applied in two steps, the second of which rounds.
#[inline(always)]
fn scaled<V: Value>(x: V, usual: f64, range: (f64, f64), function: impl Fn(V) -> (V, V)) -> V {
    let format = Format::of(x);
    let (value, number) = function(x);
    let near = (bits_of(value) + (number << format.fraction)).bitcast(x.scalar());
    let within = size_bits(x).lt(bits_of(x.lit(usual)));
    let seldom = || {
        let above = x.lt(x.lit(range.0)).select(x.lit(range.0), x);
        let clamped = x.lit(range.1).lt(above).select(x.lit(range.1), above);
        let (value, number) = function(clamped);
        let number = signed_number(x, number);
        let half = number >> 1u64;
        value * power_of_two(x, half) * power_of_two(x, number - half)
    };
    within.eq(within.lit(0.0)).rarely(seldom, near)
}

/// `e^(x + low) = (1 + power) 2^number`: the power less one, and the number as [`nearest_whole`] gives it.
#[inline(always)]
pub(super) fn natural_power<V: Value>(x: V, low: V) -> (V, V) {
    let [first, second] = by_type(x, LN_2_F32, LN_2_F64);
    // Near a half, where both neighbours serve, the product's rounding may decide.
    let (whole, number) = nearest_whole(x * std::f64::consts::LOG2_E, 1.0);
    let minus = -whole;
    let part = minus.mul_add(x.lit(first), x);
    let part = minus.mul_add(x.lit(second), part) + low;
    let tail = polynomial(part, by_type(x, &c::EXP_F32, &c::EXP_F64));
    ((part * part).mul_add(tail, part), number)
}

/// `2^x` for x of at most a half.
#[inline(always)]
pub(super) fn power_of_part<V: Value>(x: V) -> V {
    let c: &[f64] = by_type(x, &c::EXP2_F32, &c::EXP2_F64);
    let tail = x * polynomial(x, &c[1..]);
    x.mul_add(x.lit(c[0]), tail) + 1.0
}
