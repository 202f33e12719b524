//! Why IR was turned away.

use std::fmt;

use crate::ir::Source;

/// IR that breaks a rule of the validator. In a program that only the macros built, it means a mistake of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// Name of the function or kernel.
    pub function: String,
    /// The op at fault in the text form, its first line; empty when the fault lies in the tables.
    pub op: String,
    /// Where the op comes from, when known.
    pub source: Option<Box<Source>>,
    /// The rule that it breaks.
    pub message: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid IR in `{}`", self.function)?;
        if !self.op.is_empty() {
            write!(f, ", at `{}`", self.op)?;
        }
        if let Some(source) = &self.source {
            write!(f, " ({}:{}: `{}`)", source.file, source.line, source.text)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Invalid {}
