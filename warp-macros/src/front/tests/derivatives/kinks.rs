//! Where there is no derivative: those that are written down.

use super::{Map, smooth};

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
