//! Shapes of bodies.

use std::sync::Arc;

use warp::math::{DQuat, DSpatialInertia, DTransform, DVec3};

use super::{Mesh, MeshError};

/// A shape that a body has, or that stands still in the world: what it looks like, where it sits, of what it is made.
///
/// Lengths are metres, in the frame of the body that it is given to. Its mass counts towards the body's: volume times
/// `density`, 1000 kg/m³ unless said otherwise.
///
/// ```
/// use warp::sim::{Axis, Shape};
///
/// let arm = Shape::capsule(0.05, 0.3).along(Axis::X).at([0.3, 0.0, 0.0]).density(700.0);
/// let tank = Shape::cylinder(0.4, 0.5).hollow(0.004).density(7850.0);
/// assert!(arm.mass_properties().mass > 0.0 && tank.mass_properties().mass < 200.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// What it looks like.
    pub geometry: Geometry,
    /// Its frame in the body's.
    pub pose: DTransform,
    /// kg/m³; zero for a shape without mass.
    pub density: f64,
    /// Thickness of its wall in metres, or none where it is solid.
    pub wall: Option<f64>,
    /// How it touches others.
    pub material: Material,
    /// The groups that it is a member of, and those with whose members it may touch, a bit for each. Two shapes touch where one
    /// is a member of a group in the other's mask, or the other way round.
    pub member: u32,
    /// See [`member`](Shape::member).
    pub mask: u32,
    /// How far outside of its surface it touches, m.
    pub margin: f64,
    /// Its name; empty for one that nobody asks for.
    pub label: String,
}

/// The form of a shape, around its own origin and along its own z axis.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Geometry {
    /// A ball.
    Sphere {
        /// m.
        radius: f64,
    },
    /// A box.
    Cuboid {
        /// Half of its length along x, y and z, m.
        half_extents: DVec3,
    },
    /// A cylinder with half a ball at each end.
    Capsule {
        /// m.
        radius: f64,
        /// Half the length of the cylinder, without the ends, m.
        half_length: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// m.
        radius: f64,
        /// Half its height, m.
        half_length: f64,
    },
    /// A cone whose tip is at `+half_length` on z, and whose base at `-half_length`.
    Cone {
        /// Of the base, m.
        radius: f64,
        /// Half its height, m.
        half_length: f64,
    },
    /// A ball that is stretched along x, y and z.
    Ellipsoid {
        /// Half of its length along x, y and z, m.
        radii: DVec3,
    },
    /// All that lies below its own z = 0. It has no mass, and belongs to no body that moves.
    Plane,
    /// A closed surface of triangles.
    Mesh(Arc<Mesh>),
}

/// Along which axis of its pose a capsule, cylinder or cone lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along z, as shapes are made.
    Z,
}

/// How a shape touches others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Which part of the speed comes back, from 0 to 1.
    pub restitution: f64,
}

impl Default for Material {
    fn default() -> Self {
        Material { friction: 0.5, restitution: 0.0 }
    }
}

impl Shape {
    /// A shape of this form, solid, of 1000 kg/m³, at the body's origin.
    pub fn new(geometry: Geometry) -> Shape {
        let (pose, material) = (DTransform::IDENTITY, Material::default());
        let label = String::new();
        Shape { geometry, pose, density: 1000.0, wall: None, material, member: 1, mask: 1, margin: 0.0, label }
    }

    /// A ball.
    pub fn sphere(radius: impl Into<f64>) -> Shape {
        Shape::new(Geometry::Sphere { radius: radius.into() })
    }

    /// A box, by half its lengths along x, y and z.
    pub fn cuboid(half_extents: impl Into<DVec3>) -> Shape {
        Shape::new(Geometry::Cuboid { half_extents: half_extents.into() })
    }

    /// A capsule along z, by half the length between the centres of its ends.
    pub fn capsule(radius: impl Into<f64>, half_length: impl Into<f64>) -> Shape {
        Shape::new(Geometry::Capsule { radius: radius.into(), half_length: half_length.into() })
    }

    /// A cylinder along z, by half its height.
    pub fn cylinder(radius: impl Into<f64>, half_length: impl Into<f64>) -> Shape {
        Shape::new(Geometry::Cylinder { radius: radius.into(), half_length: half_length.into() })
    }

    /// A cone along z, its tip up, by half its height.
    pub fn cone(radius: impl Into<f64>, half_length: impl Into<f64>) -> Shape {
        Shape::new(Geometry::Cone { radius: radius.into(), half_length: half_length.into() })
    }

    /// An ellipsoid, by its radii along x, y and z.
    pub fn ellipsoid(radii: impl Into<DVec3>) -> Shape {
        Shape::new(Geometry::Ellipsoid { radii: radii.into() })
    }

    /// The half space below z = 0 of its pose.
    pub fn plane() -> Shape {
        Shape::new(Geometry::Plane).density(0.0)
    }

    /// A closed surface of triangles.
    pub fn mesh(mesh: impl Into<Arc<Mesh>>) -> Shape {
        Shape::new(Geometry::Mesh(mesh.into()))
    }

    /// The convex hull of points, with up to 64 of them as corners: those farthest out. [`Mesh::hull`] takes another limit.
    ///
    /// # Errors
    /// Where a point is not finite, or all lie in one plane.
    pub fn hull(points: &[DVec3]) -> Result<Shape, MeshError> {
        Ok(Shape::mesh(Mesh::hull(points, 64)?))
    }

    /// Puts its origin there, in the body's frame.
    pub fn at(mut self, position: impl Into<DVec3>) -> Shape {
        self.pose.p = position.into();
        self
    }

    /// Turns it about its origin, in place of how it was turned before.
    pub fn turned(mut self, rotation: impl Into<DQuat>) -> Shape {
        self.pose.q = rotation.into().normalize();
        self
    }

    /// Lays its z axis along an axis of the body, in place of how it was turned before.
    pub fn along(self, axis: Axis) -> Shape {
        let to = match axis {
            Axis::X => DVec3::X,
            Axis::Y => DVec3::Y,
            Axis::Z => DVec3::Z,
        };
        self.turned(DQuat::from_rotation_arc(DVec3::Z, to))
    }

    /// kg/m³; zero for a shape without mass.
    pub fn density(mut self, density: impl Into<f64>) -> Shape {
        self.density = density.into();
        self
    }

    /// Makes it a hull with a wall of this thickness in metres, which lies inside of its surface.
    ///
    /// The wall of an ellipsoid has this thickness at the six ends of its axes. That of a mesh is taken to lie in the
    /// surface, as a sheet does that is thin beside the mesh.
    pub fn hollow(mut self, wall: impl Into<f64>) -> Shape {
        self.wall = Some(wall.into());
        self
    }

    /// Coulomb's coefficient of friction.
    pub fn friction(mut self, friction: impl Into<f64>) -> Shape {
        self.material.friction = friction.into();
        self
    }

    /// Which part of the speed a bounce gives back, from 0 to 1.
    pub fn restitution(mut self, restitution: impl Into<f64>) -> Shape {
        self.material.restitution = restitution.into();
        self
    }

    /// Which groups it is a member of, and with whose members it may touch: a bit for each of 32 groups. In the first of them unless
    /// said otherwise.
    pub fn groups(mut self, member: u32, mask: u32) -> Shape {
        (self.member, self.mask) = (member, mask);
        self
    }

    /// Makes it a shape to look at alone, which touches nothing and weighs nothing.
    pub fn visual(self) -> Shape {
        self.groups(0, 0).density(0.0)
    }

    /// Whether it can touch anything.
    pub fn touches(&self) -> bool {
        self.member != 0 || self.mask != 0
    }

    /// How far outside of its surface it touches, m.
    pub fn margin(mut self, margin: impl Into<f64>) -> Shape {
        self.margin = margin.into();
        self
    }

    /// Gives it a name.
    pub fn named(mut self, label: impl Into<String>) -> Shape {
        self.label = label.into();
        self
    }

    /// Mass, centre of mass and inertia about that, along the axes of the body that it is given to.
    ///
    /// Closed forms for all but meshes, which are sums over their triangles. Sizes are not checked here: `finalize` does.
    pub fn mass_properties(&self) -> DSpatialInertia {
        let own = super::mass::of(&self.geometry, self.density, self.wall);
        self.pose.transform_inertia(own)
    }
}
