//! Special values of functions of floats: C99, Annex F.

use warp_ir::builtins::Builtin;
use warp_ir::ir::Scalar;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const HALF_PI: f64 = std::f64::consts::FRAC_PI_2;
const QUARTER_PI: f64 = std::f64::consts::FRAC_PI_4;
const PI: f64 = std::f64::consts::PI;

/// In both types: equal, with the sign of zeros; NaN is NaN.
fn check(name: &str, args: &[f64], expected: f64) {
    let row = Builtin::from_name(name).expect("a builtin").row();
    let bits: Vec<u64> = args.iter().map(|x| x.to_bits()).collect();
    let found = f64::from_bits(row.eval(&vec![Scalar::F64; args.len()], Scalar::F64, &bits).expect("defined"));
    let same =
        |found: f64, expected: f64| found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
    assert!(same(found, expected), "{name}{args:?}: {found:?}, not {expected:?}");
    let bits: Vec<u64> = args.iter().map(|x| u64::from((*x as f32).to_bits())).collect();
    let found = f32::from_bits(row.eval(&vec![Scalar::F32; args.len()], Scalar::F32, &bits).expect("defined") as u32);
    assert!(same(f64::from(found), f64::from(expected as f32)), "{name}{args:?} in F32: {found:?}, not {expected:?}");
}

/// A function, its values at 0, -0, infinity, minus infinity and NaN, and arguments elsewhere with their values.
type Line = (&'static str, [f64; 5], &'static [(f64, f64)]);

#[test]
fn functions_of_one_argument() {
    let table: [Line; 24] = [
        ("sin", [0.0, -0.0, NAN, NAN, NAN], &[]),
        ("cos", [1.0, 1.0, NAN, NAN, NAN], &[]),
        ("tan", [0.0, -0.0, NAN, NAN, NAN], &[]),
        ("asin", [0.0, -0.0, NAN, NAN, NAN], &[(1.0, HALF_PI), (-1.0, -HALF_PI), (1.5, NAN), (-1.5, NAN)]),
        ("acos", [HALF_PI, HALF_PI, NAN, NAN, NAN], &[(1.0, 0.0), (-1.0, PI), (1.5, NAN), (-1.5, NAN)]),
        ("atan", [0.0, -0.0, HALF_PI, -HALF_PI, NAN], &[(1.0, QUARTER_PI)]),
        ("sinh", [0.0, -0.0, INF, -INF, NAN], &[(800.0, INF), (-800.0, -INF)]),
        ("cosh", [1.0, 1.0, INF, INF, NAN], &[(800.0, INF), (-800.0, INF)]),
        ("tanh", [0.0, -0.0, 1.0, -1.0, NAN], &[(100.0, 1.0), (-100.0, -1.0)]),
        ("asinh", [0.0, -0.0, INF, -INF, NAN], &[]),
        ("acosh", [NAN, NAN, INF, NAN, NAN], &[(1.0, 0.0), (0.5, NAN), (-3.0, NAN)]),
        ("atanh", [0.0, -0.0, NAN, NAN, NAN], &[(1.0, INF), (-1.0, -INF), (2.0, NAN), (-2.0, NAN)]),
        ("exp", [1.0, 1.0, INF, 0.0, NAN], &[(800.0, INF), (-800.0, 0.0)]),
        ("exp2", [1.0, 1.0, INF, 0.0, NAN], &[(2000.0, INF), (-2000.0, 0.0)]),
        ("exp_m1", [0.0, -0.0, INF, -1.0, NAN], &[(800.0, INF), (-800.0, -1.0)]),
        ("ln", [-INF, -INF, INF, NAN, NAN], &[(1.0, 0.0), (-1.0, NAN)]),
        ("log2", [-INF, -INF, INF, NAN, NAN], &[(1.0, 0.0), (-1.0, NAN)]),
        ("log10", [-INF, -INF, INF, NAN, NAN], &[(1.0, 0.0), (-1.0, NAN)]),
        ("ln_1p", [0.0, -0.0, INF, NAN, NAN], &[(-1.0, -INF), (-1.5, NAN)]),
        ("cbrt", [0.0, -0.0, INF, -INF, NAN], &[(27.0, 3.0), (-8.0, -2.0)]),
        ("erf", [0.0, -0.0, 1.0, -1.0, NAN], &[]),
        ("erfc", [1.0, 1.0, 0.0, 2.0, NAN], &[]),
        ("erf_inv", [0.0, -0.0, NAN, NAN, NAN], &[(1.0, INF), (-1.0, -INF), (1.5, NAN), (-1.5, NAN)]),
        ("erfc_inv", [INF, INF, NAN, NAN, NAN], &[(1.0, 0.0), (2.0, -INF), (2.5, NAN), (-0.5, NAN)]),
    ];
    for (name, [zero, minus_zero, infinity, minus_infinity, nan], others) in table {
        check(name, &[0.0], zero);
        check(name, &[-0.0], minus_zero);
        check(name, &[INF], infinity);
        check(name, &[-INF], minus_infinity);
        check(name, &[NAN], nan);
        others.iter().for_each(|(x, expected)| check(name, &[*x], *expected));
    }
    let rows = Builtin::ALL.iter().filter(|b| b.row().is_function() && b.row().params.len() == 1);
    assert_eq!(rows.count(), table.len());
}

#[test]
fn powers() {
    for y in [0.0, -0.0] {
        [0.0, -0.0, 1.0, -2.5, INF, -INF, NAN].into_iter().for_each(|x| check("powf", &[x, y], 1.0));
    }
    [0.5, -3.0, INF, -INF, NAN].into_iter().for_each(|y| check("powf", &[1.0, y], 1.0));
    for (x, y, power) in [
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 2.5, 0.0),
        (0.0, -3.0, INF),
        (-0.0, -3.0, -INF),
        (-0.0, -2.0, INF),
        (0.0, -2.5, INF),
        (-0.0, -2.5, INF),
        (0.0, -INF, INF),
        (-0.0, -INF, INF),
        (0.0, INF, 0.0),
        (0.5, INF, 0.0),
        (-0.5, INF, 0.0),
        (0.5, -INF, INF),
        (2.0, INF, INF),
        (-2.0, INF, INF),
        (2.0, -INF, 0.0),
        (INF, 2.0, INF),
        (INF, 0.5, INF),
        (INF, -2.0, 0.0),
        (INF, INF, INF),
        (INF, -INF, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, 0.5, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
        (-INF, -0.5, 0.0),
        (-INF, INF, INF),
        (-8.0, 1.0 / 3.0, NAN),
        (-2.0, 3.0, -8.0),
        (-2.0, -1.0, -0.5),
        (NAN, 2.0, NAN),
        (2.0, NAN, NAN),
        (0.0, NAN, NAN),
        (-2.0, NAN, NAN),
        (1e300, 1e300, INF),
        (1e300, -1e300, 0.0),
        (-1e300, 3.0, -INF),
    ] {
        check("powf", &[x, y], power);
    }
}

#[test]
fn angles_of_points() {
    let three_quarters = 3.0 * QUARTER_PI;
    for (y, x, angle) in [
        (0.0, 0.0, 0.0),
        (0.0, -0.0, PI),
        (0.0, 3.0, 0.0),
        (0.0, -3.0, PI),
        (2.0, 0.0, HALF_PI),
        (2.0, -0.0, HALF_PI),
        (2.0, INF, 0.0),
        (2.0, -INF, PI),
        (INF, 2.0, HALF_PI),
        (INF, -2.0, HALF_PI),
        (INF, INF, QUARTER_PI),
        (INF, -INF, three_quarters),
        (1.0, NAN, NAN),
        (NAN, 1.0, NAN),
        (NAN, NAN, NAN),
        (INF, NAN, NAN),
        (0.0, NAN, NAN),
    ] {
        check("atan2", &[y, x], angle);
        check("atan2", &[-y, x], -angle);
    }
}

#[test]
fn lengths() {
    for (x, y, length) in [
        (INF, NAN, INF),
        (NAN, -INF, INF),
        (INF, 1.0, INF),
        (NAN, 1.0, NAN),
        (NAN, 0.0, NAN),
        (0.0, 0.0, 0.0),
        (-0.0, -0.0, 0.0),
        (-0.0, 3.0, 3.0),
    ] {
        check("hypot", &[x, y], length);
        check("hypot", &[y, x], length);
    }
}
