//! Inverse trigonometric functions.

use super::format::{by_type, flip_sign, sign_bit};
use super::polynomial::polynomial;
use crate::builtins::coefficients as c;
use crate::builtins::value::Value;
use crate::ir::Scalar;

/// Half pi in two parts.
const HALF_PI_F32: [f64; 2] = [1.5707963705062866, -4.371138828673793e-08];
const HALF_PI_F64: [f64; 2] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17];

/// The angle whose tangent is x.
#[inline(always)]
pub(in crate::builtins) fn atan<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let size = x.abs();
    let one = x.lit(1.0);
    let steep = one.lt(size);
    let ratio = steep.select(one / size, size);
    let angle = arc_of_ratio(ratio);
    let [first, second] = by_type(x, HALF_PI_F32, HALF_PI_F64);
    let rest = (-angle + second) + first;
    steep.select(rest, angle).copysign(x)
}

/// The angle of the point (x, y) from the x axis.
#[inline(always)]
pub(in crate::builtins) fn atan2<V: Value>(args: &[V], _result: Scalar) -> V {
    let (y, x) = (args[0], args[1]);
    let (height, width) = (y.abs(), x.abs());
    let steep = width.lt(height);
    let (small, large) = (steep.select(width, height), steep.select(height, width));
    let ratio = small / large;
    // At the origin and between two infinities: the angles of the axes, and of the diagonals.
    let same = small.eq(large);
    let seldom = || large.eq(x.lit(0.0)).select(large, large.lit(1.0));
    let ratio = same.rarely(seldom, ratio);
    let angle = arc_of_ratio(ratio);
    let [first, second] = by_type(x, HALF_PI_F32, HALF_PI_F64);
    // From the nearest axis, with the turn or against it.
    let zero = x.lit(0.0);
    let negative = sign_bit(x).ne(sign_bit(x).lit(0.0));
    let axis = |part: f64| steep.select(x.lit(part), negative.select(x.lit(2.0 * part), zero));
    let signed = (steep ^ negative).select(-angle, angle);
    flip_sign(axis(first) + (signed + axis(second)), sign_bit(y))
}

/// The arc tangent of 0 to 1.
#[inline(always)]
fn arc_of_ratio<V: Value>(ratio: V) -> V {
    let square = ratio * ratio;
    (ratio * square).mul_add(polynomial(square, by_type(ratio, &c::ATAN_F32, &c::ATAN_F64)), ratio)
}

/// The angle whose sine is x.
#[inline(always)]
pub(in crate::builtins) fn asin<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let size = x.abs();
    let Half { beyond, angle } = half_angle(size);
    let [first, second] = by_type(x, HALF_PI_F32, HALF_PI_F64);
    let rest = angle.mul_add(x.lit(-2.0), x.lit(first)) + second;
    beyond.select(rest, angle).copysign(x)
}

/// The angle whose cosine is x.
#[inline(always)]
pub(in crate::builtins) fn acos<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let Half { beyond, angle } = half_angle(x.abs());
    let [first, second] = by_type(x, HALF_PI_F32, HALF_PI_F64);
    let middle = x.lit(first) - (angle.copysign(x) - second);
    let double = angle + angle;
    let outer = x.lt(x.lit(0.0)).select((x.lit(2.0 * first) - double) + 2.0 * second, double);
    beyond.select(outer, middle)
}

/// What the arc sine and cosine are made of.
struct Half<V> {
    /// Whether the magnitude is above one half.
    beyond: V,
    /// The arc sine of the magnitude, or beyond one half that of the root of half the distance to 1: half the arc
    /// cosine.
    angle: V,
}

#[inline(always)]
fn half_angle<V: Value>(size: V) -> Half<V> {
    let beyond = size.lit(0.5).lt(size);
    let outer = size.mul_add(size.lit(-0.5), size.lit(0.5));
    let square = beyond.select(outer, size * size);
    let sine = beyond.select(outer.sqrt(), size);
    let tail = polynomial(square, by_type(size, &c::ASIN_F32, &c::ASIN_F64));
    Half { beyond, angle: (sine * square).mul_add(tail, sine) }
}
