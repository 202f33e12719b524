//! Operand values where things go wrong, for every type.

use warp_ir::ir::Scalar;

/// Bits of values of a type that are likely to break something, plus some of no particular kind.
pub(crate) fn edges(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 => floats().iter().map(|&v| (v as f32).to_bits() as u64).chain(F32.map(u64::from)).collect(),
        Scalar::F64 => floats().iter().map(|v| v.to_bits()).chain(F64).collect(),
        Scalar::F16 => vec![0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x3555],
        Scalar::BF16 => vec![0, 0x8000, 1, 0x7f, 0x80, 0x3f80, 0xbf80, 0x7f7f, 0x7f80, 0xff80, 0x7fc0, 0x3eab],
        _ => integers(scalar),
    }
}

/// Smallest denormal, largest denormal, smallest normal, largest, neighbours of 1 and of 2^23, 2^24.
const F32: [u32; 10] = [
    1,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0x3f7f_ffff,
    0x3f80_0001,
    0x4b00_0001,
    0x4b80_0001,
    0x8000_0001,
    0xff7f_ffff,
];

const F64: [u64; 6] = [
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x3fef_ffff_ffff_ffff,
    0x4330_0000_0000_0001,
];

fn floats() -> Vec<f64> {
    let mut values = vec![f64::NAN, f64::INFINITY, 1e30, 1e-30, 3.7, 0.1, 1.0 / 3.0, 65504.0, 65520.0];
    values.extend((0..64).step_by(3).map(|e| (1u64 << e) as f64));
    values.extend((0..64).step_by(7).map(|e| (1u64 << e) as f64 - 0.5));
    values.extend([0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.5, 127.0, 128.0, 255.0, 256.0, 255.9, 2147483647.0]);
    values.extend(values.clone().iter().map(|v| -v));
    values
}

fn integers(scalar: Scalar) -> Vec<u64> {
    let top = 1u64 << (scalar.bits() - 1);
    let mut values =
        vec![0, 1, 2, 3, 5, 7, 8, 10, 31, 32, 33, 63, 64, 100, 0x5a, top - 1, top, top + 1, u64::MAX, u64::MAX - 1];
    values.extend([
        0x0123_4567_89ab_cdef,
        0xfedc_ba98_7654_3210,
        0x8000_0001_8000_0001,
        u64::MAX - 6,
        0xff,
        0x100,
        0x7fff,
    ]);
    values.iter_mut().for_each(|v| *v &= scalar.mask());
    values.sort();
    values.dedup();
    values
}

/// A small generator, so that samples are the same on every run.
pub(crate) struct Samples(pub(crate) u64);

impl Samples {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 29)
    }

    /// Uniform in a range.
    pub(crate) fn within(&mut self, range: &std::ops::Range<f64>) -> f64 {
        range.start + (range.end - range.start) * ((self.word() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// The same value: equal bits, or NaN both.
pub(crate) fn same(scalar: Scalar, a: u64, b: u64) -> bool {
    a == b || (is_nan(scalar, a) && is_nan(scalar, b))
}

fn is_nan(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::F16 => bits & 0x7fff > 0x7c00,
        Scalar::BF16 => bits & 0x7fff > 0x7f80,
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}
