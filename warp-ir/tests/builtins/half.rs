//! F16 and BF16 against the `half` crate and against a search for the nearest value.

use half::{bf16, f16};
use warp_ir::builtins::Builtin;
use warp_ir::ir::Scalar;
use warp_ir::random::{alike, edges};

use crate::samples::Samples;

fn cast(from: Scalar, to: Scalar, bits: u64) -> u64 {
    Builtin::Cast.eval(&[from], to, &[bits]).expect("defined")
}

fn is_nan(half: Scalar, bits: u64) -> bool {
    bits & 0x7fff > if half == Scalar::F16 { 0x7c00 } else { 0x7f80 }
}

/// All 65,536 values of both formats, to F32 and F64 and back.
#[test]
fn every_half_goes_up_and_back() {
    for bits in 0..=u16::MAX {
        let values = [(Scalar::F16, f16::from_bits(bits).to_f32()), (Scalar::BF16, bf16::from_bits(bits).to_f32())];
        for (half, value) in values {
            let word = bits as u64;
            let single = cast(half, Scalar::F32, word);
            assert!(alike(Scalar::F32, single, value.to_bits() as u64), "{half:?} {bits:#x}: {single:#x}");
            let double = cast(half, Scalar::F64, word);
            assert!(alike(Scalar::F64, double, (value as f64).to_bits()), "{half:?} {bits:#x}: {double:#x}");
            for (from, up) in [(Scalar::F32, single), (Scalar::F64, double)] {
                let back = cast(from, half, up);
                assert!(alike(half, back, word), "{half:?} {bits:#x} through {from:?}: {back:#x}");
                assert_eq!(back >> 15, word >> 15, "the sign of {half:?} {bits:#x}");
            }
        }
    }
}

/// Around every half: itself, the midpoint to the next, and what lies just beside both.
#[test]
fn halves_round_to_nearest_even() {
    for half in [Scalar::F16, Scalar::BF16] {
        let infinity = if half == Scalar::F16 { 0x7c00 } else { 0x7f80 };
        for bits in 0..infinity {
            let here = f64::from_bits(cast(half, Scalar::F64, bits));
            // The step past the largest number is as wide as the one before it.
            let next = match bits + 1 == infinity {
                true => here + (here - f64::from_bits(cast(half, Scalar::F64, bits - 1))),
                false => f64::from_bits(cast(half, Scalar::F64, bits + 1)),
            };
            let middle = here + (next - here) / 2.0;
            let even = bits + (bits & 1);
            let tests =
                [(here.next_up(), bits), (middle.next_down(), bits), (middle, even), (middle.next_up(), bits + 1)];
            for (value, expected) in tests {
                let found = cast(Scalar::F64, half, value.to_bits());
                assert_eq!(found, expected, "{value:e} to {half:?}");
                assert_eq!(cast(Scalar::F64, half, (-value).to_bits()), expected | 0x8000, "-{value:e} to {half:?}");
            }
            // A midpoint is an F32 as well.
            assert_eq!(cast(Scalar::F32, half, (middle as f32).to_bits() as u64), even, "{middle:e} to {half:?}");
        }
    }
}

#[test]
fn singles_narrow_as_the_half_crate_says() {
    let mut samples = Samples(11);
    let random = (0..200_000).map(|_| samples.word() as u32 as u64);
    for bits in edges(Scalar::F32).into_iter().chain(random.collect::<Vec<_>>()) {
        let value = f32::from_bits(bits as u32);
        for (half, expected) in
            [(Scalar::F16, f16::from_f32(value).to_bits()), (Scalar::BF16, bf16::from_f32(value).to_bits())]
        {
            let found = cast(Scalar::F32, half, bits);
            assert!(alike(half, found, expected as u64), "{value:e} to {half:?}: {found:#x}, {expected:#x}");
            assert_eq!(is_nan(half, found), value.is_nan());
        }
    }
}
