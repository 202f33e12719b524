//! Methods of floats against Rust's own, and against glam's extensions.

use glam::FloatExt;

use crate::host::{f32s, f64s};
use crate::same::{Samples, agree};

macro_rules! tests {
    ($($test:ident: $module:ident $type:ident;)+) => {$(
        #[test]
        fn $test() {
            let mut samples = Samples(67);
            let tiny = $type::from_bits(1);
            let specials = [
                0.0, -0.0, $type::MIN_POSITIVE, $type::MAX, $type::MIN, $type::EPSILON, 1.0, -2.5, tiny, -tiny,
                $type::MIN_POSITIVE - tiny,
            ];
            let random: Vec<$type> = (0..400).map(|_| samples.$type()).collect();
            let values: Vec<$type> = specials.into_iter().chain(random).collect();
            for &x in &values {
                agree!($module::fract(x), x.fract(), x);
                agree!($module::signum(x), x.signum(), x);
                agree!($module::recip(x), x.recip(), x);
                agree!($module::to_degrees(x), x.to_degrees(), x);
                agree!($module::to_radians(x), x.to_radians(), x);
                agree!($module::is_nan(x), x.is_nan(), x);
                agree!($module::is_infinite(x), x.is_infinite(), x);
                agree!($module::is_finite(x), x.is_finite(), x);
                agree!($module::is_sign_negative(x), x.is_sign_negative(), x);
                agree!($module::is_sign_positive(x), x.is_sign_positive(), x);
                agree!($module::is_normal(x), x.is_normal(), x);
                agree!($module::is_subnormal(x), x.is_subnormal(), x);
                agree!($module::next_up(x), x.next_up(), x);
                agree!($module::next_down(x), x.next_down(), x);
                agree!($module::fract_gl(x), x.fract_gl(), x);
                agree!($module::saturate(x), x.saturate(), x);
                for &y in &values {
                    agree!($module::div_euclid(x, y), x.div_euclid(y), x, y);
                    agree!($module::rem_euclid(x, y), x.rem_euclid(y), x, y);
                    agree!($module::step(x, y), x.step(y), x, y);
                    agree!($module::midpoint(x, y), x.midpoint(y), x, y);
                    if y > x {
                        let z = samples.$type();
                        agree!($module::clamp(z, x, y), z.clamp(x, y), z, x, y);
                    }
                }
            }
            for three in values.windows(5) {
                let [x, y, z, u, v] = *three else { unreachable!("windows of five") };
                agree!($module::lerp(x, y, z), FloatExt::lerp(x, y, z), x, y, z);
                agree!($module::inverse_lerp(x, y, z), $type::inverse_lerp(x, y, z), x, y, z);
                agree!($module::lerp_monotonic(x, y, z), x.lerp_monotonic(y, z), x, y, z);
                agree!($module::smoothstep(x, y, z), x.smoothstep(y, z), x, y, z);
                agree!($module::remap(x, y, z, u, v), x.remap(y, z, u, v), x, y, z, u, v);
                agree!($module::move_towards(x, y, z), x.move_towards(y, z), x, y, z);
            }
        }
    )+};
}

tests! {
    f32_agrees: f32s f32;
    f64_agrees: f64s f64;
}

#[test]
fn safe_forms_have_values_where_the_plain_ones_have_none() {
    use std::f64::consts::{FRAC_PI_2, PI};
    for (x, y, quotient) in [(3.0, 2.0, 1.5), (3.0, 0.0, 0.0), (3.0, -0.0, 0.0), (0.0, 0.0, 0.0), (-1.0, 4.0, -0.25)] {
        assert_eq!(
            (f64s::safe_div(x, y), f32s::safe_div(x as f32, y as f32)),
            (quotient, quotient as f32),
            "{x} / {y}"
        );
    }
    assert!(f32s::safe_div(f32::NAN, 2.0).is_nan() && f32s::safe_div(2.0, f32::NAN).is_nan());
    assert_eq!([0.0, -0.0, 4.0, -0.5].map(f64s::safe_recip), [0.0, 0.0, 0.25, -2.0]);
    assert_eq!(
        [0.0, -4.0, 4.0, f64::NEG_INFINITY, f64::INFINITY].map(f64s::safe_sqrt),
        [0.0, 0.0, 2.0, 0.0, f64::INFINITY]
    );
    assert_eq!([-3.0, -1.0, 0.0, 1.0, 7.0].map(f64s::safe_asin), [-FRAC_PI_2, -FRAC_PI_2, 0.0, FRAC_PI_2, FRAC_PI_2]);
    assert_eq!([-3.0, -1.0, 0.0, 1.0, 7.0].map(f64s::safe_acos), [PI, PI, FRAC_PI_2, 0.0, 0.0]);
    assert!([f32s::safe_sqrt, f32s::safe_asin, f32s::safe_acos].iter().all(|f| f(f32::NAN).is_nan()));
}

/// Against products of many factors in higher precision; Rust leaves the last places of `powi` open.
#[test]
fn powi_is_a_product() {
    for x in [0.5f32, -1.25, 3.0, 0.1, -0.0, 0.0, 1.0, f32::INFINITY] {
        for n in -20..=20i32 {
            let exact: f64 = (0..n.abs()).map(|_| x as f64).product();
            let exact = if n < 0 { 1.0 / exact } else { exact };
            let found = f32s::powi(x, n);
            let error = ((found as f64 - exact) / exact).abs();
            assert!(found as f64 == exact || error < 2e-6, "{x}^{n}: {found}, {exact}");
        }
    }
    // Powers of two are exact.
    assert_eq!(f64s::powi(2.0, 1000), f64::from_bits((1000 + 1023) << 52));
    assert_eq!(f64s::powi(2.0, -1000), f64::from_bits((-1000i64 + 1023) as u64 * (1 << 52)));
    assert_eq!((f64s::powi(1.0, i32::MIN), f64s::powi(-1.0, i32::MAX)), (1.0, -1.0));
}

#[test]
fn clamp_refuses_bad_bounds() {
    for (min, max) in [(2.0, 1.0), (f32::NAN, 1.0), (0.0, f32::NAN)] {
        assert!(std::panic::catch_unwind(|| f32s::clamp(0.5, min, max)).is_err(), "{min} {max}");
    }
    assert!(f32s::clamp(f32::NAN, 0.0, 1.0).is_nan());
}
