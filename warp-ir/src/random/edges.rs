//! What tests of builtins go through: the types that a row takes, and operand values where things go wrong.

use crate::builtins::Row;
use crate::ir::Scalar;

/// Every list of operand types, with the result type, that a row takes.
pub fn instances(row: &Row) -> Vec<(Vec<Scalar>, Scalar)> {
    let mut lists: Vec<Vec<Scalar>> = vec![vec![]];
    for _ in row.params {
        lists = lists.iter().flat_map(|l| Scalar::ALL.map(|s| [l.as_slice(), &[s]].concat())).collect();
    }
    let with_results = lists.into_iter().flat_map(|args| Scalar::ALL.map(|result| (args.clone(), result)));
    with_results.filter(|(args, result)| row.check(args, *result).is_ok()).collect()
}

/// Bits of values of a type that are likely to break something, plus some of no particular kind.
pub fn edges(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 => floats().iter().map(|&v| (v as f32).to_bits() as u64).chain(F32.map(u64::from)).collect(),
        Scalar::F64 => floats().iter().map(|v| v.to_bits()).chain(F64).collect(),
        Scalar::F16 => vec![
            0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x3555,
        ],
        Scalar::BF16 => vec![
            0, 0x8000, 1, 0x8001, 0x7f, 0x80, 0x3f80, 0xbf80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0x3eab,
        ],
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

/// On and beside places where rounding, a cast or a conversion to a half changes its mind.
const TIES: [f64; 29] = [
    0.49999997,
    0.499_999_999_999_999_94,
    8_388_607.5,
    4_194_304.5,
    4_503_599_627_370_497.5,
    129.0,
    32767.5,
    65535.9,
    2_147_483_647.5,
    2_147_483_500.0,
    2_147_483_900.0,
    4_294_967_295.5,
    9.223_372_036_854_776e18,
    1.844_674_407_370_955_2e19,
    2e19,
    3.402_823_567_797_336_6e38,
    1e308,
    5e-324,
    1e-40,
    1e-46,
    65519.99,
    1.000_488_281_25,
    1.000_488_281_250_001,
    1.000_488_281_249_999_8,
    5.960_464_477_539_063e-8,
    2.980_232_238_769_53e-8,
    2.980_232_238_769_532e-8,
    1.003_906_25,
    1.003_906_250_000_000_2,
];

fn floats() -> Vec<f64> {
    let mut values = TIES.to_vec();
    values.extend([f64::NAN, f64::INFINITY, 1e30, 1e-30, 3.7, 0.1, 1.0 / 3.0, 65504.0, 65520.0]);
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
