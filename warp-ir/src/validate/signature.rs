//! Which operand and result types a builtin takes.

use std::fmt;

use crate::builtins::Builtin;
use crate::ir::Scalar;

/// Operands or result that a builtin does not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit(String);

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether `builtin` takes `args` and gives `result`.
pub fn fits(builtin: Builtin, args: &[Scalar], result: Scalar) -> Result<(), Misfit> {
    use Builtin::*;
    let ok = match (builtin, args) {
        (Add | Sub | Mul | Div | Rem | Min | Max, &[a, b]) => number(a) && a == b && result == a,
        (Neg | Abs, &[a]) => number(a) && result == a,
        (Fma, &[a, b, c]) => a.is_float() && a == b && b == c && result == a,
        (Sqrt | Floor | Ceil | Trunc | Round | RoundEven, &[a]) => a.is_float() && result == a,
        (Copysign, &[a, b]) => a.is_float() && a == b && result == a,
        (And | Or | Xor, &[a, b]) => bits(a) && a == b && result == a,
        (Not, &[a]) => bits(a) && result == a,
        (Shl | Shr, &[a, b]) => a.is_int() && a == b && result == a,
        (CountOnes | LeadingZeros | TrailingZeros, &[a]) => a.is_int() && result == Scalar::U32,
        (ReverseBits | SwapBytes, &[a]) => a.is_int() && result == a,
        (RotateLeft | RotateRight, &[a, b]) => a.is_int() && b == Scalar::U32 && result == a,
        (Eq | Ne | Lt | Le, &[a, b]) => (number(a) || a == Scalar::Bool) && a == b && result == Scalar::Bool,
        (Select, &[c, a, b]) => c == Scalar::Bool && a == b && result == a,
        (Cast, &[a]) => casts(a, result),
        (Bitcast, &[a]) => a.size() == result.size() && (a == Scalar::Bool) == (result == Scalar::Bool),
        _ => false,
    };
    if ok { Ok(()) } else { Err(misfit(builtin, args, result)) }
}

/// A type with arithmetic.
fn number(scalar: Scalar) -> bool {
    scalar.is_int() || scalar.is_float()
}

/// A type with bitwise operations.
fn bits(scalar: Scalar) -> bool {
    scalar.is_int() || scalar == Scalar::Bool
}

/// Rust's `as`; halves convert to and from the floats alone, so that each conversion rounds once.
fn casts(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        (Scalar::Bool, _) => bits(to),
        (_, Scalar::Bool) => false,
        _ if from.is_half() || to.is_half() => from.is_float() || to.is_float() || from == to,
        _ => true,
    }
}

fn misfit(builtin: Builtin, args: &[Scalar], result: Scalar) -> Misfit {
    let args: Vec<&str> = args.iter().map(|a| a.name()).collect();
    Misfit(format!("{builtin:?} does not take ({}) to give {}", args.join(", "), result.name()))
}
