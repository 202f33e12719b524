//! `f32` and `f64`: the processor's own arithmetic where results round to nearest, exact arithmetic elsewhere.

use super::soft::{self, Format};
use super::word::{Word, binary};
use super::{Binary, Ternary, Unary};
use crate::types::{Rounding, Type};

/// A float whose NaNs all look alike, as arithmetic makes them.
trait Canonical: Word {
    fn canonical(self) -> u64;
}

impl Canonical for f32 {
    fn canonical(self) -> u64 {
        if self.is_nan() { 0x7fff_ffff } else { self.bits() }
    }
}

impl Canonical for f64 {
    fn canonical(self) -> u64 {
        if self.is_nan() { 0x7ff8_0000_0000_0000 } else { self.bits() }
    }
}

/// The value between 0 and 1 that is next; 0 for NaN. What `.sat` does to results.
fn saturated(value: f32) -> f32 {
    if value.is_nan() || value <= 0.0 { 0.0 } else { value.min(1.0) }
}

/// The function for a type and a rounding: one for `f32` and one for `f64` to nearest, else a function of [`soft`].
macro_rules! forms {
    ($kind:expr, $rounding:expr, |$($x:ident),+| $soft:path, $single:expr, $double:expr) => {
        match ($kind, $rounding) {
            (Type::F32, Rounding::Nearest) => Some($single),
            (Type::F32, Rounding::Zero) => Some(|$($x),+| $soft($($x,)+ Format::SINGLE, Rounding::Zero)),
            (Type::F32, Rounding::Down) => Some(|$($x),+| $soft($($x,)+ Format::SINGLE, Rounding::Down)),
            (Type::F32, Rounding::Up) => Some(|$($x),+| $soft($($x,)+ Format::SINGLE, Rounding::Up)),
            (Type::F64, Rounding::Nearest) => Some($double),
            (Type::F64, Rounding::Zero) => Some(|$($x),+| $soft($($x,)+ Format::DOUBLE, Rounding::Zero)),
            (Type::F64, Rounding::Down) => Some(|$($x),+| $soft($($x,)+ Format::DOUBLE, Rounding::Down)),
            (Type::F64, Rounding::Up) => Some(|$($x),+| $soft($($x,)+ Format::DOUBLE, Rounding::Up)),
            _ => None,
        }
    };
}

/// `add sub mul div`.
pub(crate) fn arithmetic(root: &str, kind: Type, rounding: Rounding) -> Option<Binary> {
    fn subtract(a: u64, b: u64, format: Format, rounding: Rounding) -> u64 {
        // A NaN stays one, whatever its sign.
        soft::add(a, b ^ format.sign(), format, rounding)
    }
    match root {
        "add" => forms!(kind, rounding, |a, b| soft::add, |a, b| (f32::of(a) + f32::of(b)).canonical(), |a, b| {
            (f64::of(a) + f64::of(b)).canonical()
        }),
        "sub" => forms!(kind, rounding, |a, b| subtract, |a, b| (f32::of(a) - f32::of(b)).canonical(), |a, b| {
            (f64::of(a) - f64::of(b)).canonical()
        }),
        "mul" => forms!(kind, rounding, |a, b| soft::multiply, |a, b| (f32::of(a) * f32::of(b)).canonical(), |a, b| {
            (f64::of(a) * f64::of(b)).canonical()
        }),
        "div" => forms!(kind, rounding, |a, b| soft::divide, |a, b| (f32::of(a) / f32::of(b)).canonical(), |a, b| {
            (f64::of(a) / f64::of(b)).canonical()
        }),
        _ => None,
    }
}

/// `fma`.
pub(crate) fn fused(kind: Type, rounding: Rounding) -> Option<Ternary> {
    forms!(
        kind,
        rounding,
        |a, b, c| soft::fused,
        |a, b, c| f32::of(a).mul_add(f32::of(b), f32::of(c)).canonical(),
        |a, b, c| f64::of(a).mul_add(f64::of(b), f64::of(c)).canonical()
    )
}

/// `sqrt rcp` with a rounding.
pub(crate) fn root_or_reciprocal(root: &str, kind: Type, rounding: Rounding) -> Option<Unary> {
    fn reciprocal(a: u64, format: Format, rounding: Rounding) -> u64 {
        soft::divide(format.one(), a, format, rounding)
    }
    match root {
        "sqrt" => forms!(kind, rounding, |a| soft::square_root, |a| f32::of(a).sqrt().canonical(), |a| {
            f64::of(a).sqrt().canonical()
        }),
        "rcp" => forms!(kind, rounding, |a| reciprocal, |a| (1.0 / f32::of(a)).canonical(), |a| {
            (1.0 / f64::of(a)).canonical()
        }),
        _ => None,
    }
}

/// `.sat` behind a result: none for `f64`, which has no such form.
pub(crate) fn saturate(kind: Type) -> Option<Unary> {
    (kind == Type::F32).then_some(|a| saturated(f32::of(a)).bits())
}

/// `neg` and `abs`, which change the sign's bit, of NaN too.
pub(crate) fn sign(root: &str, kind: Type) -> Option<Unary> {
    Some(match (root, kind) {
        ("neg", Type::F32) => |a| a ^ 1 << 31,
        ("neg", Type::F64) => |a| a ^ 1 << 63,
        ("abs", Type::F32) => |a| a & !(1 << 31),
        ("abs", Type::F64) => |a| a & !(1 << 63),
        _ => return None,
    })
}

/// `copysign`: the sign of the first operand and the size of the second.
pub(crate) fn copysign(kind: Type) -> Option<Binary> {
    binary!(kind, [F32 => f32, F64 => f64], |a, b| b.copysign(a))
}

/// `min max`: the operand that is a number where the other is NaN, unless NaN is asked for; -0 is below +0.
pub(crate) fn extreme(root: &str, kind: Type, keep_nan: bool) -> Option<Binary> {
    macro_rules! extremes {
        ($t:ty, $keep:literal, $least:literal) => {
            |a, b| {
                let (x, y) = (<$t>::of(a), <$t>::of(b));
                if x.is_nan() || y.is_nan() {
                    let both = x.is_nan() && y.is_nan();
                    return if both || $keep {
                        <$t>::NAN.canonical()
                    } else if x.is_nan() {
                        b
                    } else {
                        a
                    };
                }
                // This order has -0 below +0.
                if (x.total_cmp(&y).is_lt()) == $least { a } else { b }
            }
        };
    }
    Some(match (root, kind, keep_nan) {
        ("min", Type::F32, false) => extremes!(f32, false, true),
        ("min", Type::F32, true) => extremes!(f32, true, true),
        ("min", Type::F64, false) => extremes!(f64, false, true),
        ("max", Type::F32, false) => extremes!(f32, false, false),
        ("max", Type::F32, true) => extremes!(f32, true, false),
        ("max", Type::F64, false) => extremes!(f64, false, false),
        _ => return None,
    })
}

/// The sum of an atomic addition; in global memory subnormal operands and results of `f32` count as zeros.
pub(crate) fn atomic_add(kind: Type, in_global: bool) -> Option<Binary> {
    match (kind, in_global) {
        (Type::F32, true) => Some(|a, b| flushed((f32::of(flushed(a)) + f32::of(flushed(b))).canonical())),
        _ => arithmetic("add", kind, Rounding::Nearest),
    }
}

/// A subnormal number of `f32` as a zero of its sign.
pub(crate) fn flushed(bits: u64) -> u64 {
    if f32::of(bits).is_subnormal() { bits & 1 << 31 } else { bits }
}
