//! Noise: against its definition (`references/noise.py` made the table), against Warp's own values, and in kernels.

use warp::math::{DNoise, Noise};
use warp::prelude::*;

use crate::agree::{Samples, agree};
use crate::references::{close, rows_in};

const DEFINED: &str = include_str!("references/noise.txt");
const WARP: &str = include_str!("references/warp_values.txt");

fn whole(list: &[f64]) -> Vec<i32> {
    list.iter().map(|x| *x as i32).collect()
}

/// Value and gradient as one list.
fn one<const N: usize>(of: (f64, [f64; N])) -> Vec<f64> {
    [&[of.0][..], &of.1].concat()
}

/// Compares one family of one to four coordinates: what the functions give, and that the value alone is the same.
macro_rules! defined {
    ($test:ident $name:literal $tolerance:literal;
     $f1:ident $g1:ident $f2:ident $g2:ident $f3:ident $g3:ident $f4:ident $g4:ident $(; $period:ident)?) => {
        #[test]
        fn $test() {
            for n in 1..=4 {
                for (given, expected) in rows_in(DEFINED, &format!("{}{n}", $name)) {
                    let noise = DNoise::new(given[0] as u32);
                    let (p, rest) = given[1..].split_at(n);
                    let period = whole(rest);
                    let _ = &period;
                    let (value, found) = match n {
                        1 => {
                            let (value, slope) = noise.$g1(p[0] $(, $period(&period)[0])?);
                            (noise.$f1(p[0] $(, $period(&period)[0])?), vec![value, slope])
                        }
                        2 => {
                            let p = DVec2::from_slice(p);
                            let (value, slope) = noise.$g2(p $(, IVec2::from_slice($period(&period)))?);
                            (noise.$f2(p $(, IVec2::from_slice($period(&period)))?), one((value, slope.to_array())))
                        }
                        3 => {
                            let p = DVec3::from_slice(p);
                            let (value, slope) = noise.$g3(p $(, IVec3::from_slice($period(&period)))?);
                            (noise.$f3(p $(, IVec3::from_slice($period(&period)))?), one((value, slope.to_array())))
                        }
                        _ => {
                            let p = DVec4::from_slice(p);
                            let (value, slope) = noise.$g4(p $(, IVec4::from_slice($period(&period)))?);
                            (noise.$f4(p $(, IVec4::from_slice($period(&period)))?), one((value, slope.to_array())))
                        }
                    };
                    close(&found, &expected, $tolerance, &given);
                    assert_eq!(value.to_bits(), found[0].to_bits());
                }
            }
        }
    };
}

fn itself(period: &[i32]) -> &[i32] {
    period
}

defined! { perlin_noise_is_what_it_is_defined_as "perlin" 1e-13;
perlin1 perlin1_gradient perlin2 perlin2_gradient perlin3 perlin3_gradient perlin4 perlin4_gradient }
defined! { periodic_noise_is_what_it_is_defined_as "periodic" 1e-13;
periodic1 periodic1_gradient periodic2 periodic2_gradient periodic3 periodic3_gradient periodic4 periodic4_gradient; itself }
defined! { simplex_noise_is_what_it_is_defined_as "simplex" 1e-11;
simplex1 simplex1_gradient simplex2 simplex2_gradient simplex3 simplex3_gradient simplex4 simplex4_gradient }

#[test]
fn flows_are_curls() {
    for (given, expected) in rows_in(DEFINED, "curl2") {
        let flow = DNoise::new(given[0] as u32).curl2(DVec2::from_slice(&given[1..]));
        close(&flow.to_array(), &expected, 1e-14, &given);
    }
    for (given, expected) in rows_in(DEFINED, "curl3") {
        let flow = DNoise::new(given[0] as u32).curl3(DVec3::from_slice(&given[1..]));
        close(&flow.to_array(), &expected, 1e-14, &given);
    }
    for (given, expected) in rows_in(DEFINED, "curl4") {
        let flow = DNoise::new(given[0] as u32).curl4(DVec4::from_slice(&given[1..]));
        close(&flow.to_array(), &expected, 1e-14, &given);
    }
}

#[test]
fn noise_is_warps() {
    for (given, expected) in rows_in(WARP, "fields") {
        let noise = Noise::new(given[0] as u32);
        let p = DVec4::from_slice(&given[1..]).as_vec4();
        let (p2, p3) = (p.truncate().truncate(), p.truncate());
        let mut found = vec![noise.perlin1(p.x), noise.perlin2(p2), noise.perlin3(p3), noise.perlin4(p)];
        found.extend([noise.periodic1(p.x, 5), noise.periodic2(p2, IVec2::new(5, 3))]);
        found.extend([noise.periodic3(p3, IVec3::new(5, 3, 4)), noise.periodic4(p, IVec4::new(5, 3, 4, 7))]);
        found.extend(noise.curl2(p2).to_array());
        found.extend(noise.curl3(p3).to_array());
        found.extend(noise.curl4(p).to_array());
        found.extend(noise.curl2_octaves(p2, 3, 2.0, 0.5).to_array());
        found.extend(noise.curl3_octaves(p3, 3, 1.75, 0.25).to_array());
        found.extend(noise.curl4_octaves(p, 2, 2.0, 0.5).to_array());
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let near = (*found as f64 - expected).abs() <= 1e-6 * (1.0 + expected.abs());
            assert!(near, "{k} at {given:?}: {found}, {expected}");
        }
    }
}

/// f32 and f64 are one function, and it keeps within its bounds without being small.
#[test]
fn noise_is_bounded_and_about_zero() {
    let mut samples = Samples(137);
    let (single, double) = (Noise::with_offset(3, 4), DNoise::with_offset(3, 4));
    let mut ranges = [(0.0f64, 0.0f64, 0.0f64); 8];
    const COUNT: usize = 60_000;
    for _ in 0..COUNT {
        let p = DVec4::from_array(std::array::from_fn(|_| samples.small() * 16.0)).as_vec4().as_dvec4();
        let (p2, p3) = (p.truncate().truncate(), p.truncate());
        let values = [
            double.perlin1(p.x),
            double.perlin2(p2),
            double.perlin3(p3),
            double.perlin4(p),
            double.simplex1(p.x),
            double.simplex2(p2),
            double.simplex3(p3),
            double.simplex4(p),
        ];
        let q = p.as_vec4();
        let (q2, q3) = (q.truncate().truncate(), q.truncate());
        let rough = [
            single.perlin1(q.x),
            single.perlin2(q2),
            single.perlin3(q3),
            single.perlin4(q),
            single.simplex1(q.x),
            single.simplex2(q2),
            single.simplex3(q3),
            single.simplex4(q),
        ];
        for (k, value) in values.into_iter().enumerate() {
            assert!((rough[k] as f64 - value).abs() < 4e-5, "{k} at {p}: {}, {value}", rough[k]);
            let (low, high, sum) = &mut ranges[k];
            (*low, *high, *sum) = (low.min(value), high.max(value), *sum + value);
        }
    }
    for (k, (low, high, sum)) in ranges.into_iter().enumerate() {
        let bound = if k < 4 { ((k + 1) as f64).sqrt() / 2.0 } else { 1.0 };
        assert!(high <= bound && low >= -bound, "{k}: {low} to {high}");
        assert!(high > 0.5 * bound && low < -0.5 * bound, "{k}: {low} to {high}");
        assert!((sum / COUNT as f64).abs() < 0.02, "{k}: {sum}");
    }
}

#[test]
fn periods_are_kept_on_both_sides_of_zero() {
    let mut samples = Samples(139);
    let noise = DNoise::new(9);
    for _ in 0..500 {
        let p = DVec3::from_array(std::array::from_fn(|_| samples.small() * 4.0));
        let period = IVec3::new(4, 1, 7);
        let here = noise.periodic3(p, period);
        for axis in 0..3 {
            let mut there = p;
            there[axis] -= 3.0 * period[axis] as f64;
            assert!((noise.periodic3(there, period) - here).abs() < 1e-13, "{p} along {axis}");
        }
        assert!((noise.periodic1(p.x, 3) - noise.periodic1(p.x + 9.0, 3)).abs() < 1e-13);
    }
    // Other seeds, other noise; and inside of the first period it is the noise without one.
    let at = DVec2::new(0.4, 1.7);
    assert_ne!(noise.perlin2(at), DNoise::new(10).perlin2(at));
    assert_eq!(noise.perlin2(at), noise.periodic2(at, IVec2::new(8, 8)));
    assert!(std::panic::catch_unwind(|| Noise::new(1).periodic1(0.5, 0)).is_err());
    assert!(Noise::new(1).perlin3(Vec3::new(f32::NAN, 0.0, 0.0)).is_nan());
    assert!(
        Noise::new(1).perlin2(Vec2::splat(3e38)).is_finite() && Noise::new(1).simplex4(Vec4::splat(-1e30)).is_finite()
    );
}

macro_rules! kernels {
    ($($test:ident $kernel:ident $noise:ident $float:ident $vec2:ident $vec3:ident $vec4:ident;)+) => {$(
        #[kernel(no_fma)]
        fn $kernel(p_in: &[$vec4], x: &mut [$float], v: &mut [$vec2], w: &mut [$vec3], h: &mut [$vec4]) {
            let t = tid();
            let p = p_in[t];
            let (p2, p3) = ($vec2::new(p.x, p.y), $vec3::new(p.x, p.y, p.z));
            let noise = $noise::with_offset(17, (t / 8) as u32);
            x[t * 16] = noise.perlin1(p.x);
            x[t * 16 + 1] = noise.perlin2(p2);
            x[t * 16 + 2] = noise.perlin3(p3);
            x[t * 16 + 3] = noise.perlin4(p);
            x[t * 16 + 4] = noise.simplex1(p.x);
            x[t * 16 + 5] = noise.simplex2(p2);
            x[t * 16 + 6] = noise.simplex3(p3);
            x[t * 16 + 7] = noise.simplex4(p);
            x[t * 16 + 8] = noise.periodic1(p.x, 3);
            x[t * 16 + 9] = noise.periodic2(p2, IVec2::new(3, 4));
            x[t * 16 + 10] = noise.periodic3(p3, IVec3::new(3, 4, 5));
            x[t * 16 + 11] = noise.periodic4(p, IVec4::new(3, 4, 5, 6));
            x[t * 16 + 12] = noise.perlin1_gradient(p.x).1;
            x[t * 16 + 13] = noise.simplex1_gradient(p.x).1;
            x[t * 16 + 14] = noise.periodic1_gradient(p.x, 3).1;
            v[t * 4] = noise.perlin2_gradient(p2).1;
            v[t * 4 + 1] = noise.simplex2_gradient(p2).1;
            v[t * 4 + 2] = noise.periodic2_gradient(p2, IVec2::new(3, 4)).1;
            v[t * 4 + 3] = noise.curl2(p2) + noise.curl2_octaves(p2, 3, 2.0, 0.5);
            w[t * 5] = noise.perlin3_gradient(p3).1;
            w[t * 5 + 1] = noise.simplex3_gradient(p3).1;
            w[t * 5 + 2] = noise.periodic3_gradient(p3, IVec3::new(3, 4, 5)).1;
            w[t * 5 + 3] = noise.curl3(p3) + noise.curl3_octaves(p3, 2, 2.0, 0.5);
            w[t * 5 + 4] = noise.curl4(p) + noise.curl4_octaves(p, 2, 2.0, 0.5);
            h[t * 3] = noise.perlin4_gradient(p).1;
            h[t * 3 + 1] = noise.simplex4_gradient(p).1;
            h[t * 3 + 2] = noise.periodic4_gradient(p, IVec4::new(3, 4, 5, 6)).1;
        }

        #[test]
        fn $test() {
            let mut samples = Samples(149);
            let mut p_in: Vec<$vec4> =
                (0..200).map(|_| $vec4::from_array(std::array::from_fn(|_| samples.small() as $float * 8.0))).collect();
            p_in.extend([$vec4::splat(-0.0), $vec4::splat(1e12), $vec4::splat(-3e9), $vec4::new(0.5, -0.5, 0.5, -2.0)]);
            agree!($kernel, p_in; x: 0.0, 16, v: $vec2::ZERO, 4, w: $vec3::ZERO, 5, h: $vec4::ZERO, 3);
        }
    )+};
}
kernels! {
    single_noise_agrees fields Noise f32 Vec2 Vec3 Vec4;
    double_noise_agrees fields_double DNoise f64 DVec2 DVec3 DVec4;
}
