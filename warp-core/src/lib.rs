//! The runtime words of warp-kernel: devices, arrays, typed launches, faults.

pub mod backend;
