//! What a `Check` guards, and so what its report says.

use serde::{Deserialize, Serialize};

use super::{Mem, PrintPiece};

/// The kind of a fault. Operands of the `Check` are the values that the report prints.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CheckKind {
    /// An index within its dimension. Operands: index, extent (both `U64`).
    Index {
        /// The memory that is indexed.
        mem: Mem,
        /// The dimension, 0 first.
        dim: u8,
    },
    /// The range of a sub-slice: `start <= end <= length`. Operands: start, end, length (`U64`).
    SliceRange {
        /// The memory that is cut.
        mem: Mem,
    },
    /// A divisor other than zero. No operands.
    DivideByZero,
    /// A division that does not overflow (`MIN / -1`). No operands.
    DivideOverflow,
    /// Ordered bounds of `clamp`, none of them NaN. Operands: low, high.
    ClampBounds,
    /// A `step_by` other than zero. No operands.
    StepZero,
    /// `unwrap` or `expect` of a value that is there.
    Unwrap {
        /// What `expect` says; empty for `unwrap`.
        message: String,
    },
    /// `assert!` and its relatives; also `panic!` and `unreachable!`, whose condition is the constant `false`. Operands:
    /// the arguments of the message.
    Assert {
        /// The user's message, or the source text of the condition.
        message: Vec<PrintPiece>,
    },
}
