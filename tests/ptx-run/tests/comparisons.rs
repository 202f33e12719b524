//! Orderings, combinations of predicates, and kinds of floats.

mod support;

use support::{apply, check};

/// Runs a comparison on all pairs.
fn all_pairs<T: Copy + std::fmt::Debug>(
    name: &str,
    register: &str,
    values: &[T],
    bits: impl Fn(T) -> u64,
    expected: impl Fn(T, T) -> bool,
) {
    let pairs: Vec<(T, T)> = values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect();
    let rows: Vec<Vec<u64>> = pairs.iter().map(|&(a, b)| vec![bits(a), bits(b)]).collect();
    let (a, b) = (format!("{register}1"), format!("{register}2"));
    let found = apply(&format!("setp.{name} %p0, {a}, {b};"), &[&a, &b], &rows, &["%p0"]);
    for (&(a, b), found) in pairs.iter().zip(found) {
        assert_eq!(found[0] == 1, expected(a, b), "{name} of {a:?} and {b:?}");
    }
}

macro_rules! orderings {
    ($t:ty, $unsigned:ty, $register:literal, $kind:literal, $values:expr) => {{
        let values: &[$t] = $values;
        let bits = |a: $t| u64::from(a as $unsigned);
        let n = |name: &str| format!("{name}.{}", $kind);
        all_pairs(&n("eq"), $register, values, bits, |a, b| a == b);
        all_pairs(&n("ne"), $register, values, bits, |a, b| a != b);
        all_pairs(&n("lt"), $register, values, bits, |a, b| a < b);
        all_pairs(&n("le"), $register, values, bits, |a, b| a <= b);
        all_pairs(&n("gt"), $register, values, bits, |a, b| a > b);
        all_pairs(&n("ge"), $register, values, bits, |a, b| a >= b);
    }};
}

#[test]
fn orderings_of_integers() {
    orderings!(u16, u16, "%h", "u16", &[0, 1, 0x7fff, 0x8000, 0xffff]);
    orderings!(i16, u16, "%h", "s16", &[0, 1, -1, i16::MIN, i16::MAX]);
    orderings!(u32, u32, "%r", "u32", &[0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX]);
    orderings!(i32, u32, "%r", "s32", &[0, 1, -1, i32::MIN, i32::MAX]);
    orderings!(u64, u64, "%rd", "u64", &[0, 1, 1 << 32, 1 << 63, u64::MAX]);
    orderings!(i64, u64, "%rd", "s64", &[0, 1, -1, i64::MIN, i64::MAX]);
    let values = [0u32, 1, 0x8000_0000, u32::MAX];
    let bits = u64::from;
    all_pairs("lo.u32", "%r", &values, bits, |a, b| a < b);
    all_pairs("ls.u32", "%r", &values, bits, |a, b| a <= b);
    all_pairs("hi.u32", "%r", &values, bits, |a, b| a > b);
    all_pairs("hs.u32", "%r", &values, bits, |a, b| a >= b);
    all_pairs("eq.b32", "%r", &values, bits, |a, b| a == b);
    all_pairs("ne.b64", "%rd", &values, bits, |a, b| a != b);
    all_pairs("eq.b16", "%h", &[0u16, 1, 0xffff], u64::from, |a, b| a == b);
}

#[test]
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "that is what is tested")]
fn orderings_of_floats() {
    let values = [0.0f32, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE / 8.0];
    let doubles = values.map(f64::from);
    let either = |a: f64, b: f64| a.is_nan() || b.is_nan();
    type Question = fn(f64, f64) -> bool;
    let tests: [(&str, Question); 12] = [
        ("eq", |a, b| a == b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
        ("neu", |a, b| a != b),
        ("ltu", |a, b| !(a >= b)),
        ("leu", |a, b| !(a > b)),
        ("gtu", |a, b| !(a <= b)),
        ("geu", |a, b| !(a < b)),
        ("num", |a, b| !a.is_nan() && !b.is_nan()),
        ("nan", |a, b| a.is_nan() || b.is_nan()),
    ];
    for (name, expected) in tests {
        let single = |a: f32| u64::from(a.to_bits());
        all_pairs(&format!("{name}.f32"), "%f", &values, single, |a, b| expected(a.into(), b.into()));
        all_pairs(&format!("{name}.f64"), "%d", &doubles, f64::to_bits, expected);
    }
    // The ordered `ne` is false and the unordered `equ` true where one is NaN.
    all_pairs("ne.f64", "%d", &doubles, f64::to_bits, |a, b| !either(a, b) && a != b);
    all_pairs("equ.f64", "%d", &doubles, f64::to_bits, |a, b| either(a, b) || a == b);
}

#[test]
fn predicates_are_combined() {
    for (a, b, p) in [(1, 2, 0), (1, 2, 1), (2, 1, 0), (2, 1, 1)] {
        let given = [("%r1", a), ("%r2", b), ("%p3", p)];
        let less = u64::from(a < b);
        let both = |name: &str, last: &str, first: u64, second: u64| {
            let text = format!("setp.{name}.s32 %p0|%p1, %r1, %r2, {last};");
            check(&text, &given, &[("%p0", first), ("%p1", second)]);
        };
        both("lt.and", "%p3", less & p, (1 - less) & p);
        both("lt.or", "%p3", less | p, (1 - less) | p);
        both("lt.xor", "%p3", less ^ p, (1 - less) ^ p);
        both("lt.and", "!%p3", less & (1 - p), (1 - less) & (1 - p));
        check("setp.lt.s32 %p0|%p1, %r1, %r2;", &given, &[("%p0", less), ("%p1", 1 - less)]);
        check("setp.lt.or.s32 %p0, %r1, %r2, %p3;", &given, &[("%p0", less | p)]);
        check("set.lt.u32.s32 %r0, %r1, %r2;", &given, &[("%r0", 0xffff_ffff * less)]);
        check("set.lt.f32.s32 %f0, %r1, %r2;", &given, &[("%f0", 0x3f80_0000 * less)]);
        check("selp.b32 %r0, %r1, %r2, %p3;", &given, &[("%r0", if p == 1 { a } else { b })]);
        check("selp.u16 %h0, 7, 9, %p3;", &given, &[("%h0", if p == 1 { 7 } else { 9 })]);
        check(
            "@%p3 mov.u32 %r1, 5; @!%p3 mov.u32 %r2, 6;",
            &given,
            &[("%r1", if p == 1 { 5 } else { a }), ("%r2", if p == 1 { b } else { 6 })],
        );
    }
}

#[test]
fn kinds_of_floats() {
    // Each number and whether it is finite, infinite, a number, not one, normal, subnormal.
    let kinds = [
        (1.0, [1, 0, 1, 0, 1, 0]),
        (-0.0, [1, 0, 1, 0, 1, 0]),
        (f32::INFINITY, [0, 1, 1, 0, 0, 0]),
        (f32::NEG_INFINITY, [0, 1, 1, 0, 0, 0]),
        (f32::NAN, [0, 0, 0, 1, 0, 0]),
        (1e-40, [1, 0, 1, 0, 0, 1]),
    ];
    let names = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
    for (value, expected) in kinds {
        for (name, expected) in names.into_iter().zip(expected) {
            let bits = u64::from(value.to_bits());
            check(&format!("testp.{name}.f32 %p0, %f1;"), &[("%f1", bits)], &[("%p0", expected)]);
        }
    }
    check("testp.subnormal.f64 %p0, %d1;", &[("%d1", 1)], &[("%p0", 1)]);
    check("testp.normal.f64 %p0, %d1;", &[("%d1", f64::MIN_POSITIVE.to_bits())], &[("%p0", 1)]);
}
