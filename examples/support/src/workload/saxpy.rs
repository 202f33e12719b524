//! Workload W1: `y = 2.5 x + y`, again and again.

use crate::random::uniform;

/// The factor of x.
pub const FACTOR: f32 = 2.5;

/// `x` and the first `y`.
pub fn inputs(n: usize) -> (Vec<f32>, Vec<f32>) {
    let stream = |s: u64| (0..n as u64).map(move |k| uniform(s, k) as f32).collect();
    (stream(1), stream(2))
}

/// The sum of y.
pub fn checksum(y: &[f32]) -> f64 {
    y.iter().map(|v| f64::from(*v)).sum()
}

/// `y` after `steps` launches, without fused multiply-add.
pub fn reference(x: &[f32], y: &[f32], steps: usize) -> Vec<f32> {
    let end = |(x, y): (&f32, &f32)| (0..steps).fold(*y, |y, _| FACTOR * x + y);
    x.iter().zip(y).map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::expected;

    #[test]
    fn the_reference_has_the_known_checksum() {
        let (x, y) = inputs(16_777_216);
        let sum = checksum(&reference(&x, &y, 10));
        expected("w1", "", 16_777_216, 10).unwrap().check(sum).unwrap();
    }
}
