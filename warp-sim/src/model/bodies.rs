//! Bodies as kernels get them.

use warp::math::{Mat3, Vec3};
use warp::prelude::*;

use super::Model;

/// What a model knows of its bodies.
#[derive(Args)]
pub(crate) struct Bodies<'a> {
    pub mass: &'a [f32],
    pub com: &'a [Vec3],
    pub inertia: &'a [Mat3],
    pub gravity_scale: &'a [f32],
    pub kinematic: &'a [u32],
    pub gravity: &'a [Vec3],
    /// The world of each body.
    pub world: &'a [u32],
    /// The joint of each body of a row, or none.
    pub joint: &'a [u32],
    pub strides: BodyStrides,
}

/// How far apart the parameters of neighbouring worlds are, and their bodies.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(crate) struct BodyStrides {
    pub mass: u32,
    pub com: u32,
    pub inertia: u32,
    pub gravity_scale: u32,
    pub kinematic: u32,
    pub bodies: u32,
}

impl BodyStrides {
    /// Whether all worlds share all parameters.
    pub fn are_shared(&self) -> bool {
        [self.mass, self.com, self.inertia, self.gravity_scale, self.kinematic] == [0; 5]
    }
}

impl Model {
    pub(crate) fn bodies_args(&self) -> BodiesArrays<'_> {
        BodiesArrays {
            mass: self.body_mass.array(),
            com: self.body_com.array(),
            inertia: self.body_inertia.array(),
            gravity_scale: self.body_gravity_scale.array(),
            kinematic: self.body_kinematic.array(),
            gravity: &self.gravity,
            world: &self.worlds.body_world,
            joint: &self.joints.of_body,
            strides: BodyStrides {
                mass: self.body_mass.stride(),
                com: self.body_com.stride(),
                inertia: self.body_inertia.stride(),
                gravity_scale: self.body_gravity_scale.stride(),
                kinematic: self.body_kinematic.stride(),
                bodies: self.worlds.bodies.grid().1 as u32,
            },
        }
    }
}
