//! Trees of joints and bodies: where coordinates put bodies, what moves them, how heavy they are along each joint.
//!
//! All of it is differentiable: what a tape records here has gradients back to coordinates, speeds and the model's parameters.

mod kinematics;
mod walk;

pub use self::kinematics::forward_kinematics;
pub(crate) use self::kinematics::place_bodies;
