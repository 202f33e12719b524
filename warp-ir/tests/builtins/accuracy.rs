//! Functions of floats against true values: F64 against a table that mpmath made, F32 densely against F64.

use std::collections::BTreeMap;

use warp_ir::builtins::{Builtin, Row};
use warp_ir::ir::Scalar;
use warp_ir::random::{Rng, edges};

fn functions() -> impl Iterator<Item = &'static Row> {
    Builtin::ALL.iter().map(|builtin| builtin.row()).filter(|row| row.is_function())
}

fn single(row: &Row, args: &[f32]) -> f32 {
    let bits: Vec<u64> = args.iter().map(|x| u64::from(x.to_bits())).collect();
    let value = row.eval(&vec![Scalar::F32; args.len()], Scalar::F32, &bits).expect("defined");
    f32::from_bits(value as u32)
}

fn double(row: &Row, args: &[f64]) -> f64 {
    let bits: Vec<u64> = args.iter().map(|x| x.to_bits()).collect();
    f64::from_bits(row.eval(&vec![Scalar::F64; args.len()], Scalar::F64, &bits).expect("defined"))
}

/// The distance of neighbours at a number of F64.
fn unit(x: f64) -> f64 {
    let next = f64::from_bits(x.abs().to_bits() + 1) - x.abs();
    if next.is_finite() { next } else { x.abs() - f64::from_bits(x.abs().to_bits() - 1) }
}

/// The distance of neighbours of F32 at a number, which may lie beyond the largest.
fn single_unit(x: f64) -> f64 {
    let exponent = ((x.abs().to_bits() >> 52) as i32 - 1023).clamp(-126, 127);
    2f64.powi(exponent - 23)
}

/// Every line of the table: the row, its arguments, the nearest F64 to the true value and what that leaves, in units.
#[test]
fn doubles_are_as_near_as_the_rows_say() {
    let mut seen: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for line in include_str!("../../references/values.txt").lines() {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        let row = Builtin::from_name(name).expect("a builtin").row();
        let words: Vec<&str> = words.collect();
        let (left, numbers) = words.split_last().expect("what is left");
        let number = |word: &&str| f64::from_bits(u64::from_str_radix(word, 16).expect("bits"));
        let numbers: Vec<f64> = numbers.iter().map(number).collect();
        let (near, args) = numbers.split_last().expect("a value");
        let found = double(row, args);
        let error = ((found - near) / unit(*near) - left.parse::<f64>().expect("a number")).abs();
        let allowed = row.accuracy.expect("a function")[1];
        assert!(error <= allowed, "{name}{args:?}: {found:e} is {error} units from {near:e}");
        let (count, worst) = seen.entry(row.name).or_default();
        *count += 1;
        *worst = worst.max(error);
    }
    for row in functions() {
        let (count, worst) = seen.get(row.name).copied().unwrap_or_default();
        assert!(
            count >= 70,
            "there are {count} true values of `{}`; with mpmath installed, this makes them: \
             BLESS=1 cargo test -p warp-ir --test builtins docs && \
             python3 warp-ir/references/values.py > warp-ir/references/values.txt",
            row.name
        );
        // What a row says is not much more than what is found, so that it says something.
        let allowed = row.accuracy.expect("a function")[1];
        assert!(worst > 0.45 && worst > allowed * 0.4, "{}: at most {worst} units, the row says {allowed}", row.name);
    }
}

type Reference = dyn Fn(&[f64]) -> f64;

/// What Rust computes in F64: its own functions, or for those that it does not have the row's in F64, which the table
/// holds to the true values.
fn reference(row: &'static Row) -> Box<Reference> {
    let one: fn(f64) -> f64 = match row.name {
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "tanh" => f64::tanh,
        "asinh" => f64::asinh,
        "acosh" => f64::acosh,
        "atanh" => f64::atanh,
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "exp_m1" => f64::exp_m1,
        "ln" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "ln_1p" => f64::ln_1p,
        "cbrt" => f64::cbrt,
        "atan2" => return Box::new(|args| args[0].atan2(args[1])),
        "powf" => return Box::new(|args| args[0].powf(args[1])),
        "hypot" => return Box::new(|args| args[0].hypot(args[1])),
        _ => return Box::new(move |args| double(row, args)),
    };
    Box::new(move |args| one(args[0]))
}

/// The distance from the true value in units of F32; infinite where one is NaN or infinite and the other is not.
fn distance(found: f32, expected: f64) -> f64 {
    let rounded = expected as f32;
    match (found.is_finite(), rounded.is_finite()) {
        (true, true) => (f64::from(found) - expected).abs() / single_unit(expected),
        // Beside the largest number, either side will do.
        (true, false) if expected.is_finite() => (f64::from(found) - expected).abs() / single_unit(expected),
        (false, true) if found.is_infinite() && expected.abs() > f64::from(f32::MAX) => 0.5,
        _ if found.is_nan() && rounded.is_nan() => 0.0,
        _ if found == rounded => 0.0,
        _ => f64::INFINITY,
    }
}

fn check(row: &'static Row, reference: &Reference, args: &[f32]) {
    let wide: Vec<f64> = args.iter().map(|x| f64::from(*x)).collect();
    let (found, expected) = (single(row, args), reference(&wide));
    let error = distance(found, expected);
    let allowed = row.accuracy.expect("a function")[0];
    assert!(error <= allowed, "{}{args:?}: {found:e} is {error} units from {expected:e}", row.name);
    if found == 0.0 && expected == 0.0 {
        assert_eq!(found.is_sign_negative(), expected.is_sign_negative(), "the sign of {}{args:?}", row.name);
    }
}

/// The numbers of F32, as bits, where the functions of one argument are farthest from their true values.
const WORST: [u32; 24] = [
    0x43a61ca3, 0x4cc78b7a, 0xc0bae5f3, 0x3f21fa69, 0x4219ea48, 0x3f09a4dd, 0x3faac4c7, 0x3f075a56, 0xbf001c0c,
    0x3f804a7e, 0x3ec49e23, 0x3fa86448, 0x3eab6f07, 0x017eb3be, 0x3ed268de, 0x41889db9, 0x3d7f6a72, 0x3f04a480,
    0x3f803fb7, 0x3e1e7882, 0x3f81ba17, 0x3f00d46f, 0x3e0e0b77, 0x3b9ad520,
];

/// Every 4,099th number of F32, and what lies beside numbers where things change. `benches/accuracy.rs` takes all of
/// them.
#[test]
fn singles_are_as_near_as_the_rows_say() {
    for row in functions().filter(|row| row.params.len() == 1) {
        let reference = reference(row);
        let corners = edges(Scalar::F32)
            .into_iter()
            .map(|bits| bits as u32)
            .chain([0.5f32, 1.0, 2.0, 16384.0, 87.0, 88.7, -103.9, 126.0, 4096.0, 20.0].into_iter().map(f32::to_bits));
        // Of all numbers, as `benches/accuracy.rs` found them, those where a function is farthest off.
        let worst = WORST.into_iter();
        let beside =
            corners.chain(worst).flat_map(|bits| (0..20u32).map(move |k| bits.wrapping_add(k).wrapping_sub(10)));
        for bits in (0..=u32::MAX).step_by(4099).chain(beside) {
            check(row, &*reference, &[f32::from_bits(bits)]);
        }
    }
}

#[test]
fn singles_of_two_arguments_are_as_near_as_the_rows_say() {
    let mut rng = Rng::new(5);
    for row in functions().filter(|row| row.params.len() == 2) {
        let reference = reference(row);
        let corners: Vec<f32> = edges(Scalar::F32).iter().map(|bits| f32::from_bits(*bits as u32)).collect();
        for x in &corners {
            corners.iter().for_each(|y| check(row, &*reference, &[*x, *y]));
        }
        for k in 0..300_000 {
            let mut within = |low: f64, high: f64| low + (high - low) * (rng.bits() >> 11) as f64 / (1u64 << 53) as f64;
            let args = match k % 4 {
                0 => [within(-20.0, 20.0) as f32, within(-20.0, 20.0) as f32],
                1 => [within(-20.0, 20.0).exp() as f32, within(-4.0, 4.0) as f32],
                // Powers that overflow, and such that are smaller than normal numbers; powers of such numbers.
                2 => [within(-100.0, 80.0).exp() as f32, within(-6.0, 6.0) as f32],
                _ => [rng.bits() as u32, rng.bits() as u32].map(f32::from_bits),
            };
            check(row, &*reference, &args);
        }
    }
}

/// What has an exact value has it.
#[test]
fn exact_values_are_exact() {
    let one = |name: &str, x: f64, expected: f64| {
        let row = Builtin::from_name(name).expect("a builtin").row();
        assert_eq!(double(row, &[x]), expected, "{name}({x})");
        assert_eq!(f64::from(single(row, &[x as f32])), expected, "{name}({x}) in F32");
    };
    for (name, x, expected) in [
        ("exp", 0.0, 1.0),
        ("exp2", 0.0, 1.0),
        ("cos", 0.0, 1.0),
        ("cosh", 0.0, 1.0),
        ("ln", 1.0, 0.0),
        ("log10", 1.0, 0.0),
        ("acos", 1.0, 0.0),
        ("acosh", 1.0, 0.0),
        ("erfc", 0.0, 1.0),
        ("erfc_inv", 1.0, 0.0),
    ] {
        one(name, x, expected);
    }
    (-120..120).for_each(|k| {
        one("exp2", f64::from(k), 2f64.powi(k));
        one("log2", 2f64.powi(k), f64::from(k));
    });
    (0..=10).for_each(|k| one("log10", 10f64.powi(k), f64::from(k)));
    (-100..=100).for_each(|k| one("cbrt", f64::from(k).powi(3), f64::from(k)));
    let two = |name: &str, x: f64, y: f64, expected: f64| {
        let row = Builtin::from_name(name).expect("a builtin").row();
        assert_eq!(double(row, &[x, y]), expected, "{name}({x}, {y})");
        assert_eq!(single(row, &[x as f32, y as f32]), expected as f32, "{name}({x}, {y}) in F32");
    };
    for (x, y, length) in [(3.0, 4.0, 5.0), (-5.0, 12.0, 13.0), (8.0, -15.0, 17.0), (0.0, 2.0, 2.0), (7.0, 0.0, 7.0)] {
        for scale in [1.0, 2f64.powi(100), 2f64.powi(-120)] {
            two("hypot", x * scale, y * scale, length * scale);
        }
    }
    for base in -10..=10 {
        (0..=6).for_each(|n| two("powf", f64::from(base), f64::from(n), f64::from(base).powi(n)));
    }
    two("powf", 4.0, 0.5, 2.0);
    two("powf", 2.0, -3.0, 0.125);
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    for (y, x, angle) in [(0.0, 1.0, 0.0), (1.0, 0.0, FRAC_PI_2), (0.0, -1.0, PI), (1.0, 1.0, FRAC_PI_4)] {
        two("atan2", y, x, angle);
        two("atan2", -y, x, -angle);
    }
}
