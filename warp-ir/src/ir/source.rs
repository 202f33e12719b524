//! Places in the user's source, kept in a side table so that moving code changes no op.

use serde::{Deserialize, Serialize};

/// A place in [`Function::sources`](super::Function::sources).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SourceId(pub u32);

/// A place in the user's source.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Source {
    /// Path of the file as rustc names it.
    pub file: String,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
    /// The source text of the expression, shortened to one line.
    pub text: String,
}
