// Matrices of 2 columns of 2 elements.

/// The matrix of these columns.
pub fn mat2(x_axis: Vec2, y_axis: Vec2) -> Mat2 {
    Mat2::from_cols(x_axis, y_axis)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mat2 {
    pub x_axis: Vec2,
    pub y_axis: Vec2,
}

impl Mat2 {
    /// The matrix of these columns.
    pub fn from_cols(x_axis: Vec2, y_axis: Vec2) -> Mat2 {
        Mat2 { x_axis, y_axis }
    }

    /// The matrix of these rows.
    pub fn from_rows(row0: Vec2, row1: Vec2) -> Mat2 {
        Mat2::from_cols(row0, row1).transpose()
    }

    /// The matrix from its elements, column by column.
    pub fn from_cols_array(m: [f32; 4]) -> Mat2 {
        Mat2::from_cols(Vec2::new(m[0], m[1]), Vec2::new(m[2], m[3]))
    }

    /// The elements, column by column.
    pub fn to_cols_array(self) -> [f32; 4] {
        [self.x_axis.x, self.x_axis.y, self.y_axis.x, self.y_axis.y]
    }

    /// The matrix from its columns as arrays.
    pub fn from_cols_array_2d(m: [[f32; 2]; 2]) -> Mat2 {
        Mat2::from_cols(Vec2::from_array(m[0]), Vec2::from_array(m[1]))
    }

    /// The columns as arrays.
    pub fn to_cols_array_2d(self) -> [[f32; 2]; 2] {
        [self.x_axis.to_array(), self.y_axis.to_array()]
    }

    /// The diagonal matrix.
    pub fn from_diagonal(diagonal: Vec2) -> Mat2 {
        Mat2::from_cols(Vec2::new(diagonal.x, 0.0), Vec2::new(0.0, diagonal.y))
    }

    /// The upper left part.
    pub fn from_mat3(m: Mat3) -> Mat2 {
        Mat2::from_cols(m.x_axis.truncate(), m.y_axis.truncate())
    }

    /// A column.
    pub fn col(self, index: usize) -> Vec2 {
        match index {
            0 => self.x_axis,
            1 => self.y_axis,
            _ => panic!("index out of bounds"),
        }
    }

    /// A row.
    pub fn row(self, index: usize) -> Vec2 {
        match index {
            0 => Vec2::new(self.x_axis.x, self.y_axis.x),
            1 => Vec2::new(self.x_axis.y, self.y_axis.y),
            _ => panic!("index out of bounds"),
        }
    }

    /// The diagonal.
    pub fn diagonal(self) -> Vec2 {
        Vec2::new(self.x_axis.x, self.y_axis.y)
    }

    /// Rows become columns.
    pub fn transpose(self) -> Mat2 {
        Mat2::from_cols(Vec2::new(self.x_axis.x, self.y_axis.x), Vec2::new(self.x_axis.y, self.y_axis.y))
    }

    /// The determinant.
    pub fn determinant(self) -> f32 {
        self.x_axis.x * self.y_axis.y - self.x_axis.y * self.y_axis.x
    }

    /// The inverse; not finite where there is none.
    pub fn inverse(self) -> Mat2 {
        let inv_det = 1.0 / self.determinant();
        Mat2::from_cols(
            Vec2::new(self.y_axis.y * inv_det, self.x_axis.y * -inv_det),
            Vec2::new(self.y_axis.x * -inv_det, self.x_axis.x * inv_det),
        )
    }

    /// The inverse, where there is one.
    pub fn try_inverse(self) -> Option<Mat2> {
        let m = self.inverse();
        if m.is_finite() { Some(m) } else { None }
    }

    /// The inverse, else zero.
    pub fn inverse_or_zero(self) -> Mat2 {
        let m = self.inverse();
        if m.is_finite() { m } else { Mat2::from_cols(Vec2::splat(0.0), Vec2::splat(0.0)) }
    }

    /// The product with a vector.
    pub fn mul_vec2(self, rhs: Vec2) -> Vec2 {
        Vec2::new((self.x_axis.x * rhs.x) + (self.y_axis.x * rhs.y), (self.x_axis.y * rhs.x) + (self.y_axis.y * rhs.y))
    }

    /// The product of the transpose with a vector.
    pub fn transpose_mul_vec2(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x_axis.dot(rhs), self.y_axis.dot(rhs))
    }

    /// The product.
    pub fn mul_mat2(self, rhs: Mat2) -> Mat2 {
        Mat2::from_cols(self.mul_vec2(rhs.x_axis), self.mul_vec2(rhs.y_axis))
    }

    /// The sum.
    pub fn add_mat2(self, rhs: Mat2) -> Mat2 {
        self + rhs
    }

    /// The difference.
    pub fn sub_mat2(self, rhs: Mat2) -> Mat2 {
        self - rhs
    }

    /// Each element times a number.
    pub fn mul_scalar(self, rhs: f32) -> Mat2 {
        Mat2::from_cols(self.x_axis * rhs, self.y_axis * rhs)
    }

    /// Each element over a number.
    pub fn div_scalar(self, rhs: f32) -> Mat2 {
        Mat2::from_cols(self.x_axis / rhs, self.y_axis / rhs)
    }

    /// Each column times a component.
    pub fn mul_diagonal_scale(self, scale: Vec2) -> Mat2 {
        Mat2::from_cols(self.x_axis * scale.x, self.y_axis * scale.y)
    }

    /// One over each element.
    pub fn recip(self) -> Mat2 {
        Mat2::from_cols(self.x_axis.recip(), self.y_axis.recip())
    }

    /// The magnitudes.
    pub fn abs(self) -> Mat2 {
        Mat2::from_cols(self.x_axis.abs(), self.y_axis.abs())
    }

    /// Whether no element differs by more than `max_abs_diff`.
    pub fn abs_diff_eq(self, rhs: Mat2, max_abs_diff: f32) -> bool {
        self.x_axis.abs_diff_eq(rhs.x_axis, max_abs_diff) && self.y_axis.abs_diff_eq(rhs.y_axis, max_abs_diff)
    }

    /// Whether all elements are finite.
    pub fn is_finite(self) -> bool {
        self.x_axis.is_finite() && self.y_axis.is_finite()
    }

    /// Whether an element is NaN.
    pub fn is_nan(self) -> bool {
        self.x_axis.is_nan() || self.y_axis.is_nan()
    }

    /// The matrix from its elements, row by row.
    pub fn from_rows_array(m: [f32; 4]) -> Mat2 {
        Mat2::from_cols_array(m).transpose()
    }

    /// The elements, row by row.
    pub fn to_rows_array(self) -> [f32; 4] {
        self.transpose().to_cols_array()
    }

    /// The transposed matrix times a vector.
    pub fn mul_transpose_vec2(self, rhs: Vec2) -> Vec2 {
        self.transpose_mul_vec2(rhs)
    }

    /// The matrix without its column `i` and its row `j`.
    pub fn from_mat3_minor(m: Mat3, i: usize, j: usize) -> Mat2 {
        assert!(i < 3 && j < 3, "index out of bounds");
        let a = m.to_cols_array_2d();
        let mut minor = [[0.0; 2]; 2];
        for c in 0..2 {
            for r in 0..2 {
                minor[c][r] = a[if c < i { c } else { c + 1 }][if r < j { r } else { r + 1 }];
            }
        }
        Mat2::from_cols_array_2d(minor)
    }

    /// The rotation of the plane by an angle, to the left.
    pub fn from_angle(angle: f32) -> Mat2 {
        let (sin, cos) = (angle.sin(), angle.cos());
        Mat2::from_cols(Vec2::new(cos, sin), Vec2::new(-sin, cos))
    }

    /// The scaling, then the rotation of the plane by an angle.
    pub fn from_scale_angle(scale: Vec2, angle: f32) -> Mat2 {
        let (sin, cos) = (angle.sin(), angle.cos());
        Mat2::from_cols(Vec2::new(cos * scale.x, sin * scale.x), Vec2::new(-sin * scale.y, cos * scale.y))
    }
}

impl Add for Mat2 {
    type Output = Mat2;
    fn add(self, rhs: Mat2) -> Mat2 {
        Mat2::from_cols(self.x_axis + rhs.x_axis, self.y_axis + rhs.y_axis)
    }
}

impl Sub for Mat2 {
    type Output = Mat2;
    fn sub(self, rhs: Mat2) -> Mat2 {
        Mat2::from_cols(self.x_axis - rhs.x_axis, self.y_axis - rhs.y_axis)
    }
}

impl Mul for Mat2 {
    type Output = Mat2;
    fn mul(self, rhs: Mat2) -> Mat2 {
        self.mul_mat2(rhs)
    }
}

impl Mul<Vec2> for Mat2 {
    type Output = Vec2;
    fn mul(self, rhs: Vec2) -> Vec2 {
        self.mul_vec2(rhs)
    }
}

impl Mul<f32> for Mat2 {
    type Output = Mat2;
    fn mul(self, rhs: f32) -> Mat2 {
        self.mul_scalar(rhs)
    }
}

impl Mul<Mat2> for f32 {
    type Output = Mat2;
    fn mul(self, rhs: Mat2) -> Mat2 {
        rhs.mul_scalar(self)
    }
}

impl Div<f32> for Mat2 {
    type Output = Mat2;
    fn div(self, rhs: f32) -> Mat2 {
        self.div_scalar(rhs)
    }
}

impl Div<Mat2> for f32 {
    type Output = Mat2;
    fn div(self, rhs: Mat2) -> Mat2 {
        Mat2::from_cols(self / rhs.x_axis, self / rhs.y_axis)
    }
}

impl Neg for Mat2 {
    type Output = Mat2;
    fn neg(self) -> Mat2 {
        Mat2::from_cols(-self.x_axis, -self.y_axis)
    }
}
