//! What instructions compute, as pure functions on the bits of registers.
//!
//! A register holds its bits in the low end of 64, zeros above. Each module has functions that look up the function
//! for a type, none where the language has no such form.

pub(crate) mod approximate;
pub(crate) mod bits;
pub(crate) mod carry;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod soft;
mod word;

/// A function of one operand.
pub(crate) type Unary = fn(u64) -> u64;
/// A function of two operands.
pub(crate) type Binary = fn(u64, u64) -> u64;
/// A function of three operands.
pub(crate) type Ternary = fn(u64, u64, u64) -> u64;
/// A question to two operands.
pub(crate) type Test = fn(u64, u64) -> bool;
