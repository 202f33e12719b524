//! Workload W8: one formula with six functions, `sin(x) exp(-x^2) + sqrt|x| cos(3x) + atan2(x, 1 + x^2) + (|x| + 1)^0.7`.

use crate::random::uniform;

/// The exponent of the last term.
pub const EXPONENT: f32 = 0.7;

/// Numbers from -4 to 4.
pub fn inputs(n: usize) -> Vec<f32> {
    (0..n as u64).map(|k| (8.0 * uniform(8, k) - 4.0) as f32).collect()
}

/// The sum of the results.
pub fn checksum(y: &[f32]) -> f64 {
    y.iter().map(|v| f64::from(*v)).sum()
}

/// The results in `f64`; the exponent is 0.7 as `f64` has it.
pub fn reference(x: &[f32]) -> Vec<f64> {
    x.iter().map(|x| blend(f64::from(*x))).collect()
}

fn blend(x: f64) -> f64 {
    let size = x.abs();
    x.sin() * (-x * x).exp() + size.sqrt() * (3.0 * x).cos() + x.atan2(1.0 + x * x) + (size + 1.0).powf(0.7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::expected;

    #[test]
    fn the_reference_has_the_known_checksum() {
        let sum = reference(&inputs(1 << 22)).iter().sum();
        expected("w8", "", 1 << 22, 1).unwrap().check(sum).unwrap();
    }

    #[test]
    fn known_values() {
        assert_eq!(blend(0.0), 1.0);
        // 2^0.7 and half the rest at -1 and 1: what is even there.
        assert!((blend(1.0) + blend(-1.0) - 2.0 * (3f64.cos() + 2f64.powf(0.7))).abs() < 1e-15);
    }
}
