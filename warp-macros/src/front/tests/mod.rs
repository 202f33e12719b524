//! Kernels from source through the whole front end, run by the evaluator and compared with Rust's own results.

mod agree;
mod cases;
mod control;
mod derivatives;
mod every_derivative;
mod examples;
mod functions;
mod gradients;
mod harness;
mod iterators;
mod memory;
mod mixed;
mod mutated;
mod noise;
mod numbers;
mod odd;
mod order;
mod parts;
mod patterns;
mod planted;
mod references;
mod refusals;
mod statements;
mod tangent;
mod values;
mod zeros;
