//! Quaternions against glam's: f64 by bits, f32 within rounding.

use crate::host::{double, single};
use crate::same::{Samples, agree};

#[test]
fn dquat_agrees() {
    let mut samples = Samples(53);
    for _ in 0..5000 {
        let [a, b]: [[f64; 4]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| samples.f64()));
        let v: [f64; 3] = std::array::from_fn(|_| samples.f64());
        let s = samples.f64();
        let (p, gp) = (double::Quat::from_array(a), glam::DQuat::from_array(a));
        let (q, gq) = (double::Quat::from_array(b), glam::DQuat::from_array(b));
        let (v, gv) = (double::Vec3::from_array(v), glam::DVec3::from_array(v));
        let about = (gp, gq, gv, s);
        agree!(p, gp, about);
        agree!(double::quat(s, v.x, v.y, v.z), glam::dquat(s, gv.x, gv.y, gv.z), about);
        agree!(p.xyz(), gp.xyz(), about);
        agree!(p.conjugate(), gp.conjugate(), about);
        agree!(p.inverse(), gp.inverse(), about);
        agree!(p.dot(q), gp.dot(gq), about);
        agree!(p.length(), gp.length(), about);
        agree!(p.length_squared(), gp.length_squared(), about);
        agree!(p.length_recip(), gp.length_recip(), about);
        agree!(p.normalize(), gp.normalize(), about);
        agree!(p.is_finite(), gp.is_finite(), about);
        agree!(p.is_nan(), gp.is_nan(), about);
        agree!(p.is_normalized(), gp.is_normalized(), about);
        agree!(p.normalize().is_normalized(), gp.normalize().is_normalized(), about);
        agree!(p.abs_diff_eq(q, s), gp.abs_diff_eq(gq, s), about);
        agree!(p.lerp(q, s), gp.lerp(gq, s), about);
        agree!(p.mul_vec3(v), gp.mul_vec3(gv), about);
        agree!(p.mul_quat(q), gp.mul_quat(gq), about);
        agree!(p * q, gp * gq, about);
        agree!(p * v, gp * gv, about);
        agree!(p * s, gp * s, about);
        agree!(p / s, gp / s, about);
        agree!(p + q, gp + gq, about);
        agree!(p - q, gp - gq, about);
        agree!(-p, -gp, about);
        agree!(p.as_quat().as_dquat(), gp.as_quat().as_dquat(), about);
    }
}

/// Every branch: rotations about each axis, by little and by nearly half a turn.
#[test]
fn rotations_come_back_from_matrices() {
    let mut samples = Samples(59);
    for k in 0..4000 {
        let mut a: [f64; 4] = std::array::from_fn(|_| samples.number());
        a[k % 4] *= 20.0;
        let gq = glam::DQuat::from_array(a).normalize();
        let q = double::Quat::from_array(gq.to_array());
        let (m, gm) = (double::Mat3::from_quat(q), glam::DMat3::from_quat(gq));
        agree!(double::Quat::from_mat3(m), glam::DQuat::from_mat3(&gm), gq);
        agree!(double::Quat::from_mat4(double::Mat4::from_mat3(m)), glam::DQuat::from_mat3(&gm), gq);
        let back = double::Quat::from_rotation_axes(m.x_axis, m.y_axis, m.z_axis);
        assert!((back.dot(q).abs() - 1.0).abs() < 1e-12, "{gq}");
    }
}

#[test]
fn quat_agrees_within_rounding() {
    let mut samples = Samples(61);
    for _ in 0..2000 {
        let [a, b]: [[f32; 4]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| samples.number() as f32));
        let v: [f32; 3] = std::array::from_fn(|_| samples.number() as f32);
        let (gp, gq) = (glam::Quat::from_array(a).normalize(), glam::Quat::from_array(b).normalize());
        let (p, q) = (single::Quat::from_array(gp.to_array()), single::Quat::from_array(gq.to_array()));
        let close = |x: f32, y: f32| assert!((x - y).abs() <= 1e-5, "{x} {y} {gp} {gq}");
        (p * q).to_array().into_iter().zip((gp * gq).to_array()).for_each(|(x, y)| close(x, y));
        let (turned, expected) = (p * single::Vec3::from_array(v), gp * glam::Vec3::from_array(v));
        turned.to_array().into_iter().zip(expected.to_array()).for_each(|(x, y)| close(x, y));
        close(p.dot(q), gp.dot(gq));
    }
}
