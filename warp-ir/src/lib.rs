//! The kernel compiler: one small IR, its builtins, passes and emitters. Pure: no I/O, no syn, no code generator.
//!
//! # What the IR means
//!
//! A [`Function`](ir::Function) is structured, typed SSA over **scalars**. Composite values (vectors, structs,
//! tuples, options) are taken apart before they get here; only memory keeps layout, as a list of scalar *leaves*.
//!
//! * **Threads.** A kernel runs once for each point of its launch grid. Threads share nothing but arrays, and run in
//!   any order, at the same time or not.
//! * **Evaluation.** The ops of a region run in order. An op is either *pure* (its results depend on its operands
//!   alone) or an *effect*: `Load`, `Store`, `Fill`, `Atomic`, `Print`, `Check`. Effects happen in order of position.
//! * **Regions.** `If` runs one of two regions; `Loop` evaluates its condition region, then its body, and again, with
//!   carried values as region parameters. There is no other control flow: `break`, `continue` and `return` are
//!   carried flags. A value is visible after its definition in its own region and in regions nested there.
//!   A condition region has no effects, and its values are not visible in the body.
//! * **Derivatives of the user's own.** `Custom` hands values on. Its region is no part of what a kernel does: only
//!   [`differentiate`] reads it. Backends never see one, since [`passes::specialize`] takes them out.
//! * **Checks.** A `Check` whose condition is false stops its thread for good and reports a fault. `Load`, `Store`,
//!   `Fill`, `Atomic` and integer division are themselves unchecked: they are defined only where a dominating `Check`
//!   (or a constant) makes them so. A pass may drop a check only when it proves it true, may not hoist it out of a
//!   branch or loop, and may not move it past a store, atomic or print.
//! * **Numbers.** Integer `+ - *` and negation wrap. Shift amounts are masked to the width. `Cast` is Rust's `as`.
//!   Floats follow IEEE 754 with round to nearest; the bits of a NaN are not specified. `Min`/`Max` on floats are
//!   IEEE `minimumNumber`/`maximumNumber` with -0 below +0.
//! * **Constants** of the user's crate are `Slot`s: the bits arrive in a table when the function is compiled.

pub mod abi;
pub mod builder;
pub mod builtins;
pub mod differentiate;
pub mod emit;
pub mod encode;
pub mod evaluate;
mod hash;
pub mod ir;
pub mod library;
pub mod link;
pub mod passes;
pub mod planted;
#[cfg(feature = "random")]
pub mod random;
pub mod sums;
pub mod text;
pub mod uniformity;
pub mod validate;
