//! Random kernels as Rust source: made here, compiled by rustc, compared with the plain function and with numbers that
//! carry their error bound.

pub mod bounded;
pub mod data;
pub mod generate;
pub mod harness;
pub mod program;
pub mod random;
pub mod shared;
pub mod source;
pub mod text;
