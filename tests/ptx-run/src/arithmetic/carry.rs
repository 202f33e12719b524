//! Sums of many words: `add.cc addc sub.cc subc mad.cc madc`. A borrow of a subtraction is a carry.

use crate::types::Type;

/// Operands a, b, c and the carry that comes in; the result and the carry that goes out.
pub(crate) type Carrying = fn(u64, u64, u64, bool) -> (u64, bool);

macro_rules! carrying {
    ($t:ty, $wide:ty, $root:expr) => {{
        /// The sum with the carry in, and the carry out.
        fn sum(a: $t, b: $t, carry: bool) -> (u64, bool) {
            let (once, first) = a.overflowing_add(b);
            let (twice, second) = once.overflowing_add(<$t>::from(carry));
            (u64::from(twice), first | second)
        }
        fn difference(a: $t, b: $t, borrow: bool) -> (u64, bool) {
            let (once, first) = a.overflowing_sub(b);
            let (twice, second) = once.overflowing_sub(<$t>::from(borrow));
            (u64::from(twice), first | second)
        }
        match $root {
            "add" => Some((|a, b, _, carry| sum(a as $t, b as $t, carry)) as Carrying),
            "sub" => Some(|a, b, _, carry| difference(a as $t, b as $t, carry)),
            "mad.lo" => Some(|a, b, c, carry| sum((a as $t).wrapping_mul(b as $t), c as $t, carry)),
            "mad.hi" => Some(|a, b, c, carry| {
                let product = <$wide>::from(a as $t) * <$wide>::from(b as $t);
                sum((product >> <$t>::BITS) as $t, c as $t, carry)
            }),
            "mad.hi signed" => Some(|a, b, c, carry| {
                let product = i128::from((a as $t).cast_signed()) * i128::from((b as $t).cast_signed());
                sum((product >> <$t>::BITS) as $t, c as $t, carry)
            }),
            _ => None,
        }
    }};
}

/// The function for `add`, `sub`, `mad.lo` or `mad.hi`.
pub(crate) fn carrying(root: &str, kind: Type) -> Option<Carrying> {
    let root = if root == "mad.hi" && kind.is_signed() { "mad.hi signed" } else { root };
    match kind {
        Type::U32 | Type::S32 => carrying!(u32, u64, root),
        Type::U64 | Type::S64 => carrying!(u64, u128, root),
        _ => None,
    }
}
