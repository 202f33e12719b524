//! Rotations in kernels. They use functions like `sin`, whose last places may differ from Rust's: so launches are compared
//! with the plain functions within rounding, and with SciPy.

use warp::math::{DTransform, EulerRot};
use warp::prelude::*;

use crate::agree::Samples;
use crate::references::{close, rows};

/// The numbers of many vectors and quaternions, one after another.
fn flat<T, const N: usize>(list: &[T], array: impl Fn(&T) -> [f64; N]) -> Vec<f64> {
    list.iter().flat_map(array).collect()
}

#[kernel(no_fma)]
fn rotations(v_in: &[DVec3], q_in: &[DQuat], v: &mut [DVec3], q: &mut [DQuat], x: &mut [f64]) {
    let t = tid();
    let n = v_in.len();
    let (a, b) = (v_in[t], v_in[(t + 1) % n]);
    let (p, r) = (q_in[t], q_in[(t + 1) % n]);
    let axis = b.normalize();
    let angles = p.to_euler(EulerRot::ZYX);
    let turns = p.to_rpy();
    let (swing, twist) = p.swing_twist(axis);
    v[t * 13] = p.rotate(a) + r.rotate_inverse(b);
    v[t * 13 + 1] = DVec3::new(angles.0, angles.1, angles.2);
    v[t * 13 + 2] = DVec3::new(turns.0, turns.1, turns.2);
    v[t * 13 + 3] = p.to_scaled_axis();
    v[t * 13 + 4] = p.to_rotation_vector();
    v[t * 13 + 5] = a.rotate_axis(axis, 0.3) + a.rotate_x(0.1) + a.rotate_y(0.2) + a.rotate_z(b.x);
    v[t * 13 + 6] = a.rotate_towards(b, 0.4);
    v[t * 13 + 7] = a.slerp(b, 0.3);
    v[t * 13 + 8] = a.sin() + a.cos() + (a * 0.1).exp() + (a.abs() + 1.0).ln();
    v[t * 13 + 9] = DMat3::from_euler(EulerRot::XYXEx, a.x, a.y, a.z) * b;
    v[t * 13 + 10] = DMat3::from_axis_angle(axis, a.x) * b + DMat3::from_rotation_y(a.y) * b;
    v[t * 13 + 11] = DTransform::new(a, p).interpolate(DTransform::new(b, r), 0.7).p;
    v[t * 13 + 12] =
        p.integrate_midpoint(a, b, DMat3::IDENTITY, DMat3::from_diagonal(DVec3::new(1.0, 0.9, 0.8)), 0.01).1;
    q[t * 14] = DQuat::from_axis_angle(axis, a.x);
    q[t * 14 + 1] = DQuat::from_scaled_axis(a);
    q[t * 14 + 2] = DQuat::from_euler(EulerRot::XYZ, a.x, a.y, a.z) * DQuat::from_rpy(b.x, b.y, b.z);
    q[t * 14 + 3] = DQuat::from_rotation_arc(a.normalize(), axis);
    q[t * 14 + 4] = p.slerp(r, 0.3);
    q[t * 14 + 5] = p.slerp_long(r, 0.8);
    q[t * 14 + 6] = p.rotate_towards(r, 0.2);
    q[t * 14 + 7] = p.integrate(a, 0.01) * p.integrate_body(b, -0.02);
    q[t * 14 + 8] = (p * 1.5).ln().exp();
    q[t * 14 + 9] = p.powf(0.25) + p.derivative(a) + p.renormalize();
    q[t * 14 + 10] = swing;
    q[t * 14 + 11] = twist * p.twist(axis);
    q[t * 14 + 12] = DQuat::from_rotation_x(a.x) * DQuat::from_rotation_y(a.y) * DQuat::from_rotation_z(a.z);
    q[t * 14 + 13] = DQuat::from_rotation_arc_colinear(a.normalize(), axis);
    x[t * 5] = p.angle_between(r);
    x[t * 5 + 1] = a.angle_between(b);
    x[t * 5 + 2] = a.angle_to(b, axis.any_orthonormal_vector());
    x[t * 5 + 3] = p.twist_angle(axis);
    x[t * 5 + 4] = DVec2::from_angle(a.x).rotate_angle(b.x).angle_to(a.truncate()).cos();
}

#[test]
fn rotations_agree() {
    let mut samples = Samples(113);
    let mut vector = || DVec3::from_array(std::array::from_fn(|_| samples.small()));
    let v: Vec<DVec3> = (0..200).map(|_| vector()).collect();
    let q: Vec<DQuat> = (0..200).map(|_| DQuat::from_vec4(vector().extend(vector().x)).normalize()).collect();
    let (mut vs, mut qs, mut xs) = (vec![DVec3::ZERO; 2600], vec![DQuat::IDENTITY; 2800], vec![0.0; 1000]);
    rotations::plain(200, &v, &q, &mut vs, &mut qs, &mut xs).expect("no fault");
    let device = Device::cpu();
    let (v, q) = (Array::from_slice(&device, &v).unwrap(), Array::from_slice(&device, &q).unwrap());
    let mut found_v = Array::from_slice(&device, &vec![DVec3::ZERO; 2600]).unwrap();
    let mut found_q = Array::from_slice(&device, &vec![DQuat::IDENTITY; 2800]).unwrap();
    let mut found_x = Array::from_slice(&device, &[0.0; 1000]).unwrap();
    rotations::launch(200, &v, &q, &mut found_v, &mut found_q, &mut found_x).unwrap();
    for (k, (f, e)) in found_v.to_vec().unwrap().iter().zip(&vs).enumerate() {
        // glam takes angles between vectors from their cosines, which costs half of the places where they are small.
        let tolerance = if k % 13 == 6 { 1e-7 } else { 1e-12 };
        close(&f.to_array(), &e.to_array(), tolerance, &[k as f64 / 13.0, (k % 13) as f64]);
    }
    for (k, (f, e)) in found_q.to_vec().unwrap().iter().zip(&qs).enumerate() {
        let tolerance = if k % 14 == 6 { 1e-7 } else { 1e-12 };
        close(&f.to_array(), &e.to_array(), tolerance, &[k as f64 / 14.0, (k % 14) as f64]);
    }
    for (k, (f, e)) in found_x.to_vec().unwrap().iter().zip(&xs).enumerate() {
        assert!((f - e).abs() <= if k % 5 < 2 { 1e-7 } else { 1e-12 }, "{k}: {f} {e}");
    }
}

#[kernel]
fn by_vectors(v: &[DVec3], q: &mut [DQuat], back: &mut [DVec3]) {
    let t = tid();
    q[t] = DQuat::from_scaled_axis(v[t]);
    back[t] = q[t].to_rotation_vector();
}

#[kernel]
fn between(p: &[DQuat], q: &[DQuat], s: &[f64], middle: &mut [DQuat], angle: &mut [f64]) {
    let t = tid();
    middle[t] = p[t].slerp(q[t], s[t]);
    angle[t] = p[t].angle_between(q[t]);
}

/// A quaternion and its negative are one rotation: the one with a positive real part.
fn canonical(q: &DQuat) -> [f64; 4] {
    let first = [q.w, q.x, q.y, q.z].into_iter().find(|x| x.abs() > 1e-12).unwrap_or(1.0);
    if first < 0.0 { (-*q).to_array() } else { q.to_array() }
}

#[test]
fn rotations_are_scipys() {
    let device = Device::cpu();
    let table = rows("vector");
    let given: Vec<DVec3> = table.iter().map(|(v, _)| DVec3::from_slice(v)).collect();
    let v = Array::from_slice(&device, &given).unwrap();
    let mut q = Array::from_slice(&device, &vec![DQuat::IDENTITY; given.len()]).unwrap();
    let mut back = Array::from_slice(&device, &vec![DVec3::ZERO; given.len()]).unwrap();
    by_vectors::launch(given.len(), &v, &mut q, &mut back).unwrap();
    let expected: Vec<f64> = table.iter().flat_map(|(_, q)| q.clone()).collect();
    close(&flat(&q.to_vec().unwrap(), canonical), &expected, 1e-15, &[]);
    close(&flat(&back.to_vec().unwrap(), |v| v.to_array()), &flat(&given, |v| v.to_array()), 1e-15, &[]);

    let (slerp, angles) = (rows("slerp"), rows("between"));
    let array = |list: Vec<DQuat>| Array::from_slice(&device, &list).unwrap();
    let p = array(slerp.iter().map(|(g, _)| DQuat::from_slice(g)).collect());
    let q = array(slerp.iter().map(|(g, _)| DQuat::from_slice(&g[4..])).collect());
    let s = Array::from_slice(&device, &slerp.iter().map(|(g, _)| g[8]).collect::<Vec<_>>()).unwrap();
    let mut middle = array(vec![DQuat::IDENTITY; slerp.len()]);
    let mut angle = Array::from_slice(&device, &vec![0.0; slerp.len()]).unwrap();
    between::launch(slerp.len(), &p, &q, &s, &mut middle, &mut angle).unwrap();
    let expected: Vec<f64> = slerp.iter().flat_map(|(_, q)| q.clone()).collect();
    close(&flat(&middle.to_vec().unwrap(), canonical), &expected, 1e-14, &[]);
    close(&angle.to_vec().unwrap(), &angles.iter().map(|(_, a)| a[0]).collect::<Vec<_>>(), 1e-14, &[]);
}

macro_rules! euler {
    ($($name:ident $order:ident $row:literal),* $(,)?) => {$(
        #[kernel]
        fn $name(a: &[DVec3], q: &mut [DQuat], m: &mut [DMat3]) {
            let t = tid();
            q[t] = DQuat::from_euler(EulerRot::$order, a[t].x, a[t].y, a[t].z);
            let (x, y, z) = q[t].to_euler(EulerRot::$order);
            m[t] = DMat3::from_euler(EulerRot::$order, x, y, z);
        }
    )*
    #[test]
    fn euler_angles_are_scipys() {
        let device = Device::cpu();
        $(
            let table = rows($row);
            let a: Vec<DVec3> = table.iter().map(|(a, _)| DVec3::from_slice(a)).collect();
            let n = a.len();
            let a = Array::from_slice(&device, &a).unwrap();
            let mut q = Array::from_slice(&device, &vec![DQuat::IDENTITY; n]).unwrap();
            let mut m = Array::from_slice(&device, &vec![DMat3::ZERO; n]).unwrap();
            $name::launch(n, &a, &mut q, &mut m).unwrap();
            for ((q, m), (_, expected)) in q.to_vec().unwrap().iter().zip(m.to_vec().unwrap()).zip(&table) {
                close(&canonical(q), &expected[..4], 1e-15, &[]);
                close(&m.transpose().to_cols_array(), &expected[4..], 1e-14, &[]);
            }
        )*
    }};
}
euler! {
    by_zyx ZYX "euler0", by_zxy ZXY "euler1", by_yxz YXZ "euler2", by_yzx YZX "euler3", by_xyz XYZ "euler4",
    by_xzy XZY "euler5", by_zyz ZYZ "euler6", by_zxz ZXZ "euler7", by_yxy YXY "euler8", by_yzy YZY "euler9",
    by_xyx XYX "euler10", by_xzx XZX "euler11", by_zyx_ex ZYXEx "euler12", by_zxy_ex ZXYEx "euler13",
    by_yxz_ex YXZEx "euler14", by_yzx_ex YZXEx "euler15", by_xyz_ex XYZEx "euler16", by_xzy_ex XZYEx "euler17",
    by_zyz_ex ZYZEx "euler18", by_zxz_ex ZXZEx "euler19", by_yxy_ex YXYEx "euler20", by_yzy_ex YZYEx "euler21",
    by_xyx_ex XYXEx "euler22", by_xzx_ex XZXEx "euler23",
}

/// A box that spins freely for 20 s in steps of 1 ms: energy and angular momentum stay, in f32.
#[test]
fn a_free_body_keeps_energy_and_momentum() {
    let inertia = Mat3::from_diagonal(Vec3::new(0.2, 0.4, 0.5));
    let (mut q, mut w) = (Quat::IDENTITY, Vec3::new(0.3, 5.0, 0.2));
    let measure = |q: Quat, w: Vec3| {
        let (q, w) = (q.as_dquat(), w.as_dvec3());
        let body = q.inverse() * w;
        let momentum = inertia.as_dmat3() * body;
        (0.5 * body.dot(momentum), q * momentum)
    };
    let (energy, momentum) = measure(q, w);
    for _ in 0..20_000 {
        (q, w) = q.integrate_midpoint(w, Vec3::ZERO, inertia, inertia.inverse(), 1e-3);
    }
    let (after, turned) = measure(q, w);
    assert!(((after - energy) / energy).abs() < 5e-5, "energy {energy} became {after}");
    assert!((turned - momentum).length() / momentum.length() < 5e-5, "momentum {momentum} became {turned}");
    assert!((q.length() - 1.0).abs() < 1e-6 && w.distance(Vec3::new(0.3, 5.0, 0.2)) > 0.1, "it turned: {w}");
}

#[test]
fn inverses_undo() {
    let mut samples = Samples(127);
    for _ in 0..500 {
        let mut vector = || DVec3::from_array(std::array::from_fn(|_| samples.small()));
        let (v, w) = (vector(), vector());
        let q = DQuat::from_vec4(v.extend(w.x)).normalize();
        let axis = w.normalize();
        close(&(q * q.inverse()).to_array(), &[0.0, 0.0, 0.0, 1.0], 1e-15, &[]);
        close(&q.ln().exp().to_array(), &q.to_array(), 1e-14, &[]);
        let (roll, pitch, yaw) = q.to_rpy();
        // Near a quarter turn of the pitch the other two are known less well than their sum.
        close(&canonical(&DQuat::from_rpy(roll, pitch, yaw)), &canonical(&q), 1e-12, &[]);
        let (swing, twist) = q.swing_twist(axis);
        close(&(swing * twist).to_array(), &q.to_array(), 1e-15, &[]);
        assert!(swing.xyz().dot(axis).abs() < 1e-15 && twist.xyz().cross(axis).length() < 1e-15);
        close(&canonical(&DQuat::from_axis_angle(axis, q.twist_angle(axis))), &canonical(&twist), 1e-14, &[]);
        let x = DTransform::new(v, q);
        assert!((x * x.inverse()).abs_diff_eq(DTransform::IDENTITY, 1e-14));
        close(&x.inverse_transform_point(x.transform_point(w)).to_array(), &w.to_array(), 1e-14, &[]);
        close(&DTransform::from_mat4(x.to_mat4()).p.to_array(), &v.to_array(), 1e-15, &[]);
        let step = DQuat::from_scaled_axis(w * 1e-3);
        close(&q.integrate(w, 1e-3).to_array(), &(step * q).to_array(), 1e-15, &[]);
        let change = (q.integrate(w, 1e-6) - q.integrate(w, -1e-6)) / 2e-6;
        close(&change.to_array(), &q.derivative(w).to_array(), 1e-9, &[]);
    }
}

/// Turns of a quarter up or down, where roll and yaw are one: the rotation comes back, in single precision too.
#[test]
fn roll_pitch_and_yaw_at_the_poles() {
    let quarter = core::f32::consts::FRAC_PI_2;
    let half_turn = core::f32::consts::PI + 1e-5;
    for (roll, yaw) in [(0.3, 0.0), (1.0, 0.0), (0.0, 0.7), (0.3, 0.4), (-2.9, 1.3), (3.1, -3.1)] {
        for pitch in [quarter, -quarter, quarter - 1e-4, 1e-3 - quarter, 0.9] {
            let q = Quat::from_rpy(roll, pitch, yaw);
            for q in [q, -q, q * 0.01] {
                let (r, p, y) = q.to_rpy();
                let back = Quat::from_rpy(r, p, y);
                assert!(back.dot(q.normalize()).abs() > 1.0 - 1e-6 && back.angle_between(q.normalize()) < 2e-3);
                assert!((p - pitch).abs() < 1e-3 && r.abs() < half_turn && y.abs() < half_turn, "{roll} {pitch} {yaw}");
                let apart = [Vec3::X, Vec3::Y, Vec3::Z].map(|v| (back * v).distance(q.normalize() * v));
                assert!(apart.iter().all(|d| *d < 2e-6), "{roll} {pitch} {yaw}: {apart:?}");
            }
        }
    }
    assert_eq!((-Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)).twist_angle(Vec3::Z), 0.0);
    assert_eq!(Quat::from_xyzw(1.0, 0.0, 0.0, -0.0).twist_angle(Vec3::Z), 0.0);
    let small = Quat::from_xyzw(0.005, 0.0, 0.0, 0.005);
    assert!((small.to_rotation_vector().x - quarter).abs() < 1e-6);
}
