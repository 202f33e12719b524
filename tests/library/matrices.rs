//! Matrices and quaternions in kernels: each launch against the same kernel as plain Rust on glam's types.

use warp::prelude::*;

use crate::agree::{Samples, agree};

#[kernel(no_fma)]
fn mat3_all(
    m_in: &[Mat3],
    w_in: &[Mat3],
    p_in: &[Vec3],
    k_in: &[f32],
    a: &mut [Mat3],
    v: &mut [Vec3],
    x: &mut [f32],
    u: &mut [u32],
) {
    let t = tid();
    let m = m_in[t];
    let w = w_in[t];
    let p = p_in[t];
    let k = k_in[t];
    a[t * 16] = m + w;
    a[t * 16 + 1] = m - w;
    a[t * 16 + 2] = m * w;
    a[t * 16 + 3] = m * k;
    a[t * 16 + 4] = k * m;
    a[t * 16 + 5] = m / k;
    a[t * 16 + 6] = -m;
    a[t * 16 + 7] = m.transpose();
    a[t * 16 + 8] = m.inverse();
    a[t * 16 + 9] = m.inverse_or_zero();
    a[t * 16 + 10] = m.try_inverse().unwrap_or(Mat3::IDENTITY);
    a[t * 16 + 11] = Mat3::from_diagonal(p);
    a[t * 16 + 12] = m.mul_diagonal_scale(p);
    a[t * 16 + 13] = m.abs();
    a[t * 16 + 14] = Mat3::from_cols(m.col(0), m.col(1), m.col(2));
    a[t * 16 + 15] = Mat3::from_cols_array(&m.to_cols_array());
    v[t * 7] = m * p;
    v[t * 7 + 1] = m.mul_vec3(p);
    v[t * 7 + 2] = m.diagonal();
    v[t * 7 + 3] = m.row(1);
    v[t * 7 + 4] = m.x_axis;
    v[t * 7 + 5] = m.transpose_mul_vec3(p);
    v[t * 7 + 6] = m.col(t % 3);
    x[t * 2] = m.determinant();
    x[t * 2 + 1] = m.y_axis.x;
    u[t * 4] = m.is_finite() as u32;
    u[t * 4 + 1] = m.is_nan() as u32;
    u[t * 4 + 2] = m.abs_diff_eq(w, 3.0) as u32;
    u[t * 4 + 3] = (m == w) as u32;
}

#[test]
fn mat3_agrees() {
    let mut samples = Samples(9);
    let mut matrices = || {
        (0..200).map(|_| Mat3::from_cols_array(&std::array::from_fn(|_| samples.float() as f32))).collect::<Vec<_>>()
    };
    let (m, w) = (matrices(), matrices());
    let p: Vec<Vec3> = (0..200).map(|_| Vec3::from_array(std::array::from_fn(|_| samples.float() as f32))).collect();
    let k: Vec<f32> = (0..200).map(|_| samples.float() as f32).collect();
    agree!(mat3_all, m, w, p, k; a: Mat3::ZERO, 16, v: Vec3::ZERO, 7, x: 0.0, 2, u: 0u32, 4);
}

#[kernel(no_fma)]
fn dmat2_all(
    m_in: &[DMat2],
    w_in: &[DMat2],
    p_in: &[DVec2],
    k_in: &[f64],
    a: &mut [DMat2],
    v: &mut [DVec2],
    x: &mut [f64],
    u: &mut [u32],
) {
    let t = tid();
    let m = m_in[t];
    let w = w_in[t];
    let p = p_in[t];
    let k = k_in[t];
    a[t * 16] = m + w;
    a[t * 16 + 1] = m - w;
    a[t * 16 + 2] = m * w;
    a[t * 16 + 3] = m * k;
    a[t * 16 + 4] = k * m;
    a[t * 16 + 5] = m / k;
    a[t * 16 + 6] = -m;
    a[t * 16 + 7] = m.transpose();
    a[t * 16 + 8] = m.inverse();
    a[t * 16 + 9] = m.inverse_or_zero();
    a[t * 16 + 10] = m.try_inverse().unwrap_or(DMat2::IDENTITY);
    a[t * 16 + 11] = DMat2::from_diagonal(p);
    a[t * 16 + 12] = m.mul_diagonal_scale(p);
    a[t * 16 + 13] = m.abs();
    a[t * 16 + 14] = DMat2::from_cols(m.col(0), m.col(1));
    a[t * 16 + 15] = DMat2::from_cols_array(&m.to_cols_array());
    v[t * 7] = m * p;
    v[t * 7 + 1] = m.mul_vec2(p);
    v[t * 7 + 2] = m.diagonal();
    v[t * 7 + 3] = m.row(1);
    v[t * 7 + 4] = m.x_axis;
    v[t * 7 + 5] = m.transpose_mul_vec2(p);
    v[t * 7 + 6] = m.col(t % 2);
    x[t * 2] = m.determinant();
    x[t * 2 + 1] = m.y_axis.x;
    u[t * 4] = m.is_finite() as u32;
    u[t * 4 + 1] = m.is_nan() as u32;
    u[t * 4 + 2] = m.abs_diff_eq(w, 3.0) as u32;
    u[t * 4 + 3] = (m == w) as u32;
}

#[test]
fn dmat2_agrees() {
    let mut samples = Samples(9);
    let mut matrices =
        || (0..200).map(|_| DMat2::from_cols_array(&std::array::from_fn(|_| samples.float()))).collect::<Vec<_>>();
    let (m, w) = (matrices(), matrices());
    let p: Vec<DVec2> = (0..200).map(|_| DVec2::from_array(std::array::from_fn(|_| samples.float()))).collect();
    let k: Vec<f64> = (0..200).map(|_| samples.float()).collect();
    agree!(dmat2_all, m, w, p, k; a: DMat2::ZERO, 16, v: DVec2::ZERO, 7, x: 0.0, 2, u: 0u32, 4);
}

#[kernel(no_fma)]
fn dmat3_all(
    m_in: &[DMat3],
    w_in: &[DMat3],
    p_in: &[DVec3],
    k_in: &[f64],
    a: &mut [DMat3],
    v: &mut [DVec3],
    x: &mut [f64],
    u: &mut [u32],
) {
    let t = tid();
    let m = m_in[t];
    let w = w_in[t];
    let p = p_in[t];
    let k = k_in[t];
    a[t * 16] = m + w;
    a[t * 16 + 1] = m - w;
    a[t * 16 + 2] = m * w;
    a[t * 16 + 3] = m * k;
    a[t * 16 + 4] = k * m;
    a[t * 16 + 5] = m / k;
    a[t * 16 + 6] = -m;
    a[t * 16 + 7] = m.transpose();
    a[t * 16 + 8] = m.inverse();
    a[t * 16 + 9] = m.inverse_or_zero();
    a[t * 16 + 10] = m.try_inverse().unwrap_or(DMat3::IDENTITY);
    a[t * 16 + 11] = DMat3::from_diagonal(p);
    a[t * 16 + 12] = m.mul_diagonal_scale(p);
    a[t * 16 + 13] = m.abs();
    a[t * 16 + 14] = DMat3::from_cols(m.col(0), m.col(1), m.col(2));
    a[t * 16 + 15] = DMat3::from_cols_array(&m.to_cols_array());
    v[t * 7] = m * p;
    v[t * 7 + 1] = m.mul_vec3(p);
    v[t * 7 + 2] = m.diagonal();
    v[t * 7 + 3] = m.row(1);
    v[t * 7 + 4] = m.x_axis;
    v[t * 7 + 5] = m.transpose_mul_vec3(p);
    v[t * 7 + 6] = m.col(t % 3);
    x[t * 2] = m.determinant();
    x[t * 2 + 1] = m.y_axis.x;
    u[t * 4] = m.is_finite() as u32;
    u[t * 4 + 1] = m.is_nan() as u32;
    u[t * 4 + 2] = m.abs_diff_eq(w, 3.0) as u32;
    u[t * 4 + 3] = (m == w) as u32;
}

#[test]
fn dmat3_agrees() {
    let mut samples = Samples(9);
    let mut matrices =
        || (0..200).map(|_| DMat3::from_cols_array(&std::array::from_fn(|_| samples.float()))).collect::<Vec<_>>();
    let (m, w) = (matrices(), matrices());
    let p: Vec<DVec3> = (0..200).map(|_| DVec3::from_array(std::array::from_fn(|_| samples.float()))).collect();
    let k: Vec<f64> = (0..200).map(|_| samples.float()).collect();
    agree!(dmat3_all, m, w, p, k; a: DMat3::ZERO, 16, v: DVec3::ZERO, 7, x: 0.0, 2, u: 0u32, 4);
}

#[kernel(no_fma)]
fn dmat4_all(
    m_in: &[DMat4],
    w_in: &[DMat4],
    p_in: &[DVec4],
    k_in: &[f64],
    a: &mut [DMat4],
    v: &mut [DVec4],
    x: &mut [f64],
    u: &mut [u32],
) {
    let t = tid();
    let m = m_in[t];
    let w = w_in[t];
    let p = p_in[t];
    let k = k_in[t];
    a[t * 16] = m + w;
    a[t * 16 + 1] = m - w;
    a[t * 16 + 2] = m * w;
    a[t * 16 + 3] = m * k;
    a[t * 16 + 4] = k * m;
    a[t * 16 + 5] = m / k;
    a[t * 16 + 6] = -m;
    a[t * 16 + 7] = m.transpose();
    a[t * 16 + 8] = m.inverse();
    a[t * 16 + 9] = m.inverse_or_zero();
    a[t * 16 + 10] = m.try_inverse().unwrap_or(DMat4::IDENTITY);
    a[t * 16 + 11] = DMat4::from_diagonal(p);
    a[t * 16 + 12] = m.mul_diagonal_scale(p);
    a[t * 16 + 13] = m.abs();
    a[t * 16 + 14] = DMat4::from_cols(m.col(0), m.col(1), m.col(2), m.col(3));
    a[t * 16 + 15] = DMat4::from_cols_array(&m.to_cols_array());
    v[t * 7] = m * p;
    v[t * 7 + 1] = m.mul_vec4(p);
    v[t * 7 + 2] = m.diagonal();
    v[t * 7 + 3] = m.row(1);
    v[t * 7 + 4] = m.x_axis;
    v[t * 7 + 5] = m.transpose_mul_vec4(p);
    v[t * 7 + 6] = m.col(t % 4);
    x[t * 2] = m.determinant();
    x[t * 2 + 1] = m.y_axis.x;
    u[t * 4] = m.is_finite() as u32;
    u[t * 4 + 1] = m.is_nan() as u32;
    u[t * 4 + 2] = m.abs_diff_eq(w, 3.0) as u32;
    u[t * 4 + 3] = (m == w) as u32;
}

#[test]
fn dmat4_agrees() {
    let mut samples = Samples(9);
    let mut matrices =
        || (0..200).map(|_| DMat4::from_cols_array(&std::array::from_fn(|_| samples.float()))).collect::<Vec<_>>();
    let (m, w) = (matrices(), matrices());
    let p: Vec<DVec4> = (0..200).map(|_| DVec4::from_array(std::array::from_fn(|_| samples.float()))).collect();
    let k: Vec<f64> = (0..200).map(|_| samples.float()).collect();
    agree!(dmat4_all, m, w, p, k; a: DMat4::ZERO, 16, v: DVec4::ZERO, 7, x: 0.0, 2, u: 0u32, 4);
}

#[kernel(no_fma)]
fn dquat_all(
    q_in: &[DQuat],
    r_in: &[DQuat],
    p_in: &[DVec3],
    k_in: &[f64],
    o: &mut [DQuat],
    v: &mut [DVec3],
    x: &mut [f64],
    u: &mut [u32],
) {
    let t = tid();
    let q = q_in[t];
    let r = r_in[t];
    let p = p_in[t];
    let k = k_in[t];
    o[t * 12] = q * r;
    o[t * 12 + 1] = q + r;
    o[t * 12 + 2] = q - r;
    o[t * 12 + 3] = q * k;
    o[t * 12 + 4] = q / k;
    o[t * 12 + 5] = -q;
    o[t * 12 + 6] = q.conjugate();
    o[t * 12 + 7] = q.inverse();
    o[t * 12 + 8] = q.normalize();
    o[t * 12 + 9] = q.lerp(r, 0.25);
    o[t * 12 + 10] = DQuat::from_xyzw(q.w, q.x, q.y, q.z);
    o[t * 12 + 11] = DQuat::from_mat3(&DMat3::from_quat(q));
    v[t * 7] = q * p;
    v[t * 7 + 1] = q.mul_vec3(p);
    v[t * 7 + 2] = q.xyz();
    v[t * 7 + 3] = DMat3::from_quat(q) * p;
    v[t * 7 + 4] = DMat4::from_rotation_translation(q, p).transform_point3(p);
    v[t * 7 + 5] = DMat4::from_quat(q).transform_vector3(p);
    v[t * 7 + 6] = DMat4::from_scale_rotation_translation(p, q, p).project_point3(p);
    x[t * 4] = q.dot(r);
    x[t * 4 + 1] = q.length();
    x[t * 4 + 2] = q.length_squared();
    x[t * 4 + 3] = q.w;
    u[t * 2] = q.is_normalized() as u32;
    u[t * 2 + 1] = q.is_finite() as u32;
}

#[test]
fn dquat_agrees() {
    let mut samples = Samples(13);
    let mut quaternions =
        || (0..200).map(|_| DQuat::from_array(std::array::from_fn(|_| samples.float()))).collect::<Vec<_>>();
    let (q, r) = (quaternions(), quaternions());
    let p: Vec<DVec3> = (0..200).map(|_| DVec3::from_array(std::array::from_fn(|_| samples.float()))).collect();
    let k: Vec<f64> = (0..200).map(|_| samples.float()).collect();
    agree!(dquat_all, q, r, p, k; o: DQuat::IDENTITY, 12, v: DVec3::ZERO, 7, x: 0.0, 4, u: 0u32, 2);
}

/// What is left of a column may be far smaller than the matrix.
#[test]
fn factors_of_columns_of_all_sizes() {
    for tiny in [1e-15f32, 1e-18, 1e-20, 3e-21, 1e-22, 1e-30, 1e-40] {
        let m = Mat3::from_diagonal(Vec3::new(1.0, tiny, 1.0));
        let (q, r) = m.qr();
        assert!(q.abs_diff_eq(Mat3::IDENTITY, 1e-6) && r.abs_diff_eq(m, 1e-6), "{tiny}: {q} {r}");
        assert!((r.y_axis.y - tiny).abs() <= 1e-6 * tiny + 2e-45, "{tiny}: {r}");
    }
}
