//! Hyperbolic functions and their inverses.

use super::exponential::half_power_less_half;
use super::format::{Format, bits_of, by_type};
use super::logarithm::ln_of_sum;
use crate::builtins::value::Value;
use crate::ir::Scalar;

/// `(e^x - e^-x) / 2`.
#[inline(always)]
pub(in crate::builtins) fn sinh<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let half = half_power_less_half(bounded(x, 90.0, 711.0), 2);
    // A ratio of at most a half, which it comes to long before both overflow.
    let few = x.lit((1u64 << 60) as f64);
    let few = few.lt(half).select(few, half);
    (half + few / few.mul_add(x.lit(2.0), x.lit(1.0))).copysign(x)
}

/// `(e^x + e^-x) / 2`.
#[inline(always)]
pub(in crate::builtins) fn cosh<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    // Of e^x / 2 the rest is one over four times it.
    let half = half_power_less_half(bounded(x, 90.0, 711.0), 2) + 0.5;
    half + half.lit(0.25) / half
}

/// `sinh x / cosh x`.
#[inline(always)]
pub(in crate::builtins) fn tanh<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let size = bounded(x, 10.0, 20.0);
    let power = half_power_less_half(size + size, 1);
    (power / (power + 2.0)).copysign(x)
}

/// The magnitude, but not above a bound; NaN stays.
#[inline(always)]
fn bounded<V: Value>(x: V, single: f64, double: f64) -> V {
    let bound = x.lit(by_type(x, single, double));
    let size = x.abs();
    bound.lt(size).select(bound, size)
}

/// The number whose hyperbolic sine is x.
#[inline(always)]
pub(in crate::builtins) fn asinh<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let size = x.abs();
    let one = x.lit(1.0);
    let square = size * size;
    let near = size + square / ((square + one).sqrt() + one);
    // Beyond, the logarithm of twice the number; its square may overflow.
    let far = x.lit(by_type(x, 4096.0, 268435456.0)).lt(size);
    logarithm(far, far.select(size - 1.0, near), size).copysign(x)
}

/// The number from 0 on whose hyperbolic cosine is x.
#[inline(always)]
pub(in crate::builtins) fn acosh<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let above = x - 1.0;
    let near = above + above.mul_add(above, above + above).sqrt();
    let far = x.lit(by_type(x, 4096.0, 268435456.0)).lt(x);
    let value = logarithm(far, far.select(above, near), x);
    x.lt(x.lit(1.0)).select(x.lit(f64::NAN), value)
}

/// The number whose hyperbolic tangent is x.
#[inline(always)]
pub(in crate::builtins) fn atanh<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let size = x.abs();
    let one = x.lit(1.0);
    let ratio = (size + size) / (one - size);
    let value = ln_of_sum(ratio, ratio + 1.0) * 0.5;
    let unless_one = one.lt(size).select(x.lit(f64::NAN), value);
    let end = size.eq(one).select(x.lit(f64::INFINITY), unless_one);
    size.ne(size).select(x, end).copysign(x)
}

/// `ln(1 + x)`, and where `far` holds the logarithm of 2 more; infinity and NaN of the argument stay.
#[inline(always)]
fn logarithm<V: Value>(far: V, x: V, argument: V) -> V {
    let zero = x.lit(0.0);
    let value = ln_of_sum(x, x + 1.0) + far.select(x.lit(std::f64::consts::LN_2), zero);
    let format = Format::of(x);
    let finite = bits_of(argument).lt(x.literal(format.word, format.infinity()));
    finite.eq(finite.lit(0.0)).rarely(|| argument, value)
}
