//! Reference semantics: what each builtin computes, and (soon) a plain interpreter of kernels.

mod pure;

pub use pure::apply;
