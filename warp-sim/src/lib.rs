//! The simulation library of warp-kernel: bodies, joints, springs and particles in many worlds at once, with gradients.
//!
//! It is `warp::sim` to users. A [`ModelBuilder`] describes a world in words; its [`Model`] holds the constants, a [`State`]
//! what changes, and a [`Solver`] writes the next state from the last. [`Stepper`] does that frame by frame:
//!
//! ```
//! use warp::prelude::*;
//! use warp::sim::{ModelBuilder, SemiImplicit, Shape, Stepper};
//!
//! let mut b = ModelBuilder::new();
//! b.body("box").at([0.0, 0.0, 2.0]).spin([0.2, 5.0, 0.0]).shape(Shape::cuboid([0.1, 0.2, 0.3])).id();
//! let model = b.replicate(8).finalize(&Device::cpu())?;
//! let mut sim = Stepper::new(&model, SemiImplicit::new(&model)?)?;
//! let before = model.measure(&sim.state)?[0].energy();
//! for _ in 0..100 {
//!     sim.step(1e-3)?;
//! }
//! let after = model.measure(&sim.state)?[0].energy();
//! assert!((after / before - 1.0).abs() < 1e-3);
//! # Ok::<(), warp::sim::Error>(())
//! ```
//!
//! Metres, kilograms, seconds and radians; z up; quaternions as x, y, z, w; velocities of the centre of mass along the
//! world's axes. `docs/sim-conventions.md` has all of them.
//!
//! # What each solver does
//!
//! | | [`SemiImplicit`] | [`Featherstone`] |
//! |---|---|---|
//! | bodies, free and kinematic | yes | yes |
//! | particles, springs | yes | yes |
//! | joints, with drives, limits, friction, followers | - | yes, up to 64 degrees of freedom a tree |
//! | gradients | all | all, with what acts at a moment as it is |
//!
//! A solver refuses what it does not do, by name ([`Solver::supports`]).
#![deny(missing_docs)]

extern crate warp_core as warp;

pub mod articulation;
mod error;
pub mod geometry;
pub mod ik;
pub mod import;
pub mod model;
pub mod record;
mod rollout;
pub mod solver;
mod stepper;

pub use error::Error;
pub use geometry::{Axis, Geometry, Material, Mesh, MeshError, Shape};
pub use model::{
    BodyBuilder, BodyId, Control, Dof, JointBuilder, JointId, JointKind, Measures, Model, ModelBuilder, ModelError,
    Parameter, ParticleBuilder, ParticleId, SpringBuilder, SpringId, State,
};
pub use rollout::Rollout;
pub use solver::{Featherstone, SemiImplicit, Solver, Unsupported};
pub use stepper::Stepper;
