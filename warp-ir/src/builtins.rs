//! The builtins: what a `Pure` op can compute. One row each; everything else about a builtin is derived from its row.

use serde::{Deserialize, Serialize};

/// A pure scalar operation.
///
/// Signatures: `S` any scalar with arithmetic (integers, F32, F64), `I` integer, `F` F32 or F64, `B` Bool.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Builtin {
    /// (S, S) -> S; integers wrap.
    Add,
    Sub,
    Mul,
    /// (S, S) -> S; integers truncate, and need a check against zero and overflow.
    Div,
    /// (S, S) -> S; sign of the dividend; exact on floats (`fmod`); integers as `Div`.
    Rem,
    /// S -> S; integers wrap.
    Neg,
    /// S -> S; `MIN` of an integer wraps to itself.
    Abs,
    /// (S, S) -> S; floats: IEEE minimumNumber, -0 < +0.
    Min,
    Max,
    /// (F, F, F) -> F: `a * b + c`, rounded once.
    Fma,
    /// F -> F, correctly rounded.
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// F -> F: nearest, ties away from zero.
    Round,
    /// F -> F: nearest, ties to even.
    RoundEven,
    /// (F, F) -> F: magnitude of the first, sign of the second.
    Copysign,
    /// (I or B, same) -> same.
    And,
    Or,
    Xor,
    /// I or B -> same.
    Not,
    /// (I, I same type) -> I; the amount is masked to the width.
    Shl,
    /// Arithmetic on signed types, logical on others.
    Shr,
    /// I -> U32.
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    /// I -> I.
    ReverseBits,
    SwapBytes,
    /// (I, U32) -> I; the amount is taken modulo the width.
    RotateLeft,
    RotateRight,
    /// (S or B, same) -> B. `Gt` and `Ge` are these with operands exchanged.
    Eq,
    Ne,
    Lt,
    Le,
    /// (B, T, T) -> T for any T.
    Select,
    /// any -> any, type of the result: Rust's `as`, also Bool -> integer, and to and from F16 and BF16
    /// (round to nearest even). Integer -> Bool is not a cast.
    Cast,
    /// any -> any of the same size: the bits unchanged.
    Bitcast,
}
