//! Exact floating-point arithmetic in whole numbers, for roundings and formats that the processor lacks.

use crate::types::{Rounding, Type};

/// A binary format of IEEE 754.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Format {
    /// Bits of the significand, with the one that is not stored.
    precision: u32,
    /// The largest exponent; the smallest of a normal number is one minus this.
    largest: i32,
}

impl Format {
    /// The format of a type of floats.
    pub(crate) fn of(kind: Type) -> Option<Self> {
        match kind {
            Type::F16 => Some(Self { precision: 11, largest: 15 }),
            Type::Bf16 => Some(Self { precision: 8, largest: 127 }),
            Type::F32 => Some(Self::SINGLE),
            Type::F64 => Some(Self::DOUBLE),
            _ => None,
        }
    }

    pub(crate) const SINGLE: Self = Self { precision: 24, largest: 127 };
    pub(crate) const DOUBLE: Self = Self { precision: 53, largest: 1023 };

    /// The bit of the sign alone.
    pub(crate) fn sign(self) -> u64 {
        1 << self.sign_shift()
    }

    /// The number one.
    pub(crate) fn one(self) -> u64 {
        (self.largest as u64) << (self.precision - 1)
    }

    /// Where the sign stands.
    fn sign_shift(self) -> u32 {
        self.precision - 1 + (2 * (self.largest as u32 + 1)).ilog2()
    }

    fn infinity(self, negative: bool) -> u64 {
        ((2 * self.largest as u64 + 1) << (self.precision - 1)) | u64::from(negative) << self.sign_shift()
    }

    /// The NaN that arithmetic makes.
    pub(crate) fn nan(self) -> u64 {
        match self.precision {
            53 => 0x7ff8_0000_0000_0000,
            // All ones but the sign.
            _ => (1 << self.sign_shift()) - 1,
        }
    }

    fn zero(self, negative: bool) -> u64 {
        u64::from(negative) << self.sign_shift()
    }
}

/// What bits of a format mean.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    Nan,
    /// Negative or not.
    Infinity(bool),
    Finite(Finite),
}

/// `magnitude * 2^exponent`, and a bit more where `inexact` is set: more than nothing, less than one in `magnitude`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Finite {
    negative: bool,
    magnitude: u128,
    exponent: i32,
    inexact: bool,
}

impl Finite {
    /// A whole number.
    pub(crate) fn whole(value: i128) -> Self {
        Self { negative: value < 0, magnitude: value.unsigned_abs(), exponent: 0, inexact: false }
    }

    fn is_zero(self) -> bool {
        self.magnitude == 0 && !self.inexact
    }

    /// The same value with its highest bit at bit `position` where that loses nothing.
    fn normalised(self, position: u32) -> Self {
        let room = (position + 1).saturating_sub(128 - self.magnitude.leading_zeros());
        if self.magnitude == 0 {
            return self;
        }
        Self { magnitude: self.magnitude << room, exponent: self.exponent - room as i32, ..self }
    }
}

/// Takes bits of a format apart.
pub(crate) fn decode(bits: u64, format: Format) -> Number {
    let stored = format.precision - 1;
    let negative = bits >> format.sign_shift() & 1 == 1;
    let biased = (bits >> stored) as i32 & (2 * format.largest + 1);
    let fraction = u128::from(bits & ((1 << stored) - 1));
    if biased == 2 * format.largest + 1 {
        return if fraction == 0 { Number::Infinity(negative) } else { Number::Nan };
    }
    let hidden = if biased == 0 { 0 } else { 1 << stored };
    let exponent = biased.max(1) - format.largest - stored as i32;
    Number::Finite(Finite { negative, magnitude: hidden | fraction, exponent, inexact: false })
}

/// The bits of the number of a format that is next to `value` as the rounding says.
pub(crate) fn encode(value: Finite, format: Format, rounding: Rounding) -> u64 {
    if value.is_zero() {
        return format.zero(value.negative);
    }
    // Long enough that the part below one in `magnitude` lies below half a unit of the result.
    let value = if value.inexact { value.normalised(126) } else { value };
    let precision = format.precision as i32;
    let top = 127 - value.magnitude.leading_zeros() as i32 + value.exponent;
    // The exponent of the result's last bit.
    let mut unit = top.max(1 - format.largest) - (precision - 1);
    let shift = unit - value.exponent;
    let mut kept = rounded(value, shift, rounding);
    if kept == 1 << precision {
        kept >>= 1;
        unit += 1;
    }
    let sign = format.zero(value.negative);
    if kept < 1 << (precision - 1) {
        return sign | kept as u64;
    }
    let exponent = unit + precision - 1;
    if exponent > format.largest {
        let infinite = match rounding {
            Rounding::Nearest => true,
            Rounding::Zero => false,
            Rounding::Down => value.negative,
            Rounding::Up => !value.negative,
        };
        return format.infinity(value.negative) - u64::from(!infinite);
    }
    let biased = (exponent + format.largest) as u64;
    sign | biased << (precision - 1) | (kept as u64 & ((1 << (precision - 1)) - 1))
}

/// `value.magnitude / 2^shift` as a whole number.
fn rounded(value: Finite, shift: i32, rounding: Rounding) -> u128 {
    if shift <= 0 {
        return value.magnitude << -shift;
    }
    let (kept, rest, half) = match shift {
        1..128 => (value.magnitude >> shift, value.magnitude & ((1 << shift) - 1), 1 << (shift - 1)),
        128 => (0, value.magnitude, 1 << 127),
        // All of it lies below half a unit.
        _ => (0, u128::from(value.magnitude != 0), u128::MAX),
    };
    let inexact = rest != 0 || value.inexact;
    let up = match rounding {
        Rounding::Nearest => rest > half || (rest == half && (value.inexact || kept & 1 == 1)),
        Rounding::Zero => false,
        Rounding::Down => value.negative && inexact,
        Rounding::Up => !value.negative && inexact,
    };
    kept + u128::from(up)
}

/// The sum, exact but for what lies below its last of some 120 bits.
fn sum(a: Finite, b: Finite, rounding: Rounding) -> Finite {
    if a.is_zero() && b.is_zero() {
        let negative = if a.negative == b.negative { a.negative } else { rounding == Rounding::Down };
        return Finite { negative, ..Finite::whole(0) };
    }
    if a.is_zero() || b.is_zero() {
        return if a.is_zero() { b } else { a };
    }
    let (high, low) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    let distance = (high.exponent - low.exponent) as u32;
    let left = distance.min(high.magnitude.leading_zeros() - 2);
    let high_magnitude = high.magnitude << left;
    let right = distance - left;
    let low_magnitude = low.magnitude.checked_shr(right).unwrap_or(0);
    let lost = right > 0 && (right > 127 || low.magnitude & ((1 << right) - 1) != 0);
    let exponent = high.exponent - left as i32;
    let sized = |negative, magnitude| Finite { negative, magnitude, exponent, inexact: lost };
    if high.negative == low.negative {
        return sized(high.negative, high_magnitude + low_magnitude);
    }
    // What was lost of the lower one is taken off as a whole one, and given back as `inexact`.
    let low_magnitude = low_magnitude + u128::from(lost);
    match high_magnitude.cmp(&low_magnitude) {
        std::cmp::Ordering::Greater => sized(high.negative, high_magnitude - low_magnitude),
        std::cmp::Ordering::Less => sized(low.negative, low_magnitude - high_magnitude),
        std::cmp::Ordering::Equal => Finite { negative: rounding == Rounding::Down, ..Finite::whole(0) },
    }
}

fn product(a: Finite, b: Finite) -> Finite {
    Finite {
        negative: a.negative != b.negative,
        magnitude: a.magnitude * b.magnitude,
        exponent: a.exponent + b.exponent,
        inexact: false,
    }
}

/// `a + b`.
pub(crate) fn add(a: u64, b: u64, format: Format, rounding: Rounding) -> u64 {
    add_numbers(decode(a, format), decode(b, format), format, rounding)
}

fn add_numbers(a: Number, b: Number, format: Format, rounding: Rounding) -> u64 {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => format.nan(),
        (Number::Infinity(a), Number::Infinity(b)) if a != b => format.nan(),
        (Number::Infinity(negative), _) | (_, Number::Infinity(negative)) => format.infinity(negative),
        (Number::Finite(a), Number::Finite(b)) => encode(sum(a, b, rounding), format, rounding),
    }
}

/// The exact product as a number.
fn multiply_numbers(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinity(a), Number::Infinity(b)) => Number::Infinity(a != b),
        (Number::Infinity(_), Number::Finite(f)) | (Number::Finite(f), Number::Infinity(_)) if f.is_zero() => {
            Number::Nan
        }
        (Number::Infinity(i), Number::Finite(f)) | (Number::Finite(f), Number::Infinity(i)) => {
            Number::Infinity(i != f.negative)
        }
        (Number::Finite(a), Number::Finite(b)) => Number::Finite(product(a, b)),
    }
}

/// `a * b`.
pub(crate) fn multiply(a: u64, b: u64, format: Format, rounding: Rounding) -> u64 {
    round(multiply_numbers(decode(a, format), decode(b, format)), format, rounding)
}

/// `a * b + c`, rounded once.
pub(crate) fn fused(a: u64, b: u64, c: u64, format: Format, rounding: Rounding) -> u64 {
    let product = match multiply_numbers(decode(a, format), decode(b, format)) {
        // Subnormal factors leave the product short; long, it covers the addend wherever the two overlap.
        Number::Finite(product) => Number::Finite(product.normalised(105)),
        other => other,
    };
    add_numbers(product, decode(c, format), format, rounding)
}

/// `a / b`.
pub(crate) fn divide(a: u64, b: u64, format: Format, rounding: Rounding) -> u64 {
    match (decode(a, format), decode(b, format)) {
        (Number::Nan, _) | (_, Number::Nan) | (Number::Infinity(_), Number::Infinity(_)) => format.nan(),
        (Number::Infinity(a), Number::Finite(b)) => format.infinity(a != b.negative),
        (Number::Finite(a), Number::Infinity(b)) => format.zero(a.negative != b),
        (Number::Finite(a), Number::Finite(b)) if b.is_zero() && a.is_zero() => format.nan(),
        (Number::Finite(a), Number::Finite(b)) if b.is_zero() => format.infinity(a.negative != b.negative),
        (Number::Finite(a), Number::Finite(b)) => {
            let long = a.normalised(126);
            let quotient = Finite {
                negative: a.negative != b.negative,
                magnitude: long.magnitude / b.magnitude,
                exponent: long.exponent - b.exponent,
                inexact: !long.magnitude.is_multiple_of(b.magnitude),
            };
            encode(quotient, format, rounding)
        }
    }
}

/// The square root.
pub(crate) fn square_root(a: u64, format: Format, rounding: Rounding) -> u64 {
    match decode(a, format) {
        Number::Finite(a) if a.is_zero() => format.zero(a.negative),
        Number::Nan | Number::Infinity(true) => format.nan(),
        Number::Infinity(false) => format.infinity(false),
        Number::Finite(a) if a.negative => format.nan(),
        Number::Finite(a) => {
            let mut long = a.normalised(125);
            if long.exponent % 2 != 0 {
                long.magnitude <<= 1;
                long.exponent -= 1;
            }
            let magnitude = long.magnitude.isqrt();
            let inexact = magnitude * magnitude != long.magnitude;
            encode(Finite { negative: false, magnitude, exponent: long.exponent / 2, inexact }, format, rounding)
        }
    }
}

/// A number in another format.
pub(crate) fn round(value: Number, format: Format, rounding: Rounding) -> u64 {
    match value {
        Number::Nan => format.nan(),
        Number::Infinity(negative) => format.infinity(negative),
        Number::Finite(finite) => encode(finite, format, rounding),
    }
}

impl Finite {
    /// The value rounded to a whole number, which keeps its sign where it is zero.
    pub(crate) fn rounded(self, rounding: Rounding) -> Self {
        if self.exponent >= 0 {
            return self;
        }
        Self { magnitude: rounded(self, -self.exponent, rounding), exponent: 0, inexact: false, ..self }
    }

    /// The whole number next to the value; one that is far outside of 64 bits counts as the farthest that fits here.
    pub(crate) fn to_whole(self, rounding: Rounding) -> i128 {
        let whole = self.rounded(rounding);
        // Significands have at most 53 bits, so below this the product fits.
        let magnitude = if whole.exponent > 70 && whole.magnitude != 0 {
            i128::MAX
        } else {
            (whole.magnitude << whole.exponent.min(70)) as i128
        };
        if whole.negative { -magnitude } else { magnitude }
    }
}

#[cfg(test)]
mod tests;
