//! The text form of the IR: for dumps, for people, and for tests, which read it back.
//!
//! Entities print as they are written: `v3`, `array0`, `local0`, `table0`, `source0`, `print0`, `callee0`. One op stands
//! on a line, nested regions are indented, and the user's source follows as a comment.
//!
//! ```text
//! kernel "halve" rank 1
//! array0 "a": write elements rank 1 [f32]
//! source0 "src/main.rs" 4 9 "a[i]"
//! spans
//! body {
//!   v0: u64 = tid 0
//!   v1: u64 = extent array0 0
//!   v2: bool = lt v0, v1
//!   check v2 index array0 0 (v0, v1) source0 // src/main.rs:4 `a[i]`
//!   v3@0: f32 = load array0[v0].0 // src/main.rs:4 `a[i]`
//!   v4: f32 = const 0.5
//!   v5: f32 = mul v3, v4
//!   store array0[v0].0 = v5
//! }
//! ```
//!
//! [`parse_kernel`] gives back exactly what [`print_kernel`] printed, value numbers and spans included.

mod literal;
mod names;
mod parse;
mod parse_op;
mod print;
mod print_op;
mod scan;

pub use parse::{ParseError, TextError, parse, parse_kernel, read, read_kernel};
pub use print::{print, print_kernel};
pub(crate) use print_op::first_line;
