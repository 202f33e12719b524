//! Kernels from source through the whole front end, run by the evaluator and compared with Rust's own results.

mod agree;
mod cases;
mod control;
mod functions;
mod harness;
mod mixed;
mod numbers;
mod refusals;
mod values;
