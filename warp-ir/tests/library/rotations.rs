//! Rotations by angles against glam's, and what both have in common with no function of their own.

use crate::host::orders::EulerRot;
use crate::host::{double, single};
use crate::same::{Samples, agree};
use glam::Vec3Swizzles;

const ORDERS: [(EulerRot, glam::EulerRot); 24] = [
    (EulerRot::ZYX, glam::EulerRot::ZYX),
    (EulerRot::ZXY, glam::EulerRot::ZXY),
    (EulerRot::YXZ, glam::EulerRot::YXZ),
    (EulerRot::YZX, glam::EulerRot::YZX),
    (EulerRot::XYZ, glam::EulerRot::XYZ),
    (EulerRot::XZY, glam::EulerRot::XZY),
    (EulerRot::ZYZ, glam::EulerRot::ZYZ),
    (EulerRot::ZXZ, glam::EulerRot::ZXZ),
    (EulerRot::YXY, glam::EulerRot::YXY),
    (EulerRot::YZY, glam::EulerRot::YZY),
    (EulerRot::XYX, glam::EulerRot::XYX),
    (EulerRot::XZX, glam::EulerRot::XZX),
    (EulerRot::ZYXEx, glam::EulerRot::ZYXEx),
    (EulerRot::ZXYEx, glam::EulerRot::ZXYEx),
    (EulerRot::YXZEx, glam::EulerRot::YXZEx),
    (EulerRot::YZXEx, glam::EulerRot::YZXEx),
    (EulerRot::XYZEx, glam::EulerRot::XYZEx),
    (EulerRot::XZYEx, glam::EulerRot::XZYEx),
    (EulerRot::ZYZEx, glam::EulerRot::ZYZEx),
    (EulerRot::ZXZEx, glam::EulerRot::ZXZEx),
    (EulerRot::YXYEx, glam::EulerRot::YXYEx),
    (EulerRot::YZYEx, glam::EulerRot::YZYEx),
    (EulerRot::XYXEx, glam::EulerRot::XYXEx),
    (EulerRot::XZXEx, glam::EulerRot::XZXEx),
];

/// The front end numbers the orders as glam does.
#[test]
fn orders_stand_in_glams_order() {
    for (k, (ours, glams)) in ORDERS.iter().enumerate() {
        assert_eq!(format!("{ours:?}"), warp_ir::library::EULER_ORDERS[k]);
        assert_eq!(format!("{glams:?}"), warp_ir::library::EULER_ORDERS[k]);
        assert_eq!((*ours as usize, *glams as usize), (k, k));
    }
}

/// Equal but for the order of roundings.
fn near(found: &[f64], expected: &[f64], about: impl std::fmt::Debug) {
    within(4e-15, found, expected, about);
}

/// glam takes angles from their cosines, which is rough for small ones: then the cosines are compared, or this much is
/// allowed to what depends on them.
const BY_COSINE: f64 = 1e-10;

fn within(tolerance: f64, found: &[f64], expected: &[f64], about: impl std::fmt::Debug) {
    let size = expected.iter().fold(1.0f64, |size, x| size.max(x.abs()));
    let near = found.iter().zip(expected).all(|(f, e)| (f - e).abs() <= tolerance * size);
    assert!(near, "{found:?}, expected {expected:?}, of {about:?}");
}

#[test]
fn rotations_by_angles_are_glams() {
    let mut samples = Samples(101);
    for k in 0..2400 {
        let (order, glam_order) = ORDERS[k % 24];
        let [a, b, c]: [f64; 3] = std::array::from_fn(|_| samples.number());
        let axis = glam::DVec3::from_array(std::array::from_fn(|_| samples.number())).normalize();
        let own_axis = double::Vec3::from_array(axis.to_array());
        let about = (order, a, b, c, axis);
        agree!(double::Quat::from_euler(order, a, b, c), glam::DQuat::from_euler(glam_order, a, b, c), about);
        agree!(double::Mat3::from_euler(order, a, b, c), glam::DMat3::from_euler(glam_order, a, b, c), about);
        agree!(double::Mat4::from_euler(order, a, b, c), glam::DMat4::from_euler(glam_order, a, b, c), about);
        let (m, gm) = (double::Mat3::from_euler(order, a, b, c), glam::DMat3::from_euler(glam_order, a, b, c));
        agree!(m.to_euler(order).0, gm.to_euler(glam_order).0, about);
        agree!(m.to_euler(order).1, gm.to_euler(glam_order).1, about);
        agree!(m.to_euler(order).2, gm.to_euler(glam_order).2, about);
        let (m, gm) = (double::Mat4::from_mat3(m), glam::DMat4::from_mat3(gm));
        agree!(m.to_euler(order).2, gm.to_euler(glam_order).2, about);
        let (q, gq) = (double::Quat::from_axis_angle(own_axis, a), glam::DQuat::from_axis_angle(axis, a));
        agree!(q, gq, about);
        agree!(q.to_euler(order).1, gq.to_euler(glam_order).1, about);
        agree!(double::Quat::from_rotation_x(a), glam::DQuat::from_rotation_x(a), about);
        agree!(double::Quat::from_rotation_y(a), glam::DQuat::from_rotation_y(a), about);
        agree!(double::Quat::from_rotation_z(a), glam::DQuat::from_rotation_z(a), about);
        agree!(double::Mat2::from_angle(a), glam::DMat2::from_angle(a), about);
        agree!(double::Mat3::from_angle(a), glam::DMat3::from_angle(a), about);
        agree!(double::Mat3::from_axis_angle(own_axis, a), glam::DMat3::from_axis_angle(axis, a), about);
        agree!(double::Mat3::from_rotation_x(a), glam::DMat3::from_rotation_x(a), about);
        agree!(double::Mat3::from_rotation_y(a), glam::DMat3::from_rotation_y(a), about);
        agree!(double::Mat3::from_rotation_z(a), glam::DMat3::from_rotation_z(a), about);
        agree!(double::Mat4::from_axis_angle(own_axis, a), glam::DMat4::from_axis_angle(axis, a), about);
        agree!(double::Mat4::from_rotation_x(a), glam::DMat4::from_rotation_x(a), about);
        agree!(double::Mat4::from_rotation_y(a), glam::DMat4::from_rotation_y(a), about);
        agree!(double::Mat4::from_rotation_z(a), glam::DMat4::from_rotation_z(a), about);
        agree!(own_axis.rotate_x(a), axis.rotate_x(a), about);
        agree!(own_axis.rotate_y(a), axis.rotate_y(a), about);
        agree!(own_axis.rotate_z(a), axis.rotate_z(a), about);
        let (plane, own_plane) = (glam::DVec2::new(a, b), double::Vec2::new(a, b));
        let (shift, own_shift) = (glam::DVec2::new(b, c), double::Vec2::new(b, c));
        agree!(double::Mat2::from_scale_angle(own_plane, c), glam::DMat2::from_scale_angle(plane, c), about);
        let glams = glam::DMat3::from_scale_angle_translation(plane, c, shift);
        agree!(double::Mat3::from_scale_angle_translation(own_plane, c, own_shift), glams, about);
        agree!(double::Vec2::from_angle(a), glam::DVec2::from_angle(a), about);
        agree!(own_plane.to_angle(), plane.to_angle(), about);
        agree!(own_plane.rotate_angle(c), plane.rotate_angle(c), about);
    }
}

#[test]
fn rotations_between_vectors_are_glams() {
    let mut samples = Samples(103);
    for k in 0..2000 {
        let mut vector = || glam::DVec3::from_array(std::array::from_fn(|_| samples.number()));
        let (a, b, v) = (vector().normalize(), vector().normalize(), vector());
        let b = [b, a, -a, b][k % 4];
        let own = |v: glam::DVec3| double::Vec3::from_array(v.to_array());
        let s = samples.number() * 0.25;
        let about = (a, b, v, s);
        agree!(double::Quat::from_rotation_arc(own(a), own(b)), glam::DQuat::from_rotation_arc(a, b), about);
        let glams = glam::DQuat::from_rotation_arc_colinear(a, b);
        agree!(double::Quat::from_rotation_arc_colinear(own(a), own(b)), glams, about);
        let (p, r) = (a.truncate().normalize(), b.truncate().normalize());
        let (own_p, own_r) = (double::Vec2::from_array(p.to_array()), double::Vec2::from_array(r.to_array()));
        agree!(double::Quat::from_rotation_arc_2d(own_p, own_r), glam::DQuat::from_rotation_arc_2d(p, r), about);
        near(&[own_p.angle_to(own_r).cos()], &[p.angle_to(r).cos()], about);
        near(&own(v).rotate_axis(own(a), s).to_array(), &v.rotate_axis(a, s).to_array(), about);
        if k % 4 == 0 {
            near(&[own(v).angle_between(own(b)).cos()], &[v.angle_between(b).cos()], about);
            near(&[own(v).angle_to(own(b), own(a))], &[v.angle_to(b, a)], about);
            within(BY_COSINE, &own(v).rotate_towards(own(b), s).to_array(), &v.rotate_towards(b, s).to_array(), about);
            within(BY_COSINE, &own_p.rotate_towards(own_r, s).to_array(), &p.rotate_towards(r, s).to_array(), about);
        }
        near(&own(v).slerp(own(b), s).to_array(), &v.slerp(b, s).to_array(), about);
        let (q, r) = (glam::DQuat::from_scaled_axis(v), glam::DQuat::from_rotation_arc(a, b));
        let own = |q: glam::DQuat| double::Quat::from_array(q.to_array());
        within(BY_COSINE, &own(q).slerp(own(r), s).to_array(), &q.slerp(r, s).to_array(), about);
        within(BY_COSINE, &own(q).slerp_long(own(r), s).to_array(), &q.slerp_long(r, s).to_array(), about);
        within(BY_COSINE, &own(q).rotate_towards(own(r), s).to_array(), &q.rotate_towards(r, s).to_array(), about);
        near(&[(0.5 * own(q).angle_between(own(r))).cos()], &[(0.5 * q.angle_between(r)).cos()], about);
        near(&own(q).to_scaled_axis().to_array(), &q.to_scaled_axis().to_array(), about);
        agree!(own(q).to_axis_angle().0, q.to_axis_angle().0, about);
        agree!(own(q).to_axis_angle().1, q.to_axis_angle().1, about);
        for size in [1.0, 1e-3, 1e-2, 1e-9, 0.0] {
            let scaled = v * size;
            let own = double::Vec3::from_array(scaled.to_array());
            near(
                &double::Quat::from_scaled_axis(own).to_array(),
                &glam::DQuat::from_scaled_axis(scaled).to_array(),
                scaled,
            );
        }
    }
}

#[test]
fn functions_of_components_are_glams() {
    let mut samples = Samples(107);
    for _ in 0..2000 {
        let [x, y, z, w, s]: [f64; 5] = std::array::from_fn(|_| samples.f64());
        let (v, g) = (double::Vec4::new(x, y, z, w), glam::DVec4::new(x, y, z, w));
        agree!(v.exp(), g.exp(), g);
        agree!(v.exp2(), g.exp2(), g);
        agree!(v.ln(), g.ln(), g);
        agree!(v.log2(), g.log2(), g);
        agree!(v.sin(), g.sin(), g);
        agree!(v.cos(), g.cos(), g);
        agree!(v.sin_cos().0, g.sin_cos().0, g);
        agree!(v.sin_cos().1, g.sin_cos().1, g);
        agree!(v.powf(s), g.powf(s), (g, s));
        let (v3, g3) = (v.truncate(), g.truncate());
        agree!(v3.exp(), g3.exp(), g);
        agree!(v3.powf(s), g3.powf(s), (g, s));
        agree!(v3.truncate().ln(), g3.truncate().ln(), g);
        agree!(v.with_zx(v3.truncate()), glam::Vec4Swizzles::with_zx(g, g3.truncate()), g);
        agree!(v.with_wxy(v3), glam::Vec4Swizzles::with_wxy(g, g3), g);
        agree!(v3.with_yz(v3.truncate()), glam::Vec3Swizzles::with_yz(g3, g3.truncate()), g);
        agree!(v.project(), g.project(), g);
    }
    for _ in 0..2000 {
        let elements: [f64; 16] = std::array::from_fn(|_| samples.f64());
        let (m, g) = (double::Mat4::from_rows_array(elements), glam::DMat4::from_rows_array(&elements));
        agree!(m, g, g);
        agree!(m.to_rows_array(), g.to_rows_array(), g);
        let (i, j) = (samples.word() as usize % 4, samples.word() as usize % 4);
        let (m3, g3) = (double::Mat3::from_mat4_minor(m, i, j), glam::DMat3::from_mat4_minor(g, i, j));
        agree!(m3, g3, (g, i, j));
        let (i, j) = (i % 3, j % 3);
        agree!(double::Mat2::from_mat3_minor(m3, i, j), glam::DMat2::from_mat3_minor(g3, i, j), (g, i, j));
        agree!(m.transpose_mul_vec4(m.x_axis), g.transpose_mul_vec4(g.x_axis), g);
    }
    for _ in 0..2000 {
        let scale = glam::DVec3::from_array(std::array::from_fn(|_| samples.number()));
        let q = glam::DQuat::from_array(std::array::from_fn(|_| samples.number())).normalize();
        let g = glam::DMat4::from_scale_rotation_translation(scale, q, scale.zxy());
        let m = double::Mat4::from_cols_array(g.to_cols_array());
        agree!(m.to_scale_rotation_translation().0, g.to_scale_rotation_translation().0, g);
        agree!(m.to_scale_rotation_translation().1, g.to_scale_rotation_translation().1, g);
        agree!(m.to_scale_rotation_translation().2, g.to_scale_rotation_translation().2, g);
    }
}

#[test]
fn single_rotations_are_glams_within_rounding() {
    let mut samples = Samples(109);
    for k in 0..2400 {
        let (order, glam_order) = ORDERS[k % 24];
        let [a, b, c]: [f32; 3] = std::array::from_fn(|_| samples.number() as f32);
        let found = single::Quat::from_euler(order, a, b, c).to_array();
        let expected = glam::Quat::from_euler(glam_order, a, b, c).to_array();
        assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() <= 1e-6), "{found:?} {expected:?}");
        let (p, q) = (glam::Quat::from_rotation_x(a), glam::Quat::from_euler(glam_order, c, a, b));
        let own = |q: glam::Quat| single::Quat::from_array(q.to_array());
        let (found, expected) = (own(p).slerp(own(q), 0.3).to_array(), p.slerp(q, 0.3).to_array());
        assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() <= 2e-6), "{found:?} {expected:?}");
        assert!((own(p).angle_between(own(q)) - p.angle_between(q)).abs() <= 1e-3);
    }
}
