//! Small kernels where a language for kernels goes wrong easily, with the values that Rust gives.

mod bundles;
mod comparisons;
mod faults;
mod launches;
mod lengths;
mod numbers;
mod prints;
mod scopes;
mod statements;
