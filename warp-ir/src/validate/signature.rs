//! Which operand and result types a builtin takes: what its row says.

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
    builtin.row().check(args, result).map_err(Misfit)
}
