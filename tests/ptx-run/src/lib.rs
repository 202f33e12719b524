//! An interpreter of PTX for tests on machines without a GPU.
//!
//! [`Module::parse`] reads a text and checks it about as strictly as the assembler does; [`Machine::launch`] runs an
//! entry over a grid of threads, against memory that the caller owns ([`Memory`]), and counts what ran. What is not
//! handled is refused with its line in the text, never guessed at.
//!
//! The assembler does not see a register that is read before it is written, a wrong state space, a misaligned access,
//! an access out of bounds, a missing barrier or a write to what `ld.global.nc` reads in the same launch; running does,
//! and each is a [`Fault`] with line and thread.
//!
//! What the interpreter decides where the manual leaves freedom:
//! * Threads run one by one in turns, blocks one after another. A seed shuffles the order of both and the length of turns.
//! * A NaN that `f32` arithmetic makes is `0x7fffffff`, as on the hardware; of `f64`, `0x7ff8000000000000`.
//! * A barrier waits for all threads of the block. Those that have exited never come: that is reported, not passed over.
//! * What the threads of a warp do together happens when all threads of the mask that have not exited are at that very
//!   instruction. Threads are active together where they are at the same `activemask` and no thread can run.
//! * Arithmetic without a rounding modifier rounds to nearest even and is never fused.
//! * `.approx` results are computed in `f64` and rounded: closer than the hardware's, so compare with a tolerance.
//! * Integer division by zero gives all ones, for quotient and remainder, as what the assembler makes of it does.
//! * `atom.add.f32` in global memory flushes subnormal numbers to zero, as the hardware does; in shared memory it does not.
//! * Fresh registers, shared memory and local memory hold nothing: reading what was never written is a fault. `selp`
//!   alone hands it on, since compilers select between a value and nothing where the result is not used.

mod arithmetic;
mod code;
mod counts;
mod decode;
mod error;
mod machine;
mod memory;
mod module;
mod random;
mod text;
mod types;

pub use counts::{Accesses, Counts};
pub use error::{Fault, ParseError, ThreadId};
pub use machine::{Config, Grid, Machine};
pub use memory::{Memory, SimpleMemory};
pub use module::{Entry, Global, Module, Param};
