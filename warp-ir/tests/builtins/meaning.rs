//! Host meanings against Rust's own, on many edge values of every type.

use warp_ir::builtins::Builtin;
use warp_ir::ir::Scalar;
use warp_ir::random::{alike, edges};

/// Compares a builtin of two operands of one type with `expected`, on all pairs of edge values.
fn check2(builtin: Builtin, scalar: Scalar, result: Scalar, expected: impl Fn(u64, u64) -> Option<u64>) {
    for a in edges(scalar) {
        for b in edges(scalar) {
            let found = builtin.eval(&[scalar, scalar], result, &[a, b]);
            let expected = expected(a, b);
            let equal = match (found, expected) {
                (Some(f), Some(e)) => alike(result, f, e),
                (found, expected) => found == expected,
            };
            assert!(equal, "{builtin:?} {scalar:?} {a:#x} {b:#x}: found {found:x?}, expected {expected:x?}");
        }
    }
}

fn check1(builtin: Builtin, scalar: Scalar, result: Scalar, expected: impl Fn(u64) -> u64) {
    for a in edges(scalar) {
        let found = builtin.eval(&[scalar], result, &[a]).expect("defined");
        assert!(alike(result, found, expected(a)), "{builtin:?} {scalar:?} {a:#x}: {found:#x}, {:#x}", expected(a));
    }
}

macro_rules! integers {
    ($($test:ident: $type:ident $unsigned:ident $scalar:ident),+) => {$(
        #[test]
        fn $test() {
            use Builtin::*;
            let s = Scalar::$scalar;
            let word = |v: $type| v as $unsigned as u64;
            let wide = |bits: u64| (bits as $type) as i128;
            // Arithmetic in 128 bits, cut to the width.
            let cut = |v: i128| word(v as $type);
            check2(Add, s, s, |a, b| Some(cut(wide(a) + wide(b))));
            check2(Sub, s, s, |a, b| Some(cut(wide(a) - wide(b))));
            check2(Mul, s, s, |a, b| Some(cut(wide(a).wrapping_mul(wide(b)))));
            let fits = |v: i128| v >= $type::MIN as i128 && v <= $type::MAX as i128;
            let quotient = |a, b| (b != 0).then(|| wide(a) / wide(b)).filter(|&q| fits(q));
            check2(Div, s, s, |a, b| quotient(a, b).map(cut));
            check2(Rem, s, s, |a, b| quotient(a, b).map(|q| cut(wide(a) - q * wide(b))));
            check1(Neg, s, s, |a| cut(-wide(a)));
            check1(Abs, s, s, |a| cut(wide(a).abs()));
            check2(Min, s, s, |a, b| Some(cut(wide(a).min(wide(b)))));
            check2(Max, s, s, |a, b| Some(cut(wide(a).max(wide(b)))));
            check2(And, s, s, |a, b| Some(a & b));
            check2(Or, s, s, |a, b| Some(a | b));
            check2(Xor, s, s, |a, b| Some(a ^ b));
            check1(Not, s, s, |a| a ^ s.mask());
            check2(Shl, s, s, |a, b| Some(word((a as $type) << (b as u32 & ($type::BITS - 1)))));
            check2(Shr, s, s, |a, b| Some(word((a as $type) >> (b as u32 & ($type::BITS - 1)))));
            let bits = |a: u64| (0..$type::BITS).filter(move |i| a >> i & 1 == 1);
            check1(CountOnes, s, Scalar::U32, |a| bits(a).count() as u64);
            check1(LeadingZeros, s, Scalar::U32, |a| bits(a).last().map_or($type::BITS, |i| $type::BITS - 1 - i) as u64);
            check1(TrailingZeros, s, Scalar::U32, |a| bits(a).next().unwrap_or($type::BITS) as u64);
            check1(ReverseBits, s, s, |a| bits(a).map(|i| 1 << ($type::BITS - 1 - i)).sum());
            check1(SwapBytes, s, s, |a| word($type::from_le_bytes((a as $type).to_be_bytes())));
            check2(Eq, s, Scalar::Bool, |a, b| Some((wide(a) == wide(b)) as u64));
            check2(Ne, s, Scalar::Bool, |a, b| Some((wide(a) != wide(b)) as u64));
            check2(Lt, s, Scalar::Bool, |a, b| Some((wide(a) < wide(b)) as u64));
            check2(Le, s, Scalar::Bool, |a, b| Some((wide(a) <= wide(b)) as u64));
            for a in edges(s) {
                for amount in edges(Scalar::U32) {
                    let by = (amount % $type::BITS as u64) as u32;
                    let up: u64 = bits(a).map(|i| 1u64 << ((i + by) % $type::BITS)).sum();
                    let down: u64 = bits(a).map(|i| 1u64 << ((i + $type::BITS - by) % $type::BITS)).sum();
                    assert_eq!(RotateLeft.eval(&[s, Scalar::U32], s, &[a, amount]), Some(up));
                    assert_eq!(RotateRight.eval(&[s, Scalar::U32], s, &[a, amount]), Some(down));
                }
                casts(s, a, |to| match to {
                    Scalar::I8 => (a as $type) as i8 as u8 as u64,
                    Scalar::I16 => (a as $type) as i16 as u16 as u64,
                    Scalar::I32 => (a as $type) as i32 as u32 as u64,
                    Scalar::I64 => (a as $type) as i64 as u64,
                    Scalar::U8 => (a as $type) as u8 as u64,
                    Scalar::U16 => (a as $type) as u16 as u64,
                    Scalar::U32 => (a as $type) as u32 as u64,
                    Scalar::U64 => (a as $type) as u64,
                    Scalar::F32 => ((a as $type) as f32).to_bits() as u64,
                    _ => ((a as $type) as f64).to_bits(),
                });
            }
        }
    )+};
}

integers! {
    i8_means_rust: i8 u8 I8, i16_means_rust: i16 u16 I16, i32_means_rust: i32 u32 I32, i64_means_rust: i64 u64 I64,
    u8_means_rust: u8 u8 U8, u16_means_rust: u16 u16 U16, u32_means_rust: u32 u32 U32, u64_means_rust: u64 u64 U64
}

/// All casts of one value to types with arithmetic.
fn casts(from: Scalar, bits: u64, expected: impl Fn(Scalar) -> u64) {
    for to in Scalar::ALL.into_iter().filter(|s| s.is_int() || s.is_float()) {
        let found = Builtin::Cast.eval(&[from], to, &[bits]).expect("defined");
        assert!(alike(to, found, expected(to)), "{from:?} {bits:#x} as {to:?}: {found:#x}, {:#x}", expected(to));
    }
}

macro_rules! floats {
    ($($test:ident: $type:ident $bits:ident $scalar:ident),+) => {$(
        #[test]
        fn $test() {
            use Builtin::*;
            let s = Scalar::$scalar;
            let value = |bits: u64| $type::from_bits(bits as $bits);
            let word = |v: $type| v.to_bits() as u64;
            check2(Add, s, s, |a, b| Some(word(value(a) + value(b))));
            check2(Sub, s, s, |a, b| Some(word(value(a) - value(b))));
            check2(Mul, s, s, |a, b| Some(word(value(a) * value(b))));
            check2(Div, s, s, |a, b| Some(word(value(a) / value(b))));
            check2(Rem, s, s, |a, b| Some(word(value(a) % value(b))));
            check1(Neg, s, s, |a| a ^ 1 << (s.bits() - 1));
            check1(Abs, s, s, |a| a & !(1 << (s.bits() - 1)));
            check1(Sqrt, s, s, |a| word(value(a).sqrt()));
            check1(Floor, s, s, |a| word(value(a).floor()));
            check1(Ceil, s, s, |a| word(value(a).ceil()));
            check1(Trunc, s, s, |a| word(value(a).trunc()));
            check1(Round, s, s, |a| word(value(a).round()));
            check1(RoundEven, s, s, |a| word(value(a).round_ties_even()));
            check2(Copysign, s, s, |a, b| Some(word(value(a).copysign(value(b)))));
            // The total order puts -0 below +0; a NaN counts as missing.
            let number = |a: u64, b: u64, smaller: bool| match (value(a).is_nan(), value(b).is_nan()) {
                (true, _) => b,
                (_, true) => a,
                _ if value(a).total_cmp(&value(b)).is_lt() == smaller => a,
                _ => b,
            };
            check2(Min, s, s, |a, b| Some(number(a, b, true)));
            check2(Max, s, s, |a, b| Some(number(a, b, false)));
            check2(Eq, s, Scalar::Bool, |a, b| Some((value(a) == value(b)) as u64));
            check2(Ne, s, Scalar::Bool, |a, b| Some((value(a) != value(b)) as u64));
            check2(Lt, s, Scalar::Bool, |a, b| Some((value(a) < value(b)) as u64));
            check2(Le, s, Scalar::Bool, |a, b| Some((value(a) <= value(b)) as u64));
            for a in edges(s) {
                casts(s, a, |to| match to {
                    Scalar::I8 => value(a) as i8 as u8 as u64,
                    Scalar::I16 => value(a) as i16 as u16 as u64,
                    Scalar::I32 => value(a) as i32 as u32 as u64,
                    Scalar::I64 => value(a) as i64 as u64,
                    Scalar::U8 => value(a) as u8 as u64,
                    Scalar::U16 => value(a) as u16 as u64,
                    Scalar::U32 => value(a) as u32 as u64,
                    Scalar::U64 => value(a) as u64,
                    Scalar::F32 => (value(a) as f32).to_bits() as u64,
                    _ => (value(a) as f64).to_bits(),
                });
            }
        }
    )+};
}

floats! { f32_means_rust: f32 u32 F32, f64_means_rust: f64 u64 F64 }

/// Fused means rounded once: these products need more digits than a float has.
#[test]
fn fma_rounds_once() {
    let f32s = |v: [f32; 3]| v.map(|x| x.to_bits() as u64);
    let one = 1.0 + f32::EPSILON;
    let args = [Scalar::F32; 3];
    // (1 + e)^2 - (1 + 2 e) = e^2, which two roundings lose.
    let found = Builtin::Fma.eval(&args, Scalar::F32, &f32s([one, one, -(1.0 + 2.0 * f32::EPSILON)]));
    assert_eq!(found, Some((f32::EPSILON * f32::EPSILON).to_bits() as u64));
    // In f64 the exact product of f32s fits, so these sums are exact there and round once at the end.
    for a in edges(Scalar::F32) {
        for b in edges(Scalar::F32) {
            let [x, y] = [a, b].map(|v| f32::from_bits(v as u32) as f64);
            let product = x * y;
            for c in [0u32, 0x8000_0000] {
                let found = Builtin::Fma.eval(&args, Scalar::F32, &[a, b, c as u64]).expect("defined");
                let expected = (product + f32::from_bits(c) as f64) as f32;
                assert!(alike(Scalar::F32, found, expected.to_bits() as u64), "{x} {y} {c:#x}: {found:#x}");
            }
        }
    }
    let one = 1.0 + f64::EPSILON;
    let bits = [one, one, -(1.0 + 2.0 * f64::EPSILON)].map(f64::to_bits);
    let found = Builtin::Fma.eval(&[Scalar::F64; 3], Scalar::F64, &bits);
    assert_eq!(found, Some((f64::EPSILON * f64::EPSILON).to_bits()));
}

#[test]
fn bools_mean_rust() {
    use Builtin::*;
    let b = Scalar::Bool;
    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
        let eval = |builtin: Builtin| builtin.eval(&[b, b], b, &[x as u64, y as u64]);
        let pairs =
            [(And, x && y), (Or, x || y), (Xor, x != y), (Eq, x == y), (Ne, x != y), (Lt, !x & y), (Le, !x | y)];
        for (builtin, expected) in pairs {
            assert_eq!(eval(builtin), Some(expected as u64), "{builtin:?} {x} {y}");
        }
        assert_eq!(Not.eval(&[b], b, &[x as u64]), Some(!x as u64));
        assert_eq!(Cast.eval(&[b], Scalar::I64, &[x as u64]), Some(x as i64 as u64));
        let taken = if x { 0x1234 } else { 0x5678 };
        assert_eq!(Select.eval(&[b, Scalar::F16, Scalar::F16], Scalar::F16, &[x as u64, 0x1234, 0x5678]), Some(taken));
    }
}

#[test]
fn bitcasts_keep_bits() {
    for from in Scalar::ALL {
        for to in Scalar::ALL {
            for bits in edges(from) {
                let found = Builtin::Bitcast.eval(&[from], to, &[bits]);
                let takes = from.size() == to.size() && (from == Scalar::Bool) == (to == Scalar::Bool);
                assert_eq!(found, takes.then_some(bits), "{from:?} {to:?}");
            }
        }
    }
}
