//! Rotations and transforms, also at the identity and at half turns.

use super::{Map, smooth};

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
