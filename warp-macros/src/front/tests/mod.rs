//! Kernels from source through the whole front end, run by the evaluator and compared with Rust's own results.

mod cases;
mod harness;
