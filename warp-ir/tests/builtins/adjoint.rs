//! Adjoint rules against central differences, and against the gradients that rows fix at kinks.

use warp_ir::builtins::{Adjoint, Builtin, Expression, Row};
use warp_ir::ir::Scalar;
use warp_ir::random::edges;

use crate::samples::Samples;

/// F64 where the signature leaves the type open, the type itself where it does not.
fn types(row: &Row) -> (Vec<Scalar>, Scalar) {
    let args: Vec<Scalar> = row
        .params
        .iter()
        .map(|p| if p.class.members().contains(Scalar::F64) { Scalar::F64 } else { Scalar::Bool })
        .collect();
    let result = row.result_type(&args, Scalar::F64).expect("F64 is taken");
    (args, result)
}

fn bits(scalar: Scalar, value: f64) -> u64 {
    if scalar == Scalar::Bool { (value >= 0.5) as u64 } else { value.to_bits() }
}

/// The gradient by each operand; 0 where nothing flows.
fn gradient(row: &Row, expression: &Expression, args: &[Scalar], point: &[f64], dr: f64) -> Vec<f64> {
    let mut inputs: Vec<u64> = args.iter().zip(point).map(|(&s, &v)| bits(s, v)).collect();
    let r = row.eval(args, Scalar::F64, &inputs).expect("defined");
    inputs.extend([r, dr.to_bits()]);
    let outputs = expression.eval(&inputs).into_iter().zip(&expression.outputs);
    outputs.map(|(value, output)| output.map_or(0.0, |_| f64::from_bits(value.expect("defined")))).collect()
}

fn differentiable() -> impl Iterator<Item = (&'static Row, bool)> {
    Builtin::ALL.iter().map(|b| b.row()).filter_map(|row| match row.adjoint {
        Adjoint::Rule { bounded, .. } => Some((row, bounded)),
        Adjoint::None(_) => None,
    })
}

#[test]
fn rules_agree_with_central_differences() {
    let mut samples = Samples(3);
    let mut rows = 0;
    for (row, _) in differentiable() {
        rows += 1;
        let (args, result) = types(row);
        let expression = row.adjoint(&args, result, false).expect("has a rule");
        for _ in 0..200 {
            let point: Vec<f64> = row.domain.iter().map(|d| samples.within(d)).collect();
            let dr = samples.within(&(-2.0..2.0));
            let found = gradient(row, &expression, &args, &point, dr);
            for (i, found) in found.iter().enumerate() {
                if args[i] != Scalar::F64 || expression.outputs[i].is_none() {
                    continue;
                }
                let at = |value: f64| {
                    let mut moved = point.clone();
                    moved[i] = value;
                    let inputs: Vec<u64> = args.iter().zip(&moved).map(|(&s, &v)| bits(s, v)).collect();
                    f64::from_bits(row.eval(&args, result, &inputs).expect("defined"))
                };
                let h = 1e-6;
                let expected = dr * (at(point[i] + h) - at(point[i] - h)) / (2.0 * h);
                let error = (found - expected).abs();
                assert!(error < 1e-7 * (1.0 + expected.abs()), "{} by {i} at {point:?}: {found}, {expected}", row.name);
            }
        }
    }
    assert!(rows >= 20, "only {rows} rows with a rule");
}

#[test]
fn kinks_have_the_gradients_of_the_row() {
    let mut points = 0;
    for (row, _) in differentiable() {
        let (args, result) = types(row);
        let expression = row.adjoint(&args, result, false).expect("has a rule");
        for fixed in row.fixed {
            points += 1;
            let found = gradient(row, &expression, &args, fixed.at, 1.0);
            assert_eq!(found, fixed.gradient, "{} at {:?}", row.name, fixed.at);
            // Where the slope is infinite and the row says zero, it is zero for any adjoint.
            let chosen = ["sqrt", "cbrt", "ln", "asin", "acos", "acosh"].contains(&row.name);
            for dr in [f64::INFINITY, f64::NEG_INFINITY].into_iter().filter(|_| chosen && fixed.gradient == [0.0]) {
                let found = gradient(row, &expression, &args, fixed.at, dr);
                assert_eq!(found, [0.0], "{} at {:?} for an adjoint of {dr}", row.name, fixed.at);
            }
        }
    }
    assert!(points > 10);
}

/// An adjoint of zero gives zeros: for unbounded rows at every operand whatever, for bounded ones where operands are
/// finite, and with a guard for all.
#[test]
fn a_zero_adjoint_gives_zeros() {
    for (row, bounded) in differentiable() {
        let (args, result) = types(row);
        for guard in [false, true] {
            let expression = row.adjoint(&args, result, guard).expect("has a rule");
            for a in edges(Scalar::F64) {
                for b in edges(Scalar::F64) {
                    let point: Vec<f64> = [a, b, b].map(f64::from_bits)[..args.len()].to_vec();
                    if bounded && !guard && point.iter().any(|v| !v.is_finite()) {
                        continue;
                    }
                    for found in gradient(row, &expression, &args, &point, 0.0) {
                        assert_eq!(found, 0.0, "{} at {point:?}", row.name);
                    }
                }
            }
        }
    }
}

/// A NaN that comes in is handed on, by operands that the adjoint reaches at all: a tape starts over with guards where it
/// finds one, and would miss one that a rule has made a number of.
#[test]
fn an_adjoint_that_is_no_number_is_handed_on() {
    for (row, _) in differentiable() {
        let (args, result) = types(row);
        for guard in [false, true] {
            let expression = row.adjoint(&args, result, guard).expect("has a rule");
            for a in edges(Scalar::F64) {
                for b in edges(Scalar::F64) {
                    let point: Vec<f64> = [a, b, b].map(f64::from_bits)[..args.len()].to_vec();
                    let by = |dr: f64| gradient(row, &expression, &args, &point, dr);
                    let (one, other, of_nan) = (by(1.0), by(-3.0), by(f64::NAN));
                    for (i, found) in of_nan.iter().enumerate() {
                        let dropped = one[i] == 0.0 && other[i] == 0.0;
                        assert!(found.is_nan() || dropped && *found == 0.0, "{} at {point:?}: {found}", row.name);
                    }
                }
            }
        }
    }
}

/// The derivative of a quotient by its divisor is finite wherever `-a / (b * b)` and `1 / b` are, and 0 for a quotient of 0
/// however small `b` is.
#[test]
fn quotients_have_finite_derivatives_where_those_are_finite() {
    let types = [Scalar::F32; 2];
    let expression = Builtin::Div.row().adjoint(&types, Scalar::F32, false).expect("has a rule");
    let numbers = [0.0f32, -0.0, 1e-45, 3e-39, 1e-30, -2e-20, 1e-10, 0.3, -1.0, 7.0, 1e10, -1e20, 3e30, 3e38];
    let mut finite = 0;
    for a in numbers {
        for b in numbers.into_iter().filter(|b| *b != 0.0) {
            let expected = -f64::from(a) / (f64::from(b) * f64::from(b));
            let inputs = [a, b, a / b, 1.0].map(|number| u64::from(number.to_bits()));
            let found = expression.eval(&inputs)[1].expect("defined");
            let found = f64::from(f32::from_bits(found as u32));
            if expected.abs() < f64::from(f32::MAX) && (a == 0.0 || b.recip().is_finite()) {
                finite += 1;
                // Quotients below the normal numbers are rounded to a step of 1.4e-45.
                let near = (found - expected).abs() <= 1e-6 * expected.abs() + 2e-45 * (1.0 + 1.0 / f64::from(b).abs());
                assert!(near, "by the divisor of {a} / {b}: {found}, not {expected}");
            }
        }
    }
    assert!(finite > 80, "{finite}");
}

#[test]
fn only_floats_carry_gradients() {
    use Scalar::*;
    assert_eq!(Builtin::Add.row().adjoint(&[I32, I32], I32, false), None);
    assert_eq!(Builtin::Cast.row().adjoint(&[I32], F32, false), None);
    assert_eq!(Builtin::Cast.row().adjoint(&[F32], I32, false), None);
    assert_eq!(Builtin::Floor.row().adjoint(&[F32], F32, false), None);
    let narrow = Builtin::Cast.row().adjoint(&[F64], F16, false).expect("flows");
    // dr is an F16 of 2 and comes back as an F64 of 2.
    assert_eq!(narrow.eval(&[0, 0, 0x4000]), vec![Some(2f64.to_bits())]);
}

/// What a rule reads is seen from the rule, so the reverse sweep keeps no more.
#[test]
fn rules_tell_what_they_read() {
    let mul = Builtin::Mul.row().adjoint(&[Scalar::F32; 2], Scalar::F32, false).expect("has a rule");
    let reads = |e: &Expression, output| (0..4).map(|input| e.reads(output, input)).collect::<Vec<_>>();
    assert_eq!(reads(&mul, 0), [false, true, false, true]);
    assert_eq!(reads(&mul, 1), [true, false, false, true]);
    let sqrt = Builtin::Sqrt.row().adjoint(&[Scalar::F32], Scalar::F32, false).expect("has a rule");
    assert!(!sqrt.reads(0, 0) && sqrt.reads(0, 1) && sqrt.reads(0, 2));
}
