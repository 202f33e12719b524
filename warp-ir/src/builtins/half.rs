//! F16 and BF16: storage formats that arithmetic reaches through F32 and F64 only.
//!
//! Both directions stand here twice: on the host, and as expansions over integers for machines without instructions.

use super::Val;
use crate::ir::Scalar;

/// A format's numbers: `digits` significant bits, and the smallest exponent of a normal number.
struct Format {
    digits: i32,
    min_exponent: i32,
    infinity: u64,
}

fn format(half: Scalar) -> Format {
    match half {
        Scalar::F16 => Format { digits: 11, min_exponent: -14, infinity: 0x7c00 },
        _ => Format { digits: 8, min_exponent: -126, infinity: 0x7f80 },
    }
}

/// A power of two with a normal result.
fn exp2(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The nearest value of the format, ties to even, as bits. Whole multiples of the unit at the value's exponent are
/// counted, and the count carries into the exponent field by itself.
pub(super) fn narrow(value: f64, half: Scalar) -> u64 {
    let Format { digits, min_exponent, infinity } = format(half);
    let sign = (value.is_sign_negative() as u64) << 15;
    if value.is_nan() {
        return sign | infinity | 1 << (digits - 2);
    }
    let exponent = ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(min_exponent);
    if exponent > 127 {
        return sign | infinity;
    }
    let units = (value.abs() * exp2(digits - 1 - exponent)).round_ties_even() as u64;
    let bits = (((exponent - min_exponent) as u64) << (digits - 1)) + units;
    sign | bits.min(infinity)
}

/// The value of bits of the format, exactly.
pub(super) fn widen(bits: u64, half: Scalar) -> f64 {
    let Format { digits, min_exponent, infinity } = format(half);
    let magnitude = bits & 0x7fff;
    let fraction = magnitude & ((1 << (digits - 1)) - 1);
    let field = (magnitude >> (digits - 1)) as i32;
    let value = match magnitude {
        m if m == infinity => f64::INFINITY,
        m if m > infinity => f64::NAN,
        _ if field == 0 => fraction as f64 * exp2(min_exponent - digits + 1),
        _ => (fraction | 1 << (digits - 1)) as f64 * exp2(field - 1 + min_exponent - digits + 1),
    };
    if bits >> 15 & 1 == 1 { -value } else { value }
}

/// Any cast from or to F16 or BF16, by integers and exact float steps.
pub(super) fn expand<'g>(args: &[Val<'g>], result: Scalar) -> Val<'g> {
    let a = args[0];
    let single = match a.scalar() {
        Scalar::F16 => f16_to_f32(a),
        Scalar::BF16 => (a.bitcast(Scalar::U16).cast(Scalar::U32) << 16u64).bitcast(Scalar::F32),
        Scalar::F64 => round_to_odd(a),
        _ => a,
    };
    match result {
        Scalar::F16 => f32_to_f16(single),
        Scalar::BF16 => f32_to_bf16(single),
        _ => single.cast(result),
    }
}

/// F64 to F32 such that a second rounding to fewer digits gives what one rounding would: an inexact result takes the
/// neighbour whose last bit is 1.
fn round_to_odd<'g>(a: Val<'g>) -> Val<'g> {
    let near = a.cast(Scalar::F32);
    let back = near.cast(Scalar::F64);
    let inexact = (back.lt(a) | a.lt(back)).cast(Scalar::U32);
    let beyond = a.abs().lt(back.abs()).cast(Scalar::U32);
    ((near.bitcast(Scalar::U32) - beyond) | inexact).bitcast(Scalar::F32)
}

/// Normal results round by an integer addition; small ones by adding a half, whose last place is the unit of F16's
/// denormals.
fn f32_to_f16<'g>(a: Val<'g>) -> Val<'g> {
    let word = a.bitcast(Scalar::U32);
    let sign = (word >> 16u64) & 0x8000u64;
    let magnitude = word & 0x7fff_ffffu64;
    let normal = ((magnitude - 0x3800_0000u64) + 0xfffu64 + ((magnitude >> 13u64) & 1u64)) >> 13u64;
    let small = (a.abs() + 0.5).bitcast(Scalar::U32) - 0x3f00_0000u64;
    let nan = ((magnitude >> 13u64) & 0x3ffu64) | 0x7e00u64;
    let finite = magnitude.lt(0x3880_0000u64).select(small, normal);
    let bounded = magnitude.lt(0x4780_0000u64).select(finite, magnitude.bits(Scalar::U32, 0x7c00));
    let bits = a.ne(a).select(nan, bounded) | sign;
    bits.cast(Scalar::U16).bitcast(Scalar::F16)
}

fn f32_to_bf16<'g>(a: Val<'g>) -> Val<'g> {
    let word = a.bitcast(Scalar::U32);
    let rounded = (word + 0x7fffu64 + ((word >> 16u64) & 1u64)) >> 16u64;
    let nan = (word >> 16u64) | 0x40u64;
    a.ne(a).select(nan, rounded).cast(Scalar::U16).bitcast(Scalar::BF16)
}

/// The exponent is rebased by an integer addition; denormals by an exact float subtraction.
fn f16_to_f32<'g>(a: Val<'g>) -> Val<'g> {
    let word = a.bitcast(Scalar::U16).cast(Scalar::U32);
    let sign = (word & 0x8000u64) << 16u64;
    let magnitude = (word & 0x7fffu64) << 13u64;
    let normal = magnitude + 0x3800_0000u64;
    let float = (magnitude + 0x3880_0000u64).bitcast(Scalar::F32);
    let small = (float - exp2(-14)).bitcast(Scalar::U32);
    let finite = magnitude.lt(0x80_0000u64).select(small, normal);
    let bits = magnitude.lt(0x0f80_0000u64).select(finite, normal + 0x3800_0000u64);
    (bits | sign).bitcast(Scalar::F32)
}
