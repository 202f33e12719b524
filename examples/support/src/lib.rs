//! What the examples share besides kernels: inputs, timing, result lines, pictures, point files.
//!
//! Nothing here knows the kernel language: each example's kernel and launches are its own.

pub mod chart;
pub mod check;
pub mod color;
pub mod failure;
pub mod options;
pub mod output;
pub mod picture;
pub mod points;
pub mod progress;
pub mod random;
pub mod report;
pub mod timing;
pub mod workload;
