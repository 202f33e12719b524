//! Identities of builtins: when an op is one of its operands, a constant, or a simpler op. Exact on floats too, zeros
//! and infinities included; only the bits of a NaN may differ.

use super::known::Known;
use crate::builtins::Builtin;
use crate::ir::{Scalar, Value};
use crate::planted::{self, Bug};

/// What a pure op can be instead.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Simpler {
    /// A value that exists.
    Same(Value),
    /// A constant.
    Const(u64),
    /// Another op with the same result.
    Op(Builtin, Vec<Value>),
}

use Simpler::{Const, Op, Same};

/// The bits of the number 1.
pub(super) fn one(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::F32 => 1f32.to_bits() as u64,
        Scalar::F64 => 1f64.to_bits(),
        _ => 1,
    }
}

/// The bits of the number -0 for floats, 0 for others: what added to anything changes nothing.
fn neutral(scalar: Scalar) -> u64 {
    match scalar {
        _ if planted::is(Bug::FoldAddsZeroAway) => 0,
        Scalar::F32 => (-0f32).to_bits() as u64,
        Scalar::F64 => (-0f64).to_bits(),
        _ => 0,
    }
}

/// A simpler form of `builtin(args)`, whose result has type `result`.
pub(super) fn simpler(known: &Known, builtin: Builtin, args: &[Value], result: Scalar) -> Option<Simpler> {
    match *args {
        [a] => unary(known, builtin, a, result),
        [a, b] if matches!(builtin, Builtin::Eq | Builtin::Ne | Builtin::Lt | Builtin::Le) => {
            compare(known, builtin, a, b)
        }
        [a, b] if result == Scalar::Bool => logic(known, builtin, a, b),
        [a, b] if result.is_int() => integer(known, builtin, a, b, result),
        [a, b] => float(known, builtin, a, b, result),
        [c, a, b] if builtin == Builtin::Select => select(known, c, a, b, result),
        _ => None,
    }
}

fn unary(known: &Known, builtin: Builtin, a: Value, result: Scalar) -> Option<Simpler> {
    let inner = known.pure(a);
    match (builtin, inner) {
        (Builtin::Neg, Some((Builtin::Neg, &[x, ..]))) | (Builtin::Not, Some((Builtin::Not, &[x, ..]))) => {
            Some(Same(x))
        }
        (Builtin::Not, Some((compared, args))) => negated(known, compared, args),
        (Builtin::Cast | Builtin::Bitcast, _) if known.scalar(a) == result => Some(Same(a)),
        (Builtin::Bitcast, Some((Builtin::Bitcast, &[x, ..]))) if known.scalar(x) == result => Some(Same(x)),
        (Builtin::Cast, Some((Builtin::Cast, &[x, ..]))) => cast_of_cast(known, a, x, result),
        _ => None,
    }
}

/// `!(a == b)` and its relatives. Orders turn round for integers alone: a NaN fails both.
fn negated(known: &Known, compared: Builtin, args: &[Value]) -> Option<Simpler> {
    let &[a, b, ..] = args else { return None };
    let int = !known.scalar(a).is_float();
    match compared {
        Builtin::Eq => Some(Op(Builtin::Ne, vec![a, b])),
        Builtin::Ne => Some(Op(Builtin::Eq, vec![a, b])),
        Builtin::Lt if int => Some(Op(Builtin::Le, vec![b, a])),
        Builtin::Le if int => Some(Op(Builtin::Lt, vec![b, a])),
        _ => None,
    }
}

/// A cast of a widening cast back to where it came from, or on to where one cast gets.
fn cast_of_cast(known: &Known, middle: Value, x: Value, result: Scalar) -> Option<Simpler> {
    let (from, middle) = (known.scalar(x), known.scalar(middle));
    let widened = from.is_int() && middle.is_int() && from.bits() <= middle.bits();
    if !widened {
        return None;
    }
    if result == from {
        return Some(Same(x));
    }
    let same_number = from.bits() < middle.bits() && (!from.is_signed() || middle.is_signed());
    let low_bits = result.is_int() && result.bits() <= from.bits();
    (low_bits || (same_number && (result.is_int() || result.is_float()))).then(|| Op(Builtin::Cast, vec![x]))
}

fn compare(known: &Known, builtin: Builtin, a: Value, b: Value) -> Option<Simpler> {
    let scalar = known.scalar(a);
    if a == b && !scalar.is_float() {
        return Some(Const(matches!(builtin, Builtin::Eq | Builtin::Le) as u64));
    }
    if scalar == Scalar::Bool {
        return match (builtin, known.bits(a), known.bits(b)) {
            (Builtin::Eq, Some(1), _) | (Builtin::Ne, Some(0), _) => Some(Same(b)),
            (Builtin::Eq, _, Some(1)) | (Builtin::Ne, _, Some(0)) => Some(Same(a)),
            (Builtin::Eq, Some(0), _) | (Builtin::Ne, Some(1), _) => Some(Op(Builtin::Not, vec![b])),
            (Builtin::Eq, _, Some(0)) | (Builtin::Ne, _, Some(1)) => Some(Op(Builtin::Not, vec![a])),
            _ => None,
        };
    }
    if scalar.is_int() && !scalar.is_signed() {
        let (low, high) = (Some(0), Some(scalar.mask()));
        return match builtin {
            Builtin::Lt if known.bits(b) == low || known.bits(a) == high => Some(Const(0)),
            Builtin::Le if known.bits(a) == low || known.bits(b) == high => Some(Const(1)),
            _ => None,
        };
    }
    None
}

fn logic(known: &Known, builtin: Builtin, a: Value, b: Value) -> Option<Simpler> {
    match (builtin, known.bits(a), known.bits(b)) {
        (Builtin::And, Some(1), _) | (Builtin::Or | Builtin::Xor, Some(0), _) => Some(Same(b)),
        (Builtin::And, _, Some(1)) | (Builtin::Or | Builtin::Xor, _, Some(0)) => Some(Same(a)),
        (Builtin::And, Some(0), _) | (Builtin::And, _, Some(0)) => Some(Const(0)),
        (Builtin::Or, Some(1), _) | (Builtin::Or, _, Some(1)) => Some(Const(1)),
        (Builtin::Xor, Some(1), _) => Some(Op(Builtin::Not, vec![b])),
        (Builtin::Xor, _, Some(1)) => Some(Op(Builtin::Not, vec![a])),
        (Builtin::And | Builtin::Or, ..) if a == b => Some(Same(a)),
        (Builtin::Xor, ..) if a == b => Some(Const(0)),
        (Builtin::And, ..) if is_nan_beside(known, a, b) || is_nan_beside(known, b, a) => Some(Const(0)),
        _ => None,
    }
}

/// Whether one truth says that a number is NaN, and the other holds for no NaN. Guards of gradients ask so of sums that
/// were guarded already.
fn is_nan_beside(known: &Known, nan: Value, other: Value) -> bool {
    let Some((Builtin::Ne, &[x, y])) = known.pure(nan) else { return false };
    let compared = known.pure(other).filter(|(builtin, _)| matches!(builtin, Builtin::Eq | Builtin::Lt | Builtin::Le));
    x == y && compared.is_some_and(|(_, args)| args.contains(&x))
}

fn integer(known: &Known, builtin: Builtin, a: Value, b: Value, scalar: Scalar) -> Option<Simpler> {
    let (x, y) = (known.bits(a), known.bits(b));
    let ones = scalar.mask();
    match builtin {
        Builtin::Add | Builtin::Or | Builtin::Xor if x == Some(0) => Some(Same(b)),
        Builtin::Add | Builtin::Or | Builtin::Xor | Builtin::Sub | Builtin::Shl | Builtin::Shr if y == Some(0) => {
            Some(Same(a))
        }
        Builtin::Sub | Builtin::Xor if a == b => Some(Const(0)),
        Builtin::Sub if x == Some(0) => Some(Op(Builtin::Neg, vec![b])),
        Builtin::Mul | Builtin::And if x == Some(0) || y == Some(0) => Some(Const(0)),
        Builtin::Mul if x == Some(1) => Some(Same(b)),
        Builtin::Mul | Builtin::Div if y == Some(1) => Some(Same(a)),
        Builtin::Rem if y == Some(1) => Some(Const(0)),
        Builtin::And if x == Some(ones) => Some(Same(b)),
        Builtin::And if y == Some(ones) => Some(Same(a)),
        Builtin::Or if x == Some(ones) || y == Some(ones) => Some(Const(ones)),
        Builtin::And | Builtin::Or | Builtin::Min | Builtin::Max if a == b => Some(Same(a)),
        Builtin::Shl | Builtin::Shr if x == Some(0) => Some(Const(0)),
        _ => None,
    }
}

fn float(known: &Known, builtin: Builtin, a: Value, b: Value, scalar: Scalar) -> Option<Simpler> {
    let (x, y) = (known.bits(a), known.bits(b));
    let (one, neutral) = (Some(one(scalar)), Some(neutral(scalar)));
    match builtin {
        Builtin::Add if x == neutral => Some(Same(b)),
        Builtin::Add if y == neutral => Some(Same(a)),
        // x - 0 is x for every x, -0 included.
        Builtin::Sub if y == Some(0) => Some(Same(a)),
        Builtin::Mul if x == one => Some(Same(b)),
        Builtin::Mul | Builtin::Div if y == one => Some(Same(a)),
        Builtin::Min | Builtin::Max if a == b => Some(Same(a)),
        Builtin::Sub => match known.pure(b) {
            Some((Builtin::Neg, &[n, ..])) => Some(Op(Builtin::Add, vec![a, n])),
            _ => None,
        },
        Builtin::Add => match (known.pure(a), known.pure(b)) {
            (_, Some((Builtin::Neg, &[n, ..]))) => Some(Op(Builtin::Sub, vec![a, n])),
            (Some((Builtin::Neg, &[n, ..])), _) => Some(Op(Builtin::Sub, vec![b, n])),
            _ => None,
        },
        _ => None,
    }
}

fn select(known: &Known, c: Value, a: Value, b: Value, scalar: Scalar) -> Option<Simpler> {
    match known.bits(c) {
        Some(1) => return Some(Same(a)),
        Some(0) => return Some(Same(b)),
        _ if a == b => return Some(Same(a)),
        _ => {}
    }
    let (x, y) = (known.bits(a), known.bits(b));
    if x.is_some() && x == y {
        return x.map(Const);
    }
    if scalar == Scalar::Bool {
        return match (x, y) {
            (Some(1), Some(0)) => Some(Same(c)),
            (Some(0), Some(1)) => Some(Op(Builtin::Not, vec![c])),
            (Some(1), _) => Some(Op(Builtin::Or, vec![c, b])),
            (_, Some(0)) => Some(Op(Builtin::And, vec![c, a])),
            _ => None,
        };
    }
    match known.pure(c) {
        Some((Builtin::Not, &[n, ..])) => Some(Op(Builtin::Select, vec![n, b, a])),
        _ => None,
    }
}
