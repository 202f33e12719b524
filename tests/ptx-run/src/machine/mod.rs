//! Runs entries: launches, blocks, threads, and the memory that they see.

mod barrier;
mod block;
mod bytes;
mod constant;
mod frame;
mod launch;
mod space;
mod step;
mod thread;
mod warp;

pub use launch::{Config, Grid, Machine};
