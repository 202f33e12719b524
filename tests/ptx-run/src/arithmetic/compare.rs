//! Questions: the orderings of `setp` and `set`, and `testp`.

use super::word::Word;
use super::{Test, Unary};
use crate::types::Type;

macro_rules! tests {
    ($kind:expr, [$($variant:ident => $t:ty),+], |$a:ident, $b:ident| $body:expr) => {
        match $kind {
            $(Type::$variant => {
                fn run(a: u64, b: u64) -> bool {
                    let ($a, $b) = (<$t>::of(a), <$t>::of(b));
                    $body
                }
                Some(run as Test)
            })+
            _ => None,
        }
    };
}

macro_rules! floats {
    ($kind:expr, |$a:ident, $b:ident| $body:expr) => {
        tests!($kind, [F32 => f32, F64 => f64], |$a, $b| $body)
    };
}

macro_rules! numbers {
    ($kind:expr, |$a:ident, $b:ident| $body:expr) => {
        tests!($kind, [U16 => u16, U32 => u32, U64 => u64, S16 => i16, S32 => i32, S64 => i64, F32 => f32, F64 => f64],
            |$a, $b| $body)
    };
}

macro_rules! unsigned {
    ($kind:expr, |$a:ident, $b:ident| $body:expr) => {
        tests!($kind, [U16 => u16, U32 => u32, U64 => u64], |$a, $b| $body)
    };
}

/// The comparison of that name. The plain ones are false where an operand is NaN (`ne` too); those that end in `u`
/// are true there; `num` and `nan` ask just that.
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "an unordered comparison is the negation of the opposite one")]
pub(crate) fn comparison(name: &str, kind: Type) -> Option<Test> {
    if kind.is_bits() {
        return match name {
            "eq" => tests!(kind, [B16 => u16, B32 => u32, B64 => u64], |a, b| a == b),
            "ne" => tests!(kind, [B16 => u16, B32 => u32, B64 => u64], |a, b| a != b),
            _ => None,
        };
    }
    match name {
        "eq" => numbers!(kind, |a, b| a == b),
        "ne" if kind.is_float() => floats!(kind, |a, b| a != b && !a.is_nan() && !b.is_nan()),
        "ne" => numbers!(kind, |a, b| a != b),
        "lt" => numbers!(kind, |a, b| a < b),
        "le" => numbers!(kind, |a, b| a <= b),
        "gt" => numbers!(kind, |a, b| a > b),
        "ge" => numbers!(kind, |a, b| a >= b),
        "lo" => unsigned!(kind, |a, b| a < b),
        "ls" => unsigned!(kind, |a, b| a <= b),
        "hi" => unsigned!(kind, |a, b| a > b),
        "hs" => unsigned!(kind, |a, b| a >= b),
        "equ" => floats!(kind, |a, b| a == b || a.is_nan() || b.is_nan()),
        "neu" => floats!(kind, |a, b| a != b),
        "ltu" => floats!(kind, |a, b| !(a >= b)),
        "leu" => floats!(kind, |a, b| !(a > b)),
        "gtu" => floats!(kind, |a, b| !(a <= b)),
        "geu" => floats!(kind, |a, b| !(a < b)),
        "num" => floats!(kind, |a, b| !a.is_nan() && !b.is_nan()),
        "nan" => floats!(kind, |a, b| a.is_nan() || b.is_nan()),
        _ => None,
    }
}

macro_rules! classes {
    ($kind:expr, |$a:ident| $body:expr) => {
        match $kind {
            Type::F32 => Some(
                (|a| {
                    u64::from({
                        let $a = f32::of(a);
                        $body
                    })
                }) as Unary,
            ),
            Type::F64 => Some(|a| {
                u64::from({
                    let $a = f64::of(a);
                    $body
                })
            }),
            _ => None,
        }
    };
}

/// `testp`: what kind of number it is. Zero counts as normal, as the manual has it.
pub(crate) fn class(name: &str, kind: Type) -> Option<Unary> {
    match name {
        "finite" => classes!(kind, |a| a.is_finite()),
        "infinite" => classes!(kind, |a| a.is_infinite()),
        "number" => classes!(kind, |a| !a.is_nan()),
        "notanumber" => classes!(kind, |a| a.is_nan()),
        "normal" => classes!(kind, |a| a.is_normal() || a == 0.0),
        "subnormal" => classes!(kind, |a| a.is_subnormal()),
        _ => None,
    }
}
