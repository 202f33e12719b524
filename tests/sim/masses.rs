//! Mass properties against closed forms, integration over points and values of other engines.

use std::f64::consts::PI;

use warp::math::{DMat3, DQuat, DSpatialInertia, DVec3};
use warp::sim::{Axis, Geometry, Mesh, Shape};

#[track_caller]
fn assert_inertia(found: DSpatialInertia, mass: f64, com: DVec3, rows: [[f64; 3]; 3], tolerance: f64) {
    assert!((found.mass - mass).abs() <= tolerance * mass, "mass {} for {mass}", found.mass);
    assert!(found.com.abs_diff_eq(com, tolerance), "centre {} for {com}", found.com);
    let right = DMat3::from_cols_array_2d(&rows).transpose();
    let size = rows.iter().flatten().fold(0.0f64, |size, entry| size.max(entry.abs()));
    assert!(found.inertia.abs_diff_eq(right, tolerance * size), "inertia {} for {right}", found.inertia);
}

fn diagonal(x: f64, y: f64, z: f64) -> [[f64; 3]; 3] {
    [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
}

#[test]
fn a_capsule_has_its_small_moment_about_its_own_axis() {
    let (mass, large, small) = (261.799387799, 43.565054376, 7.772169325);
    let capsule = Shape::capsule(0.25, 0.5).density(1000.0);
    for (axis, moments) in [
        (Axis::X, diagonal(small, large, large)),
        (Axis::Y, diagonal(large, small, large)),
        (Axis::Z, diagonal(large, large, small)),
    ] {
        assert_inertia(capsule.clone().along(axis).mass_properties(), mass, DVec3::ZERO, moments, 1e-9);
    }
}

#[test]
fn solid_shapes_have_the_moments_of_tables() {
    let m = 1000.0 * 4.0 / 3.0 * PI * 0.3f64.powi(3);
    let i = 0.4 * m * 0.09;
    assert_inertia(Shape::sphere(0.3).mass_properties(), m, DVec3::ZERO, diagonal(i, i, i), 1e-12);
    let m = 1000.0 * 0.2 * 0.4 * 0.6;
    let side = |a: f64, b: f64| m * (a * a + b * b) / 12.0;
    let moments = diagonal(side(0.4, 0.6), side(0.2, 0.6), side(0.2, 0.4));
    assert_inertia(Shape::cuboid([0.1, 0.2, 0.3]).mass_properties(), m, DVec3::ZERO, moments, 1e-12);
    let m = 1000.0 * PI * 0.04 * 0.5;
    let across = m * (3.0 * 0.04 + 0.25) / 12.0;
    let moments = diagonal(across, across, m * 0.04 / 2.0);
    assert_inertia(Shape::cylinder(0.2, 0.25).mass_properties(), m, DVec3::ZERO, moments, 1e-12);
    // A cone of radius r and height h: 3/80 m (4 r² + h²) across, 3/10 m r² along.
    let m = 1000.0 * PI / 3.0 * 0.04 * 0.5;
    let across = 3.0 / 80.0 * m * (4.0 * 0.04 + 0.25);
    let moments = diagonal(across, across, 0.3 * m * 0.04);
    assert_inertia(Shape::cone(0.2, 0.25).mass_properties(), m, DVec3::new(0.0, 0.0, -0.125), moments, 1e-12);
    let m = 1000.0 * 4.0 / 3.0 * PI * 0.1 * 0.2 * 0.3;
    let part = |a: f64, b: f64| m * (a * a + b * b) / 5.0;
    let moments = diagonal(part(0.2, 0.3), part(0.1, 0.3), part(0.1, 0.2));
    assert_inertia(Shape::ellipsoid([0.1, 0.2, 0.3]).mass_properties(), m, DVec3::ZERO, moments, 1e-12);
}

/// Whether a point lies inside of a shape, and how deep at least (for walls).
fn depth(geometry: &Geometry, p: DVec3) -> f64 {
    let across = DVec3::new(p.x, p.y, 0.0).length();
    match *geometry {
        Geometry::Sphere { radius } => radius - p.length(),
        Geometry::Cuboid { half_extents } => (half_extents - p.abs()).min_element(),
        Geometry::Capsule { radius, half_length } => {
            radius - (p - DVec3::new(0.0, 0.0, p.z.clamp(-half_length, half_length))).length()
        }
        Geometry::Cylinder { radius, half_length } => (radius - across).min(half_length - p.z.abs()),
        Geometry::Cone { radius, half_length } => {
            // The distance to the slanted side, and that to the base.
            let (height, slant) = (2.0 * half_length, radius.hypot(2.0 * half_length));
            let side = ((half_length - p.z) * radius - across * height) / slant;
            side.min(p.z + half_length)
        }
        _ => unreachable!("no wall of even thickness"),
    }
}

/// Mass properties by counting points of a fine grid.
fn counted(geometry: &Geometry, reach: DVec3, density: f64, wall: f64) -> DSpatialInertia {
    let n = 120;
    let cell = 2.0 * reach / f64::from(n);
    let mass = density * cell.x * cell.y * cell.z;
    let nothing = DSpatialInertia::from_point(0.0, DVec3::ZERO);
    let (mut sum, mut first, mut second) = (nothing.mass, DVec3::ZERO, [[0.0; 3]; 3]);
    for x in 0..n {
        for y in 0..n {
            for z in 0..n {
                let p = DVec3::new(f64::from(x) + 0.5, f64::from(y) + 0.5, f64::from(z) + 0.5) * cell - reach;
                let depth = depth(geometry, p);
                if depth > 0.0 && depth < wall {
                    sum += mass;
                    first += mass * p;
                    for (i, row) in second.iter_mut().enumerate() {
                        for (j, entry) in row.iter_mut().enumerate() {
                            *entry += mass * p[i] * p[j];
                        }
                    }
                }
            }
        }
    }
    let com = first / sum;
    let about = |i: usize, j: usize| second[i][j] - sum * com[i] * com[j];
    let trace = about(0, 0) + about(1, 1) + about(2, 2);
    let entry = |i: usize, j: usize| if i == j { trace - about(i, j) } else { -about(i, j) };
    let rows: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)));
    DSpatialInertia::new(sum, com, DMat3::from_cols_array_2d(&rows))
}

#[test]
fn walls_weigh_what_lies_within_them() {
    let reach = DVec3::new(0.3, 0.3, 0.6);
    for (shape, wall) in [
        (Shape::sphere(0.3), 0.1),
        (Shape::cuboid([0.3, 0.25, 0.6]), 0.1),
        (Shape::capsule(0.2, 0.4), 0.08),
        (Shape::cylinder(0.25, 0.5), 0.1),
        (Shape::cone(0.3, 0.6), 0.06),
        // Nothing is left within these walls.
        (Shape::cone(0.3, 0.6), 0.4),
        (Shape::sphere(0.3), 0.5),
    ] {
        let found = shape.clone().hollow(wall).density(500.0).mass_properties();
        let right = counted(&shape.geometry, reach, 500.0, wall);
        assert!((found.mass / right.mass - 1.0).abs() < 0.01, "{shape:?}: {} for {}", found.mass, right.mass);
        assert!(found.com.abs_diff_eq(right.com, 3e-3), "{shape:?}: {} for {}", found.com, right.com);
        let size = right.inertia.x_axis.x.max(right.inertia.z_axis.z);
        assert!(
            found.inertia.abs_diff_eq(right.inertia, 0.012 * size),
            "{shape:?}: {} for {}",
            found.inertia,
            right.inertia
        );
    }
}

fn tetrahedron() -> Mesh {
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    Mesh::new(points, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
}

#[test]
fn a_mirrored_mesh_keeps_its_outside() {
    let mesh = tetrahedron().scaled([-2.0, 1.0, 1.0]);
    assert!((mesh.volume() - 1.0 / 3.0).abs() < 1e-12);
    let t = -25.0 / 3.0;
    let rows = [[25.0, t, t], [t, 62.5, 25.0 / 6.0], [t, 25.0 / 6.0, 62.5]];
    let com = DVec3::new(-0.5, 0.25, 0.25);
    assert_inertia(Shape::mesh(mesh.clone()).density(1000.0).mass_properties(), 1000.0 / 3.0, com, rows, 1e-9);
    for &triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|point| mesh.points()[point as usize]);
        assert!((b - a).cross(c - a).dot(a - com) > 0.0, "{triangle:?} looks inwards");
    }
    // From above, the slanted side is hit from outside.
    let up: Vec<bool> = mesh
        .triangles()
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|point| mesh.points()[point as usize]);
            (b - a).cross(c - a).z > 1e-9
        })
        .collect();
    assert_eq!(up.iter().filter(|up| **up).count(), 1);
}

#[test]
fn a_mesh_of_a_box_weighs_what_the_box_does() {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - DVec3::ONE;
    let points: Vec<DVec3> = (0..8).map(|i| corner(i) * DVec3::new(0.1, 0.2, 0.3)).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mesh = Mesh::new(points, triangles).unwrap();
    let (mesh, cuboid) = (Shape::mesh(mesh), Shape::cuboid([0.1, 0.2, 0.3]));
    let rows = |inertia: DMat3| inertia.transpose().to_cols_array_2d();
    let turn = |shape: Shape| shape.at([0.3, -0.4, 0.5]).turned(DQuat::from_euler(warp::EulerRot::XYZ, 0.3, -0.5, 0.7));
    let right = turn(cuboid.clone()).mass_properties();
    assert_inertia(turn(mesh.clone()).mass_properties(), right.mass, right.com, rows(right.inertia), 1e-12);
    // A sheet of a wall: 2 mm of a box of this size is within a few per cent of its outer surface.
    let (sheet, wall) = (mesh.hollow(0.002).mass_properties(), cuboid.hollow(0.002).mass_properties());
    assert!((sheet.mass / wall.mass - 1.0).abs() < 0.03);
    assert!((sheet.inertia.x_axis.x / wall.inertia.x_axis.x - 1.0).abs() < 0.03);
}

#[test]
fn a_fixed_pair_is_one_body() {
    let parent = DSpatialInertia::new(2.0, DVec3::new(0.0, 0.0, 0.1), DMat3::from_diagonal(DVec3::new(0.1, 0.2, 0.3)));
    let child =
        DSpatialInertia::new(1.0, DVec3::new(0.2, 0.0, 0.0), DMat3::from_diagonal(DVec3::new(0.01, 0.02, 0.03)));
    let pose = warp::math::DTransform::new(DVec3::X, DQuat::from_rotation_z(PI / 2.0));
    let rows = [
        [0.153333333, -0.133333333, 0.066666667],
        [-0.133333333, 0.883333333, 0.013333333],
        [0.066666667, 0.013333333, 1.023333333],
    ];
    let com = DVec3::new(0.333333333, 0.066666667, 0.066666667);
    assert_inertia(parent + pose.transform_inertia(child), 3.0, com, rows, 1e-8);
}
