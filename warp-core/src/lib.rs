//! The runtime words of warp-kernel: devices, arrays, typed launches, faults.
//!
//! Users depend on the facade, the package `warp-kernel`, which re-exports all of this as `warp`.
#![deny(missing_docs)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod adjoint;
pub mod argument;
pub mod array;
pub mod backend;
pub mod device;
pub mod dump;
pub mod element;
pub mod error;
#[doc(hidden)]
pub mod faces;
pub mod fault;
pub mod format;
pub mod forward;
pub mod grad_check;
pub mod graph;
pub mod host;
pub mod kernel;
mod late;
pub mod launch;
pub mod layout;
pub mod math;
mod meaning;
pub mod number;
pub mod optim;
mod order;
pub mod prelude;
pub mod print;
pub mod profile;
mod program;
mod ptx;
mod recursion;
pub mod stream;
pub mod tape;

extern crate self as warp;

pub use array::{Array, Dims, Loan, ReadGuard, Refused, Slice, SliceMut, SoaArray, WriteGuard};
pub use device::{Device, MemoryUse};
pub use element::{Element, Zeroed};
pub use error::Error;
#[doc(hidden)]
pub use faces::*;
pub use fault::{Fault, FaultKind};
pub use forward::{Tangents, hvp};
pub use grad_check::{GradCheck, GradReport, grad_check};
pub use graph::Graph;
pub use host::atomic::*;
pub use host::detach::detach;
pub use host::planes::Soa;
pub use host::thread::{tid, tid2, tid3, tid4};
pub use host::view::{View2, View3, View4, ViewMut2, ViewMut3, ViewMut4};
pub use kernel::Kernel;
pub use launch::Options;
pub use math::*;
pub use number::{Float, Int, Scalar};
pub use print::{PRINT_LIMIT, capture_output};
pub use profile::{KernelTime, Profile, profile};
pub use stream::{Event, Priority, Stream};
pub use tape::{Tape, TapeError, record_fn};
pub use warp_macros::{Args, Struct, func, kernel, methods};
