//! Each builtin on each type that it takes, on edge values and random ones, against its meaning on the host.

// Values next to ties are written with the digits that place them.
#![allow(clippy::excessive_precision)]

mod support;

use support::{Random, check_division, compile, cpu, launch, slice, source};
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin::{self, *};

use warp_ir::ir::Scalar::{self, *};
use warp_ir::ir::{Access, Kernel, Mem};
use warp_ir::validate::{Valid, guarded};

/// Edge values of a type, and some random ones.
fn samples(scalar: Scalar, random: &mut Random) -> Vec<u64> {
    let mut samples: Vec<u64> = match scalar {
        Bool => return vec![0, 1],
        F32 => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            0.49999997,
            8388607.5,
            4194304.5,
            3.4e38,
            -3.4e38,
            1e-45,
            -1e-45,
            1.1754944e-38,
            255.5,
            256.0,
            -129.0,
            32767.5,
            65535.9,
            65519.9,
            65520.0,
            2147483648.0,
            2147483500.0,
            -2147483648.0,
            -2147483900.0,
            4294967296.0,
            9.223372e18,
            -9.223372e18,
            1.8446744e19,
            2e19,
            6.1e-5,
            5.9e-8,
            2.9e-8,
            3e-8,
            1.00048828,
            1.00146484,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ]
        .iter()
        .map(|x: &f32| u64::from(x.to_bits()))
        .collect(),
        F64 => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            0.49999999999999994,
            4503599627370497.5,
            1e308,
            -1e308,
            5e-324,
            1e-320,
            1e-40,
            1e-46,
            3.4028235677973366e38,
            255.5,
            256.0,
            -129.0,
            32767.5,
            65535.9,
            2147483647.5,
            2147483648.0,
            -2147483649.0,
            4294967295.5,
            9.223372036854776e18,
            -9.223372036854776e18,
            1.8446744073709552e19,
            2e19,
            65519.99,
            65520.0,
            1.00048828125,
            1.000488281250001,
            1.0004882812499999,
            5.960464477539063e-8,
            2.98023223876953e-8,
            2.9802322387695316e-8,
            1.00390625,
            1.0039062500000002,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ]
        .iter()
        .map(|x: &f64| x.to_bits())
        .collect(),
        F16 => vec![0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01],
        BF16 => vec![0, 0x8000, 1, 0x8001, 0x7f, 0x80, 0x3f80, 0xbf80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81],
        _ => {
            let bits = scalar.bits();
            let top = 1u64 << (bits - 1);
            [
                0,
                1,
                2,
                3,
                7,
                8,
                9,
                31,
                32,
                33,
                63,
                64,
                65,
                top,
                top - 1,
                top + 1,
                u64::MAX,
                u64::MAX - 1,
                0x5555_5555_5555_5555,
            ]
            .into_iter()
            .chain([(1 << 53) + 1, (1 << 24) + 1, u64::MAX << 11, (u64::MAX << 11) - 1, 0x8000_0080_0000_0001])
            .collect()
        }
    };
    samples.extend((0..12).map(|_| random.next()));
    samples.iter_mut().for_each(|bits| *bits &= scalar.mask());
    samples
}

/// `out[i] = builtin(a[i], b[i], ..)`, with the checks that division needs.
fn kernel(builtin: Builtin, operands: &[Scalar], result: Scalar) -> Kernel {
    let mut b = Builder::new("row");
    let names = ["a", "b", "c"];
    let arrays: Vec<_> =
        operands.iter().zip(names).map(|(scalar, name)| b.slice(name, *scalar, Access::Read)).collect();
    let out = b.slice("out", result, Access::Write);
    let at = source(&mut b, "x");
    let i = b.tid(0);
    for array in arrays.iter().chain([&out]) {
        b.check_index(Mem::Array(*array), 0, i, at);
    }
    let args: Vec<_> = arrays.iter().map(|array| b.load(Mem::Array(*array), i, 0)).collect();
    if matches!(builtin, Div | Rem) && operands.len() == 2 && operands[0].is_int() {
        check_division(&mut b, args[0], args[1], at);
    }
    let value = b.pure_as(result, builtin, &args);
    b.store(Mem::Array(out), i, 0, value);
    b.finish_kernel(1)
}

/// The bits of the same number; NaNs are all alike.
fn same(scalar: Scalar, a: u64, b: u64) -> bool {
    let nan = |bits: u64| match scalar {
        F16 => bits & 0x7fff > 0x7c00,
        BF16 => bits & 0x7fff > 0x7f80,
        F32 => f32::from_bits(bits as u32).is_nan(),
        F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    };
    a == b || nan(a) && nan(b)
}

/// Values in memory, in the size of their type.
fn pack(scalar: Scalar, values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()[..scalar.size()].to_vec()).collect()
}

fn unpack(scalar: Scalar, bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    bytes.chunks(scalar.size()).map(word).collect()
}

/// The nearest half float, found among all of them.
fn nearest_half(half: Scalar, x: f64) -> u64 {
    let (infinity, bias, digits) = if half == F16 { (0x7c00u64, 15, 10) } else { (0x7f80, 127, 7) };
    let sign = u64::from(x.is_sign_negative()) << 15;
    if x.is_nan() {
        return infinity + 1;
    }
    // Infinity stands for the number that would follow the largest one.
    let value = |bits: u64| {
        let (exponent, fraction) = ((bits >> digits) as i32, (bits & ((1 << digits) - 1)) as f64);
        let implicit = if exponent == 0 { 0.0 } else { f64::from(1u32 << digits) };
        (fraction + implicit) * 2f64.powi(exponent.max(1) - bias - digits)
    };
    let x = x.abs().min(2.0 * value(infinity));
    let away = |bits: u64| ((value(bits) - x).abs(), bits & 1);
    let near = (0..=infinity).min_by(|a, b| away(*a).partial_cmp(&away(*b)).expect("numbers compare"));
    sign | near.expect("there are half floats")
}

/// All combinations of samples, where the host knows the result.
fn cases(builtin: Builtin, operands: &[Scalar], result: Scalar, random: &mut Random) -> Vec<(Vec<u64>, u64)> {
    let mut rows: Vec<Vec<u64>> = vec![vec![]];
    for scalar in operands {
        let mut samples = samples(*scalar, random);
        if operands.len() == 3 {
            samples.truncate(if builtin == Select { 4 } else { 12 });
            samples.extend((0..4).map(|_| random.next() & scalar.mask()));
        }
        rows = rows.iter().flat_map(|row| samples.iter().map(|x| [&row[..], &[*x]].concat())).collect();
    }
    let last = *operands.last().expect("no builtin is without operands");
    let value = |row: &[u64]| match (builtin, last) {
        (Cast, F64) if result.is_half() => Some(nearest_half(result, f64::from_bits(row[0]))),
        _ => builtin.eval(operands, result, row),
    };
    rows.into_iter().filter_map(|row| value(&row).map(|value| (row, value))).collect()
}

fn check(builtin: Builtin, operands: &[Scalar], result: Scalar) -> bool {
    let Ok(valid) = Valid::<Kernel>::new(kernel(builtin, operands, result)) else { return false };
    guarded(&valid).unwrap();
    let mut random = Random(builtin as u64);
    let cases = cases(builtin, operands, result, &mut random);
    assert!(!cases.is_empty(), "{builtin:?} {operands:?}: no case");
    let backend = cpu(1);
    let executable = compile(&backend, valid.into_inner());
    // Aligned as the widest scalar.
    let mut memory: Vec<Vec<u64>> = Vec::new();
    let mut words = Vec::new();
    for (column, scalar) in operands.iter().enumerate() {
        let values: Vec<u64> = cases.iter().map(|(row, _)| row[column]).collect();
        let mut bytes = pack(*scalar, &values);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let mut aligned: Vec<u64> = unpack(U64, &bytes);
        words.extend([slice(&mut aligned)[0], cases.len() as u64]);
        memory.push(aligned);
    }
    let mut out = vec![0u64; cases.len()];
    words.extend([slice(&mut out)[0], cases.len() as u64]);
    launch(&executable, &[cases.len() as u64], &words).unwrap();
    let bytes: Vec<u8> = out.iter().flat_map(|word| word.to_le_bytes()).collect();
    let found = unpack(result, &bytes[..cases.len() * result.size()]);
    for ((row, expected), found) in cases.iter().zip(found) {
        assert!(
            same(result, *expected, found),
            "{builtin:?} {operands:x?} -> {result:?} of {row:x?}: expected {expected:#x}, found {found:#x}"
        );
    }
    true
}

#[test]
fn rows_of_one_type() {
    let mut checked = 0;
    for &builtin in Builtin::ALL {
        for scalar in Scalar::ALL {
            for operands in 1..=3 {
                let result = match builtin {
                    Eq | Ne | Lt | Le => Bool,
                    CountOnes | LeadingZeros | TrailingZeros => U32,
                    _ => scalar,
                };
                if !matches!(builtin, Cast | Bitcast | Select | RotateLeft | RotateRight) {
                    checked += usize::from(check(builtin, &vec![scalar; operands], result));
                }
            }
        }
    }
    assert!(checked > 200, "only {checked} rows were valid");
}

#[test]
fn rows_of_mixed_types() {
    let mut checked = 0;
    for scalar in Scalar::ALL {
        checked += usize::from(check(Select, &[Bool, scalar, scalar], scalar));
        for builtin in [RotateLeft, RotateRight] {
            checked += usize::from(check(builtin, &[scalar, U32], scalar));
        }
    }
    assert_eq!(checked, 13 + 16);
}

#[test]
fn conversions() {
    let mut checked = 0;
    for from in Scalar::ALL {
        for to in Scalar::ALL {
            checked += usize::from(check(Cast, &[from], to));
            checked += usize::from(check(Bitcast, &[from], to));
        }
    }
    assert!(checked > 120, "only {checked} conversions were valid");
}

/// A constant operand takes another way through the code generator.
#[test]
fn extrema_with_a_constant() {
    let backend = cpu(1);
    let mut random = Random(7);
    for scalar in [F32, F64] {
        for constant in samples(scalar, &mut random) {
            for builtin in [Min, Max] {
                for constant_first in [false, true] {
                    extremum_with(&backend, builtin, scalar, constant, constant_first, &mut random);
                }
            }
        }
    }
}

fn extremum_with(
    backend: &warp_cpu::Cpu,
    builtin: Builtin,
    scalar: Scalar,
    constant: u64,
    constant_first: bool,
    random: &mut Random,
) {
    let mut b = Builder::new("extremum");
    let (a, out) = (b.slice("a", scalar, Access::Read), b.slice("out", scalar, Access::Write));
    let i = b.tid(0);
    let at = source(&mut b, "x");
    b.check_index(Mem::Array(a), 0, i, at);
    b.check_index(Mem::Array(out), 0, i, at);
    let x = b.load(Mem::Array(a), i, 0);
    let c = b.const_(scalar, constant);
    let value = if constant_first { b.pure(builtin, &[c, x]) } else { b.pure(builtin, &[x, c]) };
    b.store(Mem::Array(out), i, 0, value);
    let executable = compile(backend, b.finish_kernel(1));
    let values = samples(scalar, random);
    let mut bytes = pack(scalar, &values);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let mut input = unpack(U64, &bytes);
    let mut output = vec![0u64; values.len()];
    let n = values.len() as u64;
    let words = [slice(&mut input)[0], n, slice(&mut output)[0], n];
    launch(&executable, &[n], &words).unwrap();
    let bytes: Vec<u8> = output.iter().flat_map(|word| word.to_le_bytes()).collect();
    for (x, found) in values.iter().zip(unpack(scalar, &bytes)) {
        let args = if constant_first { [constant, *x] } else { [*x, constant] };
        let expected = builtin.eval(&[scalar, scalar], scalar, &args).unwrap();
        assert!(same(scalar, expected, found), "{builtin:?} of {args:x?}: expected {expected:#x}, found {found:#x}");
    }
}

/// Comparisons that a select looks through.
#[test]
fn selects_by_a_float_comparison() {
    let backend = cpu(1);
    let mut random = Random(9);
    for scalar in [F32, F64] {
        for builtin in [Eq, Ne, Lt, Le] {
            let mut b = Builder::new("select");
            let (a, c) = (b.slice("a", scalar, Access::Read), b.slice("c", scalar, Access::Read));
            let out = b.slice("out", scalar, Access::Write);
            let i = b.tid(0);
            let at = source(&mut b, "x");
            for array in [a, c, out] {
                b.check_index(Mem::Array(array), 0, i, at);
            }
            let (x, y) = (b.load(Mem::Array(a), i, 0), b.load(Mem::Array(c), i, 0));
            let cond = b.pure(builtin, &[x, y]);
            let value = b.select(cond, x, y);
            b.store(Mem::Array(out), i, 0, value);
            let executable = compile(&backend, b.finish_kernel(1));
            let values = samples(scalar, &mut random);
            let pairs: Vec<[u64; 2]> = values.iter().flat_map(|x| values.iter().map(|y| [*x, *y])).collect();
            let column = |k: usize| {
                let mut bytes = pack(scalar, &pairs.iter().map(|pair| pair[k]).collect::<Vec<_>>());
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                unpack(U64, &bytes)
            };
            let (mut left, mut right, mut output) = (column(0), column(1), vec![0u64; pairs.len()]);
            let n = pairs.len() as u64;
            let words = [slice(&mut left)[0], n, slice(&mut right)[0], n, slice(&mut output)[0], n];
            launch(&executable, &[n], &words).unwrap();
            let bytes: Vec<u8> = output.iter().flat_map(|word| word.to_le_bytes()).collect();
            for ([x, y], found) in pairs.iter().zip(unpack(scalar, &bytes)) {
                let expected = if builtin.eval(&[scalar, scalar], Bool, &[*x, *y]) == Some(1) { *x } else { *y };
                assert!(same(scalar, expected, found), "{builtin:?} of {x:x} {y:x}: found {found:#x}");
            }
        }
    }
}
