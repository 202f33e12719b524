//! The library's own types and methods in kernels: each launch against the same kernel as plain Rust.

use warp::math::{DMat6x6, DSpatialInertia, DTransform, DTwist, DWrench, Mat3x4, Mat4x2, Ray, Segment, Triangle, vec3};
use warp::prelude::*;

use crate::agree::{Samples, agree};

#[kernel(no_fma)]
fn transforms(t_in: &[DTransform], v_in: &[DVec3], v: &mut [DVec3], q: &mut [DQuat], m: &mut [DMat4]) {
    let t = tid();
    let a = t_in[t];
    let b = t_in[(t + 1) % t_in.len()];
    let c = a * b.inverse();
    v[t * 6] = a.transform_point(v_in[t]);
    v[t * 6 + 1] = a.transform_vector(v_in[t]);
    v[t * 6 + 2] = a.inverse_transform_point(v_in[t]);
    v[t * 6 + 3] = b.inverse_transform_vector(v_in[t]);
    v[t * 6 + 4] = c.p;
    v[t * 6 + 5] = DTransform::IDENTITY.p + DTransform::from_mat4(a.to_mat4()).p;
    q[t * 2] = c.q;
    q[t * 2 + 1] = DTransform { p: v_in[t], ..a }.normalize().q;
    m[t] = a.to_mat4();
}

#[test]
fn transforms_agree() {
    let mut samples = Samples(71);
    let mut vector = || DVec3::from_array(std::array::from_fn(|_| samples.small()));
    let v_in: Vec<DVec3> = (0..100).map(|_| vector()).collect();
    let t_in: Vec<DTransform> = (0..100)
        .map(|_| DTransform::new(vector(), DQuat::from_vec4(vector().extend(vector().x)).normalize()))
        .collect();
    agree!(transforms, t_in, v_in; v: DVec3::ZERO, 6, q: DQuat::IDENTITY, 2, m: DMat4::ZERO, 1);
}

#[kernel(no_fma)]
fn matrices(a_in: &[DMat6x6], x: &mut [f64], u: &mut [u32]) {
    let t = tid();
    let a = a_in[t];
    let s = a * a.transpose() + DMat6x6::IDENTITY;
    x[t * 12] = s.determinant();
    x[t * 12 + 1] = a.determinant();
    x[t * 12 + 2] = a.trace();
    x[t * 12 + 3] = s.inverse_or_zero().ddot(a);
    let column = a.col(t % 6);
    x[t * 12 + 4] = s.solve(column).unwrap_or([0.0; 6])[2];
    x[t * 12 + 5] = s.solve_positive(column).unwrap_or([0.0; 6])[3];
    let (q, r) = a.qr();
    x[t * 12 + 6] = q[(t % 6, 3)] + r[(1, 4)];
    let mut b = -a * 2.0 - a / 3.0;
    b[(2, t % 6)] = 5.0;
    b[(0, 1)] += 1.0;
    x[t * 12 + 7] = b.max_abs();
    x[t * 12 + 8] = (b * column)[1] + b.transpose_mul_vec(column)[0];
    if let Some((l, d)) = s.ldlt() {
        x[t * 12 + 9] = l[(5, 0)] * d[4];
    }
    if let Some(l) = s.cholesky() {
        x[t * 12 + 10] = l[(5, 4)];
    }
    if let Some((l, up, rows)) = a.lu() {
        x[t * 12 + 11] = l[(4, 1)] * up[(1, 3)];
        u[t * 3] = rows[0] as u32;
    }
    u[t * 3 + 1] = a.is_finite() as u32;
    u[t * 3 + 2] = a.abs_diff_eq(s, 2.0) as u32;
}

#[test]
fn matrices_agree() {
    let mut samples = Samples(73);
    let a_in: Vec<DMat6x6> = (0..60)
        .map(|_| DMat6x6::from_rows(std::array::from_fn(|_| std::array::from_fn(|_| samples.small()))))
        .collect();
    agree!(matrices, a_in; x: 0.0, 12, u: 0u32, 3);
}

#[kernel(no_fma)]
fn oblong(a_in: &[Mat3x4], x: &mut [f32], small: &mut [Mat4x2]) {
    let t = tid();
    let a = a_in[t];
    let b = Mat4x2::outer(a.row(1), [2.0, 3.0]);
    let c = a * b;
    x[t] = c[(2, 1)] + a.component_mul(a).ddot(a);
    small[t] = b + b;
}

#[test]
fn oblong_matrices_agree() {
    let mut samples = Samples(79);
    let a_in: Vec<Mat3x4> = (0..60)
        .map(|_| Mat3x4::from_rows(std::array::from_fn(|_| std::array::from_fn(|_| samples.small() as f32))))
        .collect();
    agree!(oblong, a_in; x: 0.0, 1, small: Mat4x2::ZERO, 1);
}

#[kernel(no_fma)]
fn factors(a_in: &[DMat3], m: &mut [DMat3], v: &mut [DVec3]) {
    let t = tid();
    let a = a_in[t];
    let (values, vectors) = a.symmetric_eigen();
    let (left, s, right) = a.svd();
    let (r, stretch) = a.polar();
    let (q, up) = a.qr();
    m[t * 8] = vectors;
    m[t * 8 + 1] = left;
    m[t * 8 + 2] = right;
    m[t * 8 + 3] = r;
    m[t * 8 + 4] = stretch;
    m[t * 8 + 5] = q;
    m[t * 8 + 6] = up;
    m[t * 8 + 7] = (a * a.transpose() + DMat3::IDENTITY).cholesky().unwrap_or(DMat3::ZERO);
    v[t * 3] = values;
    v[t * 3 + 1] = s;
    v[t * 3 + 2] = a.solve(a.x_axis).unwrap_or(DVec3::ZERO);
}

#[kernel(no_fma)]
fn plane_factors(a_in: &[DMat2], m: &mut [DMat2], v: &mut [DVec2]) {
    let t = tid();
    let a = a_in[t];
    let (values, vectors) = a.symmetric_eigen();
    let (left, s, right) = a.svd();
    let (r, stretch) = a.polar();
    m[t * 5] = vectors;
    m[t * 5 + 1] = left;
    m[t * 5 + 2] = right;
    m[t * 5 + 3] = r;
    m[t * 5 + 4] = stretch;
    v[t * 2] = values;
    v[t * 2 + 1] = s;
}

#[test]
fn factors_agree() {
    let mut samples = Samples(83);
    let a_in: Vec<DMat3> = (0..60).map(|_| DMat3::from_cols_array(&std::array::from_fn(|_| samples.small()))).collect();
    agree!(factors, a_in; m: DMat3::ZERO, 8, v: DVec3::ZERO, 3);
    let a_in: Vec<DMat2> = (0..60).map(|_| DMat2::from_cols_array(&std::array::from_fn(|_| samples.small()))).collect();
    agree!(plane_factors, a_in; m: DMat2::ZERO, 5, v: DVec2::ZERO, 2);
}

#[kernel(no_fma)]
fn spatial(x_in: &[DTransform], t_in: &[DTwist], w_in: &[DWrench], x: &mut [f64]) {
    let k = tid();
    let (a, t, w) = (x_in[k], t_in[k], w_in[k]);
    let body = DSpatialInertia::new(2.0, t.linear, DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.5)));
    let moved = a.transform_inertia(body) + body;
    x[k * 8] = a.transform_twist(t).dot(a.transform_wrench(w));
    x[k * 8 + 1] = moved.kinetic_energy(t);
    x[k * 8 + 2] = moved.solve(w).dot(w);
    x[k * 8 + 3] = moved.inverse_dynamics(t, 2.0 * t).dot(t);
    x[k * 8 + 4] = (a.adjoint() * moved.to_mat() * a.adjoint_dual()).trace();
    x[k * 8 + 5] = t.cross(-t.about(a.p)).dot(w / 2.0);
    x[k * 8 + 6] = t.cross_dual(w - w.about(a.p)).dot(t);
    x[k * 8 + 7] = (moved * t).to_array()[4];
}

#[test]
fn spatial_vectors_agree() {
    let mut samples = Samples(89);
    let mut vector = || DVec3::from_array(std::array::from_fn(|_| samples.small()));
    let t_in: Vec<DTwist> = (0..60).map(|_| DTwist::new(vector(), vector())).collect();
    let w_in: Vec<DWrench> = (0..60).map(|_| DWrench::new(vector(), vector())).collect();
    let x_in: Vec<DTransform> =
        (0..60).map(|_| DTransform::new(vector(), DQuat::from_vec4(vector().extend(vector().x)).normalize())).collect();
    agree!(spatial, x_in, t_in, w_in; x: 0.0, 8);
}

#[kernel(no_fma)]
fn distances(p_in: &[Vec3], v: &mut [Vec3], x: &mut [f32]) {
    let t = tid();
    let n = p_in.len();
    let (a, b, c, d, p) = (p_in[t], p_in[(t + 1) % n], p_in[(t + 2) % n], p_in[(t + 3) % n], p_in[(t + 4) % n]);
    let triangle = Triangle::new(a, b, c);
    let ray = Ray::new(d, triangle.at(Vec3::splat(0.3)) - d);
    v[t * 4] = triangle.closest_point(p);
    v[t * 4 + 1] = triangle.barycentric(p);
    v[t * 4 + 2] = Segment::new(a, b).closest_points(Segment { a: c, b: d }).1;
    v[t * 4 + 3] = triangle.normal() + ray.closest_point(p) + vec3(1.0, 2.0, 3.0);
    x[t * 7] = ray.sphere(p, 2.0).unwrap_or(-1.0);
    x[t * 7 + 1] = ray.plane(a, 1.0).unwrap_or(-1.0);
    x[t * 7 + 2] = if let Some((near, far)) = ray.aabb(a.min(b), a.max(b)) { near + far } else { -1.0 };
    x[t * 7 + 3] = if let Some((at, v, w)) = ray.triangle(triangle) { at + v * 2.0 + w * 4.0 } else { -1.0 };
    x[t * 7 + 4] = Segment::new(a, b).distance(p) + triangle.distance(p) + triangle.area();
    x[t * 7 + 5] = (a.outer(b) - a.skew() * b.outer(c)).trace() + p.norm_l1() + p.norm_huber(2.0);
    x[t * 7 + 6] = p.smooth_normalize(0.5).length() + p.safe_normalize().x + a.norm_pseudo_huber(1.5);
}

#[test]
fn distances_agree() {
    let mut samples = Samples(97);
    let p_in: Vec<Vec3> = (0..200).map(|_| Vec3::from_array(std::array::from_fn(|_| samples.small() as f32))).collect();
    agree!(distances, p_in; v: Vec3::ZERO, 4, x: 0.0, 7);
}
