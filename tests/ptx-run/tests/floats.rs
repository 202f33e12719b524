//! Arithmetic of `f32` and `f64`: nearest against Rust's own, other roundings against the error of the nearest.

mod support;

use support::{apply, check, kernel, refused};

const SINGLE_NAN: u64 = 0x7fff_ffff;
const DOUBLE_NAN: u64 = 0x7ff8_0000_0000_0000;

fn singles() -> Vec<f32> {
    let mut values = vec![0.0, -0.0, 1.0, -1.0, 0.1, 3.0, 1e-40, -1e-45, f32::MAX, f32::MIN_POSITIVE, 16_777_217.0];
    values.extend([f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::from_bits(0xffc1_2345), 1.0 + f32::EPSILON]);
    values.extend((0..8).map(|k| ((k * 7919 + 13) as f32).sin() * 10f32.powi(k * 3 - 12)));
    values
}

fn doubles() -> Vec<f64> {
    let mut values: Vec<f64> = singles().into_iter().map(f64::from).collect();
    values.extend([f64::MAX, f64::MIN_POSITIVE, 5e-324, 1.0 + f64::EPSILON, 0.1, -1.0 / 3.0]);
    values
}

fn single(value: f32) -> u64 {
    if value.is_nan() { SINGLE_NAN } else { value.to_bits().into() }
}

fn double(value: f64) -> u64 {
    if value.is_nan() { DOUBLE_NAN } else { value.to_bits() }
}

/// Runs an instruction on all rows of `n` operands out of `values` (as bits) and compares.
fn all(name: &str, letter: &str, values: &[u64], n: usize, expected: impl Fn(&[u64]) -> u64) {
    let mut rows: Vec<Vec<u64>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = |row: &Vec<u64>| values.iter().map(|&v| [row.as_slice(), &[v]].concat()).collect::<Vec<_>>();
        rows = rows.iter().flat_map(longer).collect();
    }
    let inputs: Vec<String> = (1..=n).map(|k| format!("%{letter}{k}")).collect();
    let names: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let d = format!("%{letter}0");
    let found = apply(&format!("{name} {d}, {};", names.join(", ")), &names, &rows, &[&d]);
    for (row, found) in rows.iter().zip(found) {
        let wanted = expected(row);
        assert_eq!(found[0], wanted, "{name} of {row:x?} gives {:x}, expected {wanted:x}", found[0]);
    }
}

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

#[test]
fn nearest_is_rusts() {
    let values: Vec<u64> = singles().into_iter().map(|v| u64::from(v.to_bits())).collect();
    for form in ["", ".rn"] {
        all(&format!("add{form}.f32"), "f", &values, 2, |r| single(f(r[0]) + f(r[1])));
        all(&format!("sub{form}.f32"), "f", &values, 2, |r| single(f(r[0]) - f(r[1])));
        all(&format!("mul{form}.f32"), "f", &values, 2, |r| single(f(r[0]) * f(r[1])));
    }
    all("div.rn.f32", "f", &values, 2, |r| single(f(r[0]) / f(r[1])));
    all("fma.rn.f32", "f", &values, 3, |r| single(f(r[0]).mul_add(f(r[1]), f(r[2]))));
    all("mad.rn.f32", "f", &values, 3, |r| single(f(r[0]).mul_add(f(r[1]), f(r[2]))));
    all("sqrt.rn.f32", "f", &values, 1, |r| single(f(r[0]).sqrt()));
    all("rcp.rn.f32", "f", &values, 1, |r| single(1.0 / f(r[0])));
    let values: Vec<u64> = doubles().into_iter().map(f64::to_bits).collect();
    all("add.rn.f64", "d", &values, 2, |r| double(d(r[0]) + d(r[1])));
    all("sub.f64", "d", &values, 2, |r| double(d(r[0]) - d(r[1])));
    all("mul.rn.f64", "d", &values, 2, |r| double(d(r[0]) * d(r[1])));
    all("div.rn.f64", "d", &values, 2, |r| double(d(r[0]) / d(r[1])));
    all("fma.rn.f64", "d", &values, 3, |r| double(d(r[0]).mul_add(d(r[1]), d(r[2]))));
    all("sqrt.rn.f64", "d", &values, 1, |r| double(d(r[0]).sqrt()));
    all("rcp.rn.f64", "d", &values, 1, |r| double(1.0 / d(r[0])));
}

/// The result next to `nearest` in a direction, where `error` is the exact result minus `nearest`.
fn directed(mode: &str, nearest: f64, error: f64) -> f64 {
    let down = match mode {
        "rm" => true,
        "rp" => false,
        _ => nearest > 0.0,
    };
    if down && error < 0.0 {
        nearest.next_down()
    } else if !down && error > 0.0 {
        nearest.next_up()
    } else {
        nearest
    }
}

/// Numbers of moderate size, whose errors are representable.
fn moderate() -> Vec<u64> {
    (0..24).map(|k| (f64::from(k * 7919 + 13).sin() * 10f64.powi(k % 9 - 4)).to_bits()).collect()
}

#[test]
fn directed_roundings_of_doubles() {
    let values = moderate();
    for mode in ["rz", "rm", "rp"] {
        all(&format!("add.{mode}.f64"), "d", &values, 2, |r| {
            let (a, b) = (d(r[0]), d(r[1]));
            let sum = a + b;
            let part = sum - a;
            double(directed(mode, sum, (a - (sum - part)) + (b - part)))
        });
        all(&format!("mul.{mode}.f64"), "d", &values, 2, |r| {
            let product = d(r[0]) * d(r[1]);
            double(directed(mode, product, d(r[0]).mul_add(d(r[1]), -product)))
        });
        all(&format!("div.{mode}.f64"), "d", &values, 2, |r| {
            let quotient = d(r[0]) / d(r[1]);
            double(directed(mode, quotient, (-quotient).mul_add(d(r[1]), d(r[0])) * d(r[1]).signum()))
        });
        all(&format!("rcp.{mode}.f64"), "d", &values, 1, |r| {
            let quotient = 1.0 / d(r[0]);
            double(directed(mode, quotient, (-quotient).mul_add(d(r[0]), 1.0) * d(r[0]).signum()))
        });
        all(&format!("sqrt.{mode}.f64"), "d", &values, 1, |r| {
            let root = d(r[0]).sqrt();
            double(directed(mode, root, (-root).mul_add(root, d(r[0]))))
        });
    }
    // (1 + 2^-52)^2 + 2^-110 lies just above 1 + 2^-51 + 2^-104.
    let (one_and, tiny) = ((1.0 + f64::EPSILON).to_bits(), 2f64.powi(-110).to_bits());
    let given = [("%d1", one_and), ("%d2", one_and), ("%d3", tiny)];
    let below = 1.0 + 2.0 * f64::EPSILON;
    check("fma.rz.f64 %d0, %d1, %d2, %d3;", &given, &[("%d0", below.to_bits())]);
    check("fma.rm.f64 %d0, %d1, %d2, %d3;", &given, &[("%d0", below.to_bits())]);
    check("fma.rp.f64 %d0, %d1, %d2, %d3;", &given, &[("%d0", below.next_up().to_bits())]);
}

#[test]
fn directed_roundings_of_singles() {
    // Sums and products of two singles, and quotients by powers of two, are exact as doubles or nearly so: a double
    // that lies between two singles tells on which side the exact result lies.
    let next = |mode: &str, exact: f64| {
        // Numbers that cancel give -0 where everything is rounded down.
        let nearest = if exact == 0.0 && mode == "rm" { -0.0 } else { exact as f32 };
        let down = mode == "rm" || (mode == "rz" && exact > 0.0);
        if down && f64::from(nearest) > exact {
            nearest.next_down()
        } else if !down && f64::from(nearest) < exact {
            nearest.next_up()
        } else {
            nearest
        }
    };
    let values: Vec<u64> = moderate().into_iter().map(|bits| u64::from((d(bits) as f32).to_bits())).collect();
    for mode in ["rz", "rm", "rp"] {
        all(&format!("mul.{mode}.f32"), "f", &values, 2, |r| {
            single(next(mode, f64::from(f(r[0])) * f64::from(f(r[1]))))
        });
        all(&format!("add.{mode}.f32"), "f", &values, 2, |r| {
            single(next(mode, f64::from(f(r[0])) + f64::from(f(r[1]))))
        });
        all(&format!("sub.{mode}.f32"), "f", &values, 2, |r| {
            single(next(mode, f64::from(f(r[0])) - f64::from(f(r[1]))))
        });
        // A quotient of singles that is not one itself is never within 2^-50 of one, relatively.
        all(&format!("div.{mode}.f32"), "f", &values, 2, |r| {
            single(next(mode, f64::from(f(r[0])) / f64::from(f(r[1]))))
        });
        all(&format!("sqrt.{mode}.f32"), "f", &values, 1, |r| single(next(mode, f64::from(f(r[0])).sqrt())));
    }
    // What overflows is infinite in its direction and the largest number in the other.
    let largest = [("%f1", u64::from(f32::MAX.to_bits()))];
    check("add.rz.f32 %f0, %f1, %f1;", &largest, &[("%f0", u64::from(f32::MAX.to_bits()))]);
    check("add.rm.f32 %f0, %f1, %f1;", &largest, &[("%f0", u64::from(f32::MAX.to_bits()))]);
    check("add.rp.f32 %f0, %f1, %f1;", &largest, &[("%f0", u64::from(f32::INFINITY.to_bits()))]);
    // A sum that cancels is -0 where everything is rounded down.
    let one = [("%f1", u64::from(1f32.to_bits()))];
    check("sub.rm.f32 %f0, %f1, %f1;", &one, &[("%f0", 0x8000_0000)]);
    check("sub.rp.f32 %f0, %f1, %f1;", &one, &[("%f0", 0)]);
}

#[test]
fn saturated_results() {
    let values: Vec<u64> = singles().into_iter().map(|v| u64::from(v.to_bits())).collect();
    let clamp = |v: f32| if v.is_nan() || v <= 0.0 { 0.0f32 } else { v.min(1.0) };
    all("add.sat.f32", "f", &values, 2, |r| single(clamp(f(r[0]) + f(r[1]))));
    all("mul.rn.sat.f32", "f", &values, 2, |r| single(clamp(f(r[0]) * f(r[1]))));
    all("fma.rn.sat.f32", "f", &values, 3, |r| single(clamp(f(r[0]).mul_add(f(r[1]), f(r[2])))));
}

#[test]
fn extremes() {
    let bits = |v: f32| u64::from(v.to_bits());
    let (nan, other_nan) = (0x7fc0_0001, 0xffc1_2345);
    // a, b, the smaller, the larger.
    let cases = [
        (bits(1.0), bits(2.0), bits(1.0), bits(2.0)),
        (bits(0.0), bits(-0.0), bits(-0.0), bits(0.0)),
        (bits(-0.0), bits(0.0), bits(-0.0), bits(0.0)),
        (nan, bits(2.0), bits(2.0), bits(2.0)),
        (bits(-3.0), nan, bits(-3.0), bits(-3.0)),
        (nan, other_nan, SINGLE_NAN, SINGLE_NAN),
        (bits(f32::NEG_INFINITY), bits(f32::INFINITY), bits(f32::NEG_INFINITY), bits(f32::INFINITY)),
    ];
    for (a, b, least, largest) in cases {
        let given = [("%f1", a), ("%f2", b)];
        check("min.f32 %f0, %f1, %f2;", &given, &[("%f0", least)]);
        check("max.f32 %f0, %f1, %f2;", &given, &[("%f0", largest)]);
        let any = f(a).is_nan() || f(b).is_nan();
        check("min.NaN.f32 %f0, %f1, %f2;", &given, &[("%f0", if any { SINGLE_NAN } else { least })]);
        check("max.NaN.f32 %f0, %f1, %f2;", &given, &[("%f0", if any { SINGLE_NAN } else { largest })]);
        if !any {
            let given = [("%d1", f64::from(f(a)).to_bits()), ("%d2", f64::from(f(b)).to_bits())];
            check("min.f64 %d0, %d1, %d2;", &given, &[("%d0", f64::from(f(least)).to_bits())]);
            check("max.f64 %d0, %d1, %d2;", &given, &[("%d0", f64::from(f(largest)).to_bits())]);
        }
    }
    let given = [("%d1", f64::NAN.to_bits()), ("%d2", 2f64.to_bits())];
    check("min.f64 %d0, %d1, %d2;", &given, &[("%d0", 2f64.to_bits())]);
    check("max.f64 %d0, %d1, %d1;", &given, &[("%d0", DOUBLE_NAN)]);
}

#[test]
fn signs() {
    for (a, negative, absolute) in
        [(0x3f80_0000, 0xbf80_0000, 0x3f80_0000), (0x8000_0000, 0, 0), (0xffc1_2345, 0x7fc1_2345, 0x7fc1_2345)]
    {
        check("neg.f32 %f0, %f1;", &[("%f1", a)], &[("%f0", negative)]);
        check("abs.f32 %f0, %f1;", &[("%f1", a)], &[("%f0", absolute)]);
    }
    check("neg.f64 %d0, %d1;", &[("%d1", 0)], &[("%d0", 1 << 63)]);
    check("abs.f64 %d0, %d1;", &[("%d1", 0xbff0_0000_0000_0000)], &[("%d0", 0x3ff0_0000_0000_0000)]);
    // The sign of the first and the size of the second.
    check("copysign.f32 %f0, %f1, %f2;", &[("%f1", 0xbf80_0000), ("%f2", 0x4000_0000)], &[("%f0", 0xc000_0000)]);
    check("copysign.f64 %d0, %d1, %d2;", &[("%d1", 0), ("%d2", 1f64.to_bits() | 1 << 63)], &[("%d0", 1f64.to_bits())]);
}

#[test]
fn approximations_are_near() {
    let near = |name: &str, function: fn(f64) -> f64| {
        for value in [0.25f32, 0.7, 1.0, 2.5, 10.0] {
            let found = apply(&format!("{name}.f32 %f0, %f1;"), &["%f1"], &[vec![value.to_bits().into()]], &["%f0"]);
            let (found, wanted) = (f64::from(f(found[0][0])), function(value.into()));
            assert!((found - wanted).abs() <= 1e-6 * wanted.abs().max(1.0), "{name} of {value}: {found}, {wanted}");
        }
    };
    near("rcp.approx", |a| 1.0 / a);
    near("sqrt.approx", f64::sqrt);
    near("rsqrt.approx", |a| 1.0 / a.sqrt());
    near("ex2.approx", f64::exp2);
    near("ex2.approx.ftz", f64::exp2);
    near("lg2.approx", f64::log2);
    near("sin.approx", f64::sin);
    near("cos.approx", f64::cos);
    near("tanh.approx", f64::tanh);
    let third = single(1.0 / 3.0);
    let given = [("%f1", single(1.0)), ("%f2", single(3.0))];
    check("div.approx.f32 %f0, %f1, %f2;", &given, &[("%f0", third)]);
    check("div.full.f32 %f0, %f1, %f2;", &given, &[("%f0", third)]);
    check("rsqrt.approx.f64 %d0, %d1;", &[("%d1", 4f64.to_bits())], &[("%d0", 0.5f64.to_bits())]);
    // With `.ftz` a subnormal operand counts as zero: its logarithm is that of zero.
    check("lg2.approx.ftz.f32 %f0, %f1;", &[("%f1", 1)], &[("%f0", single(f32::NEG_INFINITY))]);
    check("lg2.approx.f32 %f0, %f1;", &[("%f1", 1)], &[("%f0", single(-149.0))]);
}

#[test]
fn what_is_not_said_is_not_guessed() {
    let refuse = |line: &str, why: &str| {
        let message = refused(&kernel(line));
        assert!(message.contains(why), "{line}: {message}");
    };
    for line in ["div.f32 %f0, %f1, %f2;", "sqrt.f32 %f0, %f1;", "rcp.f64 %d0, %d1;", "fma.f32 %f0, %f1, %f2, %f3;"] {
        refuse(line, "a rounding must be said");
    }
    refuse("rsqrt.f32 %f0, %f1;", "`.approx` must be said");
    refuse("add.ftz.f32 %f0, %f1, %f2;", "`.ftz` is not handled here");
    refuse("add.f16 %h0, %h1, %h2;", "16 bits is not handled");
    refuse("add.f16x2 %r0, %r1, %r2;", "not handled");
    refuse("fma.rn.bf16 %h0, %h1, %h2, %h3;", "16 bits is not handled");
    refuse("add.sat.f64 %d0, %d1, %d2;", "no such form");
    refuse("min.NaN.f64 %d0, %d1, %d2;", "no such form");
    refuse("min.xorsign.abs.f32 %f0, %f1, %f2;", "not handled");
    refuse("sin.approx.f64 %d0, %d1;", "no such form");
    refuse("tanh.approx.ftz.f32 %f0, %f1;", "no such form");
}
