//! Derivatives of library functions: against central differences where they are smooth, against closed forms and for
//! being finite where they are not.

mod kinks;
mod matrices;
mod rotations;

use warp_ir::ir::Kernel;

use super::harness::Source;
use super::tangent;

/// A function from `x` to `count` numbers `y`, as a body of kernel statements.
pub(super) struct Map {
    body: String,
    kernel: Kernel,
    count: usize,
}

impl Map {
    pub(super) fn new(body: &str, count: usize) -> Map {
        Map::plain(&format!("{MATRICES} {body}"), count)
    }

    /// Of statements that make what they use themselves.
    pub(super) fn plain(body: &str, count: usize) -> Map {
        let text = format!("fn k(x: &[f64], y: &mut [f64]) {{ {body} }}");
        Map { body: body.into(), kernel: Source::new(&text).kernel(), count }
    }

    pub(super) fn value(&self, x: &[f64]) -> Vec<f64> {
        tangent::run(&self.kernel.function, x, &vec![0.0; x.len()], self.count).0
    }

    /// The derivative of all outputs by one input.
    pub(super) fn derivative(&self, x: &[f64], by: usize) -> Vec<f64> {
        let direction: Vec<f64> = (0..x.len()).map(|k| if k == by { 1.0 } else { 0.0 }).collect();
        tangent::run(&self.kernel.function, x, &direction, self.count).1
    }

    /// Differences of the fourth order in place of the derivative of all outputs by one input.
    pub(super) fn difference(&self, x: &[f64], by: usize, h: f64) -> Vec<f64> {
        let at = |step: f64| {
            let mut moved = x.to_vec();
            moved[by] += step;
            self.value(&moved)
        };
        let (near, far) = ((at(h), at(-h)), (at(2.0 * h), at(-2.0 * h)));
        (0..self.count).map(|k| (8.0 * (near.0[k] - near.1[k]) - (far.0[k] - far.1[k])) / (12.0 * h)).collect()
    }

    /// Compares with central differences, by every input.
    pub(super) fn is_smooth_at(&self, x: &[f64]) {
        for by in 0..x.len() {
            let differences = self.difference(x, by, 2e-4);
            for (k, found) in self.derivative(x, by).into_iter().enumerate() {
                let expected = differences[k];
                let close = (found - expected).abs() <= 1e-7 * (1.0 + expected.abs());
                assert!(close, "y[{k}] by x[{by}]: {found}, expected {expected}, at {x:?} of {}", self.body);
            }
        }
    }

    pub(super) fn is_finite_at(&self, x: &[f64]) {
        for by in 0..x.len() {
            let found = self.derivative(x, by);
            assert!(found.iter().all(|d| d.is_finite()), "by x[{by}]: {found:?} at {x:?} of {}", self.body);
        }
        assert!(self.value(x).iter().all(|y| y.is_finite()), "at {x:?} of {}", self.body);
    }

    fn has_derivative(&self, x: &[f64], expected: &[&[f64]]) {
        for (by, expected) in expected.iter().enumerate() {
            let found = self.derivative(x, by);
            let close = found.iter().zip(*expected).all(|(f, e)| (f - e).abs() <= 1e-12);
            assert!(close, "by x[{by}]: {found:?}, expected {expected:?}, at {x:?} of {}", self.body);
        }
    }
}

/// What the bodies use: vectors and matrices of the first inputs.
const MATRICES: &str = "
    let n = x.len();
    let v = DVec3::new(x[0], x[1], x[2 % n]);
    let w = DVec3::new(x[3 % n], x[4 % n], x[5 % n]);
    let a = DMat3::from_cols(v, w, DVec3::new(x[6 % n], x[7 % n], x[8 % n]));
    let a2 = DMat2::from_cols(DVec2::new(x[0], x[1]), DVec2::new(x[2 % n], x[3 % n]));
    let q = DQuat::from_xyzw(x[0], x[1], x[2 % n], x[3 % n]);
    let p = DVec3::new(x[4 % n], x[5 % n], x[6 % n]);
";

/// Numbers between -2 and 2, the same on every run.
pub(super) fn samples(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 51) as f64 - 2.0
    };
    (0..count).map(|_| next()).collect()
}

fn smooth(body: &str, inputs: usize, outputs: usize) {
    let map = Map::new(body, outputs);
    for seed in 0..6 {
        map.is_smooth_at(&samples(seed, inputs));
    }
}

const IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

#[test]
fn lengths_and_distances_are_differentiated() {
    smooth(
        "let s = v.safe_normalize(); let t = v.smooth_normalize(0.5);
        y[0] = s.x; y[1] = t.y; y[2] = v.safe_length(); y[3] = v.norm_huber(0.7) + v.norm_huber(9.0);
        y[4] = v.norm_pseudo_huber(0.3); y[5] = v.norm_l1(); y[6] = v.outer(w).ddot(a);",
        9,
        7,
    );
    smooth(
        "let t = DTriangle::new(v, w, DVec3::new(x[6], x[7], x[8]));
        let p = DVec3::new(x[9], x[10], x[11]);
        let s = DSegment::new(v, w);
        let (c, d) = s.closest_points(DSegment::new(p, t.c));
        y[0] = t.closest_point(p).x; y[1] = t.barycentric(p).y; y[2] = t.distance(p); y[3] = s.distance(p);
        y[4] = c.y + d.z; y[5] = t.area(); y[6] = t.normal().z;",
        12,
        7,
    );
    smooth(
        "let r = DRay::new(v * 5.0, -v * 5.0 + w * 0.2);
        y[0] = r.sphere(w * 0.1, 2.0).unwrap_or(0.0);
        y[1] = r.plane(v, 0.1).unwrap_or(0.0);
        if let Some((near, far)) = r.aabb(DVec3::splat(-1.5), DVec3::splat(1.25)) { y[2] = near; y[3] = far; }
        if let Some((t, b, c)) = r.triangle(DTriangle::new(w.cross(v), v.cross(w.cross(v)) - w.cross(v), -v.cross(w.cross(v)) - w.cross(v))) {
            y[4] = t; y[5] = b; y[6] = c;
        }",
        6,
        7,
    );
    let at_zero = Map::new(
        "y[0] = v.safe_length(); y[1] = v.safe_normalize().x; y[2] = v.norm_huber(1.0); y[3] = v.smooth_normalize(2.0).x;
        y[4] = DSegment::new(v, v).distance(v); y[5] = DTriangle::new(v, v, v).normal().x + DTriangle::new(v, v, v).area();
        y[6] = DTriangle::new(v, v + DVec3::X, v + DVec3::Y).distance(v);
        y[7] = DSegment::new(v, w).closest_points(DSegment::new(v, w)).0.x;",
        8,
    );
    let by_x = [0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0];
    let none = [0.0; 7];
    at_zero.has_derivative(&[0.0; 6], &[&by_x, &none, &none]);
    at_zero.is_finite_at(&[0.0; 6]);
}

#[test]
fn solid_angles_are_differentiated() {
    let body = "y[0] = DTriangle::new(v, w, DVec3::new(x[6], x[7], x[8])).solid_angle(DVec3::new(x[9], x[10], x[11]));";
    smooth(body, 12, 1);
    Map::new(body, 1).has_derivative(&[0.0; 12], &[&[0.0][..]; 12]);
}

/// A ray that touches a sphere at one point: the derivative of the point closest to the center, `-b / a`.
#[test]
fn rays_that_graze() {
    let map = Map::plain(
        "let r = DRay::new(DVec3::new(x[0], x[1], 0.0), DVec3::new(0.0, 1.0, 0.0));
        y[0] = r.sphere(DVec3::ZERO, x[2]).unwrap_or(-1.0);",
        1,
    );
    for start in [-2.0, 0.0] {
        let at = [1.0, start, 1.0];
        assert_eq!(map.value(&at), [-start]);
        map.has_derivative(&at, &[&[0.0], &[-1.0], &[0.0]]);
    }
}
