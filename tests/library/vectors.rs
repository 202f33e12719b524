//! Methods and operators of vectors in kernels: each launch against the same kernel as plain Rust on glam's types.

use warp::prelude::*;

use crate::agree::{Samples, agree};

#[kernel(no_fma)]
fn vec2_operators(p_in: &[Vec2], q_in: &[Vec2], k_in: &[f32], v: &mut [Vec2], u: &mut [u32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    v[t * 24] = p + q;
    v[t * 24 + 1] = p - q;
    v[t * 24 + 2] = p * q;
    v[t * 24 + 3] = p / q;
    v[t * 24 + 4] = p % q;
    v[t * 24 + 5] = p + k;
    v[t * 24 + 6] = p - k;
    v[t * 24 + 7] = p * k;
    v[t * 24 + 8] = p / k;
    v[t * 24 + 9] = k * p;
    v[t * 24 + 10] = k + p;
    v[t * 24 + 11] = k - p;
    v[t * 24 + 12] = k / p;
    v[t * 24 + 13] = -p;
    v[t * 24 + 14] = p.min(q);
    v[t * 24 + 15] = p.max(q);
    v[t * 24 + 16] = p.abs();
    v[t * 24 + 17] = p.signum();
    v[t * 24 + 18] = p.clamp(q.min(p), q.max(p));
    v[t * 24 + 19] = p.lerp(q, k);
    v[t * 24 + 20] = Vec2::select(p.cmplt(q), p, q);
    v[t * 24 + 21] = Vec2::splat(k);
    v[t * 24 + 22] = p.with_x(k);
    v[t * 24 + 23] = p.with_y(k);
    u[t * 18] = p.cmplt(q).bitmask();
    u[t * 18 + 1] = p.cmple(q).bitmask();
    u[t * 18 + 2] = p.cmpgt(q).bitmask();
    u[t * 18 + 3] = p.cmpge(q).bitmask();
    u[t * 18 + 4] = p.cmpeq(q).bitmask();
    u[t * 18 + 5] = p.cmpne(q).bitmask();
    u[t * 18 + 6] = p.is_nan() as u32;
    u[t * 18 + 7] = p.is_finite() as u32;
    u[t * 18 + 8] = p.is_normalized() as u32;
    u[t * 18 + 9] = p.is_nan_mask().bitmask();
    u[t * 18 + 10] = p.is_finite_mask().bitmask();
    u[t * 18 + 11] = p.abs_diff_eq(q, 2.0) as u32;
    u[t * 18 + 12] = p.min_position() as u32;
    u[t * 18 + 13] = p.max_position() as u32;
    u[t * 18 + 14] = (p == q) as u32;
    u[t * 18 + 15] = (p != q) as u32;
    u[t * 18 + 16] = (p.cmplt(q) & !p.cmpeq(q)).any() as u32;
    u[t * 18 + 17] = (p.cmplt(q) | p.cmpge(q)).all() as u32;
}

#[kernel(no_fma)]
fn vec2_methods(p_in: &[Vec2], q_in: &[Vec2], k_in: &[f32], v: &mut [Vec2], x: &mut [f32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    let (direction, length) = p.normalize_and_length();
    v[t * 33] = p.normalize();
    v[t * 33 + 1] = p.normalize_or_zero();
    v[t * 33 + 2] = p.normalize_or(q);
    v[t * 33 + 3] = p.try_normalize().unwrap_or(Vec2::NEG_ONE);
    v[t * 33 + 4] = p.project_onto(q);
    v[t * 33 + 5] = p.reject_from(q);
    v[t * 33 + 6] = p.project_onto_normalized(q);
    v[t * 33 + 7] = p.reject_from_normalized(q);
    v[t * 33 + 8] = p.round();
    v[t * 33 + 9] = p.floor();
    v[t * 33 + 10] = p.ceil();
    v[t * 33 + 11] = p.trunc();
    v[t * 33 + 12] = p.fract();
    v[t * 33 + 13] = p.fract_gl();
    v[t * 33 + 14] = p.step(q);
    v[t * 33 + 15] = p.saturate();
    v[t * 33 + 16] = p.smoothstep(q, q + 2.0);
    v[t * 33 + 17] = p.recip();
    v[t * 33 + 18] = p.midpoint(q);
    v[t * 33 + 19] = p.move_towards(q, k);
    v[t * 33 + 20] = p.clamp_length(1.0, 2.0);
    v[t * 33 + 21] = p.clamp_length_max(1.5);
    v[t * 33 + 22] = p.clamp_length_min(1.5);
    v[t * 33 + 23] = p.mul_add(q, p);
    v[t * 33 + 24] = p.reflect(q);
    v[t * 33 + 25] = p.refract(q, k);
    v[t * 33 + 26] = p.copysign(q);
    v[t * 33 + 27] = p.div_euclid(q);
    v[t * 33 + 28] = p.rem_euclid(q);
    v[t * 33 + 29] = direction;
    v[t * 33 + 30] = Vec2::from_array(p.to_array());
    v[t * 33 + 31] = p.perp();
    v[t * 33 + 32] = p.rotate(q);
    x[t * 14] = p.dot(q);
    x[t * 14 + 1] = p.length();
    x[t * 14 + 2] = p.length_squared();
    x[t * 14 + 3] = p.length_recip();
    x[t * 14 + 4] = p.distance(q);
    x[t * 14 + 5] = p.distance_squared(q);
    x[t * 14 + 6] = p.element_sum();
    x[t * 14 + 7] = p.element_product();
    x[t * 14 + 8] = p.min_element();
    x[t * 14 + 9] = p.max_element();
    x[t * 14 + 10] = length;
    x[t * 14 + 11] = p[1];
    x[t * 14 + 12] = p[p.min_position()];
    x[t * 14 + 13] = p.perp_dot(q);
}

#[test]
fn vec2_agrees() {
    let mut samples = Samples(5);
    let mut vectors =
        || (0..300).map(|_| Vec2::from_array(std::array::from_fn(|_| samples.float() as f32))).collect::<Vec<_>>();
    let (p, q) = (vectors(), vectors());
    let k: Vec<f32> = (0..300).map(|_| samples.float() as f32).collect();
    agree!(vec2_operators, p, q, k; v: Vec2::ZERO, 24, u: 0u32, 18);
    agree!(vec2_methods, p, q, k; v: Vec2::ZERO, 33, x: 0.0, 14);
}

#[kernel(no_fma)]
fn vec3_operators(p_in: &[Vec3], q_in: &[Vec3], k_in: &[f32], v: &mut [Vec3], u: &mut [u32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    v[t * 24] = p + q;
    v[t * 24 + 1] = p - q;
    v[t * 24 + 2] = p * q;
    v[t * 24 + 3] = p / q;
    v[t * 24 + 4] = p % q;
    v[t * 24 + 5] = p + k;
    v[t * 24 + 6] = p - k;
    v[t * 24 + 7] = p * k;
    v[t * 24 + 8] = p / k;
    v[t * 24 + 9] = k * p;
    v[t * 24 + 10] = k + p;
    v[t * 24 + 11] = k - p;
    v[t * 24 + 12] = k / p;
    v[t * 24 + 13] = -p;
    v[t * 24 + 14] = p.min(q);
    v[t * 24 + 15] = p.max(q);
    v[t * 24 + 16] = p.abs();
    v[t * 24 + 17] = p.signum();
    v[t * 24 + 18] = p.clamp(q.min(p), q.max(p));
    v[t * 24 + 19] = p.lerp(q, k);
    v[t * 24 + 20] = Vec3::select(p.cmplt(q), p, q);
    v[t * 24 + 21] = Vec3::splat(k);
    v[t * 24 + 22] = p.with_x(k);
    v[t * 24 + 23] = p.with_y(k);
    u[t * 18] = p.cmplt(q).bitmask();
    u[t * 18 + 1] = p.cmple(q).bitmask();
    u[t * 18 + 2] = p.cmpgt(q).bitmask();
    u[t * 18 + 3] = p.cmpge(q).bitmask();
    u[t * 18 + 4] = p.cmpeq(q).bitmask();
    u[t * 18 + 5] = p.cmpne(q).bitmask();
    u[t * 18 + 6] = p.is_nan() as u32;
    u[t * 18 + 7] = p.is_finite() as u32;
    u[t * 18 + 8] = p.is_normalized() as u32;
    u[t * 18 + 9] = p.is_nan_mask().bitmask();
    u[t * 18 + 10] = p.is_finite_mask().bitmask();
    u[t * 18 + 11] = p.abs_diff_eq(q, 2.0) as u32;
    u[t * 18 + 12] = p.min_position() as u32;
    u[t * 18 + 13] = p.max_position() as u32;
    u[t * 18 + 14] = (p == q) as u32;
    u[t * 18 + 15] = (p != q) as u32;
    u[t * 18 + 16] = (p.cmplt(q) & !p.cmpeq(q)).any() as u32;
    u[t * 18 + 17] = (p.cmplt(q) | p.cmpge(q)).all() as u32;
}

#[kernel(no_fma)]
fn vec3_methods(p_in: &[Vec3], q_in: &[Vec3], k_in: &[f32], v: &mut [Vec3], x: &mut [f32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    let (direction, length) = p.normalize_and_length();
    let pair = p.any_orthonormal_pair();
    v[t * 36] = p.normalize();
    v[t * 36 + 1] = p.normalize_or_zero();
    v[t * 36 + 2] = p.normalize_or(q);
    v[t * 36 + 3] = p.try_normalize().unwrap_or(Vec3::NEG_ONE);
    v[t * 36 + 4] = p.project_onto(q);
    v[t * 36 + 5] = p.reject_from(q);
    v[t * 36 + 6] = p.project_onto_normalized(q);
    v[t * 36 + 7] = p.reject_from_normalized(q);
    v[t * 36 + 8] = p.round();
    v[t * 36 + 9] = p.floor();
    v[t * 36 + 10] = p.ceil();
    v[t * 36 + 11] = p.trunc();
    v[t * 36 + 12] = p.fract();
    v[t * 36 + 13] = p.fract_gl();
    v[t * 36 + 14] = p.step(q);
    v[t * 36 + 15] = p.saturate();
    v[t * 36 + 16] = p.smoothstep(q, q + 2.0);
    v[t * 36 + 17] = p.recip();
    v[t * 36 + 18] = p.midpoint(q);
    v[t * 36 + 19] = p.move_towards(q, k);
    v[t * 36 + 20] = p.clamp_length(1.0, 2.0);
    v[t * 36 + 21] = p.clamp_length_max(1.5);
    v[t * 36 + 22] = p.clamp_length_min(1.5);
    v[t * 36 + 23] = p.mul_add(q, p);
    v[t * 36 + 24] = p.reflect(q);
    v[t * 36 + 25] = p.refract(q, k);
    v[t * 36 + 26] = p.copysign(q);
    v[t * 36 + 27] = p.div_euclid(q);
    v[t * 36 + 28] = p.rem_euclid(q);
    v[t * 36 + 29] = direction;
    v[t * 36 + 30] = Vec3::from_array(p.to_array());
    v[t * 36 + 31] = p.cross(q);
    v[t * 36 + 32] = p.any_orthogonal_vector();
    v[t * 36 + 33] = p.any_orthonormal_vector();
    v[t * 36 + 34] = pair.0;
    v[t * 36 + 35] = pair.1;
    x[t * 15] = p.dot(q);
    x[t * 15 + 1] = p.length();
    x[t * 15 + 2] = p.length_squared();
    x[t * 15 + 3] = p.length_recip();
    x[t * 15 + 4] = p.distance(q);
    x[t * 15 + 5] = p.distance_squared(q);
    x[t * 15 + 6] = p.element_sum();
    x[t * 15 + 7] = p.element_product();
    x[t * 15 + 8] = p.min_element();
    x[t * 15 + 9] = p.max_element();
    x[t * 15 + 10] = length;
    x[t * 15 + 11] = p[1];
    x[t * 15 + 12] = p[p.min_position()];
    x[t * 15 + 13] = p.truncate().y;
    x[t * 15 + 14] = p.extend(k).w;
}

#[test]
fn vec3_agrees() {
    let mut samples = Samples(5);
    let mut vectors =
        || (0..300).map(|_| Vec3::from_array(std::array::from_fn(|_| samples.float() as f32))).collect::<Vec<_>>();
    let (p, q) = (vectors(), vectors());
    let k: Vec<f32> = (0..300).map(|_| samples.float() as f32).collect();
    agree!(vec3_operators, p, q, k; v: Vec3::ZERO, 24, u: 0u32, 18);
    agree!(vec3_methods, p, q, k; v: Vec3::ZERO, 36, x: 0.0, 15);
}

#[kernel(no_fma)]
fn dvec2_operators(p_in: &[DVec2], q_in: &[DVec2], k_in: &[f64], v: &mut [DVec2], u: &mut [u32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    v[t * 24] = p + q;
    v[t * 24 + 1] = p - q;
    v[t * 24 + 2] = p * q;
    v[t * 24 + 3] = p / q;
    v[t * 24 + 4] = p % q;
    v[t * 24 + 5] = p + k;
    v[t * 24 + 6] = p - k;
    v[t * 24 + 7] = p * k;
    v[t * 24 + 8] = p / k;
    v[t * 24 + 9] = k * p;
    v[t * 24 + 10] = k + p;
    v[t * 24 + 11] = k - p;
    v[t * 24 + 12] = k / p;
    v[t * 24 + 13] = -p;
    v[t * 24 + 14] = p.min(q);
    v[t * 24 + 15] = p.max(q);
    v[t * 24 + 16] = p.abs();
    v[t * 24 + 17] = p.signum();
    v[t * 24 + 18] = p.clamp(q.min(p), q.max(p));
    v[t * 24 + 19] = p.lerp(q, k);
    v[t * 24 + 20] = DVec2::select(p.cmplt(q), p, q);
    v[t * 24 + 21] = DVec2::splat(k);
    v[t * 24 + 22] = p.with_x(k);
    v[t * 24 + 23] = p.with_y(k);
    u[t * 18] = p.cmplt(q).bitmask();
    u[t * 18 + 1] = p.cmple(q).bitmask();
    u[t * 18 + 2] = p.cmpgt(q).bitmask();
    u[t * 18 + 3] = p.cmpge(q).bitmask();
    u[t * 18 + 4] = p.cmpeq(q).bitmask();
    u[t * 18 + 5] = p.cmpne(q).bitmask();
    u[t * 18 + 6] = p.is_nan() as u32;
    u[t * 18 + 7] = p.is_finite() as u32;
    u[t * 18 + 8] = p.is_normalized() as u32;
    u[t * 18 + 9] = p.is_nan_mask().bitmask();
    u[t * 18 + 10] = p.is_finite_mask().bitmask();
    u[t * 18 + 11] = p.abs_diff_eq(q, 2.0) as u32;
    u[t * 18 + 12] = p.min_position() as u32;
    u[t * 18 + 13] = p.max_position() as u32;
    u[t * 18 + 14] = (p == q) as u32;
    u[t * 18 + 15] = (p != q) as u32;
    u[t * 18 + 16] = (p.cmplt(q) & !p.cmpeq(q)).any() as u32;
    u[t * 18 + 17] = (p.cmplt(q) | p.cmpge(q)).all() as u32;
}

#[kernel(no_fma)]
fn dvec2_methods(p_in: &[DVec2], q_in: &[DVec2], k_in: &[f64], v: &mut [DVec2], x: &mut [f64]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    let (direction, length) = p.normalize_and_length();
    v[t * 33] = p.normalize();
    v[t * 33 + 1] = p.normalize_or_zero();
    v[t * 33 + 2] = p.normalize_or(q);
    v[t * 33 + 3] = p.try_normalize().unwrap_or(DVec2::NEG_ONE);
    v[t * 33 + 4] = p.project_onto(q);
    v[t * 33 + 5] = p.reject_from(q);
    v[t * 33 + 6] = p.project_onto_normalized(q);
    v[t * 33 + 7] = p.reject_from_normalized(q);
    v[t * 33 + 8] = p.round();
    v[t * 33 + 9] = p.floor();
    v[t * 33 + 10] = p.ceil();
    v[t * 33 + 11] = p.trunc();
    v[t * 33 + 12] = p.fract();
    v[t * 33 + 13] = p.fract_gl();
    v[t * 33 + 14] = p.step(q);
    v[t * 33 + 15] = p.saturate();
    v[t * 33 + 16] = p.smoothstep(q, q + 2.0);
    v[t * 33 + 17] = p.recip();
    v[t * 33 + 18] = p.midpoint(q);
    v[t * 33 + 19] = p.move_towards(q, k);
    v[t * 33 + 20] = p.clamp_length(1.0, 2.0);
    v[t * 33 + 21] = p.clamp_length_max(1.5);
    v[t * 33 + 22] = p.clamp_length_min(1.5);
    v[t * 33 + 23] = p.mul_add(q, p);
    v[t * 33 + 24] = p.reflect(q);
    v[t * 33 + 25] = p.refract(q, k);
    v[t * 33 + 26] = p.copysign(q);
    v[t * 33 + 27] = p.div_euclid(q);
    v[t * 33 + 28] = p.rem_euclid(q);
    v[t * 33 + 29] = direction;
    v[t * 33 + 30] = DVec2::from_array(p.to_array());
    v[t * 33 + 31] = p.perp();
    v[t * 33 + 32] = p.rotate(q);
    x[t * 14] = p.dot(q);
    x[t * 14 + 1] = p.length();
    x[t * 14 + 2] = p.length_squared();
    x[t * 14 + 3] = p.length_recip();
    x[t * 14 + 4] = p.distance(q);
    x[t * 14 + 5] = p.distance_squared(q);
    x[t * 14 + 6] = p.element_sum();
    x[t * 14 + 7] = p.element_product();
    x[t * 14 + 8] = p.min_element();
    x[t * 14 + 9] = p.max_element();
    x[t * 14 + 10] = length;
    x[t * 14 + 11] = p[1];
    x[t * 14 + 12] = p[p.min_position()];
    x[t * 14 + 13] = p.perp_dot(q);
}

#[test]
fn dvec2_agrees() {
    let mut samples = Samples(5);
    let mut vectors =
        || (0..300).map(|_| DVec2::from_array(std::array::from_fn(|_| samples.float()))).collect::<Vec<_>>();
    let (p, q) = (vectors(), vectors());
    let k: Vec<f64> = (0..300).map(|_| samples.float()).collect();
    agree!(dvec2_operators, p, q, k; v: DVec2::ZERO, 24, u: 0u32, 18);
    agree!(dvec2_methods, p, q, k; v: DVec2::ZERO, 33, x: 0.0, 14);
}

#[kernel(no_fma)]
fn dvec3_operators(p_in: &[DVec3], q_in: &[DVec3], k_in: &[f64], v: &mut [DVec3], u: &mut [u32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    v[t * 24] = p + q;
    v[t * 24 + 1] = p - q;
    v[t * 24 + 2] = p * q;
    v[t * 24 + 3] = p / q;
    v[t * 24 + 4] = p % q;
    v[t * 24 + 5] = p + k;
    v[t * 24 + 6] = p - k;
    v[t * 24 + 7] = p * k;
    v[t * 24 + 8] = p / k;
    v[t * 24 + 9] = k * p;
    v[t * 24 + 10] = k + p;
    v[t * 24 + 11] = k - p;
    v[t * 24 + 12] = k / p;
    v[t * 24 + 13] = -p;
    v[t * 24 + 14] = p.min(q);
    v[t * 24 + 15] = p.max(q);
    v[t * 24 + 16] = p.abs();
    v[t * 24 + 17] = p.signum();
    v[t * 24 + 18] = p.clamp(q.min(p), q.max(p));
    v[t * 24 + 19] = p.lerp(q, k);
    v[t * 24 + 20] = DVec3::select(p.cmplt(q), p, q);
    v[t * 24 + 21] = DVec3::splat(k);
    v[t * 24 + 22] = p.with_x(k);
    v[t * 24 + 23] = p.with_y(k);
    u[t * 18] = p.cmplt(q).bitmask();
    u[t * 18 + 1] = p.cmple(q).bitmask();
    u[t * 18 + 2] = p.cmpgt(q).bitmask();
    u[t * 18 + 3] = p.cmpge(q).bitmask();
    u[t * 18 + 4] = p.cmpeq(q).bitmask();
    u[t * 18 + 5] = p.cmpne(q).bitmask();
    u[t * 18 + 6] = p.is_nan() as u32;
    u[t * 18 + 7] = p.is_finite() as u32;
    u[t * 18 + 8] = p.is_normalized() as u32;
    u[t * 18 + 9] = p.is_nan_mask().bitmask();
    u[t * 18 + 10] = p.is_finite_mask().bitmask();
    u[t * 18 + 11] = p.abs_diff_eq(q, 2.0) as u32;
    u[t * 18 + 12] = p.min_position() as u32;
    u[t * 18 + 13] = p.max_position() as u32;
    u[t * 18 + 14] = (p == q) as u32;
    u[t * 18 + 15] = (p != q) as u32;
    u[t * 18 + 16] = (p.cmplt(q) & !p.cmpeq(q)).any() as u32;
    u[t * 18 + 17] = (p.cmplt(q) | p.cmpge(q)).all() as u32;
}

#[kernel(no_fma)]
fn dvec3_methods(p_in: &[DVec3], q_in: &[DVec3], k_in: &[f64], v: &mut [DVec3], x: &mut [f64]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    let (direction, length) = p.normalize_and_length();
    let pair = p.any_orthonormal_pair();
    v[t * 36] = p.normalize();
    v[t * 36 + 1] = p.normalize_or_zero();
    v[t * 36 + 2] = p.normalize_or(q);
    v[t * 36 + 3] = p.try_normalize().unwrap_or(DVec3::NEG_ONE);
    v[t * 36 + 4] = p.project_onto(q);
    v[t * 36 + 5] = p.reject_from(q);
    v[t * 36 + 6] = p.project_onto_normalized(q);
    v[t * 36 + 7] = p.reject_from_normalized(q);
    v[t * 36 + 8] = p.round();
    v[t * 36 + 9] = p.floor();
    v[t * 36 + 10] = p.ceil();
    v[t * 36 + 11] = p.trunc();
    v[t * 36 + 12] = p.fract();
    v[t * 36 + 13] = p.fract_gl();
    v[t * 36 + 14] = p.step(q);
    v[t * 36 + 15] = p.saturate();
    v[t * 36 + 16] = p.smoothstep(q, q + 2.0);
    v[t * 36 + 17] = p.recip();
    v[t * 36 + 18] = p.midpoint(q);
    v[t * 36 + 19] = p.move_towards(q, k);
    v[t * 36 + 20] = p.clamp_length(1.0, 2.0);
    v[t * 36 + 21] = p.clamp_length_max(1.5);
    v[t * 36 + 22] = p.clamp_length_min(1.5);
    v[t * 36 + 23] = p.mul_add(q, p);
    v[t * 36 + 24] = p.reflect(q);
    v[t * 36 + 25] = p.refract(q, k);
    v[t * 36 + 26] = p.copysign(q);
    v[t * 36 + 27] = p.div_euclid(q);
    v[t * 36 + 28] = p.rem_euclid(q);
    v[t * 36 + 29] = direction;
    v[t * 36 + 30] = DVec3::from_array(p.to_array());
    v[t * 36 + 31] = p.cross(q);
    v[t * 36 + 32] = p.any_orthogonal_vector();
    v[t * 36 + 33] = p.any_orthonormal_vector();
    v[t * 36 + 34] = pair.0;
    v[t * 36 + 35] = pair.1;
    x[t * 15] = p.dot(q);
    x[t * 15 + 1] = p.length();
    x[t * 15 + 2] = p.length_squared();
    x[t * 15 + 3] = p.length_recip();
    x[t * 15 + 4] = p.distance(q);
    x[t * 15 + 5] = p.distance_squared(q);
    x[t * 15 + 6] = p.element_sum();
    x[t * 15 + 7] = p.element_product();
    x[t * 15 + 8] = p.min_element();
    x[t * 15 + 9] = p.max_element();
    x[t * 15 + 10] = length;
    x[t * 15 + 11] = p[1];
    x[t * 15 + 12] = p[p.min_position()];
    x[t * 15 + 13] = p.truncate().y;
    x[t * 15 + 14] = p.extend(k).w;
}

#[test]
fn dvec3_agrees() {
    let mut samples = Samples(5);
    let mut vectors =
        || (0..300).map(|_| DVec3::from_array(std::array::from_fn(|_| samples.float()))).collect::<Vec<_>>();
    let (p, q) = (vectors(), vectors());
    let k: Vec<f64> = (0..300).map(|_| samples.float()).collect();
    agree!(dvec3_operators, p, q, k; v: DVec3::ZERO, 24, u: 0u32, 18);
    agree!(dvec3_methods, p, q, k; v: DVec3::ZERO, 36, x: 0.0, 15);
}

#[kernel(no_fma)]
fn dvec4_operators(p_in: &[DVec4], q_in: &[DVec4], k_in: &[f64], v: &mut [DVec4], u: &mut [u32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    v[t * 24] = p + q;
    v[t * 24 + 1] = p - q;
    v[t * 24 + 2] = p * q;
    v[t * 24 + 3] = p / q;
    v[t * 24 + 4] = p % q;
    v[t * 24 + 5] = p + k;
    v[t * 24 + 6] = p - k;
    v[t * 24 + 7] = p * k;
    v[t * 24 + 8] = p / k;
    v[t * 24 + 9] = k * p;
    v[t * 24 + 10] = k + p;
    v[t * 24 + 11] = k - p;
    v[t * 24 + 12] = k / p;
    v[t * 24 + 13] = -p;
    v[t * 24 + 14] = p.min(q);
    v[t * 24 + 15] = p.max(q);
    v[t * 24 + 16] = p.abs();
    v[t * 24 + 17] = p.signum();
    v[t * 24 + 18] = p.clamp(q.min(p), q.max(p));
    v[t * 24 + 19] = p.lerp(q, k);
    v[t * 24 + 20] = DVec4::select(p.cmplt(q), p, q);
    v[t * 24 + 21] = DVec4::splat(k);
    v[t * 24 + 22] = p.with_x(k);
    v[t * 24 + 23] = p.with_y(k);
    u[t * 18] = p.cmplt(q).bitmask();
    u[t * 18 + 1] = p.cmple(q).bitmask();
    u[t * 18 + 2] = p.cmpgt(q).bitmask();
    u[t * 18 + 3] = p.cmpge(q).bitmask();
    u[t * 18 + 4] = p.cmpeq(q).bitmask();
    u[t * 18 + 5] = p.cmpne(q).bitmask();
    u[t * 18 + 6] = p.is_nan() as u32;
    u[t * 18 + 7] = p.is_finite() as u32;
    u[t * 18 + 8] = p.is_normalized() as u32;
    u[t * 18 + 9] = p.is_nan_mask().bitmask();
    u[t * 18 + 10] = p.is_finite_mask().bitmask();
    u[t * 18 + 11] = p.abs_diff_eq(q, 2.0) as u32;
    u[t * 18 + 12] = p.min_position() as u32;
    u[t * 18 + 13] = p.max_position() as u32;
    u[t * 18 + 14] = (p == q) as u32;
    u[t * 18 + 15] = (p != q) as u32;
    u[t * 18 + 16] = (p.cmplt(q) & !p.cmpeq(q)).any() as u32;
    u[t * 18 + 17] = (p.cmplt(q) | p.cmpge(q)).all() as u32;
}

#[kernel(no_fma)]
fn dvec4_methods(p_in: &[DVec4], q_in: &[DVec4], k_in: &[f64], v: &mut [DVec4], x: &mut [f64]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    let (direction, length) = p.normalize_and_length();
    v[t * 31] = p.normalize();
    v[t * 31 + 1] = p.normalize_or_zero();
    v[t * 31 + 2] = p.normalize_or(q);
    v[t * 31 + 3] = p.try_normalize().unwrap_or(DVec4::NEG_ONE);
    v[t * 31 + 4] = p.project_onto(q);
    v[t * 31 + 5] = p.reject_from(q);
    v[t * 31 + 6] = p.project_onto_normalized(q);
    v[t * 31 + 7] = p.reject_from_normalized(q);
    v[t * 31 + 8] = p.round();
    v[t * 31 + 9] = p.floor();
    v[t * 31 + 10] = p.ceil();
    v[t * 31 + 11] = p.trunc();
    v[t * 31 + 12] = p.fract();
    v[t * 31 + 13] = p.fract_gl();
    v[t * 31 + 14] = p.step(q);
    v[t * 31 + 15] = p.saturate();
    v[t * 31 + 16] = p.smoothstep(q, q + 2.0);
    v[t * 31 + 17] = p.recip();
    v[t * 31 + 18] = p.midpoint(q);
    v[t * 31 + 19] = p.move_towards(q, k);
    v[t * 31 + 20] = p.clamp_length(1.0, 2.0);
    v[t * 31 + 21] = p.clamp_length_max(1.5);
    v[t * 31 + 22] = p.clamp_length_min(1.5);
    v[t * 31 + 23] = p.mul_add(q, p);
    v[t * 31 + 24] = p.reflect(q);
    v[t * 31 + 25] = p.refract(q, k);
    v[t * 31 + 26] = p.copysign(q);
    v[t * 31 + 27] = p.div_euclid(q);
    v[t * 31 + 28] = p.rem_euclid(q);
    v[t * 31 + 29] = direction;
    v[t * 31 + 30] = DVec4::from_array(p.to_array());
    x[t * 13] = p.dot(q);
    x[t * 13 + 1] = p.length();
    x[t * 13 + 2] = p.length_squared();
    x[t * 13 + 3] = p.length_recip();
    x[t * 13 + 4] = p.distance(q);
    x[t * 13 + 5] = p.distance_squared(q);
    x[t * 13 + 6] = p.element_sum();
    x[t * 13 + 7] = p.element_product();
    x[t * 13 + 8] = p.min_element();
    x[t * 13 + 9] = p.max_element();
    x[t * 13 + 10] = length;
    x[t * 13 + 11] = p[1];
    x[t * 13 + 12] = p[p.min_position()];
}

#[test]
fn dvec4_agrees() {
    let mut samples = Samples(5);
    let mut vectors =
        || (0..300).map(|_| DVec4::from_array(std::array::from_fn(|_| samples.float()))).collect::<Vec<_>>();
    let (p, q) = (vectors(), vectors());
    let k: Vec<f64> = (0..300).map(|_| samples.float()).collect();
    agree!(dvec4_operators, p, q, k; v: DVec4::ZERO, 24, u: 0u32, 18);
    agree!(dvec4_methods, p, q, k; v: DVec4::ZERO, 31, x: 0.0, 13);
}

#[kernel(no_fma)]
fn ivec3_all(p_in: &[IVec3], q_in: &[IVec3], k_in: &[i32], v: &mut [IVec3], x: &mut [i32], u: &mut [u32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    v[t * 31] = p + q;
    v[t * 31 + 1] = p - q;
    v[t * 31 + 2] = p * q;
    v[t * 31 + 3] = p + k;
    v[t * 31 + 4] = k - p;
    v[t * 31 + 5] = k * p;
    v[t * 31 + 6] = p / ((q & 7) + 1);
    v[t * 31 + 7] = p % ((q & 7) + 1);
    v[t * 31 + 8] = p.min(q);
    v[t * 31 + 9] = p.max(q);
    v[t * 31 + 10] = p.clamp(q.min(p), q.max(p));
    v[t * 31 + 11] = IVec3::select(p.cmplt(q), p, q);
    v[t * 31 + 12] = p & q;
    v[t * 31 + 13] = p | q;
    v[t * 31 + 14] = p ^ q;
    v[t * 31 + 15] = !p;
    v[t * 31 + 16] = p & k;
    v[t * 31 + 17] = p << (q & 31);
    v[t * 31 + 18] = p >> (q & 31);
    v[t * 31 + 19] = p << (k & 31);
    v[t * 31 + 20] = p.wrapping_add(q);
    v[t * 31 + 21] = p.wrapping_mul(q);
    v[t * 31 + 22] = p.saturating_add(q);
    v[t * 31 + 23] = p.saturating_sub(q);
    v[t * 31 + 24] = p.saturating_mul(q);
    v[t * 31 + 25] = p.cross(q);
    v[t * 31 + 26] = -p;
    v[t * 31 + 27] = p.abs();
    v[t * 31 + 28] = p.signum();
    v[t * 31 + 29] = p.div_euclid((q & 7) + 1);
    v[t * 31 + 30] = p.rem_euclid((q & 7) + 1);
    x[t * 7] = p.dot(q);
    x[t * 7 + 1] = p.length_squared();
    x[t * 7 + 2] = p.element_sum();
    x[t * 7 + 3] = p.element_product();
    x[t * 7 + 4] = p.min_element();
    x[t * 7 + 5] = p.max_element();
    x[t * 7 + 6] = p[2];
    u[t * 5] = p.manhattan_distance(q);
    u[t * 5 + 1] = p.chebyshev_distance(q);
    u[t * 5 + 2] = p.cmpeq(q).bitmask();
    u[t * 5 + 3] = p.min_position() as u32;
    u[t * 5 + 4] = p.max_position() as u32;
}

#[test]
fn ivec3_agrees() {
    let mut samples = Samples(5);
    let mut vectors =
        || (0..300).map(|_| IVec3::from_array(std::array::from_fn(|_| samples.integer() as i32))).collect::<Vec<_>>();
    let (p, q) = (vectors(), vectors());
    let k: Vec<i32> = (0..300).map(|_| samples.integer() as i32).collect();
    agree!(ivec3_all, p, q, k; v: IVec3::ZERO, 31, x: 0, 7, u: 0u32, 5);
}

#[kernel(no_fma)]
fn uvec3_all(p_in: &[UVec3], q_in: &[UVec3], k_in: &[u32], v: &mut [UVec3], x: &mut [u32], u: &mut [u32]) {
    let t = tid();
    let p = p_in[t];
    let q = q_in[t];
    let k = k_in[t];
    v[t * 26] = p + q;
    v[t * 26 + 1] = p - q;
    v[t * 26 + 2] = p * q;
    v[t * 26 + 3] = p + k;
    v[t * 26 + 4] = k - p;
    v[t * 26 + 5] = k * p;
    v[t * 26 + 6] = p / ((q & 7) + 1);
    v[t * 26 + 7] = p % ((q & 7) + 1);
    v[t * 26 + 8] = p.min(q);
    v[t * 26 + 9] = p.max(q);
    v[t * 26 + 10] = p.clamp(q.min(p), q.max(p));
    v[t * 26 + 11] = UVec3::select(p.cmplt(q), p, q);
    v[t * 26 + 12] = p & q;
    v[t * 26 + 13] = p | q;
    v[t * 26 + 14] = p ^ q;
    v[t * 26 + 15] = !p;
    v[t * 26 + 16] = p & k;
    v[t * 26 + 17] = p << (q & 31);
    v[t * 26 + 18] = p >> (q & 31);
    v[t * 26 + 19] = p << (k & 31);
    v[t * 26 + 20] = p.wrapping_add(q);
    v[t * 26 + 21] = p.wrapping_mul(q);
    v[t * 26 + 22] = p.saturating_add(q);
    v[t * 26 + 23] = p.saturating_sub(q);
    v[t * 26 + 24] = p.saturating_mul(q);
    v[t * 26 + 25] = p.cross(q);
    x[t * 7] = p.dot(q);
    x[t * 7 + 1] = p.length_squared();
    x[t * 7 + 2] = p.element_sum();
    x[t * 7 + 3] = p.element_product();
    x[t * 7 + 4] = p.min_element();
    x[t * 7 + 5] = p.max_element();
    x[t * 7 + 6] = p[2];
    u[t * 5] = p.manhattan_distance(q);
    u[t * 5 + 1] = p.chebyshev_distance(q);
    u[t * 5 + 2] = p.cmpeq(q).bitmask();
    u[t * 5 + 3] = p.min_position() as u32;
    u[t * 5 + 4] = p.max_position() as u32;
}

#[test]
fn uvec3_agrees() {
    let mut samples = Samples(5);
    let mut vectors =
        || (0..300).map(|_| UVec3::from_array(std::array::from_fn(|_| samples.integer() as u32))).collect::<Vec<_>>();
    let (p, q) = (vectors(), vectors());
    let k: Vec<u32> = (0..300).map(|_| samples.integer() as u32).collect();
    agree!(uvec3_all, p, q, k; v: UVec3::ZERO, 26, x: 0, 7, u: 0u32, 5);
}
