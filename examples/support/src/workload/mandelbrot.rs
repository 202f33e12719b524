//! Workload W14: how many turns each point of the plane takes to leave the circle of radius 2.

use crate::random::bits;

/// All pixels in an order without pattern.
pub fn shuffled(n: usize) -> Vec<i32> {
    let mut pixels: Vec<i32> = (0..(n * n) as i32).collect();
    pixels.sort_by_key(|pixel| bits(14, *pixel as u64));
    pixels
}

/// The sum of the counts.
pub fn checksum(counts: &[i32]) -> f64 {
    counts.iter().map(|k| f64::from(*k)).sum()
}

/// The share of pixels that differ from the reference's.
pub fn share_that_differs(counts: &[i32], reference: &[i32]) -> f64 {
    counts.iter().zip(reference).filter(|(a, b)| a != b).count() as f64 / reference.len().max(1) as f64
}

/// The counts of all `n * n` pixels, `limit` turns at most, without fused multiply-add.
pub fn reference(n: usize, limit: i32) -> Vec<i32> {
    (0..(n * n) as i32).map(|pixel| turns(pixel, n as i32, limit)).collect()
}

fn turns(pixel: i32, n: i32, limit: i32) -> i32 {
    let width = (10 * n) as f32;
    let cx = (26 * (pixel % n) + 13 - 20 * n) as f32 / width;
    let cy = (26 * (pixel / n) + 13 * (1 - n)) as f32 / width;
    let (mut x, mut y) = (0f32, 0f32);
    for k in 0..limit {
        let (x2, y2) = (x * x, y * y);
        if x2 + y2 > 4.0 {
            return k;
        }
        y = (x + x) * y + cy;
        x = (x2 - y2) + cx;
    }
    limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::expected;

    #[test]
    fn the_reference_has_the_known_checksum() {
        let sum = checksum(&reference(1024, 256));
        assert_eq!(sum, expected("w14", "", 1024, 256).unwrap().checksum);
    }

    #[test]
    fn every_pixel_comes_once() {
        let mut order = shuffled(50);
        assert_ne!(order[..3], [0, 1, 2]);
        order.sort_unstable();
        assert!(order.iter().enumerate().all(|(k, pixel)| k as i32 == *pixel));
    }
}
