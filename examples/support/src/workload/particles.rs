//! Particles in a central field: the inputs and the checksum of workload W2, and its steps in plain `f32`.

use crate::random::normal;

/// Seconds a step.
pub const STEP: f32 = 0.01;
/// The constant of gravitation.
pub const GRAVITATION: f32 = 0.5;
/// The mass in the centre.
pub const MASS: f32 = 1.0;
/// Particles nearer to the centre than this stand still.
pub const CORE: f32 = 1e-6;

/// Particles that start nearer than this may pass the singular centre, where rounding decides; the checksum leaves them
/// out.
const FAR: f64 = 5.0;

/// `n` places, normally distributed about the centre with deviation 10.
pub fn starts(n: usize) -> Vec<[f32; 3]> {
    let component = |k: usize| (10.0 * normal(3, k as u64)) as f32;
    (0..n).map(|i| std::array::from_fn(|c| component(3 * i + c))).collect()
}

fn starts_far(start: &[f32; 3]) -> bool {
    start.iter().map(|c| f64::from(*c).powi(2)).sum::<f64>().sqrt() > FAR
}

/// Sum of the magnitudes of all coordinates, over the particles that start far from the centre.
pub fn checksum(starts: &[[f32; 3]], ends: &[[f32; 3]]) -> f64 {
    let far = starts.iter().zip(ends).filter(|(start, _)| starts_far(start));
    far.flat_map(|(_, end)| end).map(|c| f64::from(c.abs())).sum()
}

/// Largest difference of a coordinate, over the particles that start far from the centre. NaN counts as largest.
pub fn largest_difference(starts: &[[f32; 3]], ends: &[[f32; 3]], reference: &[[f32; 3]]) -> f64 {
    let far = (0..starts.len()).filter(|i| starts_far(&starts[*i]));
    let differences = far.flat_map(|i| (0..3).map(move |c| (i, c)));
    differences.fold(0.0, |most, (i, c)| {
        let difference = (f64::from(ends[i][c]) - f64::from(reference[i][c])).abs();
        if difference > most || difference.is_nan() { difference } else { most }
    })
}

/// The places after `steps` steps, operation by operation without fused multiply-add.
pub fn reference(starts: &[[f32; 3]], steps: usize) -> Vec<[f32; 3]> {
    starts.iter().map(|start| walk(*start, steps)).collect()
}

fn walk(mut p: [f32; 3], steps: usize) -> [f32; 3] {
    let mut v = [0f32; 3];
    for _ in 0..steps {
        let r = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
        if r < CORE {
            return p;
        }
        let pull = -(GRAVITATION * MASS / (r * r)) / r * STEP;
        for c in 0..3 {
            v[c] += p[c] * pull;
            p[c] += v[c] * STEP;
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::expected;

    #[test]
    fn the_reference_has_the_known_checksum() {
        let starts = starts(100_000);
        let sum = checksum(&starts, &reference(&starts, 1000));
        expected("w2", "", 100_000, 1000).unwrap().check(sum).unwrap();
    }

    #[test]
    fn a_far_particle_falls_like_a_stone() {
        // Pulled by g = G M / r^2 = 0.005 towards the centre, half a second: r - g t^2 / 2, to first order in the step.
        let end = walk([10.0, 0.0, 0.0], 50);
        assert!((end[0] - (10.0 - 0.005 * 0.5 * 0.51 / 2.0)).abs() < 1e-5, "{end:?}");
        assert_eq!(end[1..], [0.0, 0.0]);
    }

    #[test]
    fn only_far_particles_count() {
        let starts = [[1.0, 0.0, 0.0], [0.0, 6.0, 0.0]];
        assert_eq!(checksum(&starts, &[[9.0; 3], [1.0, -2.0, 3.0]]), 6.0);
        assert_eq!(largest_difference(&starts, &[[9.0; 3], [1.0; 3]], &[[0.0; 3], [1.0, 3.0, 1.0]]), 2.0);
        assert!(largest_difference(&starts, &[[0.0; 3], [f32::NAN; 3]], &starts).is_nan());
    }
}
