//! What can go wrong: in a text, and while it runs.

use std::error::Error;
use std::fmt;

/// Why a text is no module that this interpreter can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The line in the text, counted from 1.
    pub line: usize,
    /// What is wrong there, as a sentence.
    pub message: String,
}

impl ParseError {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PTX line {}: {}", self.line, self.message)
    }
}

impl Error for ParseError {}

/// One thread of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThreadId {
    /// Which block of the grid: x, y and z.
    pub block: [u32; 3],
    /// Which thread of the block: x, y and z.
    pub thread: [u32; 3],
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([bx, by, bz], [x, y, z]) = (self.block, self.thread);
        write!(f, "thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz})")
    }
}

/// Why a launch stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line of the instruction in the text, counted from 1; none where the launch itself was wrong.
    pub line: Option<usize>,
    /// The thread that met it; none where it is the matter of a whole block or launch.
    pub thread: Option<ThreadId>,
    /// What happened, as a sentence.
    pub message: String,
}

impl Fault {
    /// A launch that cannot begin.
    pub(crate) fn of_launch(message: impl Into<String>) -> Self {
        Self { line: None, thread: None, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "PTX line {line}: ")?;
        }
        if let Some(thread) = self.thread {
            write!(f, "{thread}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl Error for Fault {}
