//! Write simulation kernels as ordinary Rust functions; run them on every core.
