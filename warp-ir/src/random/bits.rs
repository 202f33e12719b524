//! Random values of each type, the awkward ones more often than chance would have them.

use super::rng::Rng;
use crate::builtins::Builtin;
use crate::ir::Scalar;

/// Random bits of a type.
pub(super) fn bits(rng: &mut Rng, scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Bool => rng.below(2),
        Scalar::F32 => u64::from(match rng.below(8) {
            0 => (rng.pick(&ODD) as f32).to_bits(),
            1 => rng.bits() as u32,
            2 => rng.below(1 << 23) as u32,
            _ => ((rng.below(4001) as f32 - 2000.0) / 128.0).to_bits(),
        }),
        Scalar::F64 => match rng.below(8) {
            0 => rng.pick(&ODD).to_bits(),
            1 => rng.bits(),
            2 => rng.below(1 << 52),
            _ => ((rng.below(4001) as f64 - 2000.0) / 128.0).to_bits(),
        },
        Scalar::F16 | Scalar::BF16 => match rng.below(4) {
            0 => rng.bits() & 0xffff,
            _ => {
                let number = u64::from((rng.below(201) as f32 - 100.0).to_bits());
                Builtin::Cast.eval(&[Scalar::F32], scalar, &[number]).unwrap_or(0)
            }
        },
        _ => scalar.mask() & integer(rng, scalar),
    }
}

fn integer(rng: &mut Rng, scalar: Scalar) -> u64 {
    let top = 1u64 << (scalar.bits() - 1);
    match rng.below(10) {
        0 => rng.bits(),
        1 => rng.pick(&[0, 1, u64::MAX, top, top - 1, top + 1]),
        2 => u64::MAX - rng.below(6),
        _ => rng.below(12),
    }
}

const ODD: [f64; 12] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 4_294_967_296.5, -9.3e18, 1e300];
