// The product of a matrix of `R` rows and `C` columns and one of `C` rows and `K` columns.

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
