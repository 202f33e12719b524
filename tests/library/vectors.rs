//! Methods and operators of vectors in kernels: each launch against the same kernel as plain Rust on glam's types.

use warp::prelude::*;

use crate::agree::{Samples, agree};

/// Random vectors, others, and numbers.
macro_rules! random {
    ($vector:ident $float:ident) => {{
        let mut samples = Samples(5);
        let mut vectors = || {
            (0..300)
                .map(|_| $vector::from_array(std::array::from_fn(|_| samples.float() as $float)))
                .collect::<Vec<_>>()
        };
        let (p, q) = (vectors(), vectors());
        let k: Vec<$float> = (0..300).map(|_| samples.float() as $float).collect();
        (p, q, k)
    }};
}

/// Kernels of the operators and of the methods that float vectors of all sizes have, and their test.
macro_rules! floats {
    ($operators:ident $methods:ident $test:ident $vector:ident $float:ident) => {
        #[kernel(no_fma)]
        fn $operators(p_in: &[$vector], q_in: &[$vector], k_in: &[$float], v: &mut [$vector], u: &mut [u32]) {
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
            v[t * 24 + 20] = $vector::select(p.cmplt(q), p, q);
            v[t * 24 + 21] = $vector::splat(k);
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
        fn $methods(p_in: &[$vector], q_in: &[$vector], k_in: &[$float], v: &mut [$vector], x: &mut [$float]) {
            let t = tid();
            let p = p_in[t];
            let q = q_in[t];
            let k = k_in[t];
            let (direction, length) = p.normalize_and_length();
            v[t * 31] = p.normalize();
            v[t * 31 + 1] = p.normalize_or_zero();
            v[t * 31 + 2] = p.normalize_or(q);
            v[t * 31 + 3] = p.try_normalize().unwrap_or($vector::NEG_ONE);
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
            v[t * 31 + 30] = $vector::from_array(p.to_array());
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
        fn $test() {
            let (p, q, k) = random!($vector $float);
            agree!($operators, p, q, k; v: $vector::ZERO, 24, u: 0u32, 18);
            agree!($methods, p, q, k; v: $vector::ZERO, 31, x: 0.0, 13);
        }
    };
}

floats!(vec2_operators vec2_methods vec2_agrees Vec2 f32);
floats!(vec3_operators vec3_methods vec3_agrees Vec3 f32);
floats!(dvec2_operators dvec2_methods dvec2_agrees DVec2 f64);
floats!(dvec3_operators dvec3_methods dvec3_agrees DVec3 f64);
floats!(dvec4_operators dvec4_methods dvec4_agrees DVec4 f64);

/// What vectors of the plane have besides.
macro_rules! plane {
    ($kernel:ident $test:ident $vector:ident $float:ident) => {
        #[kernel(no_fma)]
        fn $kernel(p_in: &[$vector], q_in: &[$vector], v: &mut [$vector], x: &mut [$float]) {
            let t = tid();
            let (p, q) = (p_in[t], q_in[t]);
            v[t * 2] = p.perp();
            v[t * 2 + 1] = p.rotate(q);
            x[t] = p.perp_dot(q);
        }

        #[test]
        fn $test() {
            let (p, q, _) = random!($vector $float);
            agree!($kernel, p, q; v: $vector::ZERO, 2, x: 0.0, 1);
        }
    };
}

plane!(vec2_plane vec2_in_the_plane_agrees Vec2 f32);
plane!(dvec2_plane dvec2_in_the_plane_agrees DVec2 f64);

/// What vectors of space have besides.
macro_rules! space {
    ($kernel:ident $test:ident $vector:ident $float:ident) => {
        #[kernel(no_fma)]
        fn $kernel(p_in: &[$vector], q_in: &[$vector], k_in: &[$float], v: &mut [$vector], x: &mut [$float]) {
            let t = tid();
            let (p, q, k) = (p_in[t], q_in[t], k_in[t]);
            let pair = p.any_orthonormal_pair();
            v[t * 5] = p.cross(q);
            v[t * 5 + 1] = p.any_orthogonal_vector();
            v[t * 5 + 2] = p.any_orthonormal_vector();
            v[t * 5 + 3] = pair.0;
            v[t * 5 + 4] = pair.1;
            x[t * 2] = p.truncate().y;
            x[t * 2 + 1] = p.extend(k).w;
        }

        #[test]
        fn $test() {
            let (p, q, k) = random!($vector $float);
            agree!($kernel, p, q, k; v: $vector::ZERO, 5, x: 0.0, 2);
        }
    };
}

space!(vec3_space vec3_in_space_agrees Vec3 f32);
space!(dvec3_space dvec3_in_space_agrees DVec3 f64);

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
