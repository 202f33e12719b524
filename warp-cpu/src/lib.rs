//! The CPU backend: Cranelift code, a thread pool.
