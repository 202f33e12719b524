//! Random kernels as Rust source: made here, compiled by rustc, compared with the plain function and with numbers that
//! carry their error bound.

pub mod bounded;
pub mod generate;
pub mod program;
pub mod random;
pub mod text;
