//! Special values of functions of floats: those that the rows list, which are C99's, Annex F.

use warp_ir::builtins::{Builtin, Row, Value};
use warp_ir::ir::Scalar;

/// In both types: equal, with the sign of zeros; NaN is NaN.
fn check(row: &Row, Value { at, value }: &Value) {
    let name = row.name;
    let bits: Vec<u64> = at.iter().map(|x| x.to_bits()).collect();
    let found = f64::from_bits(row.eval(&vec![Scalar::F64; at.len()], Scalar::F64, &bits).expect("defined"));
    let same =
        |found: f64, expected: f64| found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
    assert!(same(found, *value), "{name}{at:?}: {found:?}, not {value:?}");
    let bits: Vec<u64> = at.iter().map(|x| u64::from((*x as f32).to_bits())).collect();
    let found = f32::from_bits(row.eval(&vec![Scalar::F32; at.len()], Scalar::F32, &bits).expect("defined") as u32);
    assert!(same(f64::from(found), f64::from(*value as f32)), "{name}{at:?} in F32: {found:?}, not {value:?}");
}

#[test]
fn functions_have_the_special_values_of_their_rows() {
    for row in Builtin::ALL.iter().map(|builtin| builtin.row()).filter(|row| row.is_function()) {
        for value in row.values {
            assert_eq!(value.at.len(), row.params.len(), "{}{:?}", row.name, value.at);
            check(row, value);
        }
        // Each operand is, in some line, each of these.
        for operand in 0..row.params.len() {
            for special in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                let is = |x: f64| x.to_bits() == special.to_bits() || (x.is_nan() && special.is_nan());
                let listed = row.values.iter().any(|value| is(value.at[operand]));
                assert!(listed, "the row of `{}` does not say its value at {special:?}, operand {operand}", row.name);
            }
        }
    }
}
