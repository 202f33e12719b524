//! Convex hulls, against half spaces and closed forms.

use std::collections::HashMap;

use warp::math::DVec3;
use warp::sim::{Mesh, Shape};

use super::assert_near;
use super::trees::Numbers;

/// That all points lie below all faces, and that the surface is closed.
fn check(mesh: &Mesh, points: &[DVec3]) {
    let size = points.iter().fold(0.0f64, |most, point| most.max(point.length()));
    let mut edges = HashMap::new();
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|corner| mesh.points()[corner as usize]);
        let normal = (b - a).cross(c - a).normalize();
        for point in points {
            assert!(normal.dot(*point - a) < 1e-9 * size, "{point} is outside by {}", normal.dot(*point - a));
        }
        for k in 0..3 {
            *edges.entry((triangle[k], triangle[(k + 1) % 3])).or_insert(0) += 1;
        }
    }
    assert!(edges.iter().all(|((a, b), count)| *count == 1 && edges.contains_key(&(*b, *a))), "the surface is open");
    // Euler's formula of a ball.
    assert_eq!(mesh.points().len() + mesh.triangles().len(), edges.len() / 2 + 2);
}

#[test]
fn a_cube_is_the_hull_of_what_is_in_it() {
    let mut n = Numbers::new(1);
    let mut points: Vec<DVec3> = (0..500).map(|_| n.vec()).collect();
    // Corners, some twice, and points in faces and on edges.
    for k in 0..8 {
        let corner = DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 2.0 - 1.0;
        points.extend([corner, corner, DVec3::new(corner.x, 0.3, -0.2), DVec3::new(corner.x, corner.y, 0.1)]);
    }
    let mesh = Mesh::hull(&points, usize::MAX).unwrap();
    check(&mesh, &points);
    assert_near("the volume", mesh.volume(), 8.0, 1e-9);
    let body = Shape::hull(&points).unwrap().density(1.0).mass_properties();
    assert_near("the mass", body.mass, 8.0, 1e-9);
    assert_near("a moment", body.inertia.x_axis.x, 8.0 * 8.0 / 12.0, 1e-8);
}

#[test]
fn random_points_are_inside_of_their_hull() {
    for seed in 0..30 {
        let mut n = Numbers::new(seed);
        let count = 4 + n.below(400);
        let flat = if seed % 5 == 0 { 1e-6 } else { 1.0 };
        let point = |n: &mut Numbers| {
            let v = n.vec() * DVec3::new(1.0, 1.0, flat);
            // Every third set lies on a ball, where all points are corners.
            if seed % 3 == 0 { v.normalize() } else { v }
        };
        let points: Vec<DVec3> = (0..count).map(|_| point(&mut n)).collect();
        check(&Mesh::hull(&points, usize::MAX).unwrap(), &points);
    }
}

/// A limit makes a smaller hull of some of the points.
#[test]
fn hulls_may_be_bounded() {
    let mut n = Numbers::new(9);
    let points: Vec<DVec3> = (0..2000).map(|_| n.vec().normalize()).collect();
    let whole = Mesh::hull(&points, usize::MAX).unwrap();
    let small = Mesh::hull(&points, 64).unwrap();
    assert!(small.points().len() <= 64 && small.points().iter().all(|point| points.contains(point)));
    check(&small, small.points());
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    assert!(whole.volume() < ball && whole.volume() > 0.98 * ball, "{}", whole.volume());
    assert!(small.volume() < whole.volume() && small.volume() > 0.8 * ball, "{}", small.volume());
}

#[test]
fn what_has_no_hull_is_told() {
    let told = |points: &[DVec3]| Mesh::hull(points, 64).unwrap_err().to_string();
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
    for points in [&flat[..], &flat[..3], &flat[..1], &[DVec3::X; 9]] {
        assert_eq!(told(points), "a hull takes at least four corners that lie in no plane, and these points have none");
    }
    assert_eq!(told(&[]), "a mesh has at least one triangle, and this one has none");
    assert_eq!(told(&[DVec3::ZERO, DVec3::NAN]), "point 1 of the mesh is not finite");
}
