//! Parts of command lines that several examples share.

use clap::builder::RangedU64ValueParser;

/// A number of things: at least one, at most `most`.
pub fn count(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

/// Threads that this process may use.
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
