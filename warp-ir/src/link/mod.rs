//! Linking: a function and all that it calls become one function without calls.
//!
//! Each op of the result is copied exactly once, however deep the calls, so linking is linear in its result.

mod derivative;
mod error;
mod inline;

pub use derivative::DERIVATIVE_READS;
pub use error::LinkError;

use crate::ir::Function;

/// How deep calls may nest.
pub const DEPTH_LIMIT: usize = 40;

/// How many ops a linked function may have unless the caller says otherwise.
pub const OP_LIMIT: usize = 200_000;

/// A function without calls.
#[derive(Clone, PartialEq, Debug)]
pub struct Linked {
    /// The function.
    pub function: Function,
    /// Where its slots come from, in the order of their numbers. The root's own are first.
    pub slots: Vec<SlotBlock>,
}

/// The slots that one definition brought along. Calling it many times brings them once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotBlock {
    /// Identity of the definition; empty for the root.
    pub id: String,
    /// The first call that reached it: positions in `callees`, from the root's downwards.
    pub path: Vec<u32>,
    /// Number of its first slot in the linked function.
    pub base: u32,
    /// How many there are.
    pub count: u32,
}

/// Inlines all calls of `root`. `lookup` finds a function by the identity that callers know it by.
pub fn link<'a>(root: &'a Function, lookup: impl Fn(&str) -> Option<&'a Function>) -> Result<Linked, LinkError> {
    link_within(root, lookup, OP_LIMIT)
}

/// [`link`] with a limit on the ops of the result.
pub fn link_within<'a>(
    root: &'a Function,
    lookup: impl Fn(&str) -> Option<&'a Function>,
    op_limit: usize,
) -> Result<Linked, LinkError> {
    inline::Inliner::new(root, &lookup, op_limit, false).run()
}

/// [`link`] for a kernel without a gradient: the derivatives that functions have of their own are left out.
pub fn link_plain<'a>(root: &'a Function, lookup: impl Fn(&str) -> Option<&'a Function>) -> Result<Linked, LinkError> {
    inline::Inliner::new(root, &lookup, OP_LIMIT, true).run()
}

#[cfg(test)]
mod tests;
