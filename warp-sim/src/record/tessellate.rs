//! Shapes as triangles.

use std::f64::consts::PI;

use warp::math::{DTransform, DVec2, DVec3};

use crate::geometry::{Geometry, Shape};

/// A triangle with what is outward at each corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub points: [DVec3; 3],
    pub normals: [DVec3; 3],
}

/// Steps round a surface of revolution, and along a quarter of a circle.
const ROUND: usize = 32;
const QUARTER: usize = 8;

impl Face {
    fn flat(points: [DVec3; 3]) -> Face {
        let [a, b, c] = points;
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
        Face { points, normals: [normal; 3] }
    }

    pub fn moved(&self, pose: &DTransform) -> Face {
        Face {
            points: self.points.map(|point| pose.transform_point(point)),
            normals: self.normals.map(|normal| pose.q * normal),
        }
    }
}

/// The surface of a shape in its body's frame. A plane has none: it goes on for ever.
pub(super) fn faces(shape: &Shape) -> Vec<Face> {
    let own = match &shape.geometry {
        Geometry::Sphere { radius } => revolved(&arc(*radius, 0.0, -QUARTER_TURN, QUARTER_TURN)),
        Geometry::Ellipsoid { radii } => stretched(revolved(&arc(1.0, 0.0, -QUARTER_TURN, QUARTER_TURN)), *radii),
        Geometry::Capsule { radius, half_length } => {
            let mut profile = arc(*radius, -half_length, -QUARTER_TURN, 0.0);
            profile.extend(arc(*radius, *half_length, 0.0, QUARTER_TURN));
            revolved(&profile)
        }
        Geometry::Cylinder { radius, half_length } => revolved(&edges(&[
            DVec2::new(0.0, -half_length),
            DVec2::new(*radius, -half_length),
            DVec2::new(*radius, *half_length),
            DVec2::new(0.0, *half_length),
        ])),
        Geometry::Cone { radius, half_length } => revolved(&edges(&[
            DVec2::new(0.0, -half_length),
            DVec2::new(*radius, -half_length),
            DVec2::new(0.0, *half_length),
        ])),
        Geometry::Cuboid { half_extents } => cuboid(*half_extents),
        Geometry::Mesh(mesh) => {
            let corners = |triangle: &[u32; 3]| triangle.map(|point| mesh.points()[point as usize]);
            mesh.triangles().iter().map(|triangle| Face::flat(corners(triangle))).collect()
        }
        Geometry::Plane => vec![],
    };
    own.iter().map(|face| face.moved(&shape.pose)).collect()
}

const QUARTER_TURN: f64 = 0.5 * PI;

/// A point of a profile, by distance from the axis and height, and what is outward there.
type Profile = Vec<(DVec2, DVec2)>;

/// Part of a circle about the axis at a height.
fn arc(radius: f64, height: f64, from: f64, to: f64) -> Profile {
    let steps = if to - from > QUARTER_TURN { 2 * QUARTER } else { QUARTER };
    let at = |k: usize| {
        let angle = from + (to - from) * k as f64 / steps as f64;
        let outward = DVec2::new(angle.cos().max(0.0), angle.sin());
        (outward * radius + DVec2::new(0.0, height), outward)
    };
    (0..=steps).map(at).collect()
}

/// Straight edges, each with its own outward side.
fn edges(corners: &[DVec2]) -> Profile {
    let edge = |pair: &[DVec2]| {
        let along = (pair[1] - pair[0]).normalize_or(DVec2::Y);
        let outward = DVec2::new(along.y, -along.x);
        [(pair[0], outward), (pair[1], outward)]
    };
    corners.windows(2).flat_map(edge).collect()
}

fn revolved(profile: &Profile) -> Vec<Face> {
    let at = |(point, outward): (DVec2, DVec2), k: usize| {
        let angle = 2.0 * PI * (k % ROUND) as f64 / ROUND as f64;
        let round = |v: DVec2| DVec3::new(v.x * angle.cos(), v.x * angle.sin(), v.y);
        (round(point), round(outward))
    };
    let mut all = vec![];
    for pair in profile.windows(2) {
        for k in 0..ROUND {
            let [a, b, c, d] = [at(pair[0], k), at(pair[0], k + 1), at(pair[1], k + 1), at(pair[1], k)];
            for corners in [[a, b, c], [a, c, d]] {
                let points = corners.map(|(point, _)| point);
                let area = (points[1] - points[0]).cross(points[2] - points[0]).length_squared();
                if area > 0.0 {
                    all.push(Face { points, normals: corners.map(|(_, normal)| normal) });
                }
            }
        }
    }
    all
}

fn stretched(faces: Vec<Face>, by: DVec3) -> Vec<Face> {
    let face = |face: Face| Face {
        points: face.points.map(|point| point * by),
        normals: face.normals.map(|normal| (normal / by).normalize_or(DVec3::Z)),
    };
    faces.into_iter().map(face).collect()
}

fn cuboid(half: DVec3) -> Vec<Face> {
    let axes = [(DVec3::X, DVec3::Y, DVec3::Z), (DVec3::Y, DVec3::Z, DVec3::X), (DVec3::Z, DVec3::X, DVec3::Y)];
    let mut all = vec![];
    for (out, u, v) in axes {
        for side in [1.0, -1.0] {
            let (out, u) = (out * side, u * side);
            let corner = |a: f64, b: f64| (out + a * u + b * v) * half;
            let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            all.extend([Face::flat([a, b, c]), Face::flat([a, c, d])]);
        }
    }
    all
}
