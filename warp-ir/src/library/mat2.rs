// Matrices of 2 columns of 2 elements.

/// The matrix of these columns.
///
/// Example: `mat2(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0)).y_axis` is `Vec2::new(3.0, 4.0)`.
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
    ///
    /// Example: `Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0)).y_axis` is `Vec2::new(3.0, 4.0)`.
    pub fn from_cols(x_axis: Vec2, y_axis: Vec2) -> Mat2 {
        Mat2 { x_axis, y_axis }
    }

    /// The matrix of these rows.
    ///
    /// Example: `Mat2::from_rows(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0))` is
    /// `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0])`.
    pub fn from_rows(row0: Vec2, row1: Vec2) -> Mat2 {
        Mat2::from_cols(row0, row1).transpose()
    }

    /// The matrix from its elements, column by column.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])` is
    /// `Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0))`.
    pub fn from_cols_array(m: [f32; 4]) -> Mat2 {
        Mat2::from_cols(Vec2::new(m[0], m[1]), Vec2::new(m[2], m[3]))
    }

    /// The elements, column by column.
    ///
    /// Example: where `m` is `Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0))`, `m.to_cols_array()` is
    /// `[1.0, 2.0, 3.0, 4.0]`.
    pub fn to_cols_array(self) -> [f32; 4] {
        [self.x_axis.x, self.x_axis.y, self.y_axis.x, self.y_axis.y]
    }

    /// The matrix from its columns as arrays.
    ///
    /// Example: `Mat2::from_cols_array_2d(&[[1.0, 2.0], [3.0, 4.0]])` is
    /// `Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0))`.
    pub fn from_cols_array_2d(m: [[f32; 2]; 2]) -> Mat2 {
        Mat2::from_cols(Vec2::from_array(m[0]), Vec2::from_array(m[1]))
    }

    /// The columns as arrays.
    ///
    /// Example: where `m` is `Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0))`, `m.to_cols_array_2d()` is
    /// `[[1.0, 2.0], [3.0, 4.0]]`.
    pub fn to_cols_array_2d(self) -> [[f32; 2]; 2] {
        [self.x_axis.to_array(), self.y_axis.to_array()]
    }

    /// The diagonal matrix.
    ///
    /// Example: `Mat2::from_diagonal(Vec2::new(2.0, 3.0)).y_axis` is `Vec2::new(0.0, 3.0)`.
    pub fn from_diagonal(diagonal: Vec2) -> Mat2 {
        Mat2::from_cols(Vec2::new(diagonal.x, 0.0), Vec2::new(0.0, diagonal.y))
    }

    /// The upper left part.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`,
    /// `Mat2::from_mat3(Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)))` is `d`.
    pub fn from_mat3(m: Mat3) -> Mat2 {
        Mat2::from_cols(m.x_axis.truncate(), m.y_axis.truncate())
    }

    /// A column. A position beyond the last is a fault.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]).col(1)` is `Vec2::new(3.0, 4.0)`.
    pub fn col(self, index: usize) -> Vec2 {
        match index {
            0 => self.x_axis,
            1 => self.y_axis,
            _ => panic!("index out of bounds"),
        }
    }

    /// A row. A position beyond the last is a fault.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]).row(1)` is `Vec2::new(2.0, 4.0)`.
    pub fn row(self, index: usize) -> Vec2 {
        match index {
            0 => Vec2::new(self.x_axis.x, self.y_axis.x),
            1 => Vec2::new(self.x_axis.y, self.y_axis.y),
            _ => panic!("index out of bounds"),
        }
    }

    /// The diagonal.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]).diagonal()` is `Vec2::new(1.0, 4.0)`.
    pub fn diagonal(self) -> Vec2 {
        Vec2::new(self.x_axis.x, self.y_axis.y)
    }

    /// Rows become columns.
    ///
    /// Example: where `m` is `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])`, `m.transpose()` is
    /// `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0])`.
    pub fn transpose(self) -> Mat2 {
        Mat2::from_cols(Vec2::new(self.x_axis.x, self.y_axis.x), Vec2::new(self.x_axis.y, self.y_axis.y))
    }

    /// The determinant. A polynomial of the elements: its derivative is right for singular matrices too.
    ///
    /// Example: `Mat2::from_diagonal(Vec2::new(2.0, 3.0)).determinant()` is `6.0`.
    pub fn determinant(self) -> f32 {
        self.x_axis.x * self.y_axis.y - self.x_axis.y * self.y_axis.x
    }

    /// The inverse; not finite where there is none.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`, `d.inverse()` is about
    /// `Mat2::from_diagonal(Vec2::new(0.5, 0.3333333333333333))`.
    pub fn inverse(self) -> Mat2 {
        let inv_det = 1.0 / self.determinant();
        Mat2::from_cols(
            Vec2::new(self.y_axis.y * inv_det, self.x_axis.y * -inv_det),
            Vec2::new(self.y_axis.x * -inv_det, self.x_axis.x * inv_det),
        )
    }

    /// The inverse, where there is one. There is none where the determinant is exactly 0; a matrix that is nearly
    /// singular has a large one.
    ///
    /// Example: `Mat2::from_diagonal(Vec2::new(0.0, 0.0)).try_inverse().is_none()` holds.
    pub fn try_inverse(self) -> Option<Mat2> {
        let m = self.inverse();
        if m.is_finite() { Some(m) } else { None }
    }

    /// The inverse, else zero. At a singular matrix the derivative is 0.
    ///
    /// Example: `Mat2::from_diagonal(Vec2::new(0.0, 0.0)).inverse_or_zero()` is
    /// `Mat2::from_diagonal(Vec2::new(0.0, 0.0))`.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`, `d.inverse_or_zero()` is about
    /// `Mat2::from_diagonal(Vec2::new(0.5, 0.3333333333333333))`.
    pub fn inverse_or_zero(self) -> Mat2 {
        let m = self.inverse();
        if m.is_finite() { m } else { Mat2::from_cols(Vec2::splat(0.0), Vec2::splat(0.0)) }
    }

    /// The product with a vector. `self * rhs` does the same.
    ///
    /// Example: where `m` is `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])`, `m.mul_vec2(Vec2::new(1.0, 2.0))` is
    /// `Vec2::new(7.0, 10.0)`.
    pub fn mul_vec2(self, rhs: Vec2) -> Vec2 {
        Vec2::new((self.x_axis.x * rhs.x) + (self.y_axis.x * rhs.y), (self.x_axis.y * rhs.x) + (self.y_axis.y * rhs.y))
    }

    /// The product of the transpose with a vector.
    ///
    /// Example: where `m` is `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])`, `m.transpose_mul_vec2(Vec2::new(1.0, 2.0))`
    /// is `Vec2::new(5.0, 11.0)`.
    pub fn transpose_mul_vec2(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x_axis.dot(rhs), self.y_axis.dot(rhs))
    }

    /// The product. The map `rhs`, then this one; `self * rhs` does the same.
    ///
    /// Example: where `m` is `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])`, where `d` is
    /// `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`, `m.mul_mat2(&d)` is `Mat2::from_cols_array(&[2.0, 4.0, 9.0, 12.0])`.
    pub fn mul_mat2(self, rhs: Mat2) -> Mat2 {
        Mat2::from_cols(self.mul_vec2(rhs.x_axis), self.mul_vec2(rhs.y_axis))
    }

    /// The sum.
    ///
    /// Example: where `m` is `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])`, where `d` is
    /// `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`, `m.add_mat2(&d)` is `Mat2::from_cols_array(&[3.0, 2.0, 3.0, 7.0])`.
    pub fn add_mat2(self, rhs: Mat2) -> Mat2 {
        self + rhs
    }

    /// The difference.
    ///
    /// Example: where `m` is `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])`, where `d` is
    /// `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`, `m.sub_mat2(&d)` is `Mat2::from_cols_array(&[-1.0, 2.0, 3.0, 1.0])`.
    pub fn sub_mat2(self, rhs: Mat2) -> Mat2 {
        self - rhs
    }

    /// Each element times a number.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`, `d.mul_scalar(2.0)` is
    /// `Mat2::from_diagonal(Vec2::new(4.0, 6.0))`.
    pub fn mul_scalar(self, rhs: f32) -> Mat2 {
        Mat2::from_cols(self.x_axis * rhs, self.y_axis * rhs)
    }

    /// Each element over a number.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`, `d.div_scalar(2.0)` is
    /// `Mat2::from_diagonal(Vec2::new(1.0, 1.5))`.
    pub fn div_scalar(self, rhs: f32) -> Mat2 {
        Mat2::from_cols(self.x_axis / rhs, self.y_axis / rhs)
    }

    /// Each column times a component. The scaling of the axes, then this map.
    ///
    /// Example: where `m` is `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])`, `m.mul_diagonal_scale(Vec2::new(2.0, 3.0))`
    /// is `Mat2::from_cols_array(&[2.0, 4.0, 9.0, 12.0])`.
    pub fn mul_diagonal_scale(self, scale: Vec2) -> Mat2 {
        Mat2::from_cols(self.x_axis * scale.x, self.y_axis * scale.y)
    }

    /// One over each element. Infinite for 0. It is not the inverse.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 4.0, 8.0]).recip()` is
    /// `Mat2::from_cols_array(&[1.0, 0.5, 0.25, 0.125])`.
    pub fn recip(self) -> Mat2 {
        Mat2::from_cols(self.x_axis.recip(), self.y_axis.recip())
    }

    /// The magnitudes. The derivative at 0 is 0.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`,
    /// `Mat2::from_diagonal(Vec2::new(-2.0, -3.0)).abs()` is `d`.
    pub fn abs(self) -> Mat2 {
        Mat2::from_cols(self.x_axis.abs(), self.y_axis.abs())
    }

    /// Whether no element differs by more than `max_abs_diff`. False where an element is NaN.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`,
    /// `d.abs_diff_eq(Mat2::from_diagonal(Vec2::new(2.25, 3.25)), 0.5)` holds.
    pub fn abs_diff_eq(self, rhs: Mat2, max_abs_diff: f32) -> bool {
        self.x_axis.abs_diff_eq(rhs.x_axis, max_abs_diff) && self.y_axis.abs_diff_eq(rhs.y_axis, max_abs_diff)
    }

    /// Whether all elements are finite.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`,
    /// `d.is_finite() && !Mat2::from_diagonal(Vec2::new(f32::INFINITY, 1.0)).is_finite()` holds.
    pub fn is_finite(self) -> bool {
        self.x_axis.is_finite() && self.y_axis.is_finite()
    }

    /// Whether an element is NaN.
    ///
    /// Example: where `d` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`,
    /// `!d.is_nan() && Mat2::from_diagonal(Vec2::new(f32::NAN, f32::NAN)).is_nan()` holds.
    pub fn is_nan(self) -> bool {
        self.x_axis.is_nan() || self.y_axis.is_nan()
    }

    /// The matrix from its elements, row by row.
    ///
    /// Example: `Mat2::from_rows_array(&[1.0, 2.0, 3.0, 4.0])` is `Mat2::from_cols_array(&[1.0, 3.0, 2.0, 4.0])`.
    pub fn from_rows_array(m: [f32; 4]) -> Mat2 {
        Mat2::from_cols_array(m).transpose()
    }

    /// The elements, row by row.
    ///
    /// Example: `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]).to_rows_array()` is `[1.0, 3.0, 2.0, 4.0]`.
    pub fn to_rows_array(self) -> [f32; 4] {
        self.transpose().to_cols_array()
    }

    /// The transposed matrix times a vector.
    ///
    /// Example: where `m` is `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0])`, `m.mul_transpose_vec2(Vec2::new(1.0, 2.0))`
    /// is `Vec2::new(5.0, 11.0)`.
    pub fn mul_transpose_vec2(self, rhs: Vec2) -> Vec2 {
        self.transpose_mul_vec2(rhs)
    }

    /// The matrix without its column `i` and its row `j`. Positions beyond the last are a fault.
    ///
    /// Example: `Mat2::from_mat3_minor(Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]), 1, 0)` is
    /// `Mat2::from_cols_array(&[2.0, 3.0, 8.0, 9.0])`.
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
    ///
    /// Example: `Mat2::from_angle(90f32.to_radians())` is about `Mat2::from_cols_array(&[0.0, 1.0, -1.0, 0.0])`.
    pub fn from_angle(angle: f32) -> Mat2 {
        let (sin, cos) = (angle.sin(), angle.cos());
        Mat2::from_cols(Vec2::new(cos, sin), Vec2::new(-sin, cos))
    }

    /// The scaling, then the rotation of the plane by an angle.
    ///
    /// Example: `Mat2::from_scale_angle(Vec2::new(2.0, 3.0), 90f32.to_radians())` is about
    /// `Mat2::from_cols_array(&[0.0, 2.0, -3.0, 0.0])`.
    pub fn from_scale_angle(scale: Vec2, angle: f32) -> Mat2 {
        let (sin, cos) = (angle.sin(), angle.cos());
        Mat2::from_cols(Vec2::new(cos * scale.x, sin * scale.x), Vec2::new(-sin * scale.y, cos * scale.y))
    }
}

/// Element by element.
///
/// Example: `Mat2::from_diagonal(Vec2::new(2.0, 3.0)) + Mat2::from_diagonal(Vec2::new(1.0, 2.0))` is
/// `Mat2::from_diagonal(Vec2::new(3.0, 5.0))`.
impl Add for Mat2 {
    type Output = Mat2;
    fn add(self, rhs: Mat2) -> Mat2 {
        Mat2::from_cols(self.x_axis + rhs.x_axis, self.y_axis + rhs.y_axis)
    }
}

/// Element by element.
///
/// Example: `Mat2::from_diagonal(Vec2::new(2.0, 3.0)) - Mat2::from_diagonal(Vec2::new(1.0, 2.0))` is
/// `Mat2::from_diagonal(Vec2::new(1.0, 1.0))`.
impl Sub for Mat2 {
    type Output = Mat2;
    fn sub(self, rhs: Mat2) -> Mat2 {
        Mat2::from_cols(self.x_axis - rhs.x_axis, self.y_axis - rhs.y_axis)
    }
}

/// The product: the map of the right matrix, then that of the left one.
///
/// Example: `Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]) * Mat2::from_cols_array(&[5.0, 6.0, 7.0, 8.0])` is
/// `Mat2::from_cols_array(&[23.0, 34.0, 31.0, 46.0])`.
impl Mul for Mat2 {
    type Output = Mat2;
    fn mul(self, rhs: Mat2) -> Mat2 {
        self.mul_mat2(rhs)
    }
}

/// The vector as the matrix maps it.
///
/// Example: `Mat2::from_diagonal(Vec2::new(2.0, 3.0)) * Vec2::new(1.0, 2.0)` is `Vec2::new(2.0, 6.0)`.
impl Mul<Vec2> for Mat2 {
    type Output = Vec2;
    fn mul(self, rhs: Vec2) -> Vec2 {
        self.mul_vec2(rhs)
    }
}

/// Each element times the number.
///
/// Example: `Mat2::from_diagonal(Vec2::new(2.0, 3.0)) * 2.0` is `Mat2::from_diagonal(Vec2::new(4.0, 6.0))`.
impl Mul<f32> for Mat2 {
    type Output = Mat2;
    fn mul(self, rhs: f32) -> Mat2 {
        self.mul_scalar(rhs)
    }
}

/// Each element times the number.
///
/// Example: `2.0 * Mat2::from_diagonal(Vec2::new(2.0, 3.0))` is `Mat2::from_diagonal(Vec2::new(4.0, 6.0))`.
impl Mul<Mat2> for f32 {
    type Output = Mat2;
    fn mul(self, rhs: Mat2) -> Mat2 {
        rhs.mul_scalar(self)
    }
}

/// Each element over the number.
///
/// Example: `Mat2::from_diagonal(Vec2::new(4.0, 6.0)) / 2.0` is `Mat2::from_diagonal(Vec2::new(2.0, 3.0))`.
impl Div<f32> for Mat2 {
    type Output = Mat2;
    fn div(self, rhs: f32) -> Mat2 {
        self.div_scalar(rhs)
    }
}

/// The number over each element. Infinite where one is 0.
///
/// Example: `8.0 / Mat2::from_cols_array(&[1.0, 2.0, 4.0, 8.0])` is `Mat2::from_cols_array(&[8.0, 4.0, 2.0, 1.0])`.
impl Div<Mat2> for f32 {
    type Output = Mat2;
    fn div(self, rhs: Mat2) -> Mat2 {
        Mat2::from_cols(self / rhs.x_axis, self / rhs.y_axis)
    }
}

/// Element by element.
///
/// Example: `-Mat2::from_diagonal(Vec2::new(2.0, 3.0))` is `Mat2::from_diagonal(Vec2::new(-2.0, -3.0))`.
impl Neg for Mat2 {
    type Output = Mat2;
    fn neg(self) -> Mat2 {
        Mat2::from_cols(-self.x_axis, -self.y_axis)
    }
}
