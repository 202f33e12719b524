//! Random numbers: against Warp's own (`references/warp_values.py` made the table), against the distributions that they
//! are to have, and in kernels.

use warp::math::{DRng, Noise, Rng, Triangle};
use warp::prelude::*;

use crate::agree::{Bits, Samples, agree};
use crate::references::{close, rows_in};

const WARP: &str = include_str!("references/warp_values.txt");

fn rng(given: &[f64]) -> Rng {
    Rng::with_offset(given[0] as u32, given[1] as u32)
}

fn six<T>(mut draw: impl FnMut() -> T) -> Vec<T> {
    (0..6).map(|_| draw()).collect()
}

/// Values that Warp 1.19 gave, written down by hand.
#[test]
#[allow(clippy::excessive_precision, reason = "as Warp printed them")]
fn golden_values_are_warps() {
    let mut rng = Rng::with_offset(42, 7);
    assert_eq!([rng.f32(), rng.f32()], [0.49427831, 0.32909381]);
    assert!((rng.normal() + 0.81808388).abs() < 1e-6);
    assert_eq!(rng.range_i32(0, 100), 34);
    assert_eq!([0, 1, 2].map(|k| Rng::with_offset(123, k).f32()), [0.1415146, 0.9632247, 0.6449367]);
    let noise = Noise::new(42);
    let found = [noise.perlin1(0.37), noise.perlin2(Vec2::new(0.37, 1.2)), noise.perlin3(Vec3::new(0.3, 1.2, 2.7))];
    let near = found.iter().zip([0.19382831, 0.02435668, -0.28315210f32]).all(|(f, e)| (f - e).abs() < 1e-6);
    assert!(near, "{found:?}");
    let turned = Quat::from_rpy(0.1, 0.2, 0.3);
    assert!(turned.abs_diff_eq(Quat::from_xyzw(0.0343, 0.1060, 0.1436, 0.9833), 1e-4), "{turned:?}");
}

#[test]
fn integers_are_warps() {
    for (given, expected) in rows_in(WARP, "integers") {
        let mut rng = rng(&given);
        let mut found = vec![rng.state, Rng::new(given[0] as u32).state, 0, 0, 0, 0];
        found.extend(six(|| rng.u32()));
        found.extend(six(|| rng.range_u32(10, 4_000_000_000)));
        found.extend(six(|| rng.range_i32(0, 100) as u32));
        found.extend(six(|| (rng.range_i32(-50, 50) + 50) as u32));
        let expected: Vec<u32> = expected.iter().map(|x| *x as u32).collect();
        assert_eq!(found, expected, "{given:?}");
    }
}

#[test]
fn numbers_are_warps() {
    let mut one = Rng::with_offset(42, 7);
    assert_eq!([one.f32(), one.f32()], [0.494_278_3, 0.329_093_8]);
    assert!((one.normal() + 0.818_083_9).abs() < 1e-6);
    assert_eq!(one.range_i32(0, 100), 34);
    let firsts = [0, 1, 2].map(|k| Rng::with_offset(123, k).f32());
    assert!(firsts.iter().zip([0.141_514_6, 0.963_224_7, 0.644_936_7]).all(|(f, e)| (f - e).abs() < 1e-7));
    for (given, expected) in rows_in(WARP, "scalars") {
        let mut rng = rng(&given);
        let found = [six(|| rng.f32()), six(|| rng.uniform(-2.5, 4.0)), six(|| rng.normal())].concat();
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let expected = *expected as f32;
            // The same bits, but for the last places of logarithm and cosine.
            let same = if k < 12 { found.to_bits() == expected.to_bits() } else { (found - expected).abs() < 1e-6 };
            assert!(same, "{given:?} {k}: {found}, {expected}");
        }
    }
    for (given, expected) in rows_in(WARP, "counts") {
        let mut rng = rng(&given);
        let found = six(|| rng.poisson(given[2] as f32) as f64);
        assert_eq!(found, expected, "{given:?}");
    }
    let cumulative = [0.1, 0.1, 0.35, 0.8, 1.0];
    for (given, expected) in rows_in(WARP, "indexes") {
        let mut rng = rng(&given);
        assert_eq!(six(|| rng.weighted_index(&cumulative) as f64), expected, "{given:?}");
    }
}

#[test]
fn points_are_warps() {
    let wide = |list: Vec<f32>| list.into_iter().map(f64::from).collect::<Vec<_>>();
    for (given, expected) in rows_in(WARP, "planes") {
        let mut rng = rng(&given);
        let mut found = six(|| rng.on_unit_circle());
        found.extend(six(|| rng.in_unit_disk()));
        found.extend(six(|| rng.in_unit_square()));
        found.extend(six(|| rng.in_triangle().truncate()));
        close(&wide(found.iter().flat_map(|p| p.to_array()).collect()), &expected, 5e-7, &given);
    }
    for (given, expected) in rows_in(WARP, "spaces") {
        let mut rng = rng(&given);
        let mut found = six(|| rng.on_unit_sphere());
        found.extend(six(|| rng.in_unit_sphere()));
        found.extend(six(|| rng.on_unit_hemisphere()));
        found.extend(six(|| rng.in_unit_hemisphere()));
        found.extend(six(|| rng.in_unit_cube()));
        close(&wide(found.iter().flat_map(|p| p.to_array()).collect()), &expected, 1e-6, &given);
    }
}

/// How far the numbers are from having the distribution function `cdf`: by Kolmogorov and Smirnov, times the root of how
/// many; above 1.95 one time in a thousand.
fn kolmogorov(mut numbers: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let n = numbers.len() as f64;
    let far = |(k, x): (usize, &f64)| (cdf(*x) - k as f64 / n).abs().max((cdf(*x) - (k + 1) as f64 / n).abs());
    numbers.iter().enumerate().map(far).fold(0.0, f64::max) * n.sqrt()
}

fn has_distribution(what: &str, numbers: Vec<f64>, cdf: impl Fn(f64) -> f64) {
    let statistic = kolmogorov(numbers, cdf);
    assert!(statistic < 1.95, "{what}: {statistic}");
}

fn is_uniform(what: &str, numbers: Vec<f64>) {
    assert!(numbers.iter().all(|x| (-1e-6..=1.0 + 1e-6).contains(x)), "{what}");
    has_distribution(what, numbers, |x| x.clamp(0.0, 1.0));
}

/// By how many standard deviations Pearson's statistic of counts is above its mean.
fn chi_square(what: &str, found: &[f64], expected: &[f64]) {
    // Bins in which little is expected go together.
    let (mut statistic, mut bins, mut pair) = (0.0, 0.0, (0.0, 0.0));
    for (f, e) in found.iter().zip(expected) {
        pair = (pair.0 + f, pair.1 + e);
        if pair.1 > 20.0 {
            statistic += (pair.0 - pair.1).powi(2) / pair.1;
            bins += 1.0;
            pair = (0.0, 0.0);
        }
    }
    let degrees: f64 = bins - 1.0;
    let sigmas = (statistic - degrees) / (2.0 * degrees).sqrt();
    assert!(sigmas.abs() < 4.0, "{what}: {statistic} for {degrees} degrees of freedom");
}

const MANY: usize = 80_000;

fn many<T>(mut draw: impl FnMut() -> T) -> Vec<T> {
    (0..MANY).map(|_| draw()).collect()
}

/// Whether a test can say no: numbers of a distribution that is a little off.
#[test]
fn tests_of_distributions_find_what_is_off() {
    let mut rng = DRng::new(1);
    assert!(kolmogorov(many(|| rng.f64() * 0.99), |x| x) > 1.95);
    assert!(kolmogorov(many(|| rng.f64().powf(1.03)), |x| x) > 1.95);
    let off = std::panic::catch_unwind(|| chi_square("off", &[1010.0, 990.0, 800.0], &[900.0, 1000.0, 900.0]));
    assert!(off.is_err());
}

#[test]
fn numbers_are_uniform() {
    let (mut single, mut double) = (Rng::new(3), DRng::new(4));
    is_uniform("f32", many(|| single.f32() as f64));
    is_uniform("f64", many(|| double.f64()));
    is_uniform("a range", many(|| (single.uniform(-3.0, 5.0) as f64 + 3.0) / 8.0));
    is_uniform("the lower digits of f64", many(|| (double.f64() * 16777216.0).fract()));
    let mut counts = [0.0; 256];
    (0..MANY).for_each(|_| counts[(single.u32() % 256) as usize] += 1.0);
    chi_square("the lower byte", &counts, &[MANY as f64 / 256.0; 256]);
    let mut counts = [0.0; 7];
    (0..MANY).for_each(|_| counts[(single.range_i32(-3, 4) + 3) as usize] += 1.0);
    chi_square("seven numbers", &counts, &[MANY as f64 / 7.0; 7]);
    let mut pairs = [0.0; 1024];
    for _ in 0..MANY {
        let (a, b) = ((single.f32() * 32.0) as usize, (single.f32() * 32.0) as usize);
        pairs[a * 32 + b] += 1.0;
    }
    chi_square("pairs one after the other", &pairs, &[MANY as f64 / 1024.0; 1024]);
    let trues = (0..MANY).filter(|_| single.chance(0.3)).count() as f64;
    chi_square("chances", &[trues, MANY as f64 - trues], &[MANY as f64 * 0.3, MANY as f64 * 0.7]);
    // Bounds.
    assert!(many(|| single.f32()).iter().all(|x| (0.0..1.0).contains(x) && (x * 16777216.0).fract() == 0.0));
    assert!(many(|| double.f64()).iter().all(|x| (0.0..1.0).contains(x)));
    let wide = many(|| single.range_i32(i32::MIN, i32::MAX));
    assert!(wide.iter().any(|x| *x < -2_000_000_000) && wide.iter().any(|x| *x > 2_000_000_000));
    assert_eq!(single.range_u32(9, 10), 9);
    let before = single;
    let (mut a, mut b) = (before, before);
    assert_eq!(a.u64(), (b.u32() as u64) << 32 | b.u32() as u64);
}

/// The first numbers of neighbouring threads, and of neighbouring seeds, tell nothing of each other.
#[test]
fn threads_are_independent() {
    let firsts = |of: &dyn Fn(u32) -> Rng| (0..MANY as u32).map(|k| of(k).f32() as f64).collect::<Vec<_>>();
    for (what, numbers) in [
        ("threads", firsts(&|k| Rng::with_offset(11, k))),
        ("seeds", firsts(&Rng::new)),
        ("both", { firsts(&|k| Rng::with_offset(k, k)) }),
    ] {
        is_uniform(what, numbers.clone());
        for lag in [1, 2, 16, 1000] {
            let products = numbers.iter().zip(&numbers[lag..]).map(|(a, b)| (a - 0.5) * (b - 0.5) * 12.0);
            let n = (MANY - lag) as f64;
            let correlation = products.sum::<f64>() / n * n.sqrt();
            assert!(correlation.abs() < 4.0, "{what} {lag}: {correlation}");
        }
    }
}

fn normal_cdf(x: f64) -> f64 {
    0.5 * warp::math::erfc(-x / std::f64::consts::SQRT_2)
}

#[test]
fn numbers_are_normal_and_exponential() {
    let (mut single, mut double) = (Rng::new(5), DRng::new(6));
    has_distribution("normal", many(|| single.normal() as f64), normal_cdf);
    has_distribution("normal, f64", many(|| double.normal()), normal_cdf);
    has_distribution("moved", many(|| double.normal_with(-4.0, 2.0)), |x| normal_cdf((x + 4.0) / 2.0));
    has_distribution("exponential", many(|| single.exponential(2.0) as f64), |x| 1.0 - (-2.0 * x).exp());
    has_distribution("exponential, f64", many(|| double.exponential(0.1)), |x| 1.0 - (-0.1 * x).exp());
    let numbers = many(|| double.normal());
    let moment = |k: i32| numbers.iter().map(|x| x.powi(k)).sum::<f64>() / MANY as f64;
    for (k, (expected, spread)) in [(0.0, 1.0f64), (1.0, 2.0), (0.0, 15.0), (3.0, 96.0)].into_iter().enumerate() {
        let sigmas = (moment(k as i32 + 1) - expected) / (spread / MANY as f64).sqrt();
        assert!(sigmas.abs() < 4.0, "moment {}: {sigmas}", k + 1);
    }
}

/// Draws of 0 and of the largest number below 1, at both ends of every formula.
#[test]
fn extreme_draws_are_values_as_well() {
    let state = |wanted: f32| (0..u32::MAX).find(|k| Rng { state: *k }.f32() == wanted).expect("a state");
    for state in [state(0.0), state(1.0 - 0.5 * f32::EPSILON)] {
        let (single, double) = (|| Rng { state }, || DRng { state });
        assert!(single().normal().is_finite() && double().normal().is_finite());
        assert!(single().exponential(1.0).is_finite() && double().exponential(1.0).is_finite());
        assert!(single().poisson(3.0) < 40 && single().poisson(50.0) < 200 && double().poisson(50.0) < 200);
        assert!((single().on_unit_sphere().length() - 1.0).abs() < 1e-6 && single().in_unit_sphere().length() < 1.001);
        assert!((single().on_unit_hemisphere().length() - 1.0).abs() < 1e-6);
        assert!(single().in_triangle().min_element() >= 0.0 && (single().rotation().length() - 1.0).abs() < 1e-6);
        assert_eq!(single().weighted_index(&[0.0, 0.0, 1.0, 1.0]), 2);
    }
}

/// From this state the numbers repeat after four: no draw waits for one that never comes.
#[test]
fn circles_of_few_numbers_end() {
    let start = Rng { state: 1223387312 };
    let mut rng = start;
    assert!((0..4).all(|_| rng.u32() > 0) && rng == start);
    for mean in [0.5, 3.0, 9.9, 10.0, 12.5, 100.0, 1e4, 1e7] {
        for steps in 0..4 {
            let mut rng = start;
            (0..steps).for_each(|_| rng.state = rng.u32());
            let found = rng.poisson(mean) as f32;
            assert!((found - mean).abs() < 8.0 * mean.sqrt() + 8.0, "{mean}: {found}");
        }
    }
}

#[test]
fn counts_are_poissons() {
    for mean in [0.05, 0.7, 4.0, 9.9, 10.0, 11.3, 40.0, 700.0] {
        let (mut single, mut double) = (Rng::new(17), DRng::new(18));
        let bins = (mean + 12.0 * f64::sqrt(mean) + 12.0) as usize;
        let mut expected = vec![0.0; bins];
        // The logarithm of each probability from that of the one before.
        let mut logarithm = -mean;
        for (k, e) in expected.iter_mut().enumerate() {
            logarithm += if k > 0 { (mean / k as f64).ln() } else { 0.0 };
            *e = logarithm.exp() * MANY as f64;
        }
        let mut found = [vec![0.0; bins], vec![0.0; bins]];
        for _ in 0..MANY {
            found[0][single.poisson(mean as f32) as usize] += 1.0;
            found[1][double.poisson(mean) as usize] += 1.0;
        }
        if mean > 1.0 {
            chi_square(&format!("f32 of mean {mean}"), &found[0], &expected);
            chi_square(&format!("f64 of mean {mean}"), &found[1], &expected);
        }
        if mean == 10.0 || mean == 40.0 {
            // Enough to see a bound of the rejection that is off by two in a hundred.
            let mut found = vec![0.0; bins];
            (0..1_000_000).for_each(|_| found[single.poisson(mean as f32) as usize] += 1.0);
            let more: Vec<f64> = expected.iter().map(|e| e * 1e6 / MANY as f64).collect();
            chi_square(&format!("many of mean {mean}"), &found, &more);
        }
        let average = |list: &[f64]| list.iter().enumerate().map(|(k, n)| k as f64 * n).sum::<f64>() / MANY as f64;
        for found in &found {
            let sigmas = (average(found) - mean) / (mean / MANY as f64).sqrt();
            assert!(sigmas.abs() < 4.0, "mean {mean}: {sigmas}");
        }
    }
    // So many that the distribution is normal, and where differences of large terms would show.
    let mut double = DRng::new(19);
    let mut single = Rng::new(20);
    let mean = 3e6;
    has_distribution("f64 of many", many(|| double.poisson(mean) as f64), |x| {
        normal_cdf((x + 0.5 - mean) / mean.sqrt())
    });
    has_distribution("f32 of many", many(|| single.poisson(mean as f32) as f64), |x| {
        normal_cdf((x + 0.5 - mean) / mean.sqrt())
    });
    for none in [0.0, -0.0, -3.0, f32::NAN] {
        assert_eq!(single.poisson(none), 0);
    }
    assert_eq!((single.poisson(f32::INFINITY), single.poisson(1e30)), (u32::MAX, u32::MAX));
}

#[test]
fn indexes_are_as_frequent_as_their_weights() {
    let weights = [0.0, 2.0, 0.5, 0.0, 3.0, 1.0, 0.0];
    let mut sum = 0.0;
    let cumulative = weights.map(|w: f32| {
        sum += w;
        sum
    });
    let mut rng = Rng::new(23);
    let mut found = [0.0; 7];
    (0..MANY).for_each(|_| found[rng.weighted_index(&cumulative)] += 1.0);
    let expected = weights.map(|w| w as f64 / sum as f64 * MANY as f64);
    assert!(found.iter().zip(&weights).all(|(f, w)| (*f == 0.0) == (*w == 0.0)), "{found:?}");
    chi_square("indexes", &found, &expected);
    assert_eq!(rng.weighted_index(&[0.25]), 0);
}

/// Whether directions have no direction: each coordinate is uniform, by Archimedes, and so is the angle about z.
fn is_on_sphere(what: &str, list: &[DVec3]) {
    assert!(list.iter().all(|p| (p.length() - 1.0).abs() < 1e-6), "{what}");
    for k in 0..3 {
        is_uniform(what, list.iter().map(|p| (p[k] + 1.0) / 2.0).collect());
    }
    is_uniform(what, list.iter().map(|p| p.y.atan2(p.x) / std::f64::consts::TAU + 0.5).collect());
}

#[test]
fn points_are_spread_evenly() {
    let (mut single, mut double) = (Rng::new(29), DRng::new(30));
    let wide = |list: Vec<Vec3>| list.iter().map(|p| p.as_dvec3()).collect::<Vec<_>>();
    is_on_sphere("sphere", &wide(many(|| single.on_unit_sphere())));
    is_on_sphere("sphere, f64", &many(|| double.on_unit_sphere()));
    is_on_sphere("direction", &many(|| double.direction()));
    let ball = many(|| double.in_unit_sphere());
    is_uniform("ball", ball.iter().map(|p| p.length().powi(3)).collect());
    is_on_sphere("ball", &ball.iter().map(|p| p.normalize()).collect::<Vec<_>>());
    let half = wide(many(|| single.on_unit_hemisphere()));
    is_uniform("hemisphere", half.iter().map(|p| p.z).collect());
    assert!(half.iter().all(|p| (p.length() - 1.0).abs() < 1e-6 && p.z > 0.0));
    let half = many(|| double.in_unit_hemisphere());
    is_uniform("half ball", half.iter().map(|p| p.length().powi(3)).collect());
    is_uniform("half ball", half.iter().map(|p| p.z / p.length()).collect());
    let circle = many(|| double.on_unit_circle());
    assert!(circle.iter().all(|p| (p.length() - 1.0).abs() < 1e-14));
    is_uniform("circle", circle.iter().map(|p| p.y.atan2(p.x) / std::f64::consts::TAU + 0.5).collect());
    let disk = many(|| single.in_unit_disk().as_dvec2());
    is_uniform("disk", disk.iter().map(|p| p.length_squared()).collect());
    is_uniform("disk", disk.iter().map(|p| p.y.atan2(p.x) / std::f64::consts::TAU + 0.5).collect());
    for k in 0..2 {
        is_uniform("square", many(|| double.in_unit_square()[k] + 0.5));
    }
    for k in 0..3 {
        is_uniform("cube", many(|| double.in_unit_cube()[k] + 0.5));
    }
    for k in 0..4 {
        is_uniform("hypercube", many(|| single.in_unit_hypercube()[k] as f64 + 0.5));
    }
    // The part of a triangle nearer to the opposite side than a point of weight w is 1 - (1 - w)².
    let weights = many(|| single.in_triangle().as_dvec3());
    assert!(weights.iter().all(|w| (w.element_sum() - 1.0).abs() < 1e-6 && w.min_element() >= 0.0));
    for k in 0..3 {
        is_uniform("triangle", weights.iter().map(|w| (1.0 - w[k]).powi(2)).collect());
    }
    let corner = Triangle::new(Vec3::X, Vec3::Y, Vec3::Z).at(single.in_triangle());
    assert!((corner.element_sum() - 1.0).abs() < 1e-6);
}

#[test]
fn rotations_prefer_none() {
    let mut double = DRng::new(31);
    let list = many(|| double.rotation());
    assert!(list.iter().all(|q| (q.length() - 1.0).abs() < 1e-14));
    is_on_sphere("turned z", &list.iter().map(|q| *q * DVec3::Z).collect::<Vec<_>>());
    is_on_sphere("turned x", &list.iter().map(|q| *q * DVec3::X).collect::<Vec<_>>());
    // The angle of a random rotation has the density (1 - cos t) / π.
    let angles = list.iter().map(|q| 2.0 * q.w.abs().min(1.0).acos());
    is_uniform("angle", angles.map(|t| (t - t.sin()) / std::f64::consts::PI).collect());
}

impl Bits for Rng {
    fn bits(&self) -> Vec<u64> {
        vec![self.state.into()]
    }
}

macro_rules! kernels {
    ($($test:ident $kernel:ident $rng:ident $float:ident $vec2:ident $vec3:ident $vec4:ident $quat:ident;)+) => {$(
        #[kernel(no_fma)]
        fn $kernel(
            seeds: &[u32],
            sums: &[$float],
            x: &mut [$float],
            u: &mut [u64],
            v: &mut [$vec3],
            w: &mut [$vec2],
            h: &mut [$vec4],
            q: &mut [$quat],
        ) {
            let t = tid();
            let mut rng = $rng::with_offset(seeds[t], t as u32);
            x[t * 8] = rng.$float();
            x[t * 8 + 1] = rng.uniform(-1.5, x[t * 8]);
            x[t * 8 + 2] = rng.normal();
            x[t * 8 + 3] = rng.normal_with(3.0, x[t * 8]);
            x[t * 8 + 4] = rng.exponential(0.3);
            x[t * 8 + 5] = rng.poisson(5.5) as $float;
            x[t * 8 + 6] = rng.poisson(30.0 + x[t * 8]) as $float;
            x[t * 8 + 7] = rng.poisson(1e6) as $float;
            u[t * 8] = rng.u32() as u64;
            u[t * 8 + 1] = rng.i32() as u64;
            u[t * 8 + 2] = rng.u64();
            u[t * 8 + 3] = rng.range_u32(7, 1000) as u64;
            u[t * 8 + 4] = rng.range_i32(-2_000_000_000, 2_000_000_000) as u64;
            u[t * 8 + 5] = rng.weighted_index(sums) as u64;
            u[t * 8 + 6] = rng.chance(0.5) as u64;
            u[t * 8 + 7] = $rng::hash($rng::new(seeds[t]).state) as u64;
            v[t * 7] = rng.on_unit_sphere();
            v[t * 7 + 1] = rng.in_unit_sphere();
            v[t * 7 + 2] = rng.on_unit_hemisphere();
            v[t * 7 + 3] = rng.in_unit_hemisphere();
            v[t * 7 + 4] = rng.in_unit_cube();
            v[t * 7 + 5] = rng.in_triangle();
            v[t * 7 + 6] = rng.direction();
            w[t * 3] = rng.on_unit_circle();
            w[t * 3 + 1] = rng.in_unit_disk();
            w[t * 3 + 2] = rng.in_unit_square();
            h[t] = rng.in_unit_hypercube();
            q[t] = rng.rotation();
        }

        #[test]
        fn $test() {
            let mut samples = Samples(131);
            let seeds: Vec<u32> = (0..300).map(|_| samples.word() as u32).collect();
            let sums: Vec<$float> = vec![0.0, 0.25, 1.5, 1.5, 4.0];
            agree!($kernel, seeds, sums; x: 0.0, 8, u: 0u64, 8, v: $vec3::ZERO, 7, w: $vec2::ZERO, 3, h: $vec4::ZERO, 1,
                q: $quat::IDENTITY, 1);
        }
    )+};
}
kernels! {
    single_numbers_agree drawn Rng f32 Vec2 Vec3 Vec4 Quat;
    double_numbers_agree drawn_double DRng f64 DVec2 DVec3 DVec4 DQuat;
}

/// A step of a walk; the walker's numbers go on where the caller's stand.
#[func]
fn stride(rng: &mut Rng, length: f32) -> Vec2 {
    let mut step = rng.on_unit_circle() * length;
    if rng.chance(0.25) {
        step += rng.in_unit_square();
    }
    step
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Walker {
    place: Vec2,
    rng: Rng,
}

#[methods]
impl Walker {
    fn walk(&mut self, steps: usize) {
        for _ in 0..steps {
            self.place += stride(&mut self.rng, 0.5);
        }
    }
}

/// States stay in arrays and in structs, and move on there.
#[kernel(no_fma)]
fn go_on(seeds: &[u32], rngs: &mut [Rng], walkers: &mut [Walker], out: &mut [f32]) {
    let t = tid();
    rngs[t] = Rng::new(seeds[t]);
    out[t * 4] = rngs[t].f32();
    for _ in 0..t % 5 {
        rngs[t].normal();
    }
    walkers[t] = Walker { place: Vec2::ZERO, rng: rngs[t] };
    walkers[t].walk(3);
    walkers[t].rng.f32();
    let mut own = walkers[t];
    own.walk(t % 3);
    out[t * 4 + 1] = own.place.x + own.rng.normal();
    // A copy goes its own way.
    let mut copy = own.rng;
    out[t * 4 + 2] = copy.f32() - own.rng.f32();
    let mut pair = [Rng::new(1), own.rng];
    out[t * 4 + 3] = pair[t % 2].f32() + stride(&mut pair[1], 2.0).y;
}

impl Bits for Walker {
    fn bits(&self) -> Vec<u64> {
        [self.place.bits(), self.rng.bits()].concat()
    }
}

#[test]
fn states_move_on_where_they_are() {
    let seeds: Vec<u32> = (0..50).collect();
    let still = Walker { place: Vec2::ZERO, rng: Rng::new(0) };
    agree!(go_on, seeds; rngs: Rng::new(0), 1, walkers: still, 1, out: 0.0f32, 4);
    let mut walkers = [still; 50];
    let mut out = [0.0; 200];
    go_on::plain(50, &seeds, &mut [Rng::new(0); 50], &mut walkers, &mut out).unwrap();
    assert!(out.iter().skip(2).step_by(4).all(|x| *x == 0.0));
    assert!((1..50).all(|k| walkers[k].rng != walkers[k - 1].rng));
}

#[kernel]
fn of_range(high: &[i32], out: &mut [i32]) {
    let mut rng = Rng::new(1);
    out[tid()] = rng.range_i32(5, high[tid()]);
}

#[test]
fn empty_ranges_are_faults() {
    let device = Device::cpu();
    let high = Array::from_slice(&device, &[6, 5]).unwrap();
    let mut out = Array::zeros(&device, 2).unwrap();
    let error = of_range::launch(2, &high, &mut out).unwrap_err().to_string();
    assert!(error.contains("random numbers of an empty range") && error.contains("thread 1"), "{error}");
    assert!(std::panic::catch_unwind(|| Rng::new(1).range_u32(3, 3)).is_err());
    for cumulative in [&[][..], &[0.0, 0.0], &[f32::NAN], &[1.0, f32::INFINITY], &[-1.0]] {
        assert!(std::panic::catch_unwind(|| Rng::new(1).weighted_index(cumulative)).is_err(), "{cumulative:?}");
    }
}
