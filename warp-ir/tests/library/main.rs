//! The library against glam and Rust's own methods.

mod glam_names;
mod host;
mod index;
mod integers;
mod masks;
mod matrices;
mod quaternions;
mod reference;
mod rotations;
mod same;
mod scalars;
mod vectors;
mod warp_names;
