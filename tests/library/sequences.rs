//! Sequences of points: against SciPy's and 50 digits (`references/noise.py`), against what makes them even, and in
//! kernels.

use warp::math::{
    DHaltonSequence, DHammersleySet, DRSequence, DSobolSequence, HaltonSequence, HammersleySet, RSequence,
    SobolSequence,
};
use warp::prelude::*;

use crate::agree::{Samples, agree};
use crate::references::{close, rows_in};

const TABLE: &str = include_str!("references/noise.txt");

#[test]
fn sequences_are_scipys() {
    for (given, expected) in rows_in(TABLE, "halton") {
        let index = given[0] as u32;
        close(&DHaltonSequence::new().point4(index).to_array(), &expected, 1e-15, &given);
        close(&HaltonSequence::new().point4(index).as_dvec4().to_array(), &expected, 1.2e-7, &given);
    }
    for (given, expected) in rows_in(TABLE, "sobol") {
        let index = given[0] as u32;
        assert_eq!(DSobolSequence::new().point4(index).to_array()[..], expected, "{index}");
        assert_eq!(SobolSequence::new().point4(index).as_dvec4().to_array()[..], expected, "{index}");
    }
    for n in 1..=4 {
        for (given, expected) in rows_in(TABLE, &format!("r{n}")) {
            let (index, r) = (given[0] as u32, DRSequence::new());
            let found = match n {
                1 => vec![r.point1(index)],
                2 => r.point2(index).to_array().to_vec(),
                3 => r.point3(index).to_array().to_vec(),
                _ => r.point4(index).to_array().to_vec(),
            };
            // Of 64 digits 32 are kept; the last of the 64 is rounded.
            let near = found.iter().zip(&expected).all(|(f, e)| (e - f + 1.3e-10).rem_euclid(1.0) < 5e-10);
            assert!(near, "{found:?}, {expected:?} of {given:?}");
        }
    }
}

#[test]
fn digits_are_mirrored() {
    assert_eq!(DHaltonSequence::radical_inverse(6, 2), 0.375);
    assert_eq!(DHaltonSequence::radical_inverse(10, 10), 0.01);
    assert_eq!(DHaltonSequence::radical_inverse(1234, 10), 0.4321);
    assert_eq!(HaltonSequence::radical_inverse(0, 7), 0.0);
    for (index, base) in
        [(u32::MAX, 2), (u32::MAX, u32::MAX), (u32::MAX - 1, u32::MAX), (u32::MAX, 3), (u32::MAX, 65536)]
    {
        let (single, double) =
            (HaltonSequence::radical_inverse(index, base), DHaltonSequence::radical_inverse(index, base));
        assert!(single < 1.0 && double < 1.0 && (single as f64 - double).abs() < 1e-7, "{index} {base}: {single}");
    }
    assert!(std::panic::catch_unwind(|| HaltonSequence::radical_inverse(3, 1)).is_err());
    assert!(std::panic::catch_unwind(|| HammersleySet::new(5).point2(5)).is_err());
}

/// Whether each box of `2^-a` by `2^(a - m)` holds one of `2^m` points: a net in the sense of Niederreiter.
fn is_net(what: &str, m: u32, points: &[(f64, f64)]) {
    for a in 0..=m {
        let (across, along) = (1u32 << a, 1u32 << (m - a));
        let mut boxes = vec![0; 1 << m];
        for (x, y) in points {
            boxes[((x * across as f64) as u32 * along + (y * along as f64) as u32) as usize] += 1;
        }
        assert!(boxes.iter().all(|n| *n == 1), "{what} has an empty box of 2^-{a} by 2^-{}", m - a);
    }
}

#[test]
fn sobols_points_are_nets_scrambled_or_not() {
    const M: u32 = 10;
    for seed in 0..12 {
        let sequence = if seed == 0 { DSobolSequence::new() } else { DSobolSequence::scrambled(seed) };
        for block in [0, 5] {
            let points: Vec<DVec4> = (0..1 << M).map(|k| sequence.point4((block << M) + k)).collect();
            is_net("the first two axes", M, &points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>());
            for axis in 0..4 {
                let mut hit = vec![0; 1 << M];
                points.iter().for_each(|p| hit[(p[axis] * (1 << M) as f64) as usize] += 1);
                assert!(hit.iter().all(|n| *n == 1), "seed {seed}, axis {axis}");
            }
        }
    }
    let (one, other) = (SobolSequence::scrambled(1), SobolSequence::scrambled(2));
    assert!((0..64).filter(|k| one.point2(*k) == other.point2(*k)).count() < 2);
}

#[test]
fn first_points_of_halton_are_stratified() {
    for key in [HaltonSequence::new(), HaltonSequence::scrambled(4)] {
        let count = 2 * 3 * 5 * 7 * 4;
        let points: Vec<Vec4> = (0..count).map(|k| key.point4(k)).collect();
        // Each interval of a power of the base holds the same number of as many points; a shift moves one at an end.
        for (axis, parts) in [(0, 8), (1, 3), (2, 5), (3, 7)] {
            let mut hit = vec![0i32; parts];
            points.iter().for_each(|p| hit[(p[axis] * parts as f32) as usize] += 1);
            let even = count as i32 / parts as i32;
            assert!(hit.iter().all(|n| (n - even).abs() <= 1), "axis {axis}: {hit:?}");
        }
    }
    let set = DHammersleySet::new(8);
    let expected = [0.0, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875];
    for (k, y) in expected.into_iter().enumerate() {
        assert_eq!(set.point2(k as u32), DVec2::new(k as f64 / 8.0, y));
        assert_eq!(set.point3(k as u32).truncate(), set.point2(k as u32));
        assert_eq!(set.point4(k as u32).truncate(), set.point3(k as u32));
    }
}

/// The mean square of how far the share of points in a box at the origin is from its volume (Warnock, 1972).
fn discrepancy(points: &[DVec3]) -> f64 {
    let n = points.len() as f64;
    let single: f64 = points.iter().map(|p| p.to_array().iter().map(|x| (1.0 - x * x) / 2.0).product::<f64>()).sum();
    let pair = |a: &DVec3, b: &DVec3| (DVec3::ONE - a.max(*b)).element_product();
    let double: f64 = points.iter().flat_map(|a| points.iter().map(move |b| pair(a, b))).sum();
    1.0 / 27.0 - 2.0 * single / n + double / (n * n)
}

#[test]
fn points_are_more_even_than_random_ones() {
    const COUNT: u32 = 1000;
    // Of random points the mean is (1/8 - 1/27) / n.
    let random = (1.0 / 8.0 - 1.0 / 27.0) / COUNT as f64;
    let of = |point: &dyn Fn(u32) -> DVec3| discrepancy(&(0..COUNT).map(point).collect::<Vec<_>>()) / random;
    let mut rng = warp::math::DRng::new(3);
    let shaken = std::cell::RefCell::new(&mut rng);
    let ratio = of(&|_| shaken.borrow_mut().in_unit_cube() + 0.5);
    assert!((0.2..4.0).contains(&ratio), "{ratio}");
    for seed in 0..4 {
        let list = [
            of(&|k| if seed == 0 { DSobolSequence::new() } else { DSobolSequence::scrambled(seed) }.point3(k)),
            of(&|k| if seed == 0 { DHaltonSequence::new() } else { DHaltonSequence::scrambled(seed) }.point3(k)),
            of(&|k| if seed == 0 { DRSequence::new() } else { DRSequence::scrambled(seed) }.point3(k)),
            of(&|k| {
                if seed == 0 { DHammersleySet::new(COUNT) } else { DHammersleySet::scrambled(COUNT, seed) }.point3(k)
            }),
        ];
        // The R sequence is even for any number of points, and less so in space than the others.
        let bounds = [0.1, 0.1, 0.4, 0.1];
        assert!(list.iter().zip(bounds).all(|(ratio, bound)| *ratio < bound), "seed {seed}: {list:?}");
    }
}

/// Between any points of the R sequence on a line there are gaps of at most three lengths, by the theorem of Steinhaus.
#[test]
fn gaps_of_the_golden_ratio_have_three_lengths() {
    for count in [10, 100, 377, 1000] {
        let mut points: Vec<f64> = (0..count).map(|k| DRSequence::new().point1(k)).collect();
        points.sort_by(f64::total_cmp);
        points.push(points[0] + 1.0);
        let mut gaps: Vec<f64> = points.windows(2).map(|w| w[1] - w[0]).collect();
        gaps.sort_by(f64::total_cmp);
        gaps.dedup_by(|a, b| (*a - *b).abs() < 1e-8);
        assert!(gaps.len() <= 3, "{count}: {gaps:?}");
        assert!(gaps[gaps.len() - 1] * (count as f64) < 2.7, "{count}: {gaps:?}");
    }
}

macro_rules! kernels {
    ($($test:ident $kernel:ident $halton:ident $hammersley:ident $r:ident $sobol:ident $float:ident $vec4:ident;)+) => {$(
        #[kernel(no_fma)]
        fn $kernel(seeds: &[u32], x: &mut [$float], h: &mut [$vec4]) {
            let t = tid();
            let (seed, index) = (seeds[t], seeds[(t + 1) % seeds.len()]);
            let (halton, r) = ($halton::scrambled(seed), $r::scrambled(seed));
            let (sobol, set) = ($sobol::scrambled(seed), $hammersley::scrambled(u32::MAX, seed));
            x[t * 8] = halton.point1(index) + $halton::radical_inverse(index, 2 + seed % 40);
            x[t * 8 + 1] = r.point1(index);
            x[t * 8 + 2] = sobol.point1(index);
            x[t * 8 + 3] = halton.point2(index).x + halton.point3(index).z;
            x[t * 8 + 4] = r.point2(index).y + r.point3(index).z;
            x[t * 8 + 5] = sobol.point2(index).y + sobol.point3(index).z;
            x[t * 8 + 6] = set.point2(index % 1000).x + set.point3(index % 1000).y;
            h[t * 7] = $halton::new().point4(index);
            h[t * 7 + 1] = $r::new().point4(index);
            h[t * 7 + 2] = $sobol::new().point4(index);
            h[t * 7 + 3] = halton.point4(index);
            h[t * 7 + 4] = r.point4(index);
            h[t * 7 + 5] = sobol.point4(index);
            h[t * 7 + 6] = $hammersley::new(u32::MAX).point4(index % 1000) + set.point4(index % 1000);
        }

        #[test]
        fn $test() {
            let mut samples = Samples(151);
            let seeds: Vec<u32> = (0..300).map(|k| if k % 2 == 0 { k } else { samples.word() as u32 }).collect();
            agree!($kernel, seeds; x: 0.0, 8, h: $vec4::ZERO, 7);
        }
    )+};
}
kernels! {
    single_points_agree points HaltonSequence HammersleySet RSequence SobolSequence f32 Vec4;
    double_points_agree points_double DHaltonSequence DHammersleySet DRSequence DSobolSequence f64 DVec4;
}
