//! Bits: `and or xor not shl shr bfe bfi brev clz popc prmt shf lop3`.

use super::word::{Word, binary, unary};
use super::{Binary, Ternary, Unary};
use crate::types::Type;

/// `and`, `or`, `xor`; predicates have them too.
pub(crate) fn logic(root: &str, kind: Type) -> Option<Binary> {
    match root {
        "and" => binary!(kind, [Pred => bool, B16 => u16, B32 => u32, B64 => u64], |a, b| a & b),
        "or" => binary!(kind, [Pred => bool, B16 => u16, B32 => u32, B64 => u64], |a, b| a | b),
        "xor" => binary!(kind, [Pred => bool, B16 => u16, B32 => u32, B64 => u64], |a, b| a ^ b),
        _ => None,
    }
}

/// `not`, `brev`, and `popc` and `clz`, whose results have 32 bits whatever the operand has.
pub(crate) fn unary(root: &str, kind: Type) -> Option<Unary> {
    match root {
        "not" => unary!(kind, [Pred => bool, B16 => u16, B32 => u32, B64 => u64], |a| !a),
        "brev" => unary!(kind, [B32 => u32, B64 => u64], |a| a.reverse_bits()),
        "popc" => unary!(kind, [B32 => u32, B64 => u64], |a| a.count_ones()),
        "clz" => unary!(kind, [B32 => u32, B64 => u64], |a| a.leading_zeros()),
        _ => None,
    }
}

macro_rules! shifts {
    ($kind:expr, [$($variant:ident => $t:ty),+], |$a:ident, $amount:ident| $body:expr) => {
        match $kind {
            $(Type::$variant => {
                fn run(a: u64, amount: u64) -> u64 {
                    let ($a, $amount) = (<$t>::of(a), amount as u32);
                    $body.bits()
                }
                Some(run as Binary)
            })+
            _ => None,
        }
    };
}

/// `shl` and `shr`: amounts, of 32 bits always, beyond the width count as the width.
pub(crate) fn shift(root: &str, kind: Type) -> Option<Binary> {
    match root {
        "shl" => shifts!(kind, [B16 => u16, B32 => u32, B64 => u64], |a, n| a.checked_shl(n).unwrap_or(0)),
        "shr" => match kind {
            Type::S16 | Type::S32 | Type::S64 => {
                shifts!(kind, [S16 => i16, S32 => i32, S64 => i64], |a, n| a.checked_shr(n).unwrap_or(if a < 0 { -1 } else { 0 }))
            }
            _ => shifts!(kind, [B16 => u16, B32 => u32, B64 => u64, U16 => u16, U32 => u32, U64 => u64], |a, n| {
                a.checked_shr(n).unwrap_or(0)
            }),
        },
        _ => None,
    }
}

/// `bfe`: a field of `length` bits from `start` on, both of 8 bits; signed fields are filled with the sign, which for
/// a field that reaches beyond the value is the value's.
pub(crate) fn extract(kind: Type) -> Option<Ternary> {
    fn field(a: u64, start: u64, length: u64, width: u64, signed: bool) -> u64 {
        let (start, length) = (start & 255, length & 255);
        let last = (start + length).saturating_sub(1).min(width - 1);
        let fill = signed && length > 0 && a >> last & 1 == 1;
        (0..width).fold(0, |bits, k| {
            let inside = k < length && start + k < width;
            bits | u64::from(if inside { a >> (start + k) & 1 == 1 } else { fill }) << k
        })
    }
    match kind {
        Type::U32 => Some(|a, b, c| field(a, b, c, 32, false)),
        Type::U64 => Some(|a, b, c| field(a, b, c, 64, false)),
        Type::S32 => Some(|a, b, c| field(a, b, c, 32, true)),
        Type::S64 => Some(|a, b, c| field(a, b, c, 64, true)),
        _ => None,
    }
}

/// `bfi`: `b` with the low `length` bits of `a` from bit `start` on. Four operands: the length comes with the call.
pub(crate) fn insert(a: u64, b: u64, start: u64, length: u64, width: u64) -> u64 {
    let (start, length) = (start & 255, length & 255);
    let end = (start + length).min(width);
    (start..end).fold(b, |bits, k| bits & !(1 << k) | (a >> (k - start) & 1) << k)
}

/// `lop3.b32`: each bit of the result stands in the table at the number that the operands' bits make.
pub(crate) fn lookup(a: u64, b: u64, c: u64, table: u64) -> u64 {
    (0..32).fold(0, |bits, k| {
        let index = (a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1);
        bits | (table >> index & 1) << k
    })
}

/// `prmt.b32` in the mode of that name, the empty one for the general form.
pub(crate) fn permute(mode: &str) -> Option<Ternary> {
    /// Bytes of `a` and `b` by four selectors of 4 bits, whose highest bit asks for copies of the byte's sign.
    fn pick(a: u64, b: u64, selectors: u64) -> u64 {
        let bytes = b << 32 | a;
        (0..4).fold(0, |result, k| {
            let selector = selectors >> (4 * k);
            let byte = bytes >> (8 * (selector & 7)) & 255;
            let byte = if selector & 8 == 0 { byte } else { 255 * (byte >> 7) };
            result | byte << (8 * k)
        })
    }
    /// The selectors of a special mode, by the low two bits of the third operand.
    fn by_table(a: u64, b: u64, c: u64, table: [u64; 4]) -> u64 {
        pick(a, b, table[(c & 3) as usize])
    }
    Some(match mode {
        "" => pick,
        "f4e" => |a, b, c| by_table(a, b, c, [0x3210, 0x4321, 0x5432, 0x6543]),
        "b4e" => |a, b, c| by_table(a, b, c, [0x5670, 0x6701, 0x7012, 0x0123]),
        "rc8" => |a, b, c| by_table(a, b, c, [0x0000, 0x1111, 0x2222, 0x3333]),
        "ecl" => |a, b, c| by_table(a, b, c, [0x3210, 0x3211, 0x3222, 0x3333]),
        "ecr" => |a, b, c| by_table(a, b, c, [0x0000, 0x1110, 0x2210, 0x3210]),
        "rc16" => |a, b, c| by_table(a, b, c, [0x1010, 0x3232, 0x1010, 0x3232]),
        _ => return None,
    })
}

/// `shf.l` and `shf.r`, with amounts that wrap at 32 or are clamped to it.
pub(crate) fn funnel(left: bool, wrap: bool) -> Ternary {
    fn shifted(a: u64, b: u64, amount: u64, left: bool) -> u64 {
        let both = b << 32 | a;
        u64::from(if left { (both << amount >> 32) as u32 } else { (both >> amount) as u32 })
    }
    match (left, wrap) {
        (true, true) => |a, b, c| shifted(a, b, c & 31, true),
        (true, false) => |a, b, c| shifted(a, b, c.min(32), true),
        (false, true) => |a, b, c| shifted(a, b, c & 31, false),
        (false, false) => |a, b, c| shifted(a, b, c.min(32), false),
    }
}
