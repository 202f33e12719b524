//! Derivatives of library functions: against central differences where they are smooth, against closed forms and for
//! being finite where they are not.

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
fn matrix_factors_are_differentiated() {
    smooth("y[0] = a.determinant(); y[1] = a.inverse().ddot(a.transpose()) + a.trace();", 9, 2);
    smooth(
        "let (q, r) = a.qr();
        y[0] = q.x_axis.z; y[1] = q.z_axis.y; y[2] = r.y_axis.x; y[3] = r.z_axis.z; y[4] = q.y_axis.x;",
        9,
        5,
    );
    smooth(
        "let b = a * a.transpose() + DMat3::IDENTITY;
        if let Some(l) = b.cholesky() { y[0] = l.x_axis.z; y[1] = l.z_axis.z; }
        if let Some((l, d)) = b.ldlt() { y[2] = l.y_axis.z; y[3] = d.z; }
        if let Some(s) = a.solve(v) { y[4] = s.x; }
        if let Some(s) = b.solve(w) { y[5] = s.y; }",
        9,
        6,
    );
    smooth(
        "let (l, e) = a.symmetric_eigen();
        y[0] = l.x; y[1] = l.y; y[2] = l.z; y[3] = e.x_axis.y; y[4] = e.y_axis.z; y[5] = e.z_axis.x;",
        9,
        6,
    );
    smooth(
        "let (u, s, v) = a.svd();
        y[0] = s.x; y[1] = s.y; y[2] = s.z; y[3] = u.x_axis.y; y[4] = u.z_axis.z; y[5] = v.y_axis.x; y[6] = v.z_axis.y;",
        9,
        7,
    );
    smooth("let (r, s) = a.polar(); y[0] = r.x_axis.y; y[1] = r.z_axis.x; y[2] = s.x_axis.x; y[3] = s.z_axis.y;", 9, 4);
    smooth(
        "let (l, e) = a2.symmetric_eigen(); let (u, s, v) = a2.svd(); let (r, t) = a2.polar();
        y[0] = l.x; y[1] = l.y; y[2] = e.x_axis.y; y[3] = s.x; y[4] = s.y; y[5] = u.x_axis.x; y[6] = v.y_axis.x;
        y[7] = r.x_axis.y; y[8] = t.y_axis.x;",
        4,
        9,
    );
}

#[test]
fn six_by_six_is_differentiated() {
    let determinant = Map::new(
        "let mut m = [[0.0; 6]; 6];
        for r in 0..6 { for c in 0..6 { m[r][c] = x[r * 6 + c]; } }
        y[0] = DMat6x6::from_rows(m).determinant();",
        1,
    );
    let regular = samples(3, 36);
    determinant.is_smooth_at(&regular);
    // One row is another's double: the derivative is that of the cofactors, not zero.
    let mut singular = regular.clone();
    (0..6).for_each(|c| singular[c] = 2.0 * singular[6 + c]);
    determinant.is_smooth_at(&singular);
    assert!(determinant.value(&singular)[0].abs() < 1e-12 && determinant.derivative(&singular, 0)[0].abs() > 0.1);
    determinant.has_derivative(&[0.0; 36], &[&[0.0][..]; 36]);
    let solve = Map::new(
        "let mut m = [[0.0; 6]; 6];
        for r in 0..6 { for c in 0..6 { m[r][c] = x[r * 6 + c]; } }
        let b = DMat6x6::from_rows(m);
        if let Some(s) = b.solve(b.row(2)) { y[0] = s[1]; }
        if let Some(s) = b.solve([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) { y[1] = s[4]; }
        y[2] = b.inverse_or_zero()[(3, 2)];
        let (q, r) = b.qr();
        y[3] = q[(1, 4)]; y[4] = r[(2, 5)];",
        5,
    );
    solve.is_smooth_at(&regular);
}

#[test]
fn equal_and_zero_singular_values_have_finite_derivatives() {
    let svd = Map::new(
        "let (u, s, v) = a.svd();
        y[0] = s.x + s.y + s.z; y[1] = u.x_axis.y; y[2] = v.z_axis.z; y[3] = s.z; y[4] = u.y_axis.y;
        y[5] = s.x * s.y * s.z; y[6] = s.length_squared();",
        7,
    );
    let eigen = Map::new(
        "let (l, e) = a.symmetric_eigen();
        y[0] = l.x + l.y + l.z; y[1] = e.x_axis.y; y[2] = e.z_axis.z; y[3] = l.length_squared();",
        4,
    );
    let plane = Map::new(
        "let (l, e) = a2.symmetric_eigen(); let (u, s, v) = a2.svd(); let (r, t) = a2.polar();
        y[0] = l.x + l.y; y[1] = e.x_axis.y; y[2] = s.x; y[3] = s.y; y[4] = u.x_axis.x; y[5] = v.y_axis.x;
        y[6] = r.x_axis.y; y[7] = t.y_axis.x;",
        8,
    );
    let others = Map::new(
        "let (q, r) = a.qr(); let (o, s) = a.polar();
        y[0] = q.x_axis.y; y[1] = r.z_axis.z; y[2] = o.x_axis.y; y[3] = s.z_axis.z; y[4] = a.inverse_or_zero().x_axis.x;",
        5,
    );
    let rank_one: Vec<f64> = (0..9).map(|k| [1.0, -2.0, 0.5][k % 3] * [0.3, 1.0, -1.0][k / 3]).collect();
    let mut twice = IDENTITY;
    twice[8] = 3.0;
    for at in [&IDENTITY[..], &[0.0; 9], &twice, &rank_one, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]] {
        svd.is_finite_at(at);
        eigen.is_finite_at(at);
        others.is_finite_at(at);
    }
    for at in [[1.0, 0.0, 0.0, 1.0], [0.0; 4], [1.0, 2.0, 2.0, 4.0], [1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 1.0, 0.0]] {
        plane.is_finite_at(&at);
    }
    // Functions that do not depend on the choice of vectors: the sum, the product, the squares.
    for by in 0..9 {
        let on = if by % 4 == 0 { 1.0 } else { 0.0 };
        let found = svd.derivative(&IDENTITY, by);
        for (k, expected) in [(0, on), (5, on), (6, 2.0 * on)] {
            assert!((found[k] - expected).abs() < 1e-14, "{k} by {by}: {found:?}");
        }
        let found = eigen.derivative(&IDENTITY, by);
        assert!((found[0] - on).abs() < 1e-14 && (found[3] - 2.0 * on).abs() < 1e-14, "by {by}: {found:?}");
    }
}

/// At the identity all singular values are the same, and the polar factor is smooth all the same: what changes it is
/// the part that turns.
#[test]
fn polar_factors_are_differentiated_at_equal_singular_values() {
    let polar = Map::new(
        "let (r, s) = a.polar(); y[0] = r.x_axis.y; y[1] = r.y_axis.x; y[2] = r.x_axis.x; y[3] = s.x_axis.y; y[4] = s.z_axis.z;",
        5,
    );
    polar.is_smooth_at(&IDENTITY);
    polar.is_smooth_at(&IDENTITY.map(|x| -3.0 * x));
    polar.is_smooth_at(&[2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, -2.0, 0.0]);
    let half = [0.5, 0.0, -0.5, 0.0];
    let found =
        [polar.derivative(&IDENTITY, 1)[0], polar.derivative(&IDENTITY, 0)[0], polar.derivative(&IDENTITY, 3)[0]];
    assert!(found.iter().zip([half[0], half[1], half[2]]).all(|(f, e)| (f - e).abs() < 1e-14), "{found:?}");
}

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
fn kinks_and_jumps_of_numbers_have_the_derivatives_that_are_written_down() {
    let map = Map::new(
        "y[0] = x[0].clamp(-1.0, 1.0); y[1] = x[0].saturate(); y[2] = x[0].fract(); y[3] = x[0].fract_gl();
        y[4] = x[0].signum(); y[5] = x[0].step(x[1]); y[6] = x[0].smoothstep(0.0, 1.0); y[7] = x[0].rem_euclid(0.5);
        y[8] = x[0].div_euclid(0.5); y[9] = x[0].round() + x[0].floor() + x[0].ceil() + x[0].trunc();",
        10,
    );
    let by_other = [0.0; 10];
    for (at, by) in [
        (-2.0, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        (-1.0, [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        (-0.0, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        (0.0, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        (0.5, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.5, 1.0, 0.0, 0.0]),
        (1.0, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        (2.0, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
    ] {
        map.has_derivative(&[at, at], &[&by, &by_other]);
    }
}

/// Zero vectors, ties and bounds, as the texts say: a tie and a bound are the right operand's.
#[test]
fn kinks_of_vectors_have_the_derivatives_that_are_written_down() {
    let ties = Map::new(
        "y[0] = v.min(w).x; y[1] = v.max(w).y; y[2] = v.clamp(w, w + DVec3::ONE).z; y[3] = v.min_element();
        y[4] = v.max_element(); y[5] = v.clamp(w - DVec3::ONE, w).x;",
        6,
    );
    let none = [0.0; 6];
    let by_w =
        |k: usize, also: usize| std::array::from_fn::<f64, 6, _>(|j| if j == k || j == also { 1.0 } else { 0.0 });
    ties.has_derivative(
        &[1.0; 6],
        &[&none, &none, &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0], &by_w(0, 5), &by_w(1, 1), &by_w(2, 2)],
    );
    let at_zero = Map::new(
        "y[0] = v.length() + w.distance(w + v) + v.normalize_or_zero().x; y[1] = v.normalize_or(w).y;
        y[2] = v.abs().x + v.sqrt().y + v.copysign(w).z + v.signum().x + v.saturate().y; y[3] = v.fract().x + v.fract_gl().y;
        y[4] = v.ln().x; y[5] = v.log2().y; y[6] = v.angle_between(w) + w.angle_between(v) + v.angle_to(w, DVec3::Z);
        y[7] = v.move_towards(w, 100.0).x; y[8] = v.round().x + v.floor().y + v.ceil().z + v.trunc().x + w.step(v).x;
        y[9] = v.truncate().to_angle() + v.truncate().angle_to(w.truncate()); y[10] = v.extend(0.0).length();",
        11,
    );
    let by = |k: usize| std::array::from_fn::<f64, 11, _>(|j| if j == k { 1.0 } else { 0.0 });
    let nothing = [0.0; 11];
    at_zero.has_derivative(&[0.0, 0.0, 0.0, 1.0, 2.0, 3.0], &[&by(3), &by(3), &nothing, &by(7), &by(1), &nothing]);
    let parallel = Map::new("y[0] = v.angle_between(w);", 1);
    for along in [1.0, 2.0, -1.0] {
        parallel.has_derivative(&[1.0, 2.0, 3.0, along, 2.0 * along, 3.0 * along], &[&[0.0][..]; 6]);
    }
}

/// The same of matrices and quaternions.
#[test]
fn singular_points_have_the_derivatives_that_are_written_down() {
    let singular = Map::new(
        "let i = a.inverse_or_zero(); y[0] = i.x_axis.x + 2.0 * i.y_axis.z; y[1] = a2.inverse_or_zero().y_axis.x;",
        2,
    );
    let rank_one = [1.0, -2.0, 0.5, -1.0, 2.0, -0.5, 2.0, -4.0, 1.0];
    singular.has_derivative(&rank_one, &[&[0.0, 0.0][..]; 9]);
    singular.has_derivative(&[0.0; 9], &[&[0.0, 0.0][..]; 9]);
    let magnitudes =
        Map::new("y[0] = a2.abs().x_axis.x; y[1] = DMat2x2::from_rows([[x[0], x[1]], [x[2], x[3]]]).max_abs();", 2);
    magnitudes.has_derivative(&[0.0, 3.0, -3.0, 3.0], &[&[0.0, 0.0], &[0.0, 1.0], &[0.0, 0.0], &[0.0, 0.0]]);
    let turned = Map::new("let (axis, angle) = q.to_axis_angle(); y[0] = axis.x + angle;", 1);
    turned.has_derivative(&[0.0, 0.0, 0.0, 1.0], &[&[0.0][..]; 4]);
    let whole = Map::new("let s = q.to_scaled_axis(); y[0] = s.x + s.y + s.z;", 1);
    whole.has_derivative(&[0.0, 0.0, 0.0, -1.0], &[&[0.0][..]; 4]);
    let nothing = Map::new("y[0] = q.length(); y[1] = q.angle_between(q);", 2);
    nothing.has_derivative(&[0.0; 4], &[&[0.0, 0.0][..]; 4]);
    // Half a turn about x has no part about z.
    let part = Map::new("let t = q.twist(DVec3::Z); y[0] = t.z + t.w; y[1] = q.twist_angle(DVec3::Z);", 2);
    part.has_derivative(&[1.0, 0.0, 0.0, 0.0], &[&[0.0, 0.0][..]; 4]);
    let flat = Map::new(
        "let t = DTriangle::new(v, v + w, v - w * 2.0); y[0] = t.area() + t.normal().x; y[1] = DSegment::new(v, v).length();
        y[2] = DSegment::new(v, v + w).distance(v + w * 0.5); y[3] = DTriangle::new(v, v + DVec3::X, v + DVec3::Y).distance(v);",
        4,
    );
    flat.has_derivative(&[1.0, 2.0, 3.0, 0.5, -1.0, 2.0], &[&[0.0; 4][..]; 6]);
}

#[test]
fn safe_forms_have_finite_derivatives() {
    smooth(
        "let c = x[1] * x[1] + 0.5;
        y[0] = x[0].safe_div(c); y[1] = c.safe_recip(); y[2] = c.safe_sqrt();
        y[3] = (x[0] * 0.45).safe_asin(); y[4] = (x[1] * 0.45).safe_acos();",
        2,
        5,
    );
    let map = Map::new(
        "y[0] = x[0].safe_div(x[1]); y[1] = x[0].safe_recip(); y[2] = x[0].safe_sqrt(); y[3] = x[0].safe_asin();
        y[4] = x[0].safe_acos();",
        5,
    );
    map.has_derivative(&[0.0, 0.0], &[&[0.0, 0.0, 0.0, 1.0, -1.0], &[0.0; 5]]);
    map.has_derivative(&[4.0, 0.0], &[&[0.0, -0.0625, 0.25, 0.0, 0.0], &[0.0; 5]]);
    map.has_derivative(&[1.0, 2.0], &[&[0.5, -1.0, 0.5, 0.0, 0.0], &[-0.25, 0.0, 0.0, 0.0, 0.0]]);
    map.has_derivative(&[-1.0, 2.0], &[&[0.5, -1.0, 0.0, 0.0, 0.0], &[0.25, 0.0, 0.0, 0.0, 0.0]]);
    map.has_derivative(&[-2.0, -1.0], &[&[-1.0, -0.25, 0.0, 0.0, 0.0], &[2.0, 0.0, 0.0, 0.0, 0.0]]);
}

#[test]
fn solid_angles_are_differentiated() {
    let body = "y[0] = DTriangle::new(v, w, DVec3::new(x[6], x[7], x[8])).solid_angle(DVec3::new(x[9], x[10], x[11]));";
    smooth(body, 12, 1);
    Map::new(body, 1).has_derivative(&[0.0; 12], &[&[0.0][..]; 12]);
}

/// Rotations where formulas divide by a vanishing sine or real part, against differences: at the identity, at half turns
/// about axes and between them, and for a quaternion and its negative, which are one rotation.
#[test]
fn rotations_are_smooth_at_identity_half_turns_and_antipodes() {
    let (i, m) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]);
    let (x, z, xy) = ([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.6, 0.8, 0.0, 0.0]);
    let one = Map::new(
        "let u = DVec3::new(0.3, -0.7, 0.5); let b = DVec3::new(0.0, 0.0, 1.0);
        let r = q.rotate(u); let s = q.rotate_inverse(u); let e = q.exp(); let d = q.derivative(u);
        let o = DMat3::from_quat(q); let i = q.integrate(u, 0.1); let j = q.integrate_body(u, 0.1);
        let n = q.normalize(); let c = q.renormalize();
        y[0] = r.x; y[1] = s.y; y[2] = e.x; y[3] = e.w; y[4] = d.z; y[5] = o.x_axis.y; y[6] = i.y; y[7] = j.w; y[8] = n.z;
        y[9] = c.x; y[10] = q.length(); y[11] = q.mul_quat(DQuat::from_xyzw(0.5, 0.5, -0.5, 0.5)).y;",
        12,
    );
    for at in [i, m, x, z, xy] {
        one.is_smooth_at(&at);
    }
    // The logarithm and what is made of it turns back at the negative of the identity alone; half turns are no border.
    let logarithms = Map::new(
        "let l = q.ln(); let v = q.to_scaled_axis();
        y[0] = l.x; y[1] = l.y; y[2] = l.z; y[3] = l.w; y[4] = v.x; y[5] = v.y; y[6] = v.z;",
        7,
    );
    for at in [i, x, z, xy] {
        logarithms.is_smooth_at(&at);
    }
    // The shorter way has a border at half turns, and none where the sign changes at the identity.
    let shorter = Map::new(
        "let v = q.to_rotation_vector(); let p = q.powf(0.3);
        y[0] = v.x; y[1] = v.y; y[2] = v.z; y[3] = p.x; y[4] = p.y; y[5] = p.w;",
        6,
    );
    for at in [i, m] {
        shorter.is_smooth_at(&at);
    }
    let pairs = Map::new(
        "let r = DQuat::from_xyzw(x[4], x[5], x[6], x[7]); let s = q.slerp(r, 0.3); let l = q.lerp(r, 0.3);
        y[0] = s.x; y[1] = s.y; y[2] = s.z; y[3] = s.w; y[4] = l.x; y[5] = l.w;",
        6,
    );
    for (p, q) in [(i, i), (x, x), (i, m), (m, i), (xy, xy), (x, [-1.0, 0.0, 0.0, 0.0])] {
        pairs.is_smooth_at(&[p, q].concat());
    }
    // Half a turn about z in the order of axes that starts with it lies on the border of its angle; others do not.
    let angles = Map::new("let (a, b, c) = q.to_euler(EulerRot::XYZ); y[0] = a; y[1] = b; y[2] = c;", 3);
    angles.is_smooth_at(&i);
    let turns = Map::new("let (a, b, c) = q.to_rpy(); y[0] = a; y[1] = b; y[2] = c;", 3);
    turns.is_smooth_at(&i);
    // From one direction to itself the arc is the identity, and stays it within rounding.
    let arc = Map::new("let r = DQuat::from_rotation_arc(v, w); y[0] = r.x; y[1] = r.y; y[2] = r.z; y[3] = r.w;", 4);
    arc.has_derivative(&[1.0, 0.0, 0.0, 1.0, 0.0, 0.0], &[&[0.0; 4][..]; 6]);
    // To the opposite it is half a turn about some axis across, which turns with the first direction.
    arc.has_derivative(
        &[1.0, 0.0, 0.0, -1.0, 0.0, 0.0],
        &[&[0.0; 4][..], &[-1.0, 0.0, -1.0, 0.0], &[0.0; 4], &[0.0; 4], &[0.0; 4], &[0.0; 4]],
    );
}

/// Blocks of Jordan, whose eigenvectors are too few, and shifts: what is smooth there agrees with differences, and the rest
/// is finite.
#[test]
fn defective_matrices_have_derivatives() {
    let block = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    let shift = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let factors = Map::new(
        "let (u, s, v) = a.svd(); let (r, p) = a.polar(); let (o, t) = a.qr();
        y[0] = s.x; y[1] = s.z; y[2] = u.x_axis.y; y[3] = v.z_axis.x; y[4] = r.y_axis.x; y[5] = p.x_axis.y;
        y[6] = o.y_axis.x; y[7] = t.z_axis.y; y[8] = a.determinant(); y[9] = a.inverse_or_zero().z_axis.x;
        if let Some(s) = a.solve(DVec3::new(1.0, 2.0, 3.0)) { y[10] = s.x; }",
        11,
    );
    factors.is_smooth_at(&block);
    factors.is_finite_at(&shift);
    let determinant = Map::new("y[0] = a.determinant();", 1);
    determinant.is_smooth_at(&shift);
    // A vector may change its sign from one step to the next: what does not see that.
    let eigen =
        Map::new("let (l, e) = a.symmetric_eigen(); y[0] = l.x; y[1] = l.z; y[2] = e.x_axis.y * e.x_axis.z;", 3);
    eigen.is_smooth_at(&block);
    eigen.is_smooth_at(&shift);
}

#[test]
fn transforms_and_inertias_are_differentiated() {
    smooth(
        "let t = DTransform::new(p, q.normalize());
        let u = t * DTransform::new(w, DQuat::from_xyzw(0.5, 0.5, -0.5, 0.5)) * t.inverse();
        let b = DSpatialInertia::new(2.0, v, a * a.transpose() + DMat3::IDENTITY);
        let m = u.transform_inertia(b) + b;
        let twist = DTwist::new(w, v);
        y[0] = u.p.x; y[1] = u.q.y; y[2] = u.inverse_transform_point(v).z; y[3] = m.kinetic_energy(twist);
        y[4] = m.solve(DWrench::new(v, w)).angular.x; y[5] = (t.adjoint() * b.to_mat()).trace();
        y[6] = b.inverse_dynamics(twist, u.transform_twist(twist)).torque.y;",
        9,
        7,
    );
}

#[test]
fn rotations_are_differentiated() {
    smooth(
        "let u = q.normalize(); let r = DQuat::from_scaled_axis(p);
        y[0] = r.x; y[1] = u.to_rotation_vector().y; y[2] = u.slerp(r, 0.3).z; y[3] = u.angle_between(r);
        y[4] = q.exp().x; y[5] = q.ln().w + q.ln().y; y[6] = u.powf(0.6).z; y[7] = u.integrate(p, 0.1).w;
        y[8] = u.twist(DVec3::new(0.6, 0.0, 0.8)).x; y[9] = u.twist_angle(DVec3::new(0.0, 0.6, 0.8));
        y[10] = r.to_rpy().0 + r.to_rpy().2; y[11] = r.to_rpy().1; y[12] = DQuat::from_rpy(p.x, p.y, p.z).x;",
        7,
        13,
    );
    smooth(
        "let u = v.normalize(); let t = w.normalize();
        y[0] = DQuat::from_rotation_arc(u, t).x; y[1] = v.angle_between(w); y[2] = v.slerp(w, 0.4).y;
        y[3] = v.rotate_axis(t, 0.7).z; y[4] = DQuat::from_euler(EulerRot::ZXZ, v.x, v.y, v.z).w;
        y[5] = DMat3::from_euler(EulerRot::XYZEx, v.x, v.y, v.z).x_axis.y;
        let (a0, a1, a2) = DQuat::from_rotation_arc(u, t).to_euler(EulerRot::ZYX);
        y[6] = a0; y[7] = a1; y[8] = a2;
        let (r, s) = DQuat::from_scaled_axis(v).integrate_midpoint(w, v, DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0)),
            DMat3::from_diagonal(DVec3::new(1.0, 0.5, 0.25)), 0.05);
        y[9] = r.x; y[10] = s.y;",
        6,
        11,
    );
}

/// At the identity and at half turns, where quotients of zeros lie in wait.
#[test]
fn rotations_have_derivatives_at_identity_and_half_turns() {
    let by_vector = Map::new("let r = DQuat::from_scaled_axis(v); y[0] = r.x; y[1] = r.y; y[2] = r.z; y[3] = r.w;", 4);
    by_vector.has_derivative(&[0.0; 3], &[&[0.5, 0.0, 0.0, 0.0], &[0.0, 0.5, 0.0, 0.0], &[0.0, 0.0, 0.5, 0.0]]);
    by_vector.is_smooth_at(&[1e-3, -2e-3, 1e-3]);
    by_vector.is_smooth_at(&[0.0, 0.01, 0.0]);
    by_vector.is_smooth_at(&[0.0, core::f64::consts::PI, 0.0]);
    let vector =
        Map::new("let r = q.to_scaled_axis(); let s = q.to_rotation_vector(); y[0] = r.x; y[1] = r.z; y[2] = s.y;", 3);
    let by = [&[2.0, 0.0, 0.0][..], &[0.0, 0.0, 2.0], &[0.0, 2.0, 0.0], &[0.0, 0.0, 0.0]];
    vector.has_derivative(&[0.0, 0.0, 0.0, 1.0], &by);
    vector.is_smooth_at(&[0.0, 0.005, 0.0, 1.0]);
    let half = Map::new("let r = q.to_scaled_axis(); y[0] = r.x; y[1] = r.y;", 2);
    half.is_smooth_at(&[0.6, 0.8, 0.0, 0.0]);
    let pairs = Map::new(
        "let r = DQuat::from_xyzw(x[4], x[5], x[6], x[7]); let s = q.slerp(r, 0.3); let l = q.slerp_long(r, 0.6);
        y[0] = s.x; y[1] = s.w; y[2] = q.angle_between(r); y[3] = l.y; y[4] = q.lerp(r, 0.2).z;
        y[5] = q.rotate_towards(r, 0.1).x;",
        6,
    );
    let (i, x, m) = ([0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0]);
    for (p, q) in [(i, i), (x, x), (i, x), (x, i), (i, m), (x, [0.0, 1.0, 0.0, 0.0])] {
        pairs.is_finite_at(&[p, q].concat());
    }
    // Near each other: what moves the end moves the middle by the part.
    let near = Map::new(
        "let r = DQuat::from_xyzw(x[4], x[5], x[6], x[7]); let s = q.slerp(r, 0.3); y[0] = s.x; y[1] = s.y; y[2] = s.z;",
        3,
    );
    for (k, part) in [(0, 0.7), (4, 0.3)] {
        let found = near.derivative(&[i, i].concat(), k);
        assert!((found[0] - part).abs() < 1e-14 && found[1] == 0.0 && found[2] == 0.0, "{found:?}");
    }
    let arcs = Map::new(
        "let r = DQuat::from_rotation_arc(v, w); y[0] = r.x; y[1] = r.w; y[2] = v.angle_between(w); y[3] = v.slerp(w, 0.5).x;
        y[4] = DQuat::from_rotation_arc_colinear(v, w).z; y[5] = v.angle_to(w, DVec3::new(0.0, 0.0, 1.0));",
        6,
    );
    arcs.is_finite_at(&[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    arcs.is_finite_at(&[1.0, 0.0, 0.0, -1.0, 0.0, 0.0]);
    let one = Map::new(
        "let a = DVec3::new(0.0, 0.0, 1.0); let (s, t) = q.swing_twist(a); let (r0, r1, r2) = q.to_rpy();
        let (e0, e1, e2) = q.to_euler(EulerRot::ZYX); let (f0, f1, f2) = q.to_euler(EulerRot::ZXZ);
        y[0] = s.x; y[1] = t.z; y[2] = q.twist_angle(a); y[3] = r0; y[4] = r1; y[5] = r2; y[6] = e0; y[7] = e1; y[8] = e2;
        y[9] = f0; y[10] = f1; y[11] = f2; y[12] = q.exp().x; y[13] = q.ln().y; y[14] = q.powf(0.5).x; y[15] = q.to_axis_angle().1;",
        16,
    );
    let quarter = core::f64::consts::FRAC_1_SQRT_2;
    for at in [i, x, [0.0, 0.0, 1.0, 0.0], [0.0, quarter, 0.0, quarter], [0.0, -quarter, 0.0, quarter], m] {
        one.is_finite_at(&at);
    }
}

/// Eigenvalues 1 and 3: half of each moves with either element of the diagonal, though their difference has a kink's form.
#[test]
fn eigenvalues_of_equal_diagonals() {
    let map = Map::new("let (l, e) = a2.symmetric_eigen(); y[0] = l.x; y[1] = l.y; y[2] = e.x_axis.x;", 3);
    // The first vector is (1, -1) / root 2; of it first order theory says (v2 dA v1) / (1 - 3) times v2.
    let turn = 0.125f64.sqrt() / 2.0;
    map.has_derivative(
        &[2.0, 1.0, 1.0, 2.0],
        &[&[0.5, 0.5, -turn], &[-0.5, 0.5, 0.0], &[-0.5, 0.5, 0.0], &[0.5, 0.5, turn]],
    );
    // The vectors change their signs here; what does not depend on these is smooth.
    let unsigned =
        "let (l, e) = a2.symmetric_eigen(); let v = e.x_axis; y[0] = l.x * l.x; y[1] = v.x * v.y; y[2] = v.x * v.x;";
    let map = Map::new(unsigned, 3);
    map.is_smooth_at(&[2.0, 1.0, 1.0, 2.0]);
    map.is_smooth_at(&[2.0, -1.0, -1.0, 2.0]);
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
