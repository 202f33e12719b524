//! The validator: the only maker of [`Valid`], and so the gate that IR from bytes or text passes. It is a security
//! boundary: whatever it lets through, passes and backends may take at its word, and hostile input costs it no more
//! than time and memory in proportion to the input's size.
//!
//! # What `Valid<Function>` promises
//!
//! **Sizes** ([`limits`]): ops, values, nesting, array parameters, leaves, local arrays and tables are bounded.
//!
//! **Tables** (`tables.rs`)
//! 1. Array parameters have 1 to 4 dimensions; planes are one-dimensional and not strided.
//! 2. Local arrays and constant tables have elements; constants use only the bits of their type.
//! 3. `spans` is empty or as long as `values`; each span names an existing source.
//! 4. Print arguments have a type; parameters are distinct values.
//!
//! **Regions** (`region.rs`)
//! 5. A value is defined at most once, as parameter, by an op or by a region, and only used where its definition is
//!    visible: later in the same region, or in regions nested there.
//! 6. The body and the regions of `If` have no parameters. Yields match results, and carried values match inits,
//!    parameters of both regions, yields and results of a `Loop`, in number and type.
//! 7. A loop's condition region holds pure ops alone and yields one `Bool`. The region of a `Custom` takes adjoints of
//!    the floats among its results and yields those of what it is by, floats; in it stand no other `Custom`, no store or
//!    atomic to an array parameter, and no use of a local array that is used outside of such regions, or the other way
//!    round.
//!
//! **Ops** (`op.rs`)
//! 8. Handles (arrays, locals, tables, slots, sources, print sites, callees, dimensions, leaves) are in range.
//! 9. Operands and results of a builtin fit its signature; indices, extents, strides and coordinates are `U64`;
//!    conditions are `Bool`; loads, stores, fills and atomics have the leaf's type; an atomic's kind suits that type,
//!    and a compared value is there for `CompareExchange` alone.
//! 10. Stores and atomics go to `Access::Write` arrays or to local arrays.
//! 11. The operands of a check are those that its kind's report prints; print arguments fit the site.
//!
//! # What `Valid<Kernel>` promises beyond
//!
//! 12. Its rank is 1 to 4, coordinates are below it; it yields nothing and calls nothing. Its launch bounds are such that
//!     there are devices for them (`bounds.rs`).
//!
//! # What [`guarded`] shows beyond
//!
//! 13. Every `Load`, `Store` and `Atomic` is in range, every `Load` and `Atomic` of a local array finds contents, every
//!     `Table` index is below the table's length, and every integer `Div` and `Rem` is defined, by constants or by a
//!     dominating `Check`, by the condition of an enclosing `If` or `Loop`, or by that of a `Loop` that is over. This is a
//!     property of IR as it arrives: passes that drop checks which range facts prove come after it, inside a backend's own
//!     pipeline.
//!
//! # Not checked
//!
//! * Values that are defined and never used, and sources, sites, callees and slots that nothing names.
//! * Arguments of a call against the callee's signature: linking sees both, and validates what it made.
//! * That the words of a launch are what `abi` says, and that `Read` arrays are not written by another argument: launches
//!   promise it.

pub mod bounds;
mod custom;
mod error;
mod guard;
pub mod limits;
mod op;
mod region;
mod tables;

use std::ops::Deref;

use crate::ir::{Function, Kernel};

pub use error::Invalid;
pub use guard::guarded;
pub(crate) use guard::{Term, indices};

/// A function or kernel that holds what the head of [this module](self) lists.
#[derive(Clone, PartialEq, Debug)]
pub struct Valid<T>(T);

impl Valid<Function> {
    /// Checks a function, which may call others.
    pub fn new(function: Function) -> Result<Valid<Function>, Invalid> {
        region::check_function(&function, region::Role::Function)?;
        Ok(Valid(function))
    }
}

impl Valid<Kernel> {
    /// Checks a linked kernel.
    pub fn new(kernel: Kernel) -> Result<Valid<Kernel>, Invalid> {
        region::check_function(&kernel.function, region::Role::Kernel { rank: kernel.rank })?;
        bounds::check(&kernel.attributes).map_err(|message| {
            let function = kernel.function.name.clone();
            Invalid { function, op: String::new(), source: None, message }
        })?;
        Ok(Valid(kernel))
    }
}

impl<T> Valid<T> {
    /// Gives the data out, to change it; going back means another check.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Valid<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> AsRef<T> for Valid<T> {
    fn as_ref(&self) -> &T {
        &self.0
    }
}
