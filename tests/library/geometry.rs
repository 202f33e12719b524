//! Segments, triangles and rays against exact rational arithmetic in another formulation: `references/geometry.py` made
//! the table.
//!
//! The numbers in are exact in f32 as well. What may differ is rounding, so the bounds are units of rounding times what
//! a quotient magnifies: the sizes of the vectors over the determinant that the function divides by. Where the exact
//! answer lies on a border, a hit may be a miss by rounding.

// One of the two instances has its numbers already.
#![allow(clippy::unnecessary_cast, clippy::useless_conversion)]

use warp::math::{DRay, DSegment, DTriangle, Ray, Segment, Triangle};
use warp::prelude::*;

/// Rows of the table: numbers in, and numbers out or none.
fn rows(name: &str) -> Vec<(Vec<f64>, Option<Vec<f64>>)> {
    let numbers = |text: &str| text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<Vec<f64>>>();
    let rows: Vec<_> = include_str!("references/geometry.txt")
        .lines()
        .map(|line| line.split(" | ").collect::<Vec<_>>())
        .filter(|parts| parts[0] == name)
        .map(|parts| (numbers(parts[1]).expect("numbers"), numbers(parts[2])))
        .collect();
    assert!(rows.len() >= 40, "the table has no `{name}`");
    rows
}

/// The numbers before the first `none`: points of degenerate triangles have no weights.
fn leading(name: &str, row: usize) -> Vec<f64> {
    let line = include_str!("references/geometry.txt").lines().filter(|line| line.starts_with(&format!("{name} |")));
    let out = line.clone().nth(row).and_then(|line| line.split(" | ").nth(2)).expect("a row");
    out.split_whitespace().map_while(|word| word.parse().ok()).collect()
}

#[track_caller]
fn near(found: f64, expected: f64, bound: f64, about: &[f64]) {
    assert!((found - expected).abs() <= bound, "{found}, expected {expected} within {bound:e}, of {about:?}");
}

macro_rules! geometry {
    ($module:ident $float:ident $vec:ident $segment:ident $triangle:ident $ray:ident) => {
        mod $module {
            use super::*;

            const UNIT: f64 = $float::EPSILON as f64;

            fn vector(numbers: &[f64], k: usize) -> $vec {
                $vec::new(numbers[3 * k] as $float, numbers[3 * k + 1] as $float, numbers[3 * k + 2] as $float)
            }

            fn exact(v: $vec) -> DVec3 {
                DVec3::new(v.x as f64, v.y as f64, v.z as f64)
            }

            #[test]
            fn closest_points_of_triangles() {
                for (k, (given, _)) in rows("triangle").into_iter().enumerate() {
                    let (a, b, c) = (vector(&given, 0), vector(&given, 1), vector(&given, 2));
                    let (t, p) = ($triangle::new(a, b, c), vector(&given, 3));
                    let expected = leading("triangle", k);
                    let (ab, ac) = (exact(b - a), exact(c - a));
                    let size = ab.length().max(ac.length()).max(exact(p - a).length());
                    // What is divided by is the normal; a needle has a short one.
                    let across = ab.cross(ac).length();
                    let sharp = ab.length() * ac.length();
                    let magnified = if across > 0.0 { (sharp / across).max(1.0) } else { 1.0 };
                    let bound = 32.0 * UNIT * size * magnified;
                    let found = exact(t.closest_point(p));
                    // The distance is what matters where the point is hard to tell from its neighbours.
                    near(exact(t.distance(p) * $vec::X).x, expected[3], bound, &given);
                    near((found - DVec3::from_slice(&expected)).length(), 0.0, bound, &given);
                    let weights = exact(t.closest_weights(p));
                    assert!(weights.min_element() >= 0.0, "{weights} of {given:?}");
                    near(weights.element_sum(), 1.0, 8.0 * UNIT, &given);
                    let weights = exact(t.barycentric(p));
                    match expected.get(4..7) {
                        Some(exact) => {
                            let far = size * size / ab.length_squared().min(ac.length_squared());
                            let bound = 32.0 * UNIT * magnified * far.max(1.0);
                            near((weights - DVec3::from_slice(exact)).length(), 0.0, bound, &given);
                        }
                        None => assert_eq!(weights, DVec3::X, "{given:?}"),
                    }
                }
            }

            #[test]
            fn closest_points_of_segments() {
                for (given, expected) in rows("segment") {
                    let s = $segment::new(vector(&given, 0), vector(&given, 1));
                    let p = vector(&given, 2);
                    let expected = expected.expect("a point");
                    let size = exact(s.a).length().max(exact(s.b).length()).max(exact(p).length());
                    let found = exact(s.closest_point(p));
                    near((found - DVec3::from_slice(&expected)).length(), 0.0, 8.0 * UNIT * size, &given);
                    near(exact(s.distance(p) * $vec::X).x, expected[3], 8.0 * UNIT * size, &given);
                }
                for (given, expected) in rows("segments") {
                    let s = $segment::new(vector(&given, 0), vector(&given, 1));
                    let r = $segment::new(vector(&given, 2), vector(&given, 3));
                    let expected = expected.expect("a distance")[0];
                    let (u, v) = (exact(s.b - s.a), exact(r.b - r.a));
                    let size = u.length() + v.length() + exact(s.a - r.a).length();
                    let across = u.cross(v).length_squared();
                    let sharp = u.length_squared() * v.length_squared();
                    let magnified = if across > 0.0 { (sharp / across).max(1.0) } else { 1.0 };
                    let (on, other) = s.closest_points(r);
                    let found = exact(on - other).length();
                    near(found, expected, 32.0 * UNIT * size * magnified, &given);
                }
            }

            /// All directions are 4π of them, seen from inside of a cube; from outside what comes in goes out.
            #[test]
            fn solid_angles_of_a_cube_add_up() {
                let corner = |k: usize| $vec::new((k & 1) as $float, (k >> 1 & 1) as $float, (k >> 2) as $float);
                // Two triangles a side, to the left seen from outside.
                let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
                let sum = |p: $vec| -> $float {
                    let halves = sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
                    halves.map(|[a, b, c]| $triangle::new(corner(a), corner(b), corner(c)).solid_angle(p)).sum()
                };
                let whole = 4.0 * core::f64::consts::PI;
                for p in [[0.5, 0.5, 0.5], [0.25, 0.5, 0.875], [0.0625, 0.125, 0.75]] {
                    near(f64::from(sum(vector(&p, 0))), whole, 64.0 * UNIT, &p);
                }
                for p in [[1.5, 0.5, 0.25], [-0.25, -3.0, 0.5], [2.0, 2.0, 40.0]] {
                    near(f64::from(sum(vector(&p, 0))), 0.0, 64.0 * UNIT, &p);
                }
                let t = $triangle::new(corner(0), corner(2), corner(3));
                near(f64::from(t.solid_angle(corner(0))), 0.0, 0.0, &[]);
            }

            #[test]
            fn rays_meet_triangles() {
                let mut misses = 0;
                for (given, expected) in rows("ray_triangle") {
                    let ray = $ray::new(vector(&given, 0), vector(&given, 1));
                    let (a, b, c) = (vector(&given, 2), vector(&given, 3), vector(&given, 4));
                    let found = ray.triangle($triangle::new(a, b, c));
                    let (ab, ac, d) = (exact(b - a), exact(c - a), exact(ray.direction));
                    let s = exact(ray.origin - a);
                    let volume = ab.dot(d.cross(ac)).abs();
                    let largest = (ab.length() * d.length() * ac.length())
                        .max(s.length() * d.length() * ac.length().max(ab.length()))
                        .max(s.length() * ab.length() * ac.length());
                    let magnified = if volume > 0.0 { largest / volume } else { 1.0 };
                    let bound = 16.0 * UNIT * magnified * magnified.max(1.0);
                    match (found, expected) {
                        (Some((t, v, w)), Some(e)) => {
                            for (f, e) in [(t, e[0]), (v, e[1]), (w, e[2])] {
                                near(f as f64, e, bound, &given);
                            }
                        }
                        (None, None) => misses += 1,
                        // By rounding, at a border alone.
                        (None, Some(e)) => {
                            let inside = e[0].min(e[1]).min(e[2]).min(1.0 - e[1] - e[2]);
                            assert!(inside <= bound, "missed by {inside} of {given:?}");
                        }
                        (Some((t, v, w)), None) => {
                            let inside = (t.min(v).min(w).min(1.0 - v - w)) as f64;
                            assert!(inside <= bound && volume > 0.0, "hit by {inside} of {given:?}");
                        }
                    }
                }
                assert!(misses > 80, "{misses}");
            }

            #[test]
            fn rays_meet_spheres() {
                for (given, expected) in rows("ray_sphere") {
                    let (o, d, center) = (vector(&given, 0), vector(&given, 1), vector(&given, 2));
                    let radius = given[9] as $float;
                    let found = $ray::new(o, d).sphere(center, radius);
                    let (offset, d) = (exact(o - center), exact(d));
                    let beside = offset.cross(d).length() / d.length();
                    // The half chord is the root of a difference of squares: rounding is magnified by its shortness.
                    let size = offset.length() + given[9];
                    let chord = (given[9] * given[9] - beside * beside).max(0.0).sqrt();
                    let bound = 16.0 * UNIT * size * size / chord.max(1e-300) / d.length();
                    let bound = bound.min((32.0 * UNIT).sqrt() * size / d.length());
                    match (found, expected) {
                        (Some(t), Some(e)) => near(t as f64, e[0], bound, &given),
                        (None, None) => {}
                        (found, expected) => {
                            let border = (beside - given[9]).abs() <= 8.0 * UNIT * size
                                || (offset.length() - given[9]).abs() <= 8.0 * UNIT * size;
                            assert!(border, "{found:?}, expected {expected:?}, of {given:?}");
                        }
                    }
                }
            }

            #[test]
            fn rays_meet_boxes_and_planes() {
                for (given, expected) in rows("ray_box") {
                    let found =
                        $ray::new(vector(&given, 0), vector(&given, 1)).aabb(vector(&given, 2), vector(&given, 3));
                    match (found, expected) {
                        (Some((near_t, far_t)), Some(e)) => {
                            near(near_t as f64, e[0], 2.0 * UNIT * e[0].max(1.0), &given);
                            near(far_t as f64, e[1], 2.0 * UNIT * e[1].max(1.0), &given);
                        }
                        (None, None) => {}
                        // Through an edge: the interval has no length.
                        (None, Some(e)) => near(e[1], e[0], 4.0 * UNIT * e[1].max(1.0), &given),
                        (found, None) => panic!("{found:?} of {given:?}"),
                    }
                }
                for (given, expected) in rows("ray_plane") {
                    let ray = $ray::new(vector(&given, 0), vector(&given, 1));
                    let (normal, offset) = (vector(&given, 2), given[9] as $float);
                    let found = ray.plane(normal, offset);
                    match (found, &expected) {
                        (Some(t), Some(e)) => {
                            let speed = exact(normal).dot(exact(ray.direction)).abs();
                            let terms = exact(normal).length() * exact(ray.direction).length();
                            near(t as f64, e[0], 8.0 * UNIT * (1.0 + e[0]) * terms / speed, &given);
                        }
                        (None, None) => {}
                        _ => panic!("{found:?}, expected {expected:?}, of {given:?}"),
                    }
                }
            }
        }
    };
}

geometry! { double f64 DVec3 DSegment DTriangle DRay }
geometry! { single f32 Vec3 Segment Triangle Ray }
