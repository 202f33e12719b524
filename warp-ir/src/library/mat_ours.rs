// glam's matrices of 2 to 4 columns, and vectors of as many components: what glam lacks.

impl VecN {
    /// The product of a column and a row: `self[r] * rhs[c]` in row `r` and column `c`.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).outer(Vec3::new(4.0, 5.0, 6.0)).y_axis` is `Vec3::new(5.0, 10.0, 15.0)`.
    ///
    /// Example: `VecN::splat(2.0).outer(VecN::splat(3.0)).y_axis` is `VecN::splat(6.0)`.
    pub fn outer(self, rhs: VecN) -> MatN {
        MatN::from_small(MatNxN::outer(self.to_array(), rhs.to_array()))
    }

    /// The length, by [`length`](VecN::length), with a derivative that is zero for the zero vector and not NaN. A vector
    /// whose square is too small for a number counts as zero, here and in [`safe_normalize`](VecN::safe_normalize).
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).safe_length()` is `7.0`.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).safe_length()` is `0.0`.
    ///
    /// Example: `VecN::splat(0.0).safe_length()` is `0.0`.
    pub fn safe_length(self) -> f32 {
        let square = self.length_squared();
        if square == 0.0 { 0.0 } else { square.sqrt() }
    }

    /// The vector of length 1 in the same direction; zero for the zero vector, and so is the derivative there.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).safe_normalize() * 7.0` is about `Vec3::new(2.0, 3.0, 6.0)`.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).safe_normalize()` is `Vec3::new(0.0, 0.0, 0.0)`.
    ///
    /// Example: `VecN::splat(2.0).safe_normalize().length()` is about `1.0`.
    pub fn safe_normalize(self) -> VecN {
        let length = self.safe_length();
        if length == 0.0 { VecN::splat(0.0) } else { self / length }
    }

    /// Whether a component is an infinity. A NaN is none.
    ///
    /// Example: `Vec3::new(f32::INFINITY, 1.0, 2.0).is_infinite() && !Vec3::new(f32::NAN, 1.0, 2.0).is_infinite()`
    /// holds.
    ///
    /// Example: `VecN::splat(-f32::INFINITY).is_infinite()` holds.
    pub fn is_infinite(self) -> bool {
        !(self.is_finite_mask() | self.is_nan_mask()).all()
    }

    /// The sum of the magnitudes. The derivative by a component that is 0 is 0.
    ///
    /// Example: `Vec3::new(-1.0, 2.0, -3.0).norm_l1()` is `6.0`.
    ///
    /// Example: `VecN::splat(-2.0).norm_l1()` is `2.0 * N as f32`.
    pub fn norm_l1(self) -> f32 {
        self.abs().element_sum()
    }

    /// Huber's norm: `length² / 2` up to a length of `delta`, `delta * (length - delta / 2)` beyond. The derivative is
    /// continuous; 0 at zero.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).norm_huber(2.0)` is `12.0`.
    ///
    /// Example: `VecN::splat(0.5).norm_huber(2.0)` is `0.125 * N as f32`.
    pub fn norm_huber(self, delta: f32) -> f32 {
        let square = self.length_squared();
        if square <= delta * delta { 0.5 * square } else { delta * (self.safe_length() - 0.5 * delta) }
    }

    /// The smooth form of Huber's norm: `delta * sqrt(1 + (length / delta)²)`. `delta` itself at zero, with the
    /// derivative 0. `delta` is not 0.
    ///
    /// Example: `Vec3::new(0.0, 3.0, 0.0).norm_pseudo_huber(4.0)` is `5.0`.
    ///
    /// Example: `VecN::splat(0.0).norm_pseudo_huber(4.0)` is `4.0`.
    pub fn norm_pseudo_huber(self, delta: f32) -> f32 {
        let scaled = self / delta;
        delta * (1.0 + scaled.length_squared()).sqrt()
    }

    /// The vector over its smooth norm: about length 1 where it is much longer than `delta`, zero at zero, smooth
    /// everywhere. `delta` is not 0.
    ///
    /// Example: `Vec3::new(0.0, 3.0, 0.0).smooth_normalize(4.0)` is about `Vec3::new(0.0, 0.6, 0.0)`.
    ///
    /// Example: `VecN::splat(0.0).smooth_normalize(4.0)` is `VecN::splat(0.0)`.
    pub fn smooth_normalize(self, delta: f32) -> VecN {
        self / self.norm_pseudo_huber(delta)
    }
}

impl MatN {
    /// The matrix of an own small matrix.
    ///
    /// Example: `Mat2::from_small(Mat2x2::from_rows([[1.0, 2.0], [3.0, 4.0]]))` is
    /// `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0])`.
    ///
    /// Example: `MatN::from_small(MatNxN::from_diagonal([2.0; N]))` is `MatN::from_diagonal(VecN::splat(2.0))`.
    pub fn from_small(small: MatNxN) -> MatN {
        MatN::from_cols_array_2d(&small.transpose().m)
    }

    /// As an own small matrix: `m[(r, c)]`, `qr`, `lu`.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]).to_small()` is
    /// `Mat2x2::from_rows([[1.0, 2.0], [3.0, 4.0]])`.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).to_small()` is `MatNxN::from_diagonal([2.0; N])`.
    pub fn to_small(self) -> MatNxN {
        MatNxN { m: self.transpose().to_cols_array_2d() }
    }

    /// The sum of the diagonal.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]).trace()` is `5.0`.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).trace()` is `2.0 * N as f32`.
    pub fn trace(self) -> f32 {
        self.diagonal().element_sum()
    }

    /// The sum of the products element by element.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]).ddot(Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]))` is
    /// `30.0`.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).ddot(MatN::from_diagonal(VecN::splat(2.0)))` is
    /// `4.0 * N as f32`.
    pub fn ddot(self, rhs: MatN) -> f32 {
        self.to_small().ddot(rhs.to_small())
    }

    /// Products element by element.
    ///
    /// Example:
    /// `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]).component_mul(Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]))` is
    /// `Mat2::from_cols_array(&[1.0, 9.0, 4.0, 16.0])`.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).component_mul(MatN::from_diagonal(VecN::splat(2.0))).diagonal()`
    /// is `VecN::splat(4.0)`.
    pub fn component_mul(self, rhs: MatN) -> MatN {
        MatN::from_small(self.to_small().component_mul(rhs.to_small()))
    }

    /// Quotients element by element. Not finite where an element of `rhs` is 0.
    ///
    /// Example:
    /// `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]).component_div(Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]))` is
    /// `Mat2::from_cols_array(&[1.0, 1.0, 1.0, 1.0])`.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).component_div(MatN::from_diagonal(VecN::splat(2.0))).diagonal()`
    /// is `VecN::splat(1.0)`.
    pub fn component_div(self, rhs: MatN) -> MatN {
        MatN::from_small(self.to_small().component_div(rhs.to_small()))
    }

    /// The vector `x` with `self * x == b`; `None` for a singular matrix. Singular is what has a pivot of exactly 0.
    ///
    /// Example:
    /// `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0]).solve(Vec2::new(5.0, 11.0)).unwrap_or(Vec2::new(0.0, 0.0))` is
    /// about `Vec2::new(1.0, 2.0)`.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).solve(VecN::splat(6.0))` is `Some(VecN::splat(3.0))`.
    pub fn solve(self, b: VecN) -> Option<VecN> {
        match self.to_small().solve(b.to_array()) {
            Some(x) => Some(VecN::from_array(x)),
            None => None,
        }
    }

    /// Factors with exchanged rows: `L`, `U`, and which row of the matrix stands in each place. `None` for a singular
    /// matrix.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 2.0, 4.0]).lu().is_none()` holds.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]).lu().is_some()` holds.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).lu().is_some()` holds.
    pub fn lu(self) -> Option<(MatN, MatN, [usize; N])> {
        match self.to_small().lu() {
            Some((l, u, rows)) => Some((MatN::from_small(l), MatN::from_small(u), rows)),
            None => None,
        }
    }

    /// The lower triangle `L` of `L * transpose(L)`, for a symmetric positive definite matrix; `None` for others. Reads
    /// the lower triangle alone.
    ///
    /// Example:
    /// `Mat2::from_cols_array(&[4.0, 2.0, 2.0, 10.0]).cholesky().unwrap_or(Mat2::from_diagonal(Vec2::new(0.0, 0.0)))` is
    /// about `Mat2::from_cols_array(&[2.0, 1.0, 0.0, 3.0])`.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 2.0, 1.0]).cholesky().is_none()` holds.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(4.0)).cholesky()` is `Some(MatN::from_diagonal(VecN::splat(2.0)))`.
    pub fn cholesky(self) -> Option<MatN> {
        match self.to_small().cholesky() {
            Some(l) => Some(MatN::from_small(l)),
            None => None,
        }
    }

    /// The lower triangle `L`, ones on its diagonal, and `d` of `L * diag(d) * transpose(L)`, for a symmetric matrix;
    /// `None` where a pivot is zero. Reads the lower triangle alone.
    ///
    /// Example: `Mat2::from_cols_array(&[2.0, 4.0, 4.0, 5.0]).ldlt()` is
    /// `Some((Mat2::from_cols_array(&[1.0, 2.0, 0.0, 1.0]), Vec2::new(2.0, -3.0)))`.
    ///
    /// Example: `Mat2::from_cols_array(&[0.0, 1.0, 1.0, 0.0]).ldlt().is_none()` holds.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).ldlt()` is
    /// `Some((MatN::from_diagonal(VecN::splat(1.0)), VecN::splat(2.0)))`.
    pub fn ldlt(self) -> Option<(MatN, VecN)> {
        match self.to_small().ldlt() {
            Some((l, d)) => Some((MatN::from_small(l), VecN::from_array(d))),
            None => None,
        }
    }

    /// An orthogonal matrix and an upper triangle with a diagonal that is not negative, whose product is the matrix. Right
    /// for singular matrices too; there the derivative is finite, one of many.
    ///
    /// Example: `Mat2::from_cols_array(&[3.0, 4.0, 0.0, 5.0]).qr().1` is about
    /// `Mat2::from_cols_array(&[5.0, 0.0, 4.0, 3.0])`.
    ///
    /// Example: `MatN::from_diagonal(VecN::splat(2.0)).qr().1` is about `MatN::from_diagonal(VecN::splat(2.0))`.
    pub fn qr(self) -> (MatN, MatN) {
        let (q, r) = self.to_small().qr();
        (MatN::from_small(q), MatN::from_small(r))
    }
}
