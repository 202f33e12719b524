//! `.approx` and `.full`: computed in `f64` and rounded, closer than any hardware, so compare with a tolerance.

use super::word::Word;
use super::{Binary, Unary};
use crate::arithmetic::float::flushed;
use crate::types::Type;

/// Rounds a result to `f32`.
fn single(value: f64) -> u64 {
    if value.is_nan() { 0x7fff_ffff } else { (value as f32).bits() }
}

macro_rules! singles {
    ($flush:expr, |$a:ident| $body:expr) => {
        if $flush {
            Some(
                (|bits| {
                    let $a = f64::from(f32::of(flushed(bits)));
                    flushed(single($body))
                }) as Unary,
            )
        } else {
            Some(
                (|bits| {
                    let $a = f64::from(f32::of(bits));
                    single($body)
                }) as Unary,
            )
        }
    };
}

/// Functions of one operand; with `flush` subnormal operands and results count as zeros of their sign.
pub(crate) fn unary(root: &str, kind: Type, flush: bool) -> Option<Unary> {
    match (root, kind) {
        ("rcp", Type::F32) => singles!(flush, |a| 1.0 / a),
        ("sqrt", Type::F32) => singles!(flush, |a| a.sqrt()),
        ("rsqrt", Type::F32) => singles!(flush, |a| 1.0 / a.sqrt()),
        ("ex2", Type::F32) => singles!(flush, |a| a.exp2()),
        ("lg2", Type::F32) => singles!(flush, |a| a.log2()),
        ("sin", Type::F32) => singles!(flush, |a| a.sin()),
        ("cos", Type::F32) => singles!(flush, |a| a.cos()),
        // It has no form that flushes.
        ("tanh", Type::F32) if !flush => singles!(false, |a| a.tanh()),
        ("rsqrt", Type::F64) if !flush => Some(|a| {
            let result = 1.0 / f64::of(a).sqrt();
            if result.is_nan() { 0x7ff8_0000_0000_0000 } else { result.bits() }
        }),
        _ => None,
    }
}

/// `div.approx` and `div.full`, which exist for `f32` alone.
pub(crate) fn divide(kind: Type, flush: bool) -> Option<Binary> {
    if kind != Type::F32 {
        return None;
    }
    if flush {
        return Some(|a, b| flushed(single(f64::from(f32::of(flushed(a))) / f64::from(f32::of(flushed(b))))));
    }
    Some(|a, b| single(f64::from(f32::of(a)) / f64::from(f32::of(b))))
}
