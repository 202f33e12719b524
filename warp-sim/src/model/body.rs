//! Describes a body.

use warp::math::{DQuat, DSpatialInertia, DTransform, DVec3};

use super::builder::ModelBuilder;
use super::label::BodyId;
use super::scene::Body;
use crate::geometry::Shape;

impl Body {
    pub(super) fn new() -> Body {
        Body {
            pose: DTransform::IDENTITY,
            linear: DVec3::ZERO,
            angular: DVec3::ZERO,
            inertia: None,
            mass: None,
            kinematic: false,
            gravity_scale: 1.0,
        }
    }
}

/// Describes a body, one call after the other; [`id`](BodyBuilder::id) ends it.
///
/// A body is its link frame: shapes and the centre of mass have places in it.
#[derive(Debug)]
pub struct BodyBuilder<'a> {
    builder: &'a mut ModelBuilder,
    id: BodyId,
}

impl<'a> BodyBuilder<'a> {
    pub(super) fn new(builder: &'a mut ModelBuilder, id: BodyId) -> Self {
        BodyBuilder { builder, id }
    }

    fn described(self, describe: impl FnOnce(&mut Body)) -> Self {
        describe(&mut self.builder.scene.bodies[self.id.index()]);
        self
    }

    /// Puts the origin of its link frame there, in the world.
    pub fn at(self, position: impl Into<DVec3>) -> Self {
        self.described(|body| body.pose.p = position.into())
    }

    /// Turns its link frame, from its own axes to the world's.
    pub fn turned(self, rotation: impl Into<DQuat>) -> Self {
        self.described(|body| body.pose.q = rotation.into().normalize())
    }

    /// The velocity of its centre of mass at the start, along the world's axes, m/s.
    pub fn velocity(self, linear: impl Into<DVec3>) -> Self {
        self.described(|body| body.linear = linear.into())
    }

    /// Its angular velocity at the start, along the world's axes, rad/s.
    pub fn spin(self, angular: impl Into<DVec3>) -> Self {
        self.described(|body| body.angular = angular.into())
    }

    /// Gives it a shape. A body may have several; the masses of all add up.
    pub fn shape(self, shape: Shape) -> Self {
        self.builder.add_shape(self.id, shape);
        self
    }

    /// Scales what its shapes weigh together to this mass, kg, and their inertia with it.
    pub fn mass(self, mass: impl Into<f64>) -> Self {
        self.described(|body| body.mass = Some(mass.into()))
    }

    /// Its mass, its centre of mass in the link frame, and its inertia about that along the link's axes, in place of what
    /// its shapes would give.
    pub fn mass_properties(self, mass: impl Into<f64>, com: impl Into<DVec3>, inertia: warp::math::DMat3) -> Self {
        let inertia = DSpatialInertia::new(mass.into(), com.into(), inertia);
        self.described(|body| body.inertia = Some(inertia))
    }

    /// Makes it go on as its velocity says, whatever pulls at it: for a body that the program moves. It needs no mass.
    pub fn kinematic(self) -> Self {
        self.described(|body| body.kinematic = true)
    }

    /// How strongly gravity pulls at it: 1 unless said otherwise, 0 for a body that floats.
    pub fn gravity_scale(self, scale: impl Into<f64>) -> Self {
        self.described(|body| body.gravity_scale = scale.into())
    }

    /// What it is called by from now on.
    pub fn id(self) -> BodyId {
        self.id
    }
}
