//! Emitters: text of a kernel for devices that compile text.

pub mod ptx;
