//! The transcendental functions: each a list of operations over [`Value`](super::value::Value), for F32 and F64, over
//! the whole range.
//!
//! An argument is first reduced to a small interval, a polynomial serves there, and the result is put together so that
//! the last rounding is nearly the only one that counts. Pairs of floats carry what a single one would drop. What
//! seldom happens, as huge arguments, stands in `rarely`. Polynomials come from `coefficients.rs`, which
//! `warp-ir/references/coefficients.py` makes.

mod angle;
pub(super) mod arc;
pub(super) mod error_function;
pub(super) mod exponential;
mod format;
pub(super) mod hyperbolic;
pub(super) mod logarithm;
mod polynomial;
pub(super) mod power;
pub(super) mod trigonometry;
