//! Integers and Bools as rows of bits.

use super::Val;
use crate::ir::Scalar;

rows! {
    topic "bits", module bits, names bits_names, result r, adjoint dr;

    /// Bitwise and; on Bool the logical one.
    ///
    /// Example: `12 & 10` is `8`.
    And = and(a: L, b: L) -> L {
        host: int |a, b| a & b, bool |a, b| a & b;
        adjoint: none { "bits are not numbers" };
        clif: int Band, bool Band;
        ptx: int "and.{bits} {r}, {a}, {b};", bool emitter;
        ulp: 0;
    }

    /// Bitwise or; on Bool the logical one.
    ///
    /// Example: `12 | 10` is `14`.
    Or = or(a: L, b: L) -> L {
        host: int |a, b| a | b, bool |a, b| a | b;
        adjoint: none { "bits are not numbers" };
        clif: int Bor, bool Bor;
        ptx: int "or.{bits} {r}, {a}, {b};", bool emitter;
        ulp: 0;
    }

    /// Bitwise exclusive or; on Bool: whether the operands differ.
    ///
    /// Example: `12 ^ 10` is `6`.
    Xor = xor(a: L, b: L) -> L {
        host: int |a, b| a ^ b, bool |a, b| a ^ b;
        adjoint: none { "bits are not numbers" };
        clif: int Bxor, bool Bxor;
        ptx: int "xor.{bits} {r}, {a}, {b};", bool emitter;
        ulp: 0;
    }

    /// All bits inverted; on Bool the logical not.
    ///
    /// Example: `!5` is `-6`.
    Not = not(a: L) -> L {
        host: int |a| !a, bool |a: bool| !a;
        adjoint: none { "bits are not numbers" };
        clif: int Bnot, bool expand(logical_not);
        ptx: int "not.{bits} {r}, {a};", bool emitter;
        ulp: 0;
    }

    /// `a << amount`; the amount is masked to the width. Both operands are of one type.
    ///
    /// Example: `3 << 2` is `12`.
    Shl = shl(a: I, amount: I) -> I {
        host: int |a, amount| a.wrapping_shl(amount as u32);
        adjoint: none { "bits are not numbers" };
        clif: int Ishl;
        ptx: int emitter;
        ulp: 0;
    }

    /// `a >> amount`; the amount is masked to the width. Arithmetic on signed types, logical on others.
    ///
    /// Example: `-12 >> 2` is `-3`.
    ///
    /// Example: `0xf0u8 >> 4` is `15`.
    Shr = shr(a: I, amount: I) -> I {
        host: int |a, amount| a.wrapping_shr(amount as u32);
        adjoint: none { "bits are not numbers" };
        clif: signed Sshr, unsigned Ushr;
        ptx: int emitter;
        ulp: 0;
    }

    /// How many bits are 1.
    ///
    /// Example: `11u32.count_ones()` is `3`.
    CountOnes = count_ones(a: I) -> U32 {
        host: int |a| a.count_ones();
        adjoint: none { "bits are not numbers" };
        clif: int Popcnt;
        ptx: int32 "popc.{bits} {r}, {a};", int64 "popc.{bits} {r}, {a};", int emitter;
        ulp: 0;
    }

    /// How many bits are 0 before the highest 1; the width for 0.
    ///
    /// Example: `1u32.leading_zeros()` is `31`.
    LeadingZeros = leading_zeros(a: I) -> U32 {
        host: int |a| a.leading_zeros();
        adjoint: none { "bits are not numbers" };
        clif: int Clz;
        ptx: int32 "clz.{bits} {r}, {a};", int64 "clz.{bits} {r}, {a};", int emitter;
        ulp: 0;
    }

    /// How many bits are 0 below the lowest 1; the width for 0.
    ///
    /// Example: `8u32.trailing_zeros()` is `3`.
    TrailingZeros = trailing_zeros(a: I) -> U32 {
        host: int |a| a.trailing_zeros();
        adjoint: none { "bits are not numbers" };
        clif: int Ctz;
        ptx: int expand(trailing_zeros);
        ulp: 0;
    }

    /// The bits in reverse order.
    ///
    /// Example: `1u8.reverse_bits()` is `128`.
    ReverseBits = reverse_bits(a: I) -> I {
        host: int |a| a.reverse_bits();
        adjoint: none { "bits are not numbers" };
        clif: int Bitrev;
        ptx: int32 "brev.{bits} {r}, {a};", int64 "brev.{bits} {r}, {a};", int emitter;
        ulp: 0;
    }

    /// The bytes in reverse order.
    ///
    /// Example: `0x1234u16.swap_bytes()` is `0x3412`.
    SwapBytes = swap_bytes(a: I) -> I {
        host: int |a| a.swap_bytes();
        adjoint: none { "bits are not numbers" };
        clif: int8 Nothing, int Bswap;
        ptx: int32 "prmt.b32 {r}, {a}, 0, 0x0123;", int emitter;
        ulp: 0;
    }

    /// The bits moved up in a circle; the amount is taken modulo the width.
    ///
    /// Example: `0x81u8.rotate_left(1)` is `3`.
    RotateLeft = rotate_left(a: I, amount: U32) -> I {
        host: int |a, amount| a.rotate_left(amount);
        adjoint: none { "bits are not numbers" };
        clif: int Rotl;
        ptx: int32 "shf.l.wrap.b32 {r}, {a}, {a}, {amount};", int expand(rotate_left);
        ulp: 0;
    }

    /// The bits moved down in a circle; the amount is taken modulo the width.
    ///
    /// Example: `3u8.rotate_right(1)` is `0x81`.
    RotateRight = rotate_right(a: I, amount: U32) -> I {
        host: int |a, amount| a.rotate_right(amount);
        adjoint: none { "bits are not numbers" };
        clif: int Rotr;
        ptx: int32 "shf.r.wrap.b32 {r}, {a}, {a}, {amount};", int expand(rotate_right);
        ulp: 0;
    }
}

fn logical_not<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    args[0] ^ 1u64
}

fn trailing_zeros<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    args[0].reverse_bits().leading_zeros()
}

/// Shift amounts are masked to the width, so `-amount` shifts by what is left.
fn rotate_left<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    let (a, amount) = rotation(args);
    ((a << amount) | (a >> (amount.lit(0.0) - amount))).bitcast(args[0].scalar())
}

fn rotate_right<'g>(args: &[Val<'g>], _result: Scalar) -> Val<'g> {
    let (a, amount) = rotation(args);
    ((a >> amount) | (a << (amount.lit(0.0) - amount))).bitcast(args[0].scalar())
}

/// Value and amount, both of the unsigned type of the value's width.
fn rotation<'g>(args: &[Val<'g>]) -> (Val<'g>, Val<'g>) {
    let unsigned = match args[0].scalar().size() {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        _ => Scalar::U64,
    };
    (args[0].bitcast(unsigned), args[1].cast(unsigned))
}
