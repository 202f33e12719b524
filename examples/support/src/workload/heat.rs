//! Workload W5: heat spreads over a square plate with a fixed border.

use crate::random::uniform;

/// How much of a difference flows in one step.
pub const FLOW: f32 = 0.1;

/// The first temperatures, row by row.
pub fn start(n: usize) -> Vec<f32> {
    (0..(n * n) as u64).map(|k| uniform(5, k) as f32).collect()
}

/// The sum of all temperatures.
pub fn checksum(plate: &[f32]) -> f64 {
    plate.iter().map(|v| f64::from(*v)).sum()
}

/// The temperatures after `steps` steps, in `f64` from the `f32` ones.
pub fn reference(start: &[f32], n: usize, steps: usize) -> Vec<f64> {
    let mut plate: Vec<f64> = start.iter().map(|v| f64::from(*v)).collect();
    let mut next = plate.clone();
    for _ in 0..steps {
        for i in 1..n.saturating_sub(1) {
            for j in 1..n - 1 {
                let at = i * n + j;
                let around = plate[at - n] + plate[at + n] + plate[at - 1] + plate[at + 1];
                next[at] = plate[at] + 0.1 * (around - 4.0 * plate[at]);
            }
        }
        std::mem::swap(&mut plate, &mut next);
    }
    plate
}

/// How the sum of the squares of the last temperatures changes with the first ones, by an adjoint that is derived by
/// hand, in `f64`.
pub fn reference_gradient(start: &[f32], n: usize, steps: usize) -> Vec<f64> {
    let mut g: Vec<f64> = reference(start, n, steps).iter().map(|v| 2.0 * v).collect();
    for _ in 0..steps {
        let mut before = g.clone();
        for i in 1..n.saturating_sub(1) {
            for j in 1..n - 1 {
                let at = i * n + j;
                before[at] -= 0.4 * g[at];
                for other in [at - n, at + n, at - 1, at + 1] {
                    before[other] += 0.1 * g[at];
                }
            }
        }
        g = before;
    }
    g
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::expected;

    #[test]
    fn the_reference_has_the_known_checksum() {
        let sum = reference(&start(1024), 1024, 200).iter().sum();
        expected("w5", "", 1024, 200).unwrap().check(sum).unwrap();
    }

    #[test]
    fn the_gradient_has_the_known_checksum() {
        let sum = reference_gradient(&start(512), 512, 50).iter().sum();
        expected("w5", "grad", 512, 50).unwrap().check(sum).unwrap();
    }

    #[test]
    fn borders_stay_and_one_cell_decays() {
        let start = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        let end = reference(&start, 3, 2);
        // 1 - (1 - 4 * 0.1)^2
        assert!((end[4] - 0.64).abs() < 1e-12);
        assert_eq!(end[..4], [1.0; 4]);
        assert_eq!(reference(&[0.5], 1, 3), [0.5]);
        assert!(reference(&[], 0, 3).is_empty());
    }
}
