//! What mass a shape encloses: closed forms in double precision, about the shape's centre of mass.

use std::f64::consts::PI;

use warp::math::{DMat3, DSpatialInertia, DTransform, DVec3};

use super::Geometry;

/// Mass, centre and inertia in the shape's own frame.
pub(super) fn of(geometry: &Geometry, density: f64, wall: Option<f64>) -> DSpatialInertia {
    match (geometry, wall) {
        (Geometry::Mesh(mesh), None) => mesh.solid_mass(density),
        (Geometry::Mesh(mesh), Some(wall)) => mesh.sheet_mass(density * wall),
        (_, None) => solid(geometry, density),
        // A hull is the whole without its inside; without an inside it is the whole.
        (_, Some(wall)) => match inside(geometry, wall) {
            Some((inside, up)) => {
                let place = DTransform::from_translation(DVec3::new(0.0, 0.0, up));
                without(solid(geometry, density), place.transform_inertia(solid(&inside, density)))
            }
            None => solid(geometry, density),
        },
    }
}

fn solid(geometry: &Geometry, density: f64) -> DSpatialInertia {
    match *geometry {
        Geometry::Sphere { radius } => ellipsoid(DVec3::splat(radius), density),
        Geometry::Ellipsoid { radii } => ellipsoid(radii, density),
        Geometry::Cuboid { half_extents } => {
            let mass = 8.0 * density * half_extents.x * half_extents.y * half_extents.z;
            centred(mass, moments(half_extents * half_extents * (mass / 3.0)))
        }
        Geometry::Cylinder { radius, half_length } => cylinder(radius, half_length, density),
        Geometry::Capsule { radius, half_length } => capsule(radius, half_length, density),
        Geometry::Cone { radius, half_length } => cone(radius, half_length, density),
        Geometry::Plane | Geometry::Mesh(_) => centred(0.0, DVec3::ZERO),
    }
}

fn centred(mass: f64, inertia: DVec3) -> DSpatialInertia {
    DSpatialInertia::new(mass, DVec3::ZERO, DMat3::from_diagonal(inertia))
}

/// Moments of inertia from the mean squares of the coordinates, times mass.
fn moments(squares: DVec3) -> DVec3 {
    DVec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y)
}

fn ellipsoid(radii: DVec3, density: f64) -> DSpatialInertia {
    let mass = 4.0 / 3.0 * PI * density * radii.x * radii.y * radii.z;
    centred(mass, moments(radii * radii * (mass / 5.0)))
}

fn cylinder(radius: f64, half_length: f64, density: f64) -> DSpatialInertia {
    let mass = 2.0 * PI * density * radius * radius * half_length;
    let (across, along) = (mass * radius * radius / 4.0, mass * half_length * half_length / 3.0);
    centred(mass, moments(DVec3::new(across, across, along)))
}

fn capsule(radius: f64, half_length: f64, density: f64) -> DSpatialInertia {
    let middle = cylinder(radius, half_length, density);
    let ball = ellipsoid(DVec3::splat(radius), density);
    // The flat side of each half ball is at the cylinder's end; its centre of mass 3/8 of the radius beyond.
    let beyond = ball.mass * half_length * (half_length + 0.75 * radius);
    let beyond = DMat3::from_diagonal(DVec3::new(beyond, beyond, 0.0));
    DSpatialInertia::new(middle.mass + ball.mass, DVec3::ZERO, middle.inertia + ball.inertia + beyond)
}

fn cone(radius: f64, half_length: f64, density: f64) -> DSpatialInertia {
    let height = 2.0 * half_length;
    let mass = PI / 3.0 * density * radius * radius * height;
    // The centre of mass is a quarter of the height above the base.
    let across = mass * radius * radius * 3.0 / 20.0;
    let along = mass * height * height * 3.0 / 80.0;
    let mut whole = centred(mass, moments(DVec3::new(across, across, along)));
    whole.com = DVec3::new(0.0, 0.0, 0.25 * height - half_length);
    whole
}

/// What is left of a shape within its wall, and how far up its origin is.
fn inside(geometry: &Geometry, wall: f64) -> Option<(Geometry, f64)> {
    let left = |size: f64| (size > wall).then_some(size - wall);
    let all = |sizes: DVec3| (sizes.min_element() > wall).then_some(sizes - DVec3::splat(wall));
    Some(match *geometry {
        Geometry::Sphere { radius } => (Geometry::Sphere { radius: left(radius)? }, 0.0),
        Geometry::Ellipsoid { radii } => (Geometry::Ellipsoid { radii: all(radii)? }, 0.0),
        Geometry::Cuboid { half_extents } => (Geometry::Cuboid { half_extents: all(half_extents)? }, 0.0),
        Geometry::Capsule { radius, half_length } => (Geometry::Capsule { radius: left(radius)?, half_length }, 0.0),
        Geometry::Cylinder { radius, half_length } => {
            (Geometry::Cylinder { radius: left(radius)?, half_length: left(half_length)? }, 0.0)
        }
        Geometry::Cone { radius, half_length } => {
            // All walls are as far from the centre of the ball that fits into the cone, so the inside is a smaller cone
            // about that.
            let height = 2.0 * half_length;
            let fits = radius * height / (radius + radius.hypot(height));
            let scale = left(fits)? / fits;
            let centre = fits - half_length;
            (Geometry::Cone { radius: scale * radius, half_length: scale * half_length }, centre * (1.0 - scale))
        }
        Geometry::Plane | Geometry::Mesh(_) => return None,
    })
}

/// A body without a part of it: together with as much of what weighs less than nothing.
fn without(whole: DSpatialInertia, part: DSpatialInertia) -> DSpatialInertia {
    whole + DSpatialInertia::new(-part.mass, part.com, -part.inertia)
}
