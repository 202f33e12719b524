//! Vectors against glam's. Where glam has vector instructions for an f32 type, its result may differ in the last
//! places, and f32 is compared there on ordinary values within rounding; f64 is the same text and compared by bits.

use crate::host::{double, signed, single, unsigned};
use crate::same::{Same, Samples, agree};

const ROUNDS: usize = 3000;

macro_rules! axes {
    ($v:ident, 2) => {
        [$v.x, $v.y]
    };
    ($v:ident, 3) => {
        [$v.x, $v.y, $v.z]
    };
    ($v:ident, 4) => {
        [$v.x, $v.y, $v.z, $v.w]
    };
}

/// Declares `(a, b, s)` in both worlds from samples.
macro_rules! pair {
    ($module:ident $host:ident $glam:ident $n:tt $sample:ident $samples:ident) => {{
        let array: [_; $n] = std::array::from_fn(|_| $samples.$sample());
        ($module::$host::from_array(array), glam::$glam::from_array(array))
    }};
}

macro_rules! common {
    ($($test:ident: $module:ident $host:ident $glam:ident $n:tt $sample:ident $mask:ident;)+) => {$(
        #[test]
        fn $test() {
            let mut samples = Samples(17);
            for _ in 0..ROUNDS {
                let (a, ga) = pair!($module $host $glam $n $sample samples);
                let (b, gb) = pair!($module $host $glam $n $sample samples);
                let s = samples.$sample();
                let about = (ga, gb, s);
                agree!(a, ga, about);
                agree!($module::$host::splat(s), glam::$glam::splat(s), about);
                agree!(a.with_x(s), ga.with_x(s), about);
                agree!(a.with_y(s), ga.with_y(s), about);
                agree!(a.dot_into_vec(b), ga.dot_into_vec(gb), about);
                agree!(a.dot(b), ga.dot(gb), about);
                agree!(a.min(b), ga.min(gb), about);
                agree!(a.max(b), ga.max(gb), about);
                agree!(a.clamp(b, b), ga.clamp(gb, gb), about);
                agree!(a.min_element(), ga.min_element(), about);
                agree!(a.max_element(), ga.max_element(), about);
                agree!(a.min_position(), ga.min_position(), about);
                agree!(a.max_position(), ga.max_position(), about);
                agree!(a.element_sum(), ga.element_sum(), about);
                agree!(a.element_product(), ga.element_product(), about);
                agree!(a.length_squared(), ga.length_squared(), about);
                let masks = [a.cmpeq(b), a.cmpne(b), a.cmplt(b), a.cmple(b), a.cmpgt(b), a.cmpge(b)];
                let expected = [ga.cmpeq(gb), ga.cmpne(gb), ga.cmplt(gb), ga.cmple(gb), ga.cmpgt(gb), ga.cmpge(gb)];
                for (mask, expected) in masks.into_iter().zip(expected) {
                    assert_eq!(mask.bitmask(), expected.bitmask(), "{about:?}");
                    agree!($module::$host::select(mask, a, b), glam::$glam::select(expected, ga, gb), about);
                }
                agree!(a + b, ga + gb, about);
                agree!(a - b, ga - gb, about);
                agree!(a * b, ga * gb, about);
                agree!(a + s, ga + s, about);
                agree!(a - s, ga - s, about);
                agree!(a * s, ga * s, about);
                agree!(s + a, s + ga, about);
                agree!(s - a, s - ga, about);
                agree!(s * a, s * ga, about);
                assert_eq!(a == b, ga == gb);
            }
        }
    )+};
}

common! {
    vec2_has_the_common_methods: single Vec2 Vec2 2 f32 BVec2;
    vec3_has_the_common_methods: single Vec3 Vec3 3 f32 BVec3;
    dvec2_has_the_common_methods: double Vec2 DVec2 2 f64 BVec2;
    dvec3_has_the_common_methods: double Vec3 DVec3 3 f64 BVec3;
    dvec4_has_the_common_methods: double Vec4 DVec4 4 f64 BVec4;
    ivec2_has_the_common_methods: signed Vec2 IVec2 2 i32 BVec2;
    ivec3_has_the_common_methods: signed Vec3 IVec3 3 i32 BVec3;
    ivec4_has_the_common_methods: signed Vec4 IVec4 4 i32 BVec4;
    uvec2_has_the_common_methods: unsigned Vec2 UVec2 2 u32 BVec2;
    uvec3_has_the_common_methods: unsigned Vec3 UVec3 3 u32 BVec3;
    uvec4_has_the_common_methods: unsigned Vec4 UVec4 4 u32 BVec4;
}

macro_rules! floats {
    ($($test:ident: $module:ident $host:ident $glam:ident $n:tt $sample:ident;)+) => {$(
        #[test]
        fn $test() {
            let mut samples = Samples(23);
            for _ in 0..ROUNDS {
                let (a, ga) = pair!($module $host $glam $n $sample samples);
                let (b, gb) = pair!($module $host $glam $n $sample samples);
                let (c, gc) = pair!($module $host $glam $n $sample samples);
                let (s, t) = (samples.$sample().abs(), samples.$sample().abs());
                let about = (ga, gb, gc, s, t);
                agree!(a / b, ga / gb, about);
                agree!(a % b, ga % gb, about);
                agree!(a / s, ga / s, about);
                agree!(a % s, ga % s, about);
                agree!(s / a, s / ga, about);
                agree!(s % a, s % ga, about);
                agree!(-a, -ga, about);
                agree!(a.abs(), ga.abs(), about);
                agree!(a.signum(), ga.signum(), about);
                agree!(a.copysign(b), ga.copysign(gb), about);
                agree!(a.distance_squared(b), ga.distance_squared(gb), about);
                agree!(a.div_euclid(b), ga.div_euclid(gb), about);
                agree!(a.rem_euclid(b), ga.rem_euclid(gb), about);
                agree!(a.length(), ga.length(), about);
                agree!(a.length_recip(), ga.length_recip(), about);
                agree!(a.distance(b), ga.distance(gb), about);
                agree!(a.normalize(), ga.normalize(), about);
                agree!(a.try_normalize(), ga.try_normalize(), about);
                agree!(a.normalize_or(b), ga.normalize_or(gb), about);
                agree!(a.normalize_or_zero(), ga.normalize_or_zero(), about);
                agree!(a.normalize_and_length(), ga.normalize_and_length(), about);
                agree!(a.is_normalized(), ga.is_normalized(), about);
                agree!(a.normalize().is_normalized(), ga.normalize().is_normalized(), about);
                agree!(a.project_onto(b), ga.project_onto(gb), about);
                agree!(a.reject_from(b), ga.reject_from(gb), about);
                agree!(a.project_onto_normalized(b), ga.project_onto_normalized(gb), about);
                agree!(a.reject_from_normalized(b), ga.reject_from_normalized(gb), about);
                agree!(a.round(), ga.round(), about);
                agree!(a.floor(), ga.floor(), about);
                agree!(a.ceil(), ga.ceil(), about);
                agree!(a.trunc(), ga.trunc(), about);
                agree!(a.sqrt(), ga.sqrt(), about);
                agree!(a.fract(), ga.fract(), about);
                agree!(a.fract_gl(), ga.fract_gl(), about);
                agree!(a.step(b), ga.step(gb), about);
                agree!(a.saturate(), ga.saturate(), about);
                agree!(a.smoothstep(b, c), ga.smoothstep(gb, gc), about);
                agree!(a.recip(), ga.recip(), about);
                agree!(a.lerp(b, s), ga.lerp(gb, s), about);
                agree!(a.lerp_monotonic(b, s), ga.lerp_monotonic(gb, s), about);
                agree!(a.move_towards(b, s), ga.move_towards(gb, s), about);
                agree!(a.midpoint(b), ga.midpoint(gb), about);
                agree!(a.abs_diff_eq(b, s), ga.abs_diff_eq(gb, s), about);
                agree!(a.clamp_length(s, t), ga.clamp_length(s, t), about);
                agree!(a.clamp_length_max(s), ga.clamp_length_max(s), about);
                agree!(a.clamp_length_min(s), ga.clamp_length_min(s), about);
                agree!(a.mul_add(b, c), ga.mul_add(gb, gc), about);
                agree!(a.reflect(b), ga.reflect(gb), about);
                agree!(a.refract(b, s), ga.refract(gb, s), about);
                agree!(a.is_finite(), ga.is_finite(), about);
                agree!(a.is_nan(), ga.is_nan(), about);
                agree!(a.is_finite_mask(), ga.is_finite_mask(), about);
                agree!(a.is_nan_mask(), ga.is_nan_mask(), about);
                // The sign of a NaN is not specified.
                if !ga.is_nan() {
                    agree!(a.is_negative_mask(), ga.is_negative_mask(), about);
                    agree!(a.is_negative_bitmask(), ga.is_negative_bitmask(), about);
                }
            }
        }
    )+};
}

floats! {
    vec2_has_the_float_methods: single Vec2 Vec2 2 f32;
    vec3_has_the_float_methods: single Vec3 Vec3 3 f32;
    dvec2_has_the_float_methods: double Vec2 DVec2 2 f64;
    dvec3_has_the_float_methods: double Vec3 DVec3 3 f64;
    dvec4_has_the_float_methods: double Vec4 DVec4 4 f64;
}

macro_rules! integers {
    ($($test:ident: $module:ident $host:ident $glam:ident $n:tt $sample:ident;)+) => {$(
        #[test]
        fn $test() {
            let mut samples = Samples(29);
            for _ in 0..ROUNDS {
                let (a, ga) = pair!($module $host $glam $n $sample samples);
                let (b, gb) = pair!($module $host $glam $n $sample samples);
                let s = samples.$sample();
                let about = (ga, gb, s);
                agree!(a.wrapping_add(b), ga.wrapping_add(gb), about);
                agree!(a.wrapping_sub(b), ga.wrapping_sub(gb), about);
                agree!(a.wrapping_mul(b), ga.wrapping_mul(gb), about);
                agree!(a.saturating_add(b), ga.saturating_add(gb), about);
                agree!(a.saturating_sub(b), ga.saturating_sub(gb), about);
                agree!(a.saturating_mul(b), ga.saturating_mul(gb), about);
                agree!(a.manhattan_distance(b), ga.manhattan_distance(gb), about);
                agree!(a.chebyshev_distance(b), ga.chebyshev_distance(gb), about);
                agree!(a & b, ga & gb, about);
                agree!(a | b, ga | gb, about);
                agree!(a ^ b, ga ^ gb, about);
                agree!(a & s, ga & s, about);
                agree!(a | s, ga | s, about);
                agree!(a ^ s, ga ^ s, about);
                agree!(!a, !ga, about);
                let shift = s & 31;
                agree!(a << shift, ga << shift, about);
                agree!(a >> shift, ga >> shift, about);
                let (shifts, gshifts) = (b & 31, gb & 31);
                agree!(a << shifts, ga << gshifts, about);
                agree!(a >> shifts, ga >> gshifts, about);
                // Divisors that fault on neither side.
                let (divisor, gdivisor) = ((b & 7) + 1, (gb & 7) + 1);
                agree!(a / divisor, ga / gdivisor, about);
                agree!(a % divisor, ga % gdivisor, about);
                agree!(a / ((s & 7) + 1), ga / ((s & 7) + 1), about);
                agree!(a % ((s & 7) + 1), ga % ((s & 7) + 1), about);
                agree!(s / divisor, s / gdivisor, about);
                agree!(s % divisor, s % gdivisor, about);
            }
        }
    )+};
}

integers! {
    ivec2_has_the_integer_methods: signed Vec2 IVec2 2 i32;
    ivec3_has_the_integer_methods: signed Vec3 IVec3 3 i32;
    ivec4_has_the_integer_methods: signed Vec4 IVec4 4 i32;
    uvec2_has_the_integer_methods: unsigned Vec2 UVec2 2 u32;
    uvec3_has_the_integer_methods: unsigned Vec3 UVec3 3 u32;
    uvec4_has_the_integer_methods: unsigned Vec4 UVec4 4 u32;
}

macro_rules! signed_integers {
    ($($test:ident: $host:ident $glam:ident $n:tt;)+) => {$(
        #[test]
        fn $test() {
            let mut samples = Samples(31);
            for _ in 0..ROUNDS {
                let (a, ga) = pair!(signed $host $glam $n i32 samples);
                let (b, gb) = pair!(signed $host $glam $n i32 samples);
                let about = (ga, gb);
                agree!(-a, -ga, about);
                agree!(a.signum(), ga.signum(), about);
                agree!(a.distance_squared(b), ga.distance_squared(gb), about);
                let (divisor, gdivisor) = ((b & 7) - 9, (gb & 7) - 9);
                agree!(a.div_euclid(divisor), ga.div_euclid(gdivisor), about);
                agree!(a.rem_euclid(divisor), ga.rem_euclid(gdivisor), about);
                let (small, gsmall) = (a & 0xffff, ga & 0xffff);
                agree!((-small).abs(), (-gsmall).abs(), about);
            }
        }
    )+};
}
signed_integers! {
    ivec2_has_the_signed_methods: Vec2 IVec2 2;
    ivec3_has_the_signed_methods: Vec3 IVec3 3;
    ivec4_has_the_signed_methods: Vec4 IVec4 4;
}

/// What only some sizes have.
#[test]
fn sizes_have_their_own_methods() {
    let mut samples = Samples(37);
    for _ in 0..ROUNDS {
        let (a, ga) = pair!(double Vec3 DVec3 3 f64 samples);
        let (b, gb) = pair!(double Vec3 DVec3 3 f64 samples);
        let (c, gc) = pair!(double Vec2 DVec2 2 f64 samples);
        let (d, gd) = pair!(double Vec2 DVec2 2 f64 samples);
        let (e, ge) = pair!(double Vec4 DVec4 4 f64 samples);
        let (i, gi) = pair!(signed Vec3 IVec3 3 i32 samples);
        let (j, gj) = pair!(signed Vec3 IVec3 3 i32 samples);
        let s = samples.f64();
        let about = (ga, gb, gc, gd, ge, s);
        agree!(a.cross(b), ga.cross(gb), about);
        agree!(i.cross(j), gi.cross(gj), (gi, gj));
        agree!(a.extend(s), ga.extend(s), about);
        agree!(a.truncate(), ga.truncate(), about);
        agree!(c.extend(s), gc.extend(s), about);
        agree!(e.truncate(), ge.truncate(), about);
        agree!(a.with_z(s), ga.with_z(s), about);
        agree!(e.with_w(s), ge.with_w(s), about);
        agree!(c.perp(), gc.perp(), about);
        agree!(c.perp_dot(d), gc.perp_dot(gd), about);
        agree!(c.rotate(d), gc.rotate(gd), about);
        agree!(double::Vec3::from_homogeneous(e), glam::DVec3::from_homogeneous(ge), about);
        agree!(a.to_homogeneous(), ga.to_homogeneous(), about);
        agree!(e.project(), ge.project(), about);
        agree!(a.any_orthogonal_vector(), ga.any_orthogonal_vector(), about);
        agree!(a.any_orthonormal_vector(), ga.any_orthonormal_vector(), about);
        agree!(a.any_orthonormal_pair(), ga.any_orthonormal_pair(), about);
        agree!(a.as_vec3(), ga.as_vec3(), about);
        agree!(a.as_ivec3(), ga.as_ivec3(), about);
        agree!(e.as_uvec4(), ge.as_uvec4(), about);
        agree!(c.as_vec2().as_dvec2(), gc.as_vec2().as_dvec2(), about);
        agree!(i.as_uvec3(), gi.as_uvec3(), about);
        agree!(i.as_uvec3().as_vec3(), gi.as_uvec3().as_vec3(), about);
        agree!(i.as_dvec3(), gi.as_dvec3(), about);
        agree!(double::vec3(s, a.x, b.y), glam::dvec3(s, ga.x, gb.y), about);
    }
}

/// Four f32s: glam adds in another order where it has vector instructions.
#[test]
fn vec4_agrees_within_rounding() {
    let mut samples = Samples(41);
    for _ in 0..ROUNDS {
        let [a, b]: [[f32; 4]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| samples.number() as f32));
        let (v, w) = (single::Vec4::from_array(a), single::Vec4::from_array(b));
        let (gv, gw) = (glam::Vec4::from_array(a), glam::Vec4::from_array(b));
        let close = |x: f32, y: f32| assert!((x - y).abs() <= 2e-5, "{x} {y} {gv} {gw}");
        close(v.dot(w), gv.dot(gw));
        close(v.length(), gv.length());
        close(v.distance(w), gv.distance(gw));
        axes!(v, 4).into_iter().zip(axes!(gv, 4)).for_each(|(x, y)| close(x, y));
        v.normalize().to_array().into_iter().zip(gv.normalize().to_array()).for_each(|(x, y)| close(x, y));
        assert!((v + w).same(&(gv + gw)) && (v * w).same(&(gv * gw)) && v.lerp(w, 0.25).same(&gv.lerp(gw, 0.25)));
    }
}
