//! The error function, its complement, and their inverses.

use super::exponential::{natural_power, signed_number};
use super::format::{by_type, power_of_two};
use super::logarithm::ln;
use super::polynomial::polynomial;
use crate::builtins::coefficients as c;
use crate::builtins::value::Value;
use crate::ir::Scalar;

/// The error function.
#[inline(always)]
pub(in crate::builtins) fn erf<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let size = x.abs();
    let far = x.lit(1.0) - complement(size);
    x.lit(1.0).lt(size).select(far, near_zero(size)).copysign(x)
}

/// The error function up to 1.
#[inline(always)]
fn near_zero<V: Value>(x: V) -> V {
    x.mul_add(polynomial(x * x, by_type(x, &c::ERF_F32, &c::ERF_F64)), x)
}

/// One less the error function, exact where that is small.
#[inline(always)]
pub(in crate::builtins) fn erfc<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let size = x.abs();
    let value = complement(size);
    let far = x.lt(x.lit(0.0)).select(x.lit(2.0) - value, value);
    size.lt(x.lit(0.5)).select(x.lit(1.0) - near_zero(x), far)
}

/// Of a magnitude: `e^(-x^2) / (1 + 2x)` times a function that changes little.
#[inline(always)]
fn complement<V: Value>(size: V) -> V {
    let bound = size.lit(by_type(size, 10.5, 28.0));
    let size = bound.lt(size).select(bound, size);
    let square = size * size;
    let square_low = size.mul_add(size, -square);
    let (power, number) = natural_power(-square, -square_low);
    let number = signed_number(size, number);
    let half = number >> 1u64;
    let factor = scaled_complement(size);
    power.mul_add(factor, factor) * power_of_two(size, half) * power_of_two(size, number - half)
}

/// `e^(x^2) erfc x`.
#[inline(always)]
fn scaled_complement<V: Value>(size: V) -> V {
    let middle = by_type(size, 2.0, 4.0);
    let place = (size - middle) / (size + middle);
    polynomial(place, by_type(size, &c::ERFC_F32, &c::ERFC_F64)) / size.mul_add(size.lit(2.0), size.lit(1.0))
}

/// The number whose error function is x.
#[inline(always)]
pub(in crate::builtins) fn erf_inv<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let product = (-x).mul_add(x, x.lit(1.0));
    inverse(x, product, x.lit(1.0) - x.abs())
}

/// The number whose complementary error function is x.
#[inline(always)]
pub(in crate::builtins) fn erfc_inv<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let other = x.lit(2.0) - x;
    inverse(x.lit(1.0) - x, x * other, x.lt(other).select(x, other))
}

/// By the value of the error function, the product of the complements to 1 and -1, and the smaller complement.
#[inline(always)]
fn inverse<V: Value>(value: V, product: V, complement: V) -> V {
    let w = -ln(&[product], product.scalar());
    let (end, middle) = by_type(w, (5.0, 2.5), (6.25, 3.125));
    let near = value * polynomial(w - middle, by_type(w, &c::ERF_INV_F32, &c::ERF_INV_F64));
    let is_near = w.lt(w.lit(end));
    let seldom = || {
        let root = w.sqrt();
        let scale = root * value.abs();
        let place = root.lit(1.0) / root;
        let size = match w.scalar() {
            Scalar::F32 => {
                let far = w.lit(17.64).lt(w);
                let outer = polynomial(place - 0.17, &c::ERF_INV_FAR_F32);
                scale * far.select(outer, polynomial(place - 0.34, &c::ERF_INV_ROOT_F32))
            }
            _ => {
                let first = scale * polynomial(place - 0.22, &c::ERF_INV_ROOT_F64);
                w.lt(w.lit(f64::INFINITY)).select(improved(first, complement), w)
            }
        };
        size.copysign(value)
    };
    is_near.eq(is_near.lit(0.0)).rarely(seldom, near)
}

/// One of Newton's steps for the logarithm of the complementary error function.
#[inline(always)]
fn improved<V: Value>(size: V, complement: V) -> V {
    let square = size * size;
    let square_low = size.mul_add(size, -square);
    let (power, number) = natural_power(-square, -square_low);
    let number = signed_number(size, number);
    let half = number >> 1u64;
    let factor = scaled_complement(size);
    let ratio = power.mul_add(factor, factor) * power_of_two(size, half);
    let excess = ratio * (power_of_two(size, number - half) / complement) - 1.0;
    let logarithm = excess * excess.mul_add(excess.lit(-0.5), excess.lit(1.0));
    (factor * (0.5 / std::f64::consts::FRAC_2_SQRT_PI * 2.0)).mul_add(logarithm, size)
}
