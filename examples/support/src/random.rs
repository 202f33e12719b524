//! Random numbers by counter: value `k` of stream `s` needs no state, so any part of an array can be made on its own.

/// Value `k` of stream `s`, by the splitmix64 mixing function.
pub fn bits(stream: u64, k: u64) -> u64 {
    let mut z =
        stream.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(k.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number in `[0, 1)` on a grid of 2^-24, so that `f32` holds it exactly.
pub fn uniform(stream: u64, k: u64) -> f64 {
    (bits(stream, k) >> 40) as f64 / 16_777_216.0
}

/// A normally distributed number (Box and Muller, on values `2 k` and `2 k + 1`).
pub fn normal(stream: u64, k: u64) -> f64 {
    let (radius, angle) = (uniform(stream, 2 * k), uniform(stream, 2 * k + 1));
    (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_zero_is_splitmix64_from_seed_zero() {
        // The published test vector of splitmix64 with state 0.
        assert_eq!([bits(0, 0), bits(0, 1)], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let n = 100_000;
        let mean = |f: &dyn Fn(u64) -> f64| (0..n).map(f).sum::<f64>() / n as f64;
        assert!((mean(&|k| uniform(1, k)) - 0.5).abs() < 0.005);
        assert!(mean(&|k| normal(3, k)).abs() < 0.02);
        assert!((mean(&|k| normal(3, k).powi(2)) - 1.0).abs() < 0.03);
    }
}
