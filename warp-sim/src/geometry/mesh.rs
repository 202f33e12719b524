//! Closed surfaces of triangles.

use thiserror::Error;
use warp::math::{DMat3, DSpatialInertia, DVec3, DVec3Ext};

/// A surface of triangles, in metres, each with its corners counterclockwise where one looks at it from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

/// Why triangles are no mesh.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// There is nothing.
    #[error("a mesh has at least one triangle, and this one has none")]
    Empty,
    /// A corner that is not there.
    #[error("triangle {triangle} of the mesh has the point {point}, and there are {points}, counted from zero")]
    NoSuchPoint {
        /// Which triangle.
        triangle: usize,
        /// The point that it names.
        point: u32,
        /// How many there are.
        points: usize,
    },
    /// Points that span no volume have no hull, nor do fewer than four.
    #[error("a hull takes at least four corners that lie in no plane, and these points have none")]
    Flat,
    /// A coordinate is infinite or not a number.
    #[error("point {point} of the mesh is not finite")]
    NotFinite {
        /// Which point.
        point: usize,
    },
}

impl Mesh {
    /// A mesh of these points, each triangle as three of their numbers.
    pub fn new(points: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Mesh, MeshError> {
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        if let Some(point) = points.iter().position(|point| !point.is_finite()) {
            return Err(MeshError::NotFinite { point });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&point) = corners.iter().find(|&&point| point as usize >= points.len()) {
                return Err(MeshError::NoSuchPoint { triangle, point, points: points.len() });
            }
        }
        Ok(Mesh { points, triangles })
    }

    /// The points, m.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// The triangles, as numbers of points.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle. `triangle` is below the number of triangles.
    fn corners(&self, triangle: [u32; 3]) -> [DVec3; 3] {
        triangle.map(|point| self.points[point as usize])
    }

    /// The same surface made larger by a factor along each axis. Where the factors mirror it, its triangles are turned
    /// round, so that outside stays outside.
    pub fn scaled(&self, factors: impl Into<DVec3>) -> Mesh {
        let factors = factors.into();
        let points = self.points.iter().map(|&point| point * factors).collect();
        let scaled = Mesh { points, triangles: self.triangles.clone() };
        if factors.x * factors.y * factors.z < 0.0 { scaled.flipped() } else { scaled }
    }

    /// The same surface with inside and outside changed: for files whose triangles are clockwise.
    pub fn flipped(&self) -> Mesh {
        let triangles = self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        Mesh { points: self.points.clone(), triangles }
    }

    /// The volume that it encloses, m³: negative where its triangles are clockwise from outside.
    pub fn volume(&self) -> f64 {
        self.triangles.iter().map(|&triangle| six_volumes(self.corners(triangle)) / 6.0).sum()
    }

    /// Mass, centre and inertia of what it encloses: each triangle and the origin are the corners of a tetrahedron.
    pub(super) fn solid_mass(&self, density: f64) -> DSpatialInertia {
        self.integrated(4.0, |corners| density * six_volumes(corners) / 6.0)
    }

    /// The same of the surface itself, of so many kg/m².
    pub(super) fn sheet_mass(&self, per_area: f64) -> DSpatialInertia {
        self.integrated(3.0, |[a, b, c]| per_area * (b - a).cross(c - a).length() / 2.0)
    }

    /// Adds up parts whose corners are those of the triangles, and the origin where there are `corners` of four.
    fn integrated(&self, corners: f64, mass_of: impl Fn([DVec3; 3]) -> f64) -> DSpatialInertia {
        let (mut mass, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for &triangle in &self.triangles {
            let [a, b, c] = self.corners(triangle);
            let (part, sum) = (mass_of([a, b, c]), a + b + c);
            mass += part;
            first += part / corners * sum;
            // The mean of x xᵀ over a simplex of n corners: (Σ corner cornerᵀ + sum sumᵀ) / (n (n + 1)).
            let squares = [a, b, c, sum].into_iter().fold(DMat3::ZERO, |squares, x| squares + x.outer(x));
            second += squares * (part / (corners * (corners + 1.0)));
        }
        // From the integrals of 1, x and x xᵀ over the mass.
        let com = if mass == 0.0 { DVec3::ZERO } else { first / mass };
        let about = second - com.outer(com) * mass;
        let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
        DSpatialInertia::new(mass, com, DMat3::from_diagonal(DVec3::splat(trace)) - about)
    }
}

/// Six times the volume of the tetrahedron between a triangle and the origin.
fn six_volumes([a, b, c]: [DVec3; 3]) -> f64 {
    a.dot(b.cross(c))
}
