//! Scalars of any type in memory, as their bits.

use warp_ir::ir::Scalar;

/// Values in memory, in the size of their type.
pub fn pack(scalar: Scalar, values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()[..scalar.size()].to_vec()).collect()
}

/// The bits of values in memory.
pub fn unpack(scalar: Scalar, bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(scalar.size()).map(word).collect()
}

/// At most eight bytes as a number.
pub fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// How many numbers of the type lie from one value to the other, where both are numbers of one sign; NaNs are all alike,
/// and values that are not floats are as far apart as can be.
pub fn ulps(scalar: Scalar, a: u64, b: u64) -> u64 {
    if warp_ir::random::alike(scalar, a, b) {
        return 0;
    }
    let top = scalar.bits() - 1;
    let finite = |x: u64| match scalar {
        Scalar::F32 => f32::from_bits(x as u32).is_finite(),
        Scalar::F64 => f64::from_bits(x).is_finite(),
        _ => false,
    };
    if finite(a) && finite(b) && a >> top == b >> top { a.abs_diff(b) } else { u64::MAX }
}
