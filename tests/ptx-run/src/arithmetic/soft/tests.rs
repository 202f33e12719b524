//! Exact arithmetic against the processor's, which rounds to nearest, on bits of all kinds.

use super::*;
use crate::random::Random;

/// Bits with many special exponents, near ones too.
fn bits(random: &mut Random, format: Format) -> u64 {
    let width = format.sign_shift() + 1;
    let any = random.next() >> (64 - width);
    match random.below(8) {
        // Subnormal numbers and zeros.
        0 => any & (format.sign() | ((1 << (format.precision - 1)) - 1)),
        // A few bits only, so that results are exact or lie half-way.
        1 => any & !((1 << (format.precision - 5)) - 1),
        // Exponents around that of one, so that sums cancel.
        2..=4 => {
            let exponent = format.largest as u64 + random.below(5) - 2;
            any & (format.sign() | ((1 << (format.precision - 1)) - 1)) | exponent << (format.precision - 1)
        }
        5 => {
            [format.infinity(false), format.infinity(true), format.nan(), 0, format.sign(), 1][random.below(6) as usize]
        }
        _ => any,
    }
}

#[track_caller]
fn same(name: &str, operands: &[u64], found: u64, expected: u64, is_nan: bool, format: Format) {
    let expected = if is_nan { format.nan() } else { expected };
    assert_eq!(found, expected, "{name} of {operands:x?} gives {found:x}, expected {expected:x}");
}

#[test]
fn singles_agree_with_the_processor() {
    let mut random = Random::new(1);
    let format = Format::SINGLE;
    for _ in 0..200_000 {
        let [a, b, c] = std::array::from_fn(|_| bits(&mut random, format));
        let [x, y, z] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
        let check = |name: &str, found: u64, value: f32| {
            same(name, &[a, b, c], found, value.to_bits().into(), value.is_nan(), format);
        };
        check("add", add(a, b, format, Rounding::Nearest), x + y);
        check("mul", multiply(a, b, format, Rounding::Nearest), x * y);
        check("div", divide(a, b, format, Rounding::Nearest), x / y);
        check("sqrt", square_root(a, format, Rounding::Nearest), x.sqrt());
        check("fma", fused(a, b, c, format, Rounding::Nearest), x.mul_add(y, z));
    }
}

#[test]
fn doubles_agree_with_the_processor() {
    let mut random = Random::new(2);
    let format = Format::DOUBLE;
    for _ in 0..200_000 {
        let [a, b, c] = std::array::from_fn(|_| bits(&mut random, format));
        let [x, y, z] = [a, b, c].map(f64::from_bits);
        let check = |name: &str, found: u64, value: f64| {
            same(name, &[a, b, c], found, value.to_bits(), value.is_nan(), format);
        };
        check("add", add(a, b, format, Rounding::Nearest), x + y);
        check("mul", multiply(a, b, format, Rounding::Nearest), x * y);
        check("div", divide(a, b, format, Rounding::Nearest), x / y);
        check("sqrt", square_root(a, format, Rounding::Nearest), x.sqrt());
        check("fma", fused(a, b, c, format, Rounding::Nearest), x.mul_add(y, z));
        let single = (x as f32).to_bits();
        same(
            "to f32",
            &[a],
            round(decode(a, format), Format::SINGLE, Rounding::Nearest),
            single.into(),
            x.is_nan(),
            Format::SINGLE,
        );
    }
}

/// The results of all roundings belong together: down and up are neighbours around an inexact result, and the others
/// are among them.
#[test]
fn roundings_enclose_the_result() {
    let mut random = Random::new(3);
    for format in [Format::SINGLE, Format::DOUBLE] {
        for _ in 0..100_000 {
            let [a, b, c] = std::array::from_fn(|_| bits(&mut random, format));
            let operations: [&dyn Fn(Rounding) -> u64; 5] = [
                &|r| add(a, b, format, r),
                &|r| multiply(a, b, format, r),
                &|r| divide(a, b, format, r),
                &|r| square_root(a, format, r),
                &|r| fused(a, b, c, format, r),
            ];
            for (k, operation) in operations.iter().enumerate() {
                let [nearest, zero, down, up] =
                    [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up].map(operation);
                let clue = format!("operation {k} of {a:x} {b:x} {c:x}: {nearest:x} {zero:x} {down:x} {up:x}");
                if nearest == format.nan() {
                    assert_eq!([zero, down, up], [nearest; 3], "{clue}");
                    continue;
                }
                // Zeros of a sum that cancels differ in their sign alone.
                let order = |bits: u64| {
                    let magnitude = (bits & !format.sign()) as i64;
                    if bits & format.sign() == 0 { magnitude } else { -magnitude }
                };
                assert!(order(up) - order(down) <= 1 && order(up) >= order(down), "{clue}");
                assert!(order(nearest) == order(down) || order(nearest) == order(up), "{clue}");
                let inward = if up & format.sign() == 0 { down } else { up };
                assert_eq!(order(zero), order(inward), "{clue}");
            }
        }
    }
}
