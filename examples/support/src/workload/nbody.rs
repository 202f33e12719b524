//! Workload W3: bodies that all pull each other, with softening.

use crate::random::uniform;

/// Seconds a step.
pub const STEP: f32 = 0.01;
/// The square of the softening length.
pub const SOFTENING: f32 = 0.01;

/// `n` places in the cube from -1 to 1.
pub fn starts(n: usize) -> Vec<[f32; 3]> {
    let component = |k: usize| (2.0 * uniform(4, k as u64) - 1.0) as f32;
    (0..n).map(|i| std::array::from_fn(|c| component(3 * i + c))).collect()
}

/// The places after `steps` steps, in `f64` from the `f32` places.
pub fn reference(starts: &[[f32; 3]], steps: usize) -> Vec<[f64; 3]> {
    let mut places: Vec<[f64; 3]> = starts.iter().map(|p| p.map(f64::from)).collect();
    let mut speeds = vec![[0f64; 3]; places.len()];
    let mass = 1.0 / places.len() as f64;
    for _ in 0..steps {
        let pulls: Vec<[f64; 3]> = places.iter().map(|p| pull(*p, &places, mass)).collect();
        for ((place, speed), pull) in places.iter_mut().zip(&mut speeds).zip(pulls) {
            for c in 0..3 {
                speed[c] += pull[c] * 0.01;
                place[c] += speed[c] * 0.01;
            }
        }
    }
    places
}

/// The acceleration at `p`.
fn pull(p: [f64; 3], places: &[[f64; 3]], mass: f64) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for q in places {
        let d: [f64; 3] = std::array::from_fn(|c| q[c] - p[c]);
        let inverse = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01).sqrt();
        let weight = mass * inverse * inverse * inverse;
        for c in 0..3 {
            sum[c] += d[c] * weight;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::expected;

    #[test]
    fn the_reference_has_the_known_checksum() {
        let ends = reference(&starts(4096), 10);
        let sum = ends.as_flattened().iter().map(|c| c.abs()).sum();
        expected("w3", "", 4096, 10).unwrap().check(sum).unwrap();
    }

    #[test]
    fn two_bodies_meet_in_the_middle() {
        let ends = reference(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 50);
        assert_eq!(ends[0][0], -ends[1][0]);
        assert!(ends[0][0] > -1.0 && ends[0][0] < -0.9, "{ends:?}");
    }
}
