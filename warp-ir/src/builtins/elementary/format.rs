//! What the functions need to know of a float's format.

use crate::builtins::value::Value;
use crate::ir::Scalar;

/// Where the fields of a float lie.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// The unsigned integer of the same size.
    pub word: Scalar,
    /// The signed one.
    pub signed: Scalar,
    /// Bits of the fraction.
    pub fraction: u64,
    /// Exponent field of 1.
    pub bias: u64,
    /// Bits of 1.5 times the number whose unit in the last place is 1: added and subtracted, it rounds to a whole
    /// number, which then stands in the lowest bits.
    pub whole: u64,
}

/// `whole` of F64.
pub(super) const WHOLE_F64: u64 = 0x4338_0000_0000_0000;

impl Format {
    #[inline(always)]
    pub(super) fn of<V: Value>(x: V) -> Format {
        match x.scalar() {
            Scalar::F32 => {
                Format { word: Scalar::U32, signed: Scalar::I32, fraction: 23, bias: 127, whole: 0x4b40_0000 }
            }
            _ => Format { word: Scalar::U64, signed: Scalar::I64, fraction: 52, bias: 1023, whole: WHOLE_F64 },
        }
    }

    /// Bits of infinity.
    pub(super) const fn infinity(self) -> u64 {
        (2 * self.bias + 1) << self.fraction
    }

    /// The bit of the sign.
    pub(super) const fn sign(self) -> u64 {
        (2 * self.bias + 2) << self.fraction
    }

    /// Bits of the smallest normal number.
    pub(super) const fn smallest(self) -> u64 {
        1 << self.fraction
    }
}

/// The choice between a form for F32 and one for F64.
#[inline(always)]
pub(super) fn by_type<V: Value, T>(x: V, single: T, double: T) -> T {
    match x.scalar() {
        Scalar::F32 => single,
        _ => double,
    }
}

/// The bits of a float as an unsigned integer.
#[inline(always)]
pub(super) fn bits_of<V: Value>(x: V) -> V {
    x.bitcast(Format::of(x).word)
}

/// A float with the sign bit of a word flipped in: `word` is zero but for that bit.
#[inline(always)]
pub(super) fn flip_sign<V: Value>(x: V, word: V) -> V {
    (bits_of(x) ^ word).bitcast(x.scalar())
}

/// The bits of a float without its sign.
#[inline(always)]
pub(super) fn size_bits<V: Value>(x: V) -> V {
    bits_of(x) & (Format::of(x).sign() - 1)
}

/// The sign bit of a float, as a word.
#[inline(always)]
pub(super) fn sign_bit<V: Value>(x: V) -> V {
    bits_of(x) & Format::of(x).sign()
}

/// The whole number next to `x * factor`: as a float, and as a word of which the low bits count. For numbers well below
/// the format's `whole`.
#[inline(always)]
pub(super) fn nearest_whole<V: Value>(x: V, factor: f64) -> (V, V) {
    let format = Format::of(x);
    let whole = x.literal(x.scalar(), format.whole);
    let shifted = if factor == 1.0 { x + whole } else { x.mul_add(x.lit(factor), whole) };
    (shifted - whole, shifted.bitcast(format.word))
}

/// `2^n` for a whole number as a signed word, within the exponents of normal numbers.
#[inline(always)]
pub(super) fn power_of_two<V: Value>(like: V, n: V) -> V {
    let format = Format::of(like);
    ((n + format.bias) << format.fraction).bitcast(like.scalar())
}
