//! Nothing: the crate holds tests alone.
