//! What can go wrong with a file, and what a reader should know of it.

use std::fmt;

use thiserror::Error;

/// Why a robot or scene file could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file is not there, or not to be read.
    #[error("the file {file} cannot be read: {why}")]
    File {
        /// Its path.
        file: String,
        /// What the system says.
        why: String,
    },
    /// The file is no XML.
    #[error("{file}, line {line}: {what}")]
    Malformed {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// An element says something that cannot be.
    #[error("{file}, line {line}: {element}: {what}")]
    Wrong {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The element.
        element: String,
        /// What is wrong with it.
        what: String,
    },
    /// An element would change how the model moves, and is not supported.
    #[error(
        "{file}, line {line}: {element}: {what} is not supported, and without it the model would move in another way. `Importer::leave_out(true)` leaves such parts out, with a warning for each"
    )]
    Unsupported {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The element.
        element: String,
        /// What it would do.
        what: String,
    },
    /// A file of triangles that cannot be read.
    #[error("the mesh file {file} cannot be read: {why}")]
    Mesh {
        /// The file.
        file: String,
        /// What is wrong.
        why: String,
    },
}

/// Something in a file that was left out, or mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The element.
    pub element: String,
    /// What was done, and why.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}: {}", self.file, self.line, self.element, self.text)
    }
}
