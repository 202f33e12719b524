//! Looks for nothing: the crate `libcuda-at-run-time` has the driver's functions, and cust's build scripts use nothing else.

/// Would tell rustc where libcuda lies, and to link with it.
pub fn include_cuda() {}
