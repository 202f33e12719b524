//! The CPU backend of warp-kernel: kernels become native code through Cranelift and run on all cores.
//!
//! `lower` turns a kernel into CLIF with the loop over threads inside the compiled function, `jit` makes machine code
//! of it, one for single threads and one for groups of them in the lanes of vectors; `form` runs the passes and keeps the
//! variants, `program` chooses one for each launch, and `run` and `pool` spread its threads over the cores.
//!
//! * The bits of a result do not depend on the number of cores or on how a launch is cut into chunks, but for sums of floats
//!   by atomics. Where threads add often enough, a launch on several cores is cut into as many stretches, which add into
//!   memory of their own, each in the order of its threads, and come together in order (`sums`). Other kernels with such sums
//!   run on one core on machines with few cores (a plain addition costs an eighth of an atomic one), in the order of
//!   threads; on machines with many they run in parallel, and their sums depend on the order in which threads arrive.
//!   Whether a launch with such sums is cut is decided by an estimate, not by what was measured, so that it is the same in
//!   each run.
//! * A deterministic launch has stretches whose number does not depend on the machine, or runs on one core in the order of
//!   threads, and in lanes only where these keep it.
//! * Threads run in the lanes of vectors where that is estimated to be faster, and where they leave loops at different
//!   turns, where it is measured to be (`trial`). `WARP_CPU=scalar` has each run for itself, `WARP_CPU=spmd` has them run in
//!   lanes wherever the kernel can be lowered that way; the results are the same, but for the order in which floats are
//!   added in arms of branches, in loops, and at several places of a kernel.
//! * A launch saves the floating-point environment of each machine thread that takes part, runs in the default one
//!   (round to nearest, no flushing of denormals), and puts it back.

mod context;
mod cost;
mod device;
mod fault;
mod float_env;
mod form;
mod halves;
mod jit;
mod lower;
mod pool;
mod program;
mod run;
mod runtime;
mod sums;
mod trial;
mod weight;

pub use device::Cpu;
