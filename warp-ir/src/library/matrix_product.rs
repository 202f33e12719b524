// The product of a matrix of `R` rows and `C` columns and one of `C` rows and `K` columns.

/// The product of matrices: as many columns as the right one has rows.
///
/// Example:
/// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) * Mat3x2::from_rows([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])` is
/// `Mat2x2::from_rows([[4.0, 5.0], [10.0, 11.0]])`.
///
/// Example: `MatRxC::splat(2.0) * MatCxK::splat(3.0)` is `MatRxK::splat(6.0 * C as f32)`.
impl Mul<MatCxK> for MatRxC {
    type Output = MatRxK;
    fn mul(self, rhs: MatCxK) -> MatRxK {
        let (a, b) = (self.m, rhs.m);
        let mut m = [[0.0; K]; R];
        for r in 0..R {
            for k in 0..K {
                let mut sum = 0.0;
                for c in 0..C {
                    sum += a[r][c] * b[c][k];
                }
                m[r][k] = sum;
            }
        }
        MatRxK { m }
    }
}
