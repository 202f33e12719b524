//! Whole numbers: `add sub mul mad div rem min max neg abs sad`, all modulo the width.

use super::word::{Word, binary, unary};
use super::{Binary, Ternary, Unary};
use crate::types::Type;

macro_rules! integers {
    ($kind:expr, |$a:ident, $b:ident| $body:expr) => {
        binary!($kind, [U16 => u16, U32 => u32, U64 => u64, S16 => i16, S32 => i32, S64 => i64], |$a, $b| $body)
    };
}

/// Functions of two operands by the instruction's name; `mul.lo` counts as `mul`.
pub(crate) fn binary(root: &str, kind: Type) -> Option<Binary> {
    match root {
        "add" => integers!(kind, |a, b| a.wrapping_add(b)),
        "sub" => integers!(kind, |a, b| a.wrapping_sub(b)),
        "mul" => integers!(kind, |a, b| a.wrapping_mul(b)),
        // What the assembler makes of a division gives all ones for a divisor of zero, for the remainder too.
        "div" => integers!(kind, |a, b| if b == 0 { !0 } else { a.wrapping_div(b) }),
        "rem" => integers!(kind, |a, b| if b == 0 { !0 } else { a.wrapping_rem(b) }),
        "min" => integers!(kind, |a, b| a.min(b)),
        "max" => integers!(kind, |a, b| a.max(b)),
        _ => None,
    }
}

/// `neg`, `abs`: the least number stays as it is.
pub(crate) fn unary(root: &str, kind: Type) -> Option<Unary> {
    match root {
        "neg" => unary!(kind, [S16 => i16, S32 => i32, S64 => i64], |a| a.wrapping_neg()),
        "abs" => unary!(kind, [S16 => i16, S32 => i32, S64 => i64], |a| a.wrapping_abs()),
        _ => None,
    }
}

/// `add.sat` and `sub.sat`, which exist for `.s32` alone.
pub(crate) fn saturating(root: &str, kind: Type) -> Option<Binary> {
    match root {
        "add" => binary!(kind, [S32 => i32], |a, b| a.saturating_add(b)),
        "sub" => binary!(kind, [S32 => i32], |a, b| a.saturating_sub(b)),
        _ => None,
    }
}

macro_rules! products {
    ($kind:expr, $pick:ident, [$($variant:ident => $t:ty, $wide:ty);+]) => {
        match $kind {
            $(Type::$variant => {
                fn run(a: u64, b: u64) -> u64 {
                    let product = <$wide>::from(<$t>::of(a)) * <$wide>::from(<$t>::of(b));
                    $pick!(product, $t)
                }
                Some(run as Binary)
            })+
            _ => None,
        }
    };
}

macro_rules! high {
    ($product:ident, $t:ty) => {
        (($product >> <$t>::BITS) as $t).bits()
    };
}

macro_rules! whole {
    ($product:ident, $t:ty) => {
        $product.bits()
    };
}

/// The upper half of the product.
pub(crate) fn multiply_high(kind: Type) -> Option<Binary> {
    products!(kind, high, [U16 => u16, u32; U32 => u32, u64; U64 => u64, u128; S16 => i16, i32; S32 => i32, i64; S64 => i64, i128])
}

/// The whole product, of twice the width.
pub(crate) fn multiply_wide(kind: Type) -> Option<Binary> {
    products!(kind, whole, [U16 => u16, u32; U32 => u32, u64; S16 => i16, i32; S32 => i32, i64])
}

macro_rules! multiply_adds {
    ($kind:expr, |$a:ident, $b:ident, $c:ident| $body:expr) => {
        multiply_adds!(@ $kind, [U16 => u16, u32; U32 => u32, u64; U64 => u64, u128; S16 => i16, i32; S32 => i32, i64; S64 => i64, i128], |$a, $b, $c| $body)
    };
    (@ $kind:expr, [$($variant:ident => $t:ty, $wide:ty);+], |$a:ident, $b:ident, $c:ident| $body:expr) => {
        match $kind {
            $(Type::$variant => {
                fn run(a: u64, b: u64, c: u64) -> u64 {
                    type Narrow = $t;
                    let $a = <$wide>::from(<$t>::of(a));
                    let $b = <$wide>::from(<$t>::of(b));
                    let $c = <$t>::of(c);
                    let product = $a * $b;
                    let (low, high) = (product as Narrow, (product >> Narrow::BITS) as Narrow);
                    $body(low, high, $c).bits()
                }
                Some(run as Ternary)
            })+
            _ => None,
        }
    };
}

/// `mad.lo`.
pub(crate) fn multiply_add_low(kind: Type) -> Option<Ternary> {
    multiply_adds!(kind, |a, b, c| |low: Narrow, _: Narrow, c: Narrow| low.wrapping_add(c))
}

/// `mad.hi`.
pub(crate) fn multiply_add_high(kind: Type) -> Option<Ternary> {
    multiply_adds!(kind, |a, b, c| |_: Narrow, high: Narrow, c: Narrow| high.wrapping_add(c))
}

macro_rules! wide_adds {
    ($kind:expr, [$($variant:ident => $t:ty, $wide:ty);+]) => {
        match $kind {
            $(Type::$variant => {
                fn run(a: u64, b: u64, c: u64) -> u64 {
                    let product = <$wide>::from(<$t>::of(a)) * <$wide>::from(<$t>::of(b));
                    product.wrapping_add(<$wide>::of(c)).bits()
                }
                Some(run as Ternary)
            })+
            _ => None,
        }
    };
}

/// `mad.wide`: the whole product and an addend of twice the width.
pub(crate) fn multiply_add_wide(kind: Type) -> Option<Ternary> {
    wide_adds!(kind, [U16 => u16, u32; U32 => u32, u64; S16 => i16, i32; S32 => i32, i64])
}
