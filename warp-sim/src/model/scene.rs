//! What stands in one world, as it was described: plain values in double precision.

use warp::math::{DQuat, DSpatialInertia, DTransform, DVec3};

use super::joint::{Dof, JointKind};
use super::label::Labels;
use crate::geometry::Shape;

/// The things of one world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub bodies: Vec<Body>,
    pub body_labels: Labels,
    /// Each with the body that it is on.
    pub shapes: Vec<(u32, Shape)>,
    pub shape_labels: Labels,
    pub particles: Vec<Particle>,
    pub particle_labels: Labels,
    pub springs: Vec<Spring>,
    pub joints: Vec<Joint>,
    pub joint_labels: Labels,
    /// Bodies whose shapes do not touch each other; none is the world.
    pub excluded: Vec<[Option<u32>; 2]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// The link frame in the world.
    pub pose: DTransform,
    /// Of the centre of mass, along the world's axes.
    pub linear: DVec3,
    pub angular: DVec3,
    /// In place of what the shapes give, in the link frame.
    pub inertia: Option<DSpatialInertia>,
    /// What the shapes' mass is scaled to.
    pub mass: Option<f64>,
    pub kinematic: bool,
    pub gravity_scale: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Particle {
    pub position: DVec3,
    pub velocity: DVec3,
    /// None for one that no force moves.
    pub mass: Option<f64>,
    pub radius: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Spring {
    pub ends: [u32; 2],
    /// None for the distance of its ends as they are described.
    pub rest: Option<f64>,
    pub stiffness: f64,
    pub damping: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub kind: JointKind,
    /// None for the world.
    pub parent: Option<u32>,
    pub child: u32,
    /// Where it is in the world as described, if not where its child is.
    pub at: Option<DVec3>,
    pub parent_anchor: Option<DTransform>,
    pub child_anchor: Option<DTransform>,
    pub dofs: Vec<Dof>,
    /// Of a ball joint at the start.
    pub rotation: DQuat,
    /// The most that a ball joint leans and twists.
    pub cone: f64,
    pub twist: f64,
    pub mimic: Option<Mimic>,
}

/// Ties the only coordinate of a joint to that of another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mimic {
    pub leader: u32,
    pub ratio: f64,
    pub offset: f64,
}

impl Scene {
    /// The inertia that a body has in the end, in the link frame, about its own centre of mass.
    pub fn inertia_of(&self, number: usize) -> DSpatialInertia {
        let body = &self.bodies[number];
        if let Some(inertia) = body.inertia {
            return inertia;
        }
        let shapes = self.shapes.iter().filter(|(on, _)| *on as usize == number);
        let nothing = DSpatialInertia::from_point(0.0, DVec3::ZERO);
        let all = shapes.fold(nothing, |sum, (_, shape)| sum + shape.mass_properties());
        match body.mass {
            Some(mass) if all.mass > 0.0 => {
                DSpatialInertia { mass, com: all.com, inertia: all.inertia * (mass / all.mass) }
            }
            _ => all,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.particles.is_empty()
    }
}
