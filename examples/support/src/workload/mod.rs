//! The measured workloads: for each its inputs, its checksum, and the reference arithmetic in plain Rust.

pub mod blend;
pub mod cloth;
pub mod heat;
pub mod mandelbrot;
pub mod maps;
pub mod nbody;
pub mod particles;
pub mod saxpy;

/// Sum of the magnitudes.
pub fn sum_of_magnitudes(values: &[f32]) -> f64 {
    values.iter().map(|v| f64::from(v.abs())).sum()
}

/// Largest difference from the reference; NaN where a value is not a number.
///
/// # Panics
/// Where the counts differ.
pub fn largest_difference<R: Copy + Into<f64>>(values: &[f32], reference: &[R]) -> f64 {
    assert_eq!(values.len(), reference.len(), "a reference has as many values");
    let differences = values.iter().zip(reference).map(|(v, r)| (f64::from(*v) - (*r).into()).abs());
    differences.fold(0.0, |most, d| if d > most || d.is_nan() { d } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_and_sums() {
        assert_eq!(sum_of_magnitudes(&[1.0, -2.0]), 3.0);
        assert_eq!(largest_difference(&[1.0, -2.0, 5.0], &[1.5f64, 1.0, 5.0]), 3.0);
        assert!(largest_difference(&[f32::NAN, 0.0], &[0f32, 9.0]).is_nan());
    }
}
