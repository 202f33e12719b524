//! `println!` in a kernel: the site is data, the thread records argument bits, the host formats.

use serde::{Deserialize, Serialize};

use super::Scalar;

/// A print site, by position in [`Function::prints`](super::Function::prints).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PrintId(pub u32);

/// One `println!` or `print!`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct PrintSite {
    /// Text and arguments in order; composite arguments are already taken apart into text and scalars.
    pub pieces: Vec<PrintPiece>,
    /// Whether a line end follows.
    pub newline: bool,
}

/// A piece of a print site.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum PrintPiece {
    /// Literal text.
    Text(String),
    /// The next argument.
    Arg {
        /// Its type.
        scalar: Scalar,
        /// What stands after the colon in Rust's format string: ``, `?`, `.3`, `>8`, `08x`.
        spec: String,
    },
}
