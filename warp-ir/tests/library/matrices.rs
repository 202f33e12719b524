//! Matrices against glam's: f64 by bits, f32 within rounding, since glam has vector instructions for some.

use crate::host::{double, single};
use crate::same::{Samples, agree};

const ROUNDS: usize = 2000;

macro_rules! tests {
    ($($test:ident: $host:ident $glam:ident $vec:ident $gvec:ident $n:literal $nn:literal
        $mul_vec:ident $mul_mat:ident $transpose_mul:ident $add:ident $sub:ident;)+) => {$(
        #[test]
        fn $test() {
            let mut samples = Samples(43);
            for _ in 0..ROUNDS {
                let [a, b]: [[f64; $nn]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| samples.f64()));
                let v: [f64; $n] = std::array::from_fn(|_| samples.f64());
                let s = samples.f64();
                let (m, gm) = (double::$host::from_cols_array(a), glam::$glam::from_cols_array(&a));
                let (w, gw) = (double::$host::from_cols_array(b), glam::$glam::from_cols_array(&b));
                let (v, gv) = (double::$vec::from_array(v), glam::$gvec::from_array(v));
                let about = (gm, gw, gv, s);
                agree!(m, gm, about);
                agree!(m.to_cols_array_2d(), gm.to_cols_array_2d(), about);
                agree!(double::$host::from_cols_array_2d(m.to_cols_array_2d()), gm, about);
                agree!(double::$host::from_diagonal(v), glam::$glam::from_diagonal(gv), about);
                agree!(m.diagonal(), gm.diagonal(), about);
                agree!(m.transpose(), gm.transpose(), about);
                agree!(m.determinant(), gm.determinant(), about);
                agree!(m.inverse(), gm.inverse(), about);
                agree!(m.try_inverse(), gm.try_inverse(), about);
                agree!(m.inverse_or_zero(), gm.inverse_or_zero(), about);
                agree!(m.$mul_vec(v), gm.$mul_vec(gv), about);
                agree!(m.$transpose_mul(v), gm.$transpose_mul(gv), about);
                agree!(m.$mul_mat(w), gm.$mul_mat(&gw), about);
                agree!(m.$add(w), gm.$add(&gw), about);
                agree!(m.$sub(w), gm.$sub(&gw), about);
                agree!(m.mul_scalar(s), gm.mul_scalar(s), about);
                agree!(m.div_scalar(s), gm.div_scalar(s), about);
                agree!(m.mul_diagonal_scale(v), gm.mul_diagonal_scale(gv), about);
                agree!(m.recip(), gm.recip(), about);
                agree!(m.abs(), gm.abs(), about);
                agree!(m.abs_diff_eq(w, s), gm.abs_diff_eq(gw, s), about);
                agree!(m.is_finite(), gm.is_finite(), about);
                agree!(m.is_nan(), gm.is_nan(), about);
                for i in 0..$n {
                    agree!(m.col(i), gm.col(i), about);
                    agree!(m.row(i), gm.row(i), about);
                }
                agree!(m + w, gm + gw, about);
                agree!(m - w, gm - gw, about);
                agree!(m * w, gm * gw, about);
                agree!(m * v, gm * gv, about);
                agree!(m * s, gm * s, about);
                agree!(s * m, s * gm, about);
                agree!(m / s, gm / s, about);
                agree!(s / m, s / gm, about);
                agree!(-m, -gm, about);
                assert_eq!(m == w, gm == gw);
                single_is_close(&mut samples);
            }

            /// The f32 instance on ordinary values.
            fn single_is_close(samples: &mut Samples) {
                let [a, b]: [[f32; $nn]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| samples.number() as f32));
                let (m, w) = (single::$host::from_cols_array(a), single::$host::from_cols_array(b));
                let (gm, gw) = (glam::$host::from_cols_array(&a), glam::$host::from_cols_array(&b));
                let close = |x: f32, y: f32| assert!((x - y).abs() <= 1e-5 * (1.0 + y.abs()), "{x} {y} {gm} {gw}");
                (m * w).to_cols_array().into_iter().zip((gm * gw).to_cols_array()).for_each(|(x, y)| close(x, y));
                assert!((m.determinant() - gm.determinant()).abs() < 1e-3, "{gm}");
            }
        }
    )+};
}

tests! {
    mat2_agrees: Mat2 DMat2 Vec2 DVec2 2 4 mul_vec2 mul_mat2 transpose_mul_vec2 add_mat2 sub_mat2;
    mat3_agrees: Mat3 DMat3 Vec3 DVec3 3 9 mul_vec3 mul_mat3 transpose_mul_vec3 add_mat3 sub_mat3;
    mat4_agrees: Mat4 DMat4 Vec4 DVec4 4 16 mul_vec4 mul_mat4 transpose_mul_vec4 add_mat4 sub_mat4;
}

#[test]
fn sizes_have_their_own_methods() {
    let mut samples = Samples(47);
    for _ in 0..ROUNDS {
        let a: [f64; 16] = std::array::from_fn(|_| samples.f64());
        let m4 = double::Mat4::from_cols_array(a);
        let g4 = glam::DMat4::from_cols_array(&a);
        let (m3, g3) = (double::Mat3::from_mat4(m4), glam::DMat3::from_mat4(g4));
        let (m2, g2) = (double::Mat2::from_mat3(m3), glam::DMat2::from_mat3(g3));
        let v = [samples.f64(), samples.f64(), samples.f64()];
        let w = [samples.f64(), samples.f64()];
        let q = [samples.f64(), samples.f64(), samples.f64(), samples.f64()];
        let (v, gv) = (double::Vec3::from_array(v), glam::DVec3::from_array(v));
        let (w, gw) = (double::Vec2::from_array(w), glam::DVec2::from_array(w));
        let (q, gq) = (double::Quat::from_array(q), glam::DQuat::from_array(q));
        let about = (g4, gv, gw, gq);
        agree!(m3, g3, about);
        agree!(m2, g2, about);
        agree!(double::Mat3::from_mat2(m2), glam::DMat3::from_mat2(g2), about);
        agree!(double::Mat3::from_quat(q), glam::DMat3::from_quat(gq), about);
        agree!(double::Mat3::from_translation(w), glam::DMat3::from_translation(gw), about);
        agree!(double::Mat3::from_scale(w), glam::DMat3::from_scale(gw), about);
        agree!(m3.transform_point2(w), g3.transform_point2(gw), about);
        agree!(m3.transform_vector2(w), g3.transform_vector2(gw), about);
        agree!(double::Mat4::from_mat3(m3), glam::DMat4::from_mat3(g3), about);
        agree!(double::Mat4::from_mat3_translation(m3, v), glam::DMat4::from_mat3_translation(g3, gv), about);
        agree!(double::Mat4::from_quat(q), glam::DMat4::from_quat(gq), about);
        agree!(double::Mat4::from_rotation_translation(q, v), glam::DMat4::from_rotation_translation(gq, gv), about);
        let (found, expected) = (
            double::Mat4::from_scale_rotation_translation(v, q, v),
            glam::DMat4::from_scale_rotation_translation(gv, gq, gv),
        );
        agree!(found, expected, about);
        agree!(double::Mat4::from_translation(v), glam::DMat4::from_translation(gv), about);
        agree!(double::Mat4::from_scale(v), glam::DMat4::from_scale(gv), about);
        agree!(m4.transform_point3(v), g4.transform_point3(gv), about);
        agree!(m4.transform_vector3(v), g4.transform_vector3(gv), about);
        agree!(m4.project_point3(v), g4.project_point3(gv), about);
        agree!(double::Mat3::from_rows(v, v, m3.x_axis), glam::DMat3::from_rows(gv, gv, g3.x_axis), about);
        agree!(m4.as_mat4(), g4.as_mat4(), about);
        agree!(m3.as_mat3().as_dmat3(), g3.as_mat3().as_dmat3(), about);
        agree!(double::mat3(v, v, v), glam::dmat3(gv, gv, gv), about);
    }
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_column_that_is_not_there_is_a_fault() {
    double::Mat3::from_diagonal(double::Vec3::splat(1.0)).col(3);
}
