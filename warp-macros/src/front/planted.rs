//! Planted bugs: mistakes that lowering makes on request, so that tests can show that the tests of the front end find
//! them. Outside of those tests [`is`] is a constant.

/// A mistake that can be asked for. The name says where and what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(test), allow(dead_code))]
pub(crate) enum Bug {
    /// `x -= y` is `x = y - x`.
    CompoundSubtractsBackwards,
    /// `a..=b` ends before `b`.
    RangeLosesLastTurn,
    /// `continue` is `break`.
    ContinueBreaks,
    /// Fields behind a nested struct stand one scalar too early.
    FieldForgetsNestedScalar,
    /// `a && b` and `a || b` always run `b`.
    LogicRunsBothSides,
    /// What stands behind `if .. { return; }` runs although control has left.
    GuardForgetsReturn,
    /// `iter.rev()` starts at the first item.
    ReversedStartsInFront,
    /// `for x in a` walks over copies, also where `a` is a `&mut`.
    LoopCopiesReferences,
    /// `&mut x` of a pattern names the place instead of copying what stands there.
    PatternNamesCopies,
    /// What a function does to a slice that it is given is forgotten in loops.
    LoopForgetsHandedSlices,
}

#[cfg(test)]
thread_local! {
    static PLANTED: std::cell::Cell<Option<Bug>> = const { std::cell::Cell::new(None) };
}

/// Plants a bug for this thread, or none.
#[cfg(test)]
pub(crate) fn set(bug: Option<Bug>) {
    PLANTED.set(bug);
}

/// Whether this bug is planted in this thread.
#[cfg(test)]
pub(crate) fn is(bug: Bug) -> bool {
    PLANTED.get() == Some(bug)
}

/// Whether this bug is planted: never, outside of tests.
#[cfg(not(test))]
#[inline(always)]
pub(crate) const fn is(_bug: Bug) -> bool {
    false
}
