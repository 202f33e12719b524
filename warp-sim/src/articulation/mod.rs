//! Trees of joints and bodies: where coordinates put bodies, what moves them, how heavy they are along each joint.
//!
//! All of it is differentiable: what a tape records here has gradients back to coordinates, speeds and the model's parameters.

mod coordinates;
mod efforts;
mod energy;
mod jacobian;
mod kinematics;
mod mass_matrix;
pub(crate) mod motion;
pub(crate) mod walk;

pub use self::coordinates::joint_coordinates;
pub use self::efforts::{bias, gravity_effort, inverse_dynamics};
pub use self::energy::{Energy, energy};
pub use self::jacobian::jacobian;
pub use self::kinematics::forward_kinematics;
pub use self::mass_matrix::mass_matrix;

pub(crate) use self::efforts::{DofStrides, find_efforts};
pub(crate) use self::kinematics::place_bodies;
pub(crate) use self::mass_matrix::find_pairs;
pub(crate) use self::motion::{At, Motion, Scratch, find_motions};
