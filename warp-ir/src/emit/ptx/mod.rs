//! PTX: the text that NVIDIA's driver compiles.

pub mod abi;

use crate::ir::{CheckKind, PrintSite, Scalar, Source};

/// An emitted kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// The text.
    pub text: String,
    /// The entries, the best first; the last one is right for every launch.
    pub entries: Vec<abi::Entry>,
    /// Where the words of a launch lie.
    pub words: abi::LaunchWords,
    /// The fault block that the entries write.
    pub fault: abi::FaultBlock,
    /// The checks, by number.
    pub sites: Vec<Site>,
    /// The print sites, by number. A kernel without any needs no print ring.
    pub prints: Vec<PrintSite>,
    /// Where user constants that are not known yet have to be put into the text.
    pub slots: Vec<Hole>,
    /// For each line of the text, from the first, the place in the user's source that it comes from.
    pub lines: Vec<Option<Source>>,
}

/// The place of a user constant in the text: as many hexadecimal digits as its bits take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// Position of the first digit in the text, in bytes.
    pub at: usize,
    /// Digits: 2, 4, 8 or 16.
    pub digits: usize,
    /// The user's constant, by slot number.
    pub slot: u32,
}

/// A check of an emitted kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// What it guards; `Mem` refers to the kernel that was given.
    pub kind: CheckKind,
    /// The user's expression.
    pub source: Source,
    /// Types of its operands.
    pub operands: Vec<Scalar>,
}
