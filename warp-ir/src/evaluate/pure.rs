//! What each builtin computes, on bits: the host meaning of its row.

use crate::builtins::Builtin;
use crate::ir::Scalar;

/// The result bits of a builtin, or `None` where it is undefined (integer division by zero, `MIN / -1`) or the types do
/// not fit its signature.
///
/// `operand` is the type of the last argument (all but the condition of a select have it, and rotation amounts, whose
/// result type serves instead); `result` is the type of the result.
pub fn apply(builtin: Builtin, operand: Scalar, args: &[u64], result: Scalar) -> Option<u64> {
    let types: &[Scalar] = match builtin {
        Builtin::Select => &[Scalar::Bool, operand, operand],
        Builtin::RotateLeft | Builtin::RotateRight => &[result, Scalar::U32],
        _ => &[operand; 3][..args.len().min(3)],
    };
    builtin.eval(types, result, args)
}
