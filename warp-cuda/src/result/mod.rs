//! The driver's calls with their results returned. Nothing more: who calls them keeps the driver's rules.
//!
//! Calls that give back nothing are [`Table`](crate::sys::Table)'s own.

pub mod context;
pub mod device;
pub mod event;
pub mod graph;
pub mod memory;
pub mod module;
pub mod stream;
