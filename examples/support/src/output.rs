//! What an example prints.

use std::fmt::Display;
use std::io::{self, Write};

use crate::failure::Failure;

/// Prints a line on standard output. `println!` panics where nobody reads on, or where a disk is full; this is an error.
pub fn line(text: impl Display) -> Result<(), Failure> {
    writeln!(io::stdout(), "{text}").map_err(|e| Failure(format!("Standard output cannot be written: {e}.")))
}
