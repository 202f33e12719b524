// Small matrices of `R` rows and `C` columns.

/// A matrix of `R` rows and `C` columns; `m[(r, c)]` is the element in row `r` and column `c`, from 0.
///
/// Vectors beside it are arrays. It lies in memory row by row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatRxC {
    /// The rows.
    pub m: [[f32; C]; R],
}

impl MatRxC {
    /// All elements zero.
    pub const ZERO: MatRxC = MatRxC { m: [[0.0; C]; R] };

    /// The matrix of these rows.
    ///
    /// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).row(1)` is `[4.0, 5.0, 6.0]`.
    ///
    /// Example: `MatRxC::from_rows([[2.0; C]; R])` is `MatRxC::splat(2.0)`.
    pub fn from_rows(m: [[f32; C]; R]) -> MatRxC {
        MatRxC { m }
    }

    /// The rows.
    ///
    /// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).to_rows()` is
    /// `[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]`.
    ///
    /// Example: `MatRxC::splat(2.0).to_rows()` is `[[2.0; C]; R]`.
    pub fn to_rows(self) -> [[f32; C]; R] {
        self.m
    }

    /// All elements the same.
    ///
    /// Example: `Mat2x3::splat(2.0).row(1)` is `[2.0, 2.0, 2.0]`.
    ///
    /// Example: `MatRxC::splat(2.0).max_abs()` is `2.0`.
    pub fn splat(v: f32) -> MatRxC {
        MatRxC { m: [[v; C]; R] }
    }

    /// The product of a column and a row: `a[r] * b[c]` in row `r` and column `c`.
    ///
    /// Example: `Mat2x3::outer([1.0, 2.0], [3.0, 4.0, 5.0]).row(1)` is `[6.0, 8.0, 10.0]`.
    ///
    /// Example: `MatRxC::outer([2.0; R], [3.0; C])` is `MatRxC::splat(6.0)`.
    pub fn outer(a: [f32; R], b: [f32; C]) -> MatRxC {
        let mut m = [[0.0; C]; R];
        for r in 0..R {
            for c in 0..C {
                m[r][c] = a[r] * b[c];
            }
        }
        MatRxC { m }
    }

    /// A row. A position beyond the last is a fault.
    ///
    /// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).row(0)` is `[1.0, 2.0, 3.0]`.
    ///
    /// Example: `MatRxC::splat(2.0).row(R - 1)` is `[2.0; C]`.
    pub fn row(self, r: usize) -> [f32; C] {
        let m = self.m;
        m[r]
    }

    /// A column. A position beyond the last is a fault.
    ///
    /// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).col(1)` is `[2.0, 5.0]`.
    ///
    /// Example: `MatRxC::splat(2.0).col(C - 1)` is `[2.0; R]`.
    pub fn col(self, c: usize) -> [f32; R] {
        let m = self.m;
        let mut column = [0.0; R];
        for r in 0..R {
            column[r] = m[r][c];
        }
        column
    }

    /// Rows become columns.
    ///
    /// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).transpose()` is
    /// `Mat3x2::from_rows([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]])`.
    ///
    /// Example: `MatRxC::splat(2.0).transpose()` is `MatCxR::splat(2.0)`.
    pub fn transpose(self) -> MatCxR {
        let m = self.m;
        let mut t = [[0.0; R]; C];
        for r in 0..R {
            for c in 0..C {
                t[c][r] = m[r][c];
            }
        }
        MatCxR { m: t }
    }

    /// The matrix times a column. `self * x` does the same.
    ///
    /// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).mul_vec([1.0, 0.0, 2.0])` is `[7.0, 16.0]`.
    ///
    /// Example: `MatRxC::splat(2.0).mul_vec([3.0; C])` is `[6.0 * C as f32; R]`.
    pub fn mul_vec(self, x: [f32; C]) -> [f32; R] {
        let m = self.m;
        let mut y = [0.0; R];
        for r in 0..R {
            let mut sum = 0.0;
            for c in 0..C {
                sum += m[r][c] * x[c];
            }
            y[r] = sum;
        }
        y
    }

    /// The transposed matrix times a column.
    ///
    /// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).transpose_mul_vec([1.0, 2.0])` is
    /// `[9.0, 12.0, 15.0]`.
    ///
    /// Example: `MatRxC::splat(2.0).transpose_mul_vec([3.0; R])` is `[6.0 * R as f32; C]`.
    pub fn transpose_mul_vec(self, y: [f32; R]) -> [f32; C] {
        let m = self.m;
        let mut x = [0.0; C];
        for c in 0..C {
            let mut sum = 0.0;
            for r in 0..R {
                sum += m[r][c] * y[r];
            }
            x[c] = sum;
        }
        x
    }

    /// Products element by element.
    ///
    /// Example:
    /// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).component_mul(Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])).row(0)`
    /// is `[1.0, 4.0, 9.0]`.
    ///
    /// Example: `MatRxC::splat(2.0).component_mul(MatRxC::splat(3.0))` is `MatRxC::splat(6.0)`.
    pub fn component_mul(self, rhs: MatRxC) -> MatRxC {
        let (a, b) = (self.m, rhs.m);
        let mut m = [[0.0; C]; R];
        for r in 0..R {
            for c in 0..C {
                m[r][c] = a[r][c] * b[r][c];
            }
        }
        MatRxC { m }
    }

    /// Quotients element by element. Not finite where an element of `rhs` is 0.
    ///
    /// Example:
    /// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).component_div(Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))`
    /// is `Mat2x3::splat(1.0)`.
    ///
    /// Example: `MatRxC::splat(6.0).component_div(MatRxC::splat(2.0))` is `MatRxC::splat(3.0)`.
    pub fn component_div(self, rhs: MatRxC) -> MatRxC {
        let (a, b) = (self.m, rhs.m);
        let mut m = [[0.0; C]; R];
        for r in 0..R {
            for c in 0..C {
                m[r][c] = a[r][c] / b[r][c];
            }
        }
        MatRxC { m }
    }

    /// The sum of the products element by element.
    ///
    /// Example:
    /// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).ddot(Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))`
    /// is `91.0`.
    ///
    /// Example: `MatRxC::splat(2.0).ddot(MatRxC::splat(3.0))` is `6.0 * (R * C) as f32`.
    pub fn ddot(self, rhs: MatRxC) -> f32 {
        let (a, b) = (self.m, rhs.m);
        let mut sum = 0.0;
        for r in 0..R {
            for c in 0..C {
                sum += a[r][c] * b[r][c];
            }
        }
        sum
    }

    /// The largest magnitude of an element; a NaN counts as none. The derivative is that of the first element with it.
    ///
    /// Example: `(-Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])).max_abs()` is `6.0`.
    ///
    /// Example: `MatRxC::splat(-2.0).max_abs()` is `2.0`.
    pub fn max_abs(self) -> f32 {
        let m = self.m;
        let mut largest = 0.0;
        for r in 0..R {
            for c in 0..C {
                let size: f32 = m[r][c].abs();
                if size > largest {
                    largest = size;
                }
            }
        }
        largest
    }

    /// Whether all elements are finite.
    ///
    /// Example:
    /// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).is_finite() && !Mat2x3::splat(f32::INFINITY).is_finite()`
    /// holds.
    ///
    /// Example: `MatRxC::splat(1.0).is_finite()` holds.
    pub fn is_finite(self) -> bool {
        let m = self.m;
        let mut all = true;
        for r in 0..R {
            for c in 0..C {
                all = all && m[r][c].is_finite();
            }
        }
        all
    }

    /// Whether an element is NaN.
    ///
    /// Example: `Mat2x3::splat(f32::NAN).is_nan() && !Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).is_nan()`
    /// holds.
    ///
    /// Example: `MatRxC::splat(f32::NAN).is_nan()` holds.
    pub fn is_nan(self) -> bool {
        let m = self.m;
        let mut any = false;
        for r in 0..R {
            for c in 0..C {
                any = any || m[r][c].is_nan();
            }
        }
        any
    }

    /// Whether no element differs by more than `max_abs_diff`. False where an element is NaN.
    ///
    /// Example:
    /// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).abs_diff_eq(Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 0.0)`
    /// holds.
    ///
    /// Example: `MatRxC::splat(2.0).abs_diff_eq(MatRxC::splat(2.5), 0.5)` holds.
    pub fn abs_diff_eq(self, rhs: MatRxC, max_abs_diff: f32) -> bool {
        let (a, b) = (self.m, rhs.m);
        let mut all = true;
        for r in 0..R {
            for c in 0..C {
                let difference: f32 = a[r][c] - b[r][c];
                all = all && difference.abs() <= max_abs_diff;
            }
        }
        all
    }
}

/// Element by element.
///
/// Example:
/// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) + Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])` is
/// `Mat2x3::from_rows([[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]])`.
///
/// Example: `MatRxC::splat(2.0) + MatRxC::splat(3.0)` is `MatRxC::splat(5.0)`.
impl Add for MatRxC {
    type Output = MatRxC;
    fn add(self, rhs: MatRxC) -> MatRxC {
        let (a, b) = (self.m, rhs.m);
        let mut m = [[0.0; C]; R];
        for r in 0..R {
            for c in 0..C {
                m[r][c] = a[r][c] + b[r][c];
            }
        }
        MatRxC { m }
    }
}

/// Element by element.
///
/// Example:
/// `Mat2x3::from_rows([[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]) - Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])` is
/// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])`.
///
/// Example: `MatRxC::splat(2.0) - MatRxC::splat(3.0)` is `MatRxC::splat(-1.0)`.
impl Sub for MatRxC {
    type Output = MatRxC;
    fn sub(self, rhs: MatRxC) -> MatRxC {
        let (a, b) = (self.m, rhs.m);
        let mut m = [[0.0; C]; R];
        for r in 0..R {
            for c in 0..C {
                m[r][c] = a[r][c] - b[r][c];
            }
        }
        MatRxC { m }
    }
}

/// Element by element.
///
/// Example: `-Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])` is
/// `Mat2x3::from_rows([[-1.0, -2.0, -3.0], [-4.0, -5.0, -6.0]])`.
///
/// Example: `-MatRxC::splat(2.0)` is `MatRxC::splat(-2.0)`.
impl Neg for MatRxC {
    type Output = MatRxC;
    fn neg(self) -> MatRxC {
        let mut m = self.m;
        for r in 0..R {
            for c in 0..C {
                m[r][c] = -m[r][c];
            }
        }
        MatRxC { m }
    }
}

/// Each element times the number.
///
/// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) * 2.0` is
/// `Mat2x3::from_rows([[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]])`.
///
/// Example: `MatRxC::splat(3.0) * 2.0` is `MatRxC::splat(6.0)`.
impl Mul<f32> for MatRxC {
    type Output = MatRxC;
    fn mul(self, rhs: f32) -> MatRxC {
        let mut m = self.m;
        for r in 0..R {
            for c in 0..C {
                m[r][c] *= rhs;
            }
        }
        MatRxC { m }
    }
}

/// Each element times the number.
///
/// Example: `2.0 * Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])` is
/// `Mat2x3::from_rows([[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]])`.
///
/// Example: `2.0 * MatRxC::splat(3.0)` is `MatRxC::splat(6.0)`.
impl Mul<MatRxC> for f32 {
    type Output = MatRxC;
    fn mul(self, rhs: MatRxC) -> MatRxC {
        rhs * self
    }
}

/// Each element over the number.
///
/// Example: `Mat2x3::from_rows([[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]) / 2.0` is
/// `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])`.
///
/// Example: `MatRxC::splat(6.0) / 2.0` is `MatRxC::splat(3.0)`.
impl Div<f32> for MatRxC {
    type Output = MatRxC;
    fn div(self, rhs: f32) -> MatRxC {
        let mut m = self.m;
        for r in 0..R {
            for c in 0..C {
                m[r][c] /= rhs;
            }
        }
        MatRxC { m }
    }
}

/// The matrix times a column.
///
/// Example: `Mat2x3::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) * [1.0, 0.0, 2.0]` is `[7.0, 16.0]`.
///
/// Example: `MatRxC::splat(2.0) * [3.0; C]` is `[6.0 * C as f32; R]`.
impl Mul<[f32; C]> for MatRxC {
    type Output = [f32; R];
    fn mul(self, rhs: [f32; C]) -> [f32; R] {
        self.mul_vec(rhs)
    }
}
