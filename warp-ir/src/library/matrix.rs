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
    pub fn from_rows(m: [[f32; C]; R]) -> MatRxC {
        MatRxC { m }
    }

    /// The rows.
    pub fn to_rows(self) -> [[f32; C]; R] {
        self.m
    }

    /// All elements the same.
    pub fn splat(v: f32) -> MatRxC {
        MatRxC { m: [[v; C]; R] }
    }

    /// The product of a column and a row: `a[r] * b[c]` in row `r` and column `c`.
    pub fn outer(a: [f32; R], b: [f32; C]) -> MatRxC {
        let mut m = [[0.0; C]; R];
        for r in 0..R {
            for c in 0..C {
                m[r][c] = a[r] * b[c];
            }
        }
        MatRxC { m }
    }

    /// A row.
    pub fn row(self, r: usize) -> [f32; C] {
        let m = self.m;
        m[r]
    }

    /// A column.
    pub fn col(self, c: usize) -> [f32; R] {
        let m = self.m;
        let mut column = [0.0; R];
        for r in 0..R {
            column[r] = m[r][c];
        }
        column
    }

    /// Rows become columns.
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

    /// The matrix times a column.
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

    /// Quotients element by element.
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

    /// The largest magnitude of an element; a NaN counts as none.
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

    /// Whether no element differs by more than `max_abs_diff`.
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

impl Mul<MatRxC> for f32 {
    type Output = MatRxC;
    fn mul(self, rhs: MatRxC) -> MatRxC {
        rhs * self
    }
}

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

impl Mul<[f32; C]> for MatRxC {
    type Output = [f32; R];
    fn mul(self, rhs: [f32; C]) -> [f32; R] {
        self.mul_vec(rhs)
    }
}
