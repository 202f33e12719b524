//! How Cranelift computes a row: one instruction, or an expression over other builtins.

use super::expression::Expand;

/// The form that a row takes in Cranelift or PTX for some operand types.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// One instruction.
    Inst(Clif),
    /// An expression over other builtins that gives the same bits.
    Expand(Expand),
    /// A loop, hence neither: the backend calls a function of its runtime that computes the row's host meaning. The
    /// result is exact, so that every such function gives the same bits.
    Helper,
}

/// The Cranelift instructions that rows name. The operand order is the row's.
///
/// `Bool` is an `I8` of 0 or 1 there; the forms given for it keep it so.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Clif {
    Iadd,
    Isub,
    Imul,
    Sdiv,
    Udiv,
    Srem,
    Urem,
    Ineg,
    Iabs,
    Smin,
    Umin,
    Smax,
    Umax,
    Fadd,
    Fsub,
    Fmul,
    Fdiv,
    Fneg,
    Fabs,
    /// Only where the machine has it; else the backend's correctly rounded function.
    Fma,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Nearest,
    Fcopysign,
    Band,
    Bor,
    Bxor,
    Bnot,
    /// Masks the amount itself.
    Ishl,
    Sshr,
    Ushr,
    Popcnt,
    Clz,
    Ctz,
    Bitrev,
    /// Not for 8 bits.
    Bswap,
    Rotl,
    Rotr,
    IcmpEq,
    IcmpNe,
    IcmpSlt,
    IcmpUlt,
    IcmpSle,
    IcmpUle,
    /// Ordered: false with a NaN.
    FcmpEq,
    /// Unordered or different: true with a NaN.
    FcmpNe,
    FcmpLt,
    FcmpLe,
    Select,
    /// The extend, reduce or convert instruction of the two types; float to integer in the saturating form.
    Convert,
    /// Reinterprets, also between integer and float registers.
    Bitcast,
    /// The operand itself.
    Nothing,
}
