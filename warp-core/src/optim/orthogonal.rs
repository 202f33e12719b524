//! Linear least squares by Householder reflections, which do not square the condition of the problem as the normal
//! equations do.

/// The `h` that minimises `|A h - b|`, for `A` with `columns` columns, row by row; nothing where its columns depend on
/// each other, or where there are fewer rows than columns.
pub(super) fn solve(mut a: Vec<f64>, mut b: Vec<f64>, columns: usize) -> Option<Vec<f64>> {
    let (rows, n) = (b.len(), columns);
    if rows < n {
        return None;
    }
    let size = (0..n).map(|c| norm(&a, n, c, 0, rows)).fold(0.0, f64::max);
    let least = size * f64::EPSILON * rows.max(n) as f64;
    for k in 0..n {
        let length = norm(&a, n, k, k, rows);
        if length.is_nan() || length <= least {
            return None;
        }
        // The reflection that leads the rest of column k to (pivot, 0, 0, ..).
        let pivot = -length.copysign(a[k * n + k]);
        let mut v: Vec<f64> = (k..rows).map(|r| a[r * n + k]).collect();
        v[0] -= pivot;
        let scale = 2.0 / v.iter().map(|v| v * v).sum::<f64>();
        for c in k..n {
            let along = scale * (k..rows).map(|r| v[r - k] * a[r * n + c]).sum::<f64>();
            (k..rows).for_each(|r| a[r * n + c] -= along * v[r - k]);
        }
        let along = scale * (k..rows).map(|r| v[r - k] * b[r]).sum::<f64>();
        (k..rows).for_each(|r| b[r] -= along * v[r - k]);
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|c| a[k * n + c] * b[c]).sum();
        b[k] = (b[k] - known) / a[k * n + k];
    }
    b.truncate(n);
    b.iter().all(|h| h.is_finite()).then_some(b)
}

/// The length of column `c` from row `from`.
fn norm(a: &[f64], n: usize, c: usize, from: usize, rows: usize) -> f64 {
    (from..rows).map(|r| a[r * n + c] * a[r * n + c]).sum::<f64>().sqrt()
}
