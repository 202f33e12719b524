// Matrices of 2 columns: eigenvalues, singular values, polar decomposition.

impl Mat2 {
    /// Eigenvalues, the smaller first, and the rotation whose columns are the eigenvectors, of the symmetric matrix
    /// `(self + transpose(self)) / 2`.
    ///
    /// One rotation of Jacobi's method, which is exact for two. Where both eigenvalues are the same, any vectors are
    /// eigenvectors: these are the axes, and their derivative is zero there.
    pub fn symmetric_eigen(self) -> (Vec2, Mat2) {
        let (a, d) = (self.x_axis.x, self.y_axis.y);
        let b = 0.5 * (self.x_axis.y + self.y_axis.x);
        let gap = d - a;
        let root = gap * gap + 4.0 * b * b;
        let apart = root > 0.0;
        let safe = if apart { root } else { 1.0 };
        let sum = gap.abs() + safe.sqrt();
        let t = if apart { if gap < 0.0 { -(2.0 * b) / sum } else { 2.0 * b / sum } } else { 0.0 };
        let c = 1.0 / (1.0 + t * t).sqrt();
        let s = t * c;
        let (low, high) = (a - t * b, d + t * b);
        if low <= high {
            (Vec2::new(low, high), Mat2::from_cols(Vec2::new(c, -s), Vec2::new(s, c)))
        } else {
            (Vec2::new(high, low), Mat2::from_cols(Vec2::new(s, c), Vec2::new(-c, s)))
        }
    }

    /// `U`, the singular values `s` and `V`, so that `U * diag(s) * transpose(V)` is the matrix: the larger first, both
    /// not negative; `V` is a rotation, `U` is one unless the determinant is negative.
    ///
    /// Rotates the columns until they lie across each other (one-sided Jacobi), which keeps small singular values
    /// right. Where both singular values are the same, `V` is one of many, and its derivative is zero there; the
    /// derivatives at a zero singular value are finite, and one of many as well.
    pub fn svd(self) -> (Mat2, Vec2, Mat2) {
        let (p, q) = (self.x_axis, self.y_axis);
        let (pp, qq, pq) = (p.dot(p), q.dot(q), p.dot(q));
        let gap = qq - pp;
        let root = gap * gap + 4.0 * pq * pq;
        let apart = root > 0.0;
        let safe = if apart { root } else { 1.0 };
        let sum = gap.abs() + safe.sqrt();
        let t = if apart { if gap < 0.0 { -(2.0 * pq) / sum } else { 2.0 * pq / sum } } else { 0.0 };
        let c = 1.0 / (1.0 + t * t).sqrt();
        let s = t * c;
        let (b0, b1) = (p * c - q * s, p * s + q * c);
        let (v0, v1) = (Vec2::new(c, -s), Vec2::new(s, c));
        let swap = b0.length_squared() < b1.length_squared();
        let first = if swap { b1 } else { b0 };
        let second = if swap { -b0 } else { b1 };
        let v = if swap { Mat2::from_cols(v1, -v0) } else { Mat2::from_cols(v0, v1) };
        let s0 = first.safe_length();
        let u0 = if s0 > 0.0 { first / s0 } else { Vec2::new(1.0, 0.0) };
        let across = u0.perp();
        let s1 = across.dot(second);
        if s1 < 0.0 {
            (Mat2::from_cols(u0, -across), Vec2::new(s0, -s1), v)
        } else {
            (Mat2::from_cols(u0, across), Vec2::new(s0, s1), v)
        }
    }

    /// The rotation `R` nearest to the matrix and the symmetric `S`, so that `R * S` is the matrix.
    ///
    /// `R` is a rotation even where the determinant is negative; `S` then has a negative eigenvalue. Where there is no
    /// nearest rotation, which takes the form `[a b; b -a]`, `R` is the identity and its derivative zero.
    pub fn polar(self) -> (Mat2, Mat2) {
        let x = self.x_axis.x + self.y_axis.y;
        let y = self.x_axis.y - self.y_axis.x;
        let length = Vec2::new(x, y).safe_length();
        let known = length > 0.0;
        let safe = if known { length } else { 1.0 };
        let c = if known { x / safe } else { 1.0 };
        let s = if known { y / safe } else { 0.0 };
        let r = Mat2::from_cols(Vec2::new(c, s), Vec2::new(-s, c));
        (r, r.transpose() * self)
    }
}
