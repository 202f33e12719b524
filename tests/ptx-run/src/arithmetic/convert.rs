//! `cvt`: from each type of numbers to each.

use super::soft::{self, Finite, Format, Number};
use crate::types::{Rounding, Type};

/// A conversion, all of it known when the text is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Conversion {
    pub from: Type,
    pub to: Type,
    /// How to round where a value may lie between two of the new type.
    pub rounding: Rounding,
    /// Between two types of floats: round to a whole number.
    pub to_whole: bool,
    /// Clamp: to the range of an integer type, or to 0..=1 for floats, where NaN becomes 0.
    pub saturate: bool,
    /// The width in bytes that a signed result is extended to.
    pub register: usize,
}

/// The low `size` bytes.
pub(crate) fn low_bytes(bits: u64, size: usize) -> u64 {
    if size >= 8 { bits } else { bits & ((1 << (8 * size)) - 1) }
}

/// A value of `kind`, which is signed or not, as 64 bits of the same kind.
fn low_whole(bits: u64, kind: Type) -> u64 {
    let unused = 64 - 8 * kind.size() as u32;
    if kind.is_signed() { ((bits << unused).cast_signed() >> unused).cast_unsigned() } else { bits << unused >> unused }
}

/// The same as a whole number.
fn whole(bits: u64, kind: Type) -> i128 {
    let value = low_whole(bits, kind);
    if kind.is_signed() { i128::from(value.cast_signed()) } else { i128::from(value) }
}

/// The least and the largest value of a type of integers.
fn range(kind: Type) -> (i128, i128) {
    let bits = 8 * kind.size() as u32;
    if kind.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// The converted bits.
pub(crate) fn convert(how: Conversion, bits: u64) -> u64 {
    let Conversion { from, to, rounding, saturate, .. } = how;
    if from.is_integer() && !saturate {
        if to.is_integer() {
            return extended(low_whole(bits, from), how);
        }
        if rounding == Rounding::Nearest && matches!(to, Type::F32 | Type::F64) {
            return nearest(bits, from, to);
        }
    }
    match (Format::of(from), Format::of(to)) {
        (None, None) => {
            let (least, largest) = range(to);
            let value = whole(bits, from);
            extended(value.clamp(least, largest) as u64, how)
        }
        (None, Some(format)) => {
            let result = soft::encode(Finite::whole(whole(bits, from)), format, rounding);
            if how.saturate { saturated(result, to) } else { result }
        }
        (Some(format), None) => extended(to_integer(soft::decode(bits, format), how) as u64, how),
        (Some(source), Some(format)) => {
            let value = soft::decode(bits, source);
            let result = if how.to_whole {
                soft::round(rounded_whole(value, rounding), format, Rounding::Nearest)
            } else if from == to && !how.saturate {
                return bits;
            } else {
                soft::round(value, format, rounding)
            };
            if how.saturate { saturated(result, to) } else { result }
        }
    }
}

/// A whole number in the bits of its register, out of its low 64 bits.
fn extended(value: u64, how: Conversion) -> u64 {
    low_bytes(low_whole(value, how.to), how.register)
}

/// The processor's own conversion, which rounds to nearest.
fn nearest(bits: u64, from: Type, to: Type) -> u64 {
    let value = low_whole(bits, from);
    match (from.is_signed(), to) {
        (true, Type::F32) => u64::from((value.cast_signed() as f32).to_bits()),
        (false, Type::F32) => u64::from((value as f32).to_bits()),
        (true, _) => (value.cast_signed() as f64).to_bits(),
        (false, _) => (value as f64).to_bits(),
    }
}

/// To a whole number that fits: what lies outside the range is clamped; NaN becomes 0, or, from `f64` or to 64 bits,
/// the one with the highest bit alone.
fn to_integer(value: Number, how: Conversion) -> i128 {
    let (least, largest) = range(how.to);
    match value {
        Number::Nan if how.from == Type::F64 || how.to.size() == 8 => 1 << (8 * how.to.size() - 1),
        Number::Nan => 0,
        Number::Infinity(negative) => {
            if negative {
                least
            } else {
                largest
            }
        }
        Number::Finite(finite) => finite.to_whole(how.rounding).clamp(least, largest),
    }
}

/// The number rounded to a whole one; zeros keep their sign.
fn rounded_whole(value: Number, rounding: Rounding) -> Number {
    match value {
        Number::Finite(finite) => Number::Finite(finite.rounded(rounding)),
        other => other,
    }
}

/// The bits of a float clamped to 0..=1.
fn saturated(bits: u64, kind: Type) -> u64 {
    let format = Format::of(kind).expect("a type of floats");
    let is_positive = bits & format.sign() == 0;
    match soft::decode(bits, format) {
        Number::Nan => 0,
        _ if !is_positive => 0,
        // Bits of positive floats are ordered as their values are.
        _ => bits.min(format.one()),
    }
}
