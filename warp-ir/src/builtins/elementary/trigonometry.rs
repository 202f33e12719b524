//! Sine, cosine, tangent.

use super::angle::{self, Reduced};
use super::format::{Format, bits_of, by_type, flip_sign, sign_bit};
use super::polynomial::polynomial;
use crate::builtins::coefficients as c;
use crate::builtins::value::Value;
use crate::ir::Scalar;

/// The sine.
#[inline(always)]
pub(in crate::builtins) fn sin<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    of_reduced(x, |angle| {
        let (sine, cosine) = sine_and_cosine(angle);
        let value = is_odd(angle.quarters).select(cosine, sine);
        flip_sign(value, half_turns(value, angle.quarters, 0) ^ sign_bit(x))
    })
}

/// The cosine.
#[inline(always)]
pub(in crate::builtins) fn cos<V: Value>(args: &[V], _result: Scalar) -> V {
    of_reduced(args[0], |angle| {
        let (sine, cosine) = sine_and_cosine(angle);
        let value = is_odd(angle.quarters).select(sine, cosine);
        flip_sign(value, half_turns(value, angle.quarters, 1))
    })
}

/// The tangent: the sine over the cosine, or after an odd number of quarter turns the other way round and negative.
#[inline(always)]
pub(in crate::builtins) fn tan<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    of_reduced(x, |angle| {
        let (sine, cosine) = sine_and_cosine(angle);
        let odd = is_odd(angle.quarters);
        let value = odd.select(cosine, sine) / odd.select(sine, cosine);
        let format = Format::of(x);
        flip_sign(value, (angle.quarters << (format.word.bits() as u64 - 1)) ^ sign_bit(x))
    })
}

/// A function of the reduced magnitude of an angle. Infinities and NaNs give NaN.
#[inline(always)]
fn of_reduced<V: Value>(x: V, function: impl Fn(Reduced<V>) -> V) -> V {
    let size = x.abs();
    let near = angle::near(size);
    // Beyond what it reduces, and where it leaves so little that its roundings count.
    let far = size.literal(Format::of(x).word, angle::largest_near(x)).lt(bits_of(size));
    let little = near.rest.abs().lt(size * by_type(x, 2f64.powi(-20), 2f64.powi(-49)));
    (far | little).rarely(|| function(angle::far(size)) + x * 0.0, function(near))
}

#[inline(always)]
fn is_odd<V: Value>(quarters: V) -> V {
    (quarters & 1u64).ne(quarters.lit(0.0))
}

/// The sign bit where the quarter turns and `more` come to a half turn, modulo a turn.
#[inline(always)]
fn half_turns<V: Value>(value: V, quarters: V, more: u64) -> V {
    let format = Format::of(value);
    let turned = if more == 0 { quarters } else { quarters + more };
    (turned << (format.word.bits() as u64 - 2)) & format.sign()
}

/// Of the rest of a reduced angle.
#[inline(always)]
fn sine_and_cosine<V: Value>(angle: Reduced<V>) -> (V, V) {
    let Reduced { rest, low, .. } = angle;
    let square = rest * rest;
    let cube = rest * square;
    let sine = cube.mul_add(polynomial(square, by_type(rest, &c::SIN_F32, &c::SIN_F64)), low) + rest;
    // One less half the square, and what rounding that drops.
    let half = rest * -0.5;
    let near = half.mul_add(rest, rest.lit(1.0));
    let dropped = half.mul_add(rest, rest.lit(1.0) - near);
    let tail = polynomial(square, by_type(rest, &c::COS_F32, &c::COS_F64));
    let cosine = near + ((square * square).mul_add(tail, dropped) - rest * low);
    (sine, cosine)
}
