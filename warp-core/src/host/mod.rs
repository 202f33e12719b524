//! Kernels as plain Rust on the host: what their functions see there.

pub mod arguments;
pub mod atomic;
pub mod detach;
pub mod plain;
pub mod planes;
pub mod thread;
pub mod view;
