//! The library in kernels: every launch gives the bits that the same kernel gives as plain Rust.

mod agree;
mod examples;
mod floats;
mod forms;
mod geometry;
mod integers;
mod matrices;
mod noise;
mod orders;
mod own;
mod random;
mod references;
mod rotations;
mod sequences;
mod single;
mod vectors;
