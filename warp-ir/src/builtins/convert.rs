//! Conversions between types.

use super::half;
use super::half::expand as half_cast;
use crate::ir::Scalar;

rows! {
    topic "conversion", module convert, names convert_names, result r, adjoint dr;

    /// Rust's `as`: integers wrap or extend by the sign of the operand, floats become integers truncated toward zero
    /// and saturated, NaN becomes 0, and integers become the nearest float (ties to even). A Bool becomes 0 or 1 of an
    /// integer; nothing but a Bool becomes a Bool. F16 and BF16 convert to and from F32 and F64 only, with one
    /// rounding to nearest, ties to even.
    ///
    /// Example: `-2.75f32 as i32` is `-2`.
    ///
    /// Example: `300.0f32 as u8` is `255`.
    ///
    /// Example: `-1i32 as u8` is `255`.
    Cast = cast(a: T) -> R {
        host: bits cast;
        adjoint: bounded { a: dr.cast(a.scalar()) };
        clif: half expand(half_cast), any Convert;
        ptx: bf16 expand(half_cast), any emitter;
        ulp: 0;
        domain: -4.0..4.0;
    }

    /// The same bits as another type of the same size.
    ///
    /// Example: `1f32.to_bits()` is `0x3f80_0000`.
    ///
    /// Example: `f32::from_bits(0x3f80_0000)` is `1.0`.
    Bitcast = bitcast(a: T) -> R {
        host: bits bitcast;
        adjoint: none { "bits are not numbers" };
        clif: any Bitcast;
        ptx: any emitter;
        ulp: 0;
    }
}

/// Which types a cast takes to which.
pub(super) fn check_cast(from: Scalar, to: Scalar) -> Result<(), String> {
    let float = |s: Scalar| s.is_float();
    let refused = match (from, to) {
        _ if from == to => false,
        (_, Scalar::Bool) => true,
        (Scalar::Bool, _) => !to.is_int(),
        _ if from.is_half() => !float(to),
        _ if to.is_half() => !float(from),
        _ => false,
    };
    match refused {
        true => Err(format!("`cast` does not take {} to {}", from.name(), to.name())),
        false => Ok(()),
    }
}

/// A bitcast keeps the size, and `Bool` has no bits of its own.
pub(super) fn check_bitcast(from: Scalar, to: Scalar) -> Result<(), String> {
    let bool_to_other = (from == Scalar::Bool) != (to == Scalar::Bool);
    match from.size() != to.size() || bool_to_other {
        true => Err(format!("`bitcast` does not take {} to {}: the sizes must be equal", from.name(), to.name())),
        false => Ok(()),
    }
}

fn bitcast(_args: &[Scalar], _result: Scalar, bits: &[u64]) -> Option<u64> {
    Some(bits[0])
}

/// A value between its two types.
enum Wide {
    Integer(i128),
    Float(f64),
}

pub(super) fn cast(args: &[Scalar], result: Scalar, bits: &[u64]) -> Option<u64> {
    let (from, word) = (args[0], bits[0]);
    if from == result {
        return Some(word);
    }
    let value = match from {
        Scalar::F64 => Wide::Float(f64::from_bits(word)),
        Scalar::F32 => Wide::Float(f32::from_bits(word as u32) as f64),
        Scalar::F16 | Scalar::BF16 => Wide::Float(half::widen(word, from)),
        s if s.is_signed() => Wide::Integer(((word << (64 - s.bits())) as i64 >> (64 - s.bits())) as i128),
        _ => Wide::Integer(word as i128),
    };
    Some(match value {
        Wide::Integer(value) => from_integer(value, result),
        Wide::Float(value) => from_float(value, result),
    })
}

fn from_integer(value: i128, to: Scalar) -> u64 {
    match to {
        Scalar::F32 => (value as f32).to_bits() as u64,
        Scalar::F64 => (value as f64).to_bits(),
        _ => value as u64 & to.mask(),
    }
}

fn from_float(value: f64, to: Scalar) -> u64 {
    match to {
        Scalar::F64 => value.to_bits(),
        Scalar::F32 => (value as f32).to_bits() as u64,
        Scalar::F16 | Scalar::BF16 => half::narrow(value, to),
        Scalar::I8 => value as i8 as u8 as u64,
        Scalar::I16 => value as i16 as u16 as u64,
        Scalar::I32 => value as i32 as u32 as u64,
        Scalar::I64 => value as i64 as u64,
        Scalar::U8 => value as u8 as u64,
        Scalar::U16 => value as u16 as u64,
        Scalar::U32 => value as u32 as u64,
        Scalar::U64 => value as u64,
        Scalar::Bool => (value != 0.0) as u64,
    }
}
