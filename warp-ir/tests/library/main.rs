//! The library against glam and Rust's own methods.

mod host;
mod index;
mod integers;
mod masks;
mod matrices;
mod quaternions;
mod same;
mod scalars;
mod vectors;
