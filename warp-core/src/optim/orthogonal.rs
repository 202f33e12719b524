//! Linear least squares by Householder reflections, which do not square the condition of the problem as the normal
//! equations do.

/// `A h = b` in the sense of least squares: `A` led to a triangle once, for any number of dampings.
pub(super) struct Factor {
    /// The triangle, column by column, each of `n` numbers.
    triangle: Vec<f64>,
    /// The right side, reflected along.
    right: Vec<f64>,
    /// What each column of `A` was divided by: a power of two, so that no bit is lost.
    scales: Vec<f64>,
    /// Whether no column depends on those before it.
    independent: bool,
}

impl Factor {
    /// The factor of a matrix of `n` columns, which lie one after another, each as long as `right`.
    pub fn new(mut columns: Vec<f64>, mut right: Vec<f64>, n: usize) -> Factor {
        let m = right.len();
        let scales = (0..n).map(|k| normalise(&mut columns[k * m..][..m])).collect();
        let mut independent = m >= n;
        for k in 0..n.min(m) {
            let (head, others) = columns.split_at_mut((k + 1) * m);
            let column = &mut head[k * m..];
            let (whole, left) = (inner(column, column).sqrt(), inner(&column[k..], &column[k..]).sqrt());
            independent &= left > whole * f64::EPSILON * m as f64;
            if left == 0.0 {
                continue;
            }
            let v = &mut column[k..];
            let (pivot, scale) = lead(&mut v[0], left);
            for other in others.chunks_exact_mut(m).map(|other| &mut other[k..]).chain([&mut right[k..]]) {
                let along = scale * inner(v, other);
                add(other, -along, v);
            }
            v[0] = pivot;
        }
        // A matrix of fewer rows than columns gets rows of zeros.
        let entry = |r: usize, c: usize| if r <= c && r < m { columns[c * m + r] } else { 0.0 };
        let triangle = (0..n * n).map(|at| entry(at % n, at / n)).collect();
        right.resize(n, 0.0);
        Factor { triangle, right, scales, independent }
    }

    /// The `h` that minimises `|A h - b|`; nothing where the columns depend on each other, as they do where there are more
    /// of them than rows. Each column is judged by its own length, so units of the unknowns do not matter.
    pub fn solve(&self) -> Option<Vec<f64>> {
        if self.independent { self.back(&self.triangle, self.right.clone()) } else { None }
    }

    /// The `h` that minimises `|A h - b|² + |damping h|²`, by the triangle over a diagonal of the damping.
    pub fn damped(&self, damping: f64) -> Option<Vec<f64>> {
        let n = self.right.len();
        let (mut triangle, mut right) = (self.triangle.clone(), self.right.clone());
        // The diagonal, column by column, and its right side.
        let (mut below, mut under) = (vec![0.0; n * n], vec![0.0; n]);
        self.scales.iter().enumerate().for_each(|(k, scale)| below[k * n + k] = damping / scale);
        for k in 0..n {
            // Below the triangle, column k has k + 1 numbers that are not zero.
            let (head, others) = below.split_at_mut((k + 1) * n);
            let tail = &head[k * n..][..=k];
            let mut top = triangle[k * n + k];
            let length = (top * top + inner(tail, tail)).sqrt();
            if length == 0.0 {
                return None;
            }
            let (pivot, scale) = lead(&mut top, length);
            triangle[k * n + k] = pivot;
            let reflect = |first: &mut f64, rest: &mut [f64]| {
                let along = scale * (top * *first + inner(tail, rest));
                *first -= along * top;
                add(rest, -along, tail);
            };
            for (c, other) in (k + 1..n).zip(others.chunks_exact_mut(n)) {
                reflect(&mut triangle[c * n + k], &mut other[..=k]);
            }
            reflect(&mut right[k], &mut under[..=k]);
        }
        self.back(&triangle, right)
    }

    /// The unknowns from a triangle without zeros on its diagonal; nothing where they are no numbers.
    fn back(&self, triangle: &[f64], mut h: Vec<f64>) -> Option<Vec<f64>> {
        let n = h.len();
        for k in (0..n).rev() {
            let column = &triangle[k * n..][..=k];
            h[k] /= column[k];
            let known = h[k];
            add(&mut h[..k], -known, &column[..k]);
        }
        h.iter_mut().zip(&self.scales).for_each(|(h, scale)| *h /= scale);
        h.iter().all(|h| h.is_finite()).then_some(h)
    }
}

/// Divides a column by a power of two, so that its largest entry lies from 1 up to 2, and gives the power.
fn normalise(column: &mut [f64]) -> f64 {
    let most = column.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    if most == 0.0 {
        return 1.0;
    }
    // The exponent's bits alone.
    let power = f64::from_bits(most.max(f64::MIN_POSITIVE).to_bits() & f64::INFINITY.to_bits());
    column.iter_mut().for_each(|v| *v /= power);
    power
}

/// The reflection that leads a vector of this length to (pivot, 0, 0, ..): makes its first entry that of the reflection's
/// direction `v`, and gives the pivot and `2 / |v|²`.
fn lead(first: &mut f64, length: f64) -> (f64, f64) {
    let pivot = -length.copysign(*first);
    *first -= pivot;
    (pivot, 1.0 / (length * first.abs()))
}

/// The inner product, in eight sums that a processor can run side by side.
fn inner(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 8];
    for (a, b) in a.zip(b) {
        (0..8).for_each(|k| sums[k] += a[k] * b[k]);
    }
    sums.iter().sum::<f64>() + rest
}

/// Adds a multiple.
fn add(to: &mut [f64], by: f64, values: &[f64]) {
    to.iter_mut().zip(values).for_each(|(to, v)| *to += by * v);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from -1 to 1 without an order.
    fn numbers(count: usize, seed: u32) -> Vec<f64> {
        let mut state = seed;
        let next = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            f64::from(state) / f64::from(1u32 << 31) - 1.0
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    /// How far the derivative of `|A h - b|² + |damping h|²` is from zero, by its definition.
    fn off(a: &[f64], b: &[f64], h: &[f64], damping: f64) -> f64 {
        let m = b.len();
        let left = |r: usize| h.iter().enumerate().map(|(c, h)| a[c * m + r] * h).sum::<f64>() - b[r];
        let slope = |c: usize| (0..m).map(|r| a[c * m + r] * left(r)).sum::<f64>() + damping * damping * h[c];
        (0..h.len()).map(|c| slope(c).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn solutions_have_no_slope() {
        for (m, n) in [(1, 1), (3, 3), (7, 4), (20, 6), (33, 12), (2, 5), (1, 3), (0, 2)] {
            let (a, b) = (numbers(m * n, 7), numbers(m, 99));
            let factor = Factor::new(a.clone(), b.clone(), n);
            assert_eq!(factor.solve().is_some(), m >= n, "{m} {n}");
            if let Some(h) = factor.solve() {
                assert!(off(&a, &b, &h, 0.0) < 1e-13 * m as f64, "{m} {n}: {h:?}");
            }
            for damping in [1e-3, 0.5, 30.0] {
                let h = factor.damped(damping).expect("a damped problem has one solution");
                assert!(off(&a, &b, &h, damping) < 1e-13 * (m + n) as f64, "{m} {n} {damping}: {h:?}");
            }
        }
    }

    /// (3, 4) and (1e-200, 0) are independent, and so are they in any other units; (3, 4) and (6, 8) are not.
    #[test]
    fn dependence_has_no_units() {
        let right = vec![1.0, 2.0];
        let h = Factor::new(vec![3.0, 4.0, 1e-200, 0.0], right.clone(), 2).solve().expect("they are independent");
        assert!((h[0] - 0.5).abs() < 1e-15 && (h[1] / 1e200 + 0.5).abs() < 1e-15, "{h:?}");
        assert!(Factor::new(vec![3.0, 4.0, 6.0, 8.0], right.clone(), 2).solve().is_none());
        assert!(Factor::new(vec![3e-200, 4e-200, 6e150, 8e150], right.clone(), 2).solve().is_none());
        assert!(Factor::new(vec![3.0, 4.0, 0.0, 0.0], right, 2).solve().is_none());
    }
}
