// Small matrices of as many rows as columns.

impl MatNxN {
    /// Ones on the diagonal, else zero.
    pub const IDENTITY: MatNxN = {
        let mut m = [[0.0; N]; N];
        let mut k = 0;
        while k < N {
            m[k][k] = 1.0;
            k += 1;
        }
        MatNxN { m }
    };

    /// The matrix with this diagonal, else zero.
    ///
    /// Example: `Mat2x2::from_diagonal([1.0, 2.0])` is `Mat2x2::from_rows([[1.0, 0.0], [0.0, 2.0]])`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).row(0)[0]` is `2.0`.
    pub fn from_diagonal(diagonal: [f32; N]) -> MatNxN {
        let mut m = [[0.0; N]; N];
        for k in 0..N {
            m[k][k] = diagonal[k];
        }
        MatNxN { m }
    }

    /// The diagonal.
    ///
    /// Example: `Mat2x2::from_rows([[1.0, 2.0], [3.0, 4.0]]).diagonal()` is `[1.0, 4.0]`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).diagonal()` is `[2.0; N]`.
    pub fn diagonal(self) -> [f32; N] {
        let m = self.m;
        let mut diagonal = [0.0; N];
        for k in 0..N {
            diagonal[k] = m[k][k];
        }
        diagonal
    }

    /// The sum of the diagonal.
    ///
    /// Example: `Mat2x2::from_rows([[1.0, 2.0], [3.0, 4.0]]).trace()` is `5.0`.
    ///
    /// Example: `MatNxN::splat(2.0).trace()` is `2.0 * N as f32`.
    pub fn trace(self) -> f32 {
        let m = self.m;
        let mut sum = 0.0;
        for k in 0..N {
            sum += m[k][k];
        }
        sum
    }

    /// The determinant.
    ///
    /// Expanded row by row over all sets of columns, so that it is a polynomial of the elements: its derivative, the
    /// matrix of cofactors, is right for singular matrices too.
    ///
    /// Example: `Mat2x2::from_rows([[1.0, 2.0], [3.0, 4.0]]).determinant()` is `-2.0`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).determinant()` is `(1 << N) as f32`.
    pub fn determinant(self) -> f32 {
        let m = self.m;
        // minors[set]: the determinant of these columns and as many first rows; bit `c` of a set is column `c`.
        let mut minors = [0.0; SETS];
        minors[0] = 1.0;
        for set in 1..SETS {
            let mut row = 0;
            for c in 0..N {
                row += (set >> c) & 1;
            }
            row -= 1;
            // The last row's element in a column has a minus sign where an odd number of columns stand behind it.
            let mut behind = row;
            let mut sum = 0.0;
            for c in 0..N {
                if (set >> c) & 1 == 1 {
                    let term = m[row][c] * minors[set & !(1 << c)];
                    sum += if behind % 2 == 0 { term } else { -term };
                    if behind > 0 {
                        behind -= 1;
                    }
                }
            }
            minors[set] = sum;
        }
        minors[SETS - 1]
    }

    /// Factors with exchanged rows: `L`, `U` and which row of the matrix stands in each place, so that row `k` of
    /// `L * U` is row `rows[k]` of the matrix. `None` for a singular matrix.
    ///
    /// The largest element of a column becomes its pivot (Golub and Van Loan, Matrix Computations, algorithm 3.4.1).
    /// Singular is what has a pivot of exactly 0; a matrix that is nearly so has factors that are right and a solution
    /// that is large.
    ///
    /// Example: `Mat2x2::from_rows([[1.0, 2.0], [2.0, 4.0]]).lu().is_none()` holds.
    ///
    /// Example: `Mat2x2::from_rows([[0.0, 2.0], [4.0, 1.0]]).lu()` is
    /// `Some((Mat2x2::from_diagonal([1.0, 1.0]), Mat2x2::from_rows([[4.0, 1.0], [0.0, 2.0]]), [1, 0]))`.
    ///
    /// Example: `MatNxN::splat(1.0).lu().is_none()` holds.
    pub fn lu(self) -> Option<(MatNxN, MatNxN, [usize; N])> {
        let mut u = self.m;
        let mut l = [[0.0; N]; N];
        let mut rows = [0; N];
        for k in 0..N {
            rows[k] = k;
        }
        let mut regular = true;
        for k in 0..N {
            let mut pivot = k;
            for r in k + 1..N {
                let (size, best): (f32, f32) = (u[r][k].abs(), u[pivot][k].abs());
                if size > best {
                    pivot = r;
                }
            }
            for c in 0..N {
                let (a, b) = (u[k][c], l[k][c]);
                u[k][c] = u[pivot][c];
                l[k][c] = l[pivot][c];
                u[pivot][c] = a;
                l[pivot][c] = b;
            }
            let row = rows[k];
            rows[k] = rows[pivot];
            rows[pivot] = row;
            l[k][k] = 1.0;
            let largest: f32 = u[k][k].abs();
            if largest > 0.0 {
                for r in k + 1..N {
                    let factor = u[r][k] / u[k][k];
                    l[r][k] = factor;
                    u[r][k] = 0.0;
                    for c in k + 1..N {
                        u[r][c] -= factor * u[k][c];
                    }
                }
            } else {
                regular = false;
            }
        }
        if regular { Some((MatNxN { m: l }, MatNxN { m: u }, rows)) } else { None }
    }

    /// The lower triangle `L` of `L * transpose(L)`, for a symmetric positive definite matrix; `None` for others.
    ///
    /// Reads the lower triangle alone, and so does the derivative.
    ///
    /// Example: `Mat2x2::from_rows([[4.0, 2.0], [2.0, 10.0]]).cholesky()` is
    /// `Some(Mat2x2::from_rows([[2.0, 0.0], [1.0, 3.0]]))`.
    ///
    /// Example: `Mat2x2::from_rows([[1.0, 2.0], [2.0, 1.0]]).cholesky()` is `None`.
    ///
    /// Example: `MatNxN::from_diagonal([4.0; N]).cholesky()` is `Some(MatNxN::from_diagonal([2.0; N]))`.
    pub fn cholesky(self) -> Option<MatNxN> {
        let m = self.m;
        let mut l = [[0.0; N]; N];
        let mut positive = true;
        for c in 0..N {
            let mut rest = m[c][c];
            for k in 0..c {
                rest -= l[c][k] * l[c][k];
            }
            positive = positive && rest > 0.0;
            let pivot: f32 = if rest > 0.0 { rest } else { 1.0 };
            let root = pivot.sqrt();
            l[c][c] = root;
            for r in c + 1..N {
                let mut sum = m[r][c];
                for k in 0..c {
                    sum -= l[r][k] * l[c][k];
                }
                l[r][c] = sum / root;
            }
        }
        if positive { Some(MatNxN { m: l }) } else { None }
    }

    /// The lower triangle `L`, ones on its diagonal, and the diagonal `d` of `L * diag(d) * transpose(L)`, for a
    /// symmetric matrix, which need not be positive; `None` where a pivot is zero (rows are not exchanged).
    ///
    /// Reads the lower triangle alone, and so does the derivative.
    ///
    /// Example: `Mat2x2::from_rows([[2.0, 4.0], [4.0, 5.0]]).ldlt()` is
    /// `Some((Mat2x2::from_rows([[1.0, 0.0], [2.0, 1.0]]), [2.0, -3.0]))`.
    ///
    /// Example: `Mat2x2::from_rows([[0.0, 1.0], [1.0, 0.0]]).ldlt()` is `None`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).ldlt()` is `Some((MatNxN::from_diagonal([1.0; N]), [2.0; N]))`.
    pub fn ldlt(self) -> Option<(MatNxN, [f32; N])> {
        let m = self.m;
        let mut l = [[0.0; N]; N];
        let mut d = [0.0; N];
        let mut regular = true;
        for c in 0..N {
            let mut rest = m[c][c];
            for k in 0..c {
                rest -= l[c][k] * l[c][k] * d[k];
            }
            let size: f32 = rest.abs();
            regular = regular && size > 0.0;
            let pivot = if size > 0.0 { rest } else { 1.0 };
            d[c] = pivot;
            l[c][c] = 1.0;
            for r in c + 1..N {
                let mut sum = m[r][c];
                for k in 0..c {
                    sum -= l[r][k] * l[c][k] * d[k];
                }
                l[r][c] = sum / pivot;
            }
        }
        if regular { Some((MatNxN { m: l }, d)) } else { None }
    }

    /// `Q`, whose columns have length 1 and lie across each other, and the upper triangle `R` with a diagonal that is
    /// not negative, so that `Q * R` is the matrix.
    ///
    /// Householder's reflections (Golub and Van Loan, algorithm 5.2.1). The derivative needs columns that are
    /// independent; else both are right and their derivatives finite, but one of many.
    ///
    /// Example: `Mat2x2::from_rows([[3.0, 0.0], [4.0, 5.0]]).qr().1` is about
    /// `Mat2x2::from_rows([[5.0, 4.0], [0.0, 3.0]])`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).qr().1` is about `MatNxN::from_diagonal([2.0; N])`.
    pub fn qr(self) -> (MatNxN, MatNxN) {
        // Scaled, so that squares of tiny and huge elements are still numbers.
        let largest = self.max_abs();
        let size = if largest > 0.0 { largest } else { 1.0 };
        let mut a = (self / size).m;
        let mut q = [[0.0; N]; N];
        for k in 0..N {
            q[k][k] = 1.0;
        }
        for k in 0..N {
            // What is left of a column may be tiny beside the matrix: the mirror is the same for any multiple of it.
            let mut most: f32 = 0.0;
            for r in k..N {
                most = most.max(a[r][k].abs());
            }
            if most > 0.0 {
                let mut v = [0.0; N];
                let mut square: f32 = 0.0;
                for r in k..N {
                    v[r] = a[r][k] / most;
                    square += v[r] * v[r];
                }
                let length = square.sqrt();
                let far = if v[k] > 0.0 { -length } else { length };
                let scale = 1.0 / (square - far * v[k]);
                v[k] -= far;
                for c in 0..N {
                    let mut along_a = 0.0;
                    let mut along_q = 0.0;
                    for r in k..N {
                        along_a += v[r] * a[r][c];
                        along_q += v[r] * q[c][r];
                    }
                    for r in k..N {
                        a[r][c] -= v[r] * (along_a * scale);
                        q[c][r] -= v[r] * (along_q * scale);
                    }
                }
            }
        }
        for k in 0..N {
            let sign = if a[k][k] < 0.0 { -1.0 } else { 1.0 };
            for c in 0..N {
                a[k][c] = if c < k { 0.0 } else { a[k][c] * sign };
                q[c][k] *= sign;
            }
        }
        (MatNxN { m: q }, MatNxN { m: a } * size)
    }

    /// The column `x` with `self * x == b`, where `self` is a lower triangle: what stands above the diagonal is not
    /// read. Not finite where a diagonal element is zero.
    ///
    /// Example: `Mat2x2::from_rows([[2.0, 0.0], [1.0, 4.0]]).solve_lower([6.0, 11.0])` is `[3.0, 2.0]`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).solve_lower([6.0; N])` is `[3.0; N]`.
    pub fn solve_lower(self, b: [f32; N]) -> [f32; N] {
        let m = self.m;
        let mut x = [0.0; N];
        for r in 0..N {
            let mut sum = b[r];
            for c in 0..r {
                sum -= m[r][c] * x[c];
            }
            x[r] = sum / m[r][r];
        }
        x
    }

    /// The column `x` with `self * x == b`, where `self` is an upper triangle: what stands below the diagonal is not
    /// read. Not finite where a diagonal element is zero.
    ///
    /// Example: `Mat2x2::from_rows([[2.0, 1.0], [0.0, 4.0]]).solve_upper([8.0, 8.0])` is `[3.0, 2.0]`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).solve_upper([6.0; N])` is `[3.0; N]`.
    pub fn solve_upper(self, b: [f32; N]) -> [f32; N] {
        let m = self.m;
        let mut x = [0.0; N];
        for k in 0..N {
            let r = N - 1 - k;
            let mut sum = b[r];
            for c in r + 1..N {
                sum -= m[r][c] * x[c];
            }
            x[r] = sum / m[r][r];
        }
        x
    }

    /// The column `x` with `transpose(self) * x == b`, where `self` is a lower triangle.
    ///
    /// Example: `Mat2x2::from_rows([[2.0, 0.0], [1.0, 4.0]]).solve_lower_transposed([8.0, 8.0])` is `[3.0, 2.0]`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).solve_lower_transposed([6.0; N])` is `[3.0; N]`.
    pub fn solve_lower_transposed(self, b: [f32; N]) -> [f32; N] {
        self.transpose().solve_upper(b)
    }

    /// The column `x` with `self * x == b`; `None` for a singular matrix. By [`lu`](Self::lu). Singular is what has a
    /// pivot of exactly 0.
    ///
    /// Example: `Mat2x2::from_rows([[0.0, 2.0], [4.0, 0.0]]).solve([6.0, 8.0])` is `Some([2.0, 3.0])`.
    ///
    /// Example: `Mat2x2::from_rows([[1.0, 2.0], [2.0, 4.0]]).solve([1.0, 1.0])` is `None`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).solve([6.0; N])` is `Some([3.0; N])`.
    pub fn solve(self, b: [f32; N]) -> Option<[f32; N]> {
        match self.lu() {
            Some((l, u, rows)) => {
                let mut sorted = [0.0; N];
                for k in 0..N {
                    sorted[k] = b[rows[k]];
                }
                Some(u.solve_upper(l.solve_lower(sorted)))
            }
            None => None,
        }
    }

    /// The column `x` with `self * x == b`, for a symmetric positive definite matrix; `None` for others. By
    /// [`cholesky`](Self::cholesky): half the work of [`solve`](Self::solve).
    ///
    /// Example: `Mat2x2::from_rows([[4.0, 0.0], [0.0, 16.0]]).solve_positive([8.0, 32.0])` is `Some([2.0, 2.0])`.
    ///
    /// Example: `MatNxN::from_diagonal([4.0; N]).solve_positive([8.0; N])` is `Some([2.0; N])`.
    pub fn solve_positive(self, b: [f32; N]) -> Option<[f32; N]> {
        match self.cholesky() {
            Some(l) => Some(l.solve_lower_transposed(l.solve_lower(b))),
            None => None,
        }
    }

    /// The inverse; `None` for a singular matrix. By [`lu`](Self::lu). Singular is what has a pivot of exactly 0.
    ///
    /// Example: `Mat2x2::from_rows([[0.0, 2.0], [4.0, 0.0]]).try_inverse()` is
    /// `Some(Mat2x2::from_rows([[0.0, 0.25], [0.5, 0.0]]))`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).try_inverse()` is `Some(MatNxN::from_diagonal([0.5; N]))`.
    pub fn try_inverse(self) -> Option<MatNxN> {
        match self.lu() {
            Some((l, u, rows)) => {
                let mut m = [[0.0; N]; N];
                for c in 0..N {
                    let mut unit = [0.0; N];
                    for k in 0..N {
                        unit[k] = if rows[k] == c { 1.0 } else { 0.0 };
                    }
                    let x = u.solve_upper(l.solve_lower(unit));
                    for r in 0..N {
                        m[r][c] = x[r];
                    }
                }
                Some(MatNxN { m })
            }
            None => None,
        }
    }

    /// The inverse; all zeros for a singular matrix. At a singular matrix the derivative is 0.
    ///
    /// Example: `Mat2x2::splat(1.0).inverse_or_zero()` is `Mat2x2::splat(0.0)`.
    ///
    /// Example: `MatNxN::from_diagonal([2.0; N]).inverse_or_zero()` is `MatNxN::from_diagonal([0.5; N])`.
    pub fn inverse_or_zero(self) -> MatNxN {
        match self.try_inverse() {
            Some(inverse) => inverse,
            None => MatNxN::splat(0.0),
        }
    }
}
