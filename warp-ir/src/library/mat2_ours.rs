// Matrices of 2 columns: eigenvalues, singular values, polar decomposition.

impl Mat2 {
    /// The tangent of the angle, at most an eighth of a turn, by which two rows and columns of a symmetric matrix turn to
    /// make the element between them zero. `gap` is the second diagonal element less the first, `twice` twice the element
    /// between.
    ///
    /// Smooth wherever the eigenvalues differ; where `gap` and `twice` are both zero there is nothing to do, and the
    /// derivative is zero.
    fn jacobi_tangent(gap: f32, twice: f32) -> f32 {
        // Scaled, so that squares of tiny and huge elements are still numbers.
        let scale = gap.abs().max(twice.abs());
        let apart = scale > 0.0;
        let safe_scale = if apart { scale } else { 1.0 };
        let (g, w) = (gap / safe_scale, twice / safe_scale);
        let root = g * g + w * w;
        let safe = if apart { root } else { 1.0 };
        // Not `abs`: at a gap of zero the derivative is that of the side whose tangent is taken below.
        let size = if g < 0.0 { -g } else { g };
        let sum = size + safe.sqrt();
        if apart { if g < 0.0 { -w / sum } else { w / sum } } else { 0.0 }
    }

    /// Eigenvalues, the smaller first, and the rotation whose columns are the eigenvectors, of the symmetric matrix
    /// `(self + transpose(self)) / 2`.
    ///
    /// One rotation of Jacobi's method, which is exact for two. Where both eigenvalues are the same, any vectors are
    /// eigenvectors: these are the axes, and their derivative is zero there: right for sums over both values, and not
    /// for `V * diag(l) * transpose(V)`.
    ///
    /// Example: `Mat2::from_cols_array(&[2.0, 1.0, 1.0, 2.0]).symmetric_eigen().0` is about `Vec2::new(1.0, 3.0)`.
    pub fn symmetric_eigen(self) -> (Vec2, Mat2) {
        let (a, d) = (self.x_axis.x, self.y_axis.y);
        let b = 0.5 * (self.x_axis.y + self.y_axis.x);
        let t = Mat2::jacobi_tangent(d - a, 2.0 * b);
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
    /// right. Where both singular values are the same, or one is zero, `U` and `V` are some of many: the derivatives are
    /// finite there, right for sums over both values, and in gradients for `U * transpose(V)`; not for
    /// `U * diag(s) * transpose(V)`, which is the matrix itself.
    ///
    /// Example: `Mat2::from_cols_array(&[0.0, 3.0, -2.0, 0.0]).svd().1` is about `Vec2::new(3.0, 2.0)`.
    pub fn svd(self) -> (Mat2, Vec2, Mat2) {
        // Scaled, so that squares of tiny and huge elements are still numbers.
        let largest = self.x_axis.abs().max(self.y_axis.abs()).max_element();
        let size = if largest > 0.0 { largest } else { 1.0 };
        let (p, q) = (self.x_axis / size, self.y_axis / size);
        let t = Mat2::jacobi_tangent(q.dot(q) - p.dot(p), 2.0 * p.dot(q));
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
            (Mat2::from_cols(u0, -across), Vec2::new(s0, -s1) * size, v)
        } else {
            (Mat2::from_cols(u0, across), Vec2::new(s0, s1) * size, v)
        }
    }

    /// The gradient that goes back through `svd`, as that of three columns.
    fn svd_grad(self, du: Mat2, ds: Vec2, dv: Mat2) -> Mat2 {
        let (u, s, v) = self.svd();
        let (k, l) = (u.transpose() * du, v.transpose() * dv);
        let (k, l) = (k.y_axis.x - k.x_axis.y, l.y_axis.x - l.x_axis.y);
        let (least, difference, sum) = (32.0 * f32::EPSILON * s.x, s.y - s.x, s.y + s.x);
        let both = if difference.abs() > least { (k + l) * 0.5 / difference } else { 0.0 };
        let turn = if sum > 0.0 { (k - l) * 0.5 / sum } else { 0.0 };
        let inner = Mat2::from_cols(Vec2::new(ds.x, both - turn), Vec2::new(both + turn, ds.y));
        u * inner * v.transpose()
    }

    /// The rotation `R` nearest to the matrix and the symmetric `S`, so that `R * S` is the matrix.
    ///
    /// `R` is a rotation even where the determinant is negative; `S` then has a negative eigenvalue. Where there is no
    /// nearest rotation, which takes the form `[a b; b -a]`, `R` is the identity and its derivative zero.
    ///
    /// Example: `Mat2::from_cols_array(&[0.0, 3.0, -2.0, 0.0]).polar().0` is about
    /// `Mat2::from_cols_array(&[0.0, 1.0, -1.0, 0.0])`.
    pub fn polar(self) -> (Mat2, Mat2) {
        let (sum, difference) = (self.x_axis.x + self.y_axis.y, self.x_axis.y - self.y_axis.x);
        let largest = sum.abs().max(difference.abs());
        let size = if largest > 0.0 { largest } else { 1.0 };
        let (x, y) = (sum / size, difference / size);
        let length = Vec2::new(x, y).safe_length();
        let known = length > 0.0;
        let safe = if known { length } else { 1.0 };
        let c = if known { x / safe } else { 1.0 };
        let s = if known { y / safe } else { 0.0 };
        let r = Mat2::from_cols(Vec2::new(c, s), Vec2::new(-s, c));
        (r, r.transpose() * self)
    }
}
