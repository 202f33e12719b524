//! The safe layer over a driver that needs no GPU.

mod devices;
mod graphs;
mod kills;
mod library;
mod memory;
mod modules;
mod refusals;
mod rig;
mod streams;
