//! A CUDA driver for tests on machines without a GPU: a library with the driver's functions, on an interpreter of PTX.
//!
//! A test opens it by `dlopen` as any program opens the real driver ([`Fake`] has a copy of its own, so that tests do not
//! see each other), and so runs the very code that runs on GPUs. It is strict where the real one may be lenient, or may
//! crash:
//!
//! * Work is done when somebody waits for it, in an order of streams that a seed shuffles; fresh memory holds odd bytes.
//! * A name of a dead object, a second free, a range beyond its memory, a wrong context, a call that a capture forbids,
//!   parameters of a wrong size: each is the driver's own code for it.
//! * What a kernel must not do poisons the context, and the code's words say which line of the PTX and which thread.
//! * Any call can be made to fail ([`Fake::fail_call`]), and any allocation ([`Fake::fail_allocation`]).
//! * [`Fake::live`] says what a program forgot.
//!
//! It does not know real times, limits of the driver's compiler, machine code, memory nodes of graphs, textures.
//!
//! Cargo builds the library as part of this package's library target, beside the program of the test that depends on it.
//! No test has to call cargo, and no path has to be known: what is tested is what was just built.

#[doc(hidden)]
pub mod code;
mod device;
mod entry;
mod hooks;
mod machine;
mod settings;
#[doc(hidden)]
#[allow(missing_docs)]
pub mod state;
mod test;

pub use state::counts::Live;
pub use test::Fake;
