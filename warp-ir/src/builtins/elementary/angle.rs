//! Reduction of angles by quarter turns.

use super::format::{Format, bits_of, by_type, nearest_whole};
use crate::builtins::value::{Table, Value};
use crate::ir::Scalar;

/// An angle less a whole number of quarter turns.
#[derive(Clone, Copy)]
pub(super) struct Reduced<V> {
    /// The number of quarter turns, modulo 4, in the lowest bits of a word.
    pub quarters: V,
    /// The rest, at most an eighth of a turn: the nearest float, and what that leaves.
    pub rest: V,
    pub low: V,
}

/// Half pi in three parts.
const HALF_PI_F32: [f64; 3] = [1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15];
const HALF_PI_F64: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];

/// Bits of the largest angle that [`near`] reduces: 2^14, and 2^30 for F64.
pub(super) fn largest_near<V: Value>(x: V) -> u64 {
    by_type(x, 0x4680_0000, 0x41d0_0000_0000_0000)
}

/// Of an angle of at most [`largest_near`], not negative: the first difference is exact, the second leaves `low`.
#[inline(always)]
pub(super) fn near<V: Value>(x: V) -> Reduced<V> {
    let [first, second, third] = by_type(x, HALF_PI_F32, HALF_PI_F64);
    let (number, quarters) = nearest_whole(x, std::f64::consts::FRAC_2_PI);
    let minus = -number;
    let difference = minus.mul_add(x.lit(first), x);
    let rest = minus.mul_add(x.lit(second), difference);
    let low = minus.mul_add(x.lit(second), difference - rest);
    Reduced { quarters, rest, low: minus.mul_add(x.lit(third), low) }
}

/// The binary digits of 2/pi, behind 64 zeros.
static TWO_OVER_PI: Table = Table {
    name: "two_over_pi",
    words: &[
        0x0000000000000000,
        0xa2f9836e4e441529,
        0xfc2757d1f534ddc0,
        0xdb6295993c439041,
        0xfe5163abdebbc561,
        0xb7246e3a424dd2e0,
        0x06492eea09d1921c,
        0xfe1deb1cb129a73e,
        0xe88235f52ebb4484,
        0xe99c7026b45f7e41,
        0x3991d639835339f4,
        0x9c845f8bbdf9283b,
        0x1ff897ffde05980f,
        0xef2f118b5a0a6d1f,
        0x6d367ecf27cb09b7,
        0x4f463f669e5fea2d,
        0x7527bac7ebe5f17b,
        0x3d0739f78a5292ea,
        0x6bfb5fb11f8d5d08,
        0x56033046fc7b6bab,
        0xf0cfbc209af4361d,
        0xa9e391615ee61b08,
        0x6599855f14a06840,
        0x8dffd8804d732731,
        0x06061556ca73a8c9,
        0x60e27bc08c6b47c4,
        0x19c367cddce8092a,
        0x8359c4768b961ca6,
        0xddaf44d15719053e,
        0xa5ff07053f7e33e8,
        0x32c2de4f98327dbb,
        0xc33d26ef6b1e5ef8,
    ],
};

/// Of any finite angle, not negative, in fixed point: of the digits of 2/pi those are taken that matter when multiplied
/// by this number, since whole turns drop out. The product has two bits for the quarter turns; the rest follows.
#[inline(always)]
pub(super) fn far<V: Value>(x: V) -> Reduced<V> {
    let format = Format::of(x);
    let bits = bits_of(x).cast(Scalar::U64);
    let mantissa = (bits & (format.smallest() - 1)) | format.smallest();
    // The exponent of the mantissa's last bit, and 62: where in the table the digits with the weights 2, 1, 1/2.. stand.
    let position = (bits >> format.fraction) + (62u64.wrapping_sub(format.bias + format.fraction));
    let digits = |k: u64| {
        let at = (position >> 6u64) + k;
        let (word, next) = (at.look_up(&TWO_OVER_PI), (at + 1u64).look_up(&TWO_OVER_PI));
        let shift = position & 63u64;
        (word << shift) | ((next >> 1u64) >> (shift ^ 63u64))
    };
    match x.scalar() {
        Scalar::F32 => {
            let product = mantissa * digits(0) + ((mantissa * (digits(1) >> 32u64)) >> 32u64);
            let quarters = (product + (1u64 << 61)) >> 62u64;
            let part = (product - (quarters << 62u64)).bitcast(Scalar::I64).cast(Scalar::F64);
            let angle = part * (std::f64::consts::FRAC_PI_2 / (1u64 << 62) as f64);
            let rest = angle.cast(Scalar::F32);
            let low = (angle - rest.cast(Scalar::F64)).cast(Scalar::F32);
            Reduced { quarters: quarters.cast(Scalar::U32), rest, low }
        }
        _ => {
            let (carry, below) = wide_product(mantissa, digits(1));
            let low = below + wide_product(mantissa, digits(2)).0;
            let high = mantissa * digits(0) + carry + low.lt(below).cast(Scalar::U64);
            let quarters = (high + (1u64 << 61)) >> 62u64;
            let high = high - (quarters << 62u64);
            // 32, 32 and 53 bits of the part, each exact, added from the largest on.
            let unit = 1.0 / (1u64 << 62) as f64;
            let a = (high.bitcast(Scalar::I64) >> 32u64).cast(Scalar::F64) * (unit * (1u64 << 32) as f64);
            let b = (high & 0xffff_ffffu64).cast(Scalar::F64) * unit;
            let c = (low >> 11u64).cast(Scalar::F64) * (unit / (1u64 << 53) as f64);
            let ab = a + b;
            let left = (a - ab) + b;
            let part = ab + (left + c);
            let part_low = (ab - part) + (left + c);
            let [first, second, _] = HALF_PI_F64;
            let angle = part * first;
            let angle_low = part.mul_add(part.lit(first), -angle) + part.mul_add(part.lit(second), part_low * first);
            let rest = angle + angle_low;
            Reduced { quarters, rest, low: (angle - rest) + angle_low }
        }
    }
}

/// The high and the low word of a product of U64s.
#[inline(always)]
fn wide_product<V: Value>(a: V, b: V) -> (V, V) {
    let halves = |x: V| (x >> 32u64, x & 0xffff_ffffu64);
    let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
    let middle = a1 * b0 + ((a0 * b0) >> 32u64);
    let other = a0 * b1 + (middle & 0xffff_ffffu64);
    (a1 * b1 + (middle >> 32u64) + (other >> 32u64), a * b)
}
