//! The data of the IR: types, functions, regions, ops. No behaviour beyond access.

mod array;
mod check;
mod depth;
mod function;
mod op;
mod print;
mod runs;
mod scalar;
mod source;

pub use array::{Access, ArrayId, ArrayParam, LocalArray, LocalId, Mem, Storage};
pub use check::CheckKind;
pub use function::{Attributes, Callee, CalleeId, Function, Kernel, Param, Value};
pub use op::{ArrayArg, AtomicKind, Op, Region, Shape};
pub use print::{PrintId, PrintPiece, PrintSite};
pub use scalar::Scalar;
pub use source::{Source, SourceId};
