// Matrices of 3 columns of 3 elements.

/// The matrix of these columns.
///
/// Example: `mat3(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0)).y_axis` is
/// `Vec3::new(4.0, 5.0, 6.0)`.
pub fn mat3(x_axis: Vec3, y_axis: Vec3, z_axis: Vec3) -> Mat3 {
    Mat3::from_cols(x_axis, y_axis, z_axis)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mat3 {
    pub x_axis: Vec3,
    pub y_axis: Vec3,
    pub z_axis: Vec3,
}

impl Mat3 {
    /// The matrix of these columns.
    ///
    /// Example: `Mat3::from_cols(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0)).y_axis`
    /// is `Vec3::new(4.0, 5.0, 6.0)`.
    pub fn from_cols(x_axis: Vec3, y_axis: Vec3, z_axis: Vec3) -> Mat3 {
        Mat3 { x_axis, y_axis, z_axis }
    }

    /// The matrix of these rows.
    ///
    /// Example: `Mat3::from_rows(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0))` is
    /// `Mat3::from_cols_array(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0])`.
    pub fn from_rows(row0: Vec3, row1: Vec3, row2: Vec3) -> Mat3 {
        Mat3::from_cols(row0, row1, row2).transpose()
    }

    /// The matrix from its elements, column by column.
    ///
    /// Example: `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])` is
    /// `Mat3::from_cols(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0))`.
    pub fn from_cols_array(m: [f32; 9]) -> Mat3 {
        Mat3::from_cols(Vec3::new(m[0], m[1], m[2]), Vec3::new(m[3], m[4], m[5]), Vec3::new(m[6], m[7], m[8]))
    }

    /// The elements, column by column.
    ///
    /// Example: where `m` is
    /// `Mat3::from_cols(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0))`,
    /// `m.to_cols_array()` is `[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]`.
    pub fn to_cols_array(self) -> [f32; 9] {
        [
            self.x_axis.x,
            self.x_axis.y,
            self.x_axis.z,
            self.y_axis.x,
            self.y_axis.y,
            self.y_axis.z,
            self.z_axis.x,
            self.z_axis.y,
            self.z_axis.z,
        ]
    }

    /// The matrix from its columns as arrays.
    ///
    /// Example: `Mat3::from_cols_array_2d(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])` is
    /// `Mat3::from_cols(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0))`.
    pub fn from_cols_array_2d(m: [[f32; 3]; 3]) -> Mat3 {
        Mat3::from_cols(Vec3::from_array(m[0]), Vec3::from_array(m[1]), Vec3::from_array(m[2]))
    }

    /// The columns as arrays.
    ///
    /// Example: where `m` is
    /// `Mat3::from_cols(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0))`,
    /// `m.to_cols_array_2d()` is `[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]`.
    pub fn to_cols_array_2d(self) -> [[f32; 3]; 3] {
        [self.x_axis.to_array(), self.y_axis.to_array(), self.z_axis.to_array()]
    }

    /// The diagonal matrix.
    ///
    /// Example: `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)).y_axis` is `Vec3::new(0.0, 3.0, 0.0)`.
    pub fn from_diagonal(diagonal: Vec3) -> Mat3 {
        Mat3::from_cols(
            Vec3::new(diagonal.x, 0.0, 0.0),
            Vec3::new(0.0, diagonal.y, 0.0),
            Vec3::new(0.0, 0.0, diagonal.z),
        )
    }

    /// The upper left part.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`,
    /// `Mat3::from_mat4(Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0)))` is `d`.
    pub fn from_mat4(m: Mat4) -> Mat3 {
        Mat3::from_cols(m.x_axis.truncate(), m.y_axis.truncate(), m.z_axis.truncate())
    }

    /// The matrix that leaves the third coordinate.
    ///
    /// Example: `Mat3::from_mat2(Mat2::from_diagonal(Vec2::new(2.0, 3.0)))` is
    /// `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 1.0))`.
    pub fn from_mat2(m: Mat2) -> Mat3 {
        Mat3::from_cols(m.x_axis.extend(0.0), m.y_axis.extend(0.0), Vec3::new(0.0, 0.0, 1.0))
    }

    /// A column. A position beyond the last is a fault.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`, `m.col(1)` is
    /// `Vec3::new(4.0, 5.0, 6.0)`.
    pub fn col(self, index: usize) -> Vec3 {
        match index {
            0 => self.x_axis,
            1 => self.y_axis,
            2 => self.z_axis,
            _ => panic!("index out of bounds"),
        }
    }

    /// A row. A position beyond the last is a fault.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`, `m.row(1)` is
    /// `Vec3::new(2.0, 5.0, 8.0)`.
    pub fn row(self, index: usize) -> Vec3 {
        match index {
            0 => Vec3::new(self.x_axis.x, self.y_axis.x, self.z_axis.x),
            1 => Vec3::new(self.x_axis.y, self.y_axis.y, self.z_axis.y),
            2 => Vec3::new(self.x_axis.z, self.y_axis.z, self.z_axis.z),
            _ => panic!("index out of bounds"),
        }
    }

    /// The diagonal.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`, `m.diagonal()` is
    /// `Vec3::new(1.0, 5.0, 9.0)`.
    pub fn diagonal(self) -> Vec3 {
        Vec3::new(self.x_axis.x, self.y_axis.y, self.z_axis.z)
    }

    /// Rows become columns.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`, `m.transpose()` is
    /// `Mat3::from_cols_array(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0])`.
    pub fn transpose(self) -> Mat3 {
        Mat3::from_cols(
            Vec3::new(self.x_axis.x, self.y_axis.x, self.z_axis.x),
            Vec3::new(self.x_axis.y, self.y_axis.y, self.z_axis.y),
            Vec3::new(self.x_axis.z, self.y_axis.z, self.z_axis.z),
        )
    }

    /// The determinant. A polynomial of the elements: its derivative is right for singular matrices too.
    ///
    /// Example: `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)).determinant()` is `24.0`.
    pub fn determinant(self) -> f32 {
        self.x_axis.dot(self.y_axis.cross(self.z_axis))
    }

    /// The inverse; not finite where there is none.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`, `d.inverse()` is about
    /// `Mat3::from_diagonal(Vec3::new(0.5, 0.3333333333333333, 0.25))`.
    pub fn inverse(self) -> Mat3 {
        let tmp0 = self.y_axis.cross(self.z_axis);
        let tmp1 = self.z_axis.cross(self.x_axis);
        let tmp2 = self.x_axis.cross(self.y_axis);
        let inv_det = 1.0 / self.x_axis.dot(tmp0);
        Mat3::from_cols(tmp0 * inv_det, tmp1 * inv_det, tmp2 * inv_det).transpose()
    }

    /// The inverse, where there is one. There is none where the determinant is exactly 0; a matrix that is nearly
    /// singular has a large one.
    ///
    /// Example: `Mat3::from_diagonal(Vec3::new(0.0, 0.0, 0.0)).try_inverse().is_none()` holds.
    pub fn try_inverse(self) -> Option<Mat3> {
        let m = self.inverse();
        if m.is_finite() { Some(m) } else { None }
    }

    /// The inverse, else zero. At a singular matrix the derivative is 0.
    ///
    /// Example: `Mat3::from_diagonal(Vec3::new(0.0, 0.0, 0.0)).inverse_or_zero()` is
    /// `Mat3::from_diagonal(Vec3::new(0.0, 0.0, 0.0))`.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`, `d.inverse_or_zero()` is about
    /// `Mat3::from_diagonal(Vec3::new(0.5, 0.3333333333333333, 0.25))`.
    pub fn inverse_or_zero(self) -> Mat3 {
        let m = self.inverse();
        if m.is_finite() { m } else { Mat3::from_cols(Vec3::splat(0.0), Vec3::splat(0.0), Vec3::splat(0.0)) }
    }

    /// The product with a vector. `self * rhs` does the same.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`,
    /// `m.mul_vec3(Vec3::new(1.0, 2.0, 3.0))` is `Vec3::new(30.0, 36.0, 42.0)`.
    pub fn mul_vec3(self, rhs: Vec3) -> Vec3 {
        self.x_axis * rhs.x + self.y_axis * rhs.y + self.z_axis * rhs.z
    }

    /// The product of the transpose with a vector.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`,
    /// `m.transpose_mul_vec3(Vec3::new(1.0, 2.0, 3.0))` is `Vec3::new(14.0, 32.0, 50.0)`.
    pub fn transpose_mul_vec3(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x_axis.dot(rhs), self.y_axis.dot(rhs), self.z_axis.dot(rhs))
    }

    /// The product. The map `rhs`, then this one; `self * rhs` does the same.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`, where `d` is
    /// `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`, `m.mul_mat3(&d)` is
    /// `Mat3::from_cols_array(&[2.0, 4.0, 6.0, 12.0, 15.0, 18.0, 28.0, 32.0, 36.0])`.
    pub fn mul_mat3(self, rhs: Mat3) -> Mat3 {
        Mat3::from_cols(self.mul_vec3(rhs.x_axis), self.mul_vec3(rhs.y_axis), self.mul_vec3(rhs.z_axis))
    }

    /// The sum.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`, where `d` is
    /// `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`, `m.add_mat3(&d)` is
    /// `Mat3::from_cols_array(&[3.0, 2.0, 3.0, 4.0, 8.0, 6.0, 7.0, 8.0, 13.0])`.
    pub fn add_mat3(self, rhs: Mat3) -> Mat3 {
        self + rhs
    }

    /// The difference.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`, where `d` is
    /// `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`, `m.sub_mat3(&d)` is
    /// `Mat3::from_cols_array(&[-1.0, 2.0, 3.0, 4.0, 2.0, 6.0, 7.0, 8.0, 5.0])`.
    pub fn sub_mat3(self, rhs: Mat3) -> Mat3 {
        self - rhs
    }

    /// Each element times a number.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`, `d.mul_scalar(2.0)` is
    /// `Mat3::from_diagonal(Vec3::new(4.0, 6.0, 8.0))`.
    pub fn mul_scalar(self, rhs: f32) -> Mat3 {
        Mat3::from_cols(self.x_axis * rhs, self.y_axis * rhs, self.z_axis * rhs)
    }

    /// Each element over a number.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`, `d.div_scalar(2.0)` is
    /// `Mat3::from_diagonal(Vec3::new(1.0, 1.5, 2.0))`.
    pub fn div_scalar(self, rhs: f32) -> Mat3 {
        Mat3::from_cols(self.x_axis / rhs, self.y_axis / rhs, self.z_axis / rhs)
    }

    /// Each column times a component. The scaling of the axes, then this map.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`,
    /// `m.mul_diagonal_scale(Vec3::new(2.0, 3.0, 4.0))` is
    /// `Mat3::from_cols_array(&[2.0, 4.0, 6.0, 12.0, 15.0, 18.0, 28.0, 32.0, 36.0])`.
    pub fn mul_diagonal_scale(self, scale: Vec3) -> Mat3 {
        Mat3::from_cols(self.x_axis * scale.x, self.y_axis * scale.y, self.z_axis * scale.z)
    }

    /// One over each element. Infinite for 0. It is not the inverse.
    ///
    /// Example: `Mat3::from_cols_array(&[1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0, 1.0]).recip()` is
    /// `Mat3::from_cols_array(&[1.0, 0.5, 0.25, 0.125, 1.0, 0.5, 0.25, 0.125, 1.0])`.
    pub fn recip(self) -> Mat3 {
        Mat3::from_cols(self.x_axis.recip(), self.y_axis.recip(), self.z_axis.recip())
    }

    /// The magnitudes. The derivative at 0 is 0.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`,
    /// `Mat3::from_diagonal(Vec3::new(-2.0, -3.0, -4.0)).abs()` is `d`.
    pub fn abs(self) -> Mat3 {
        Mat3::from_cols(self.x_axis.abs(), self.y_axis.abs(), self.z_axis.abs())
    }

    /// Whether no element differs by more than `max_abs_diff`. False where an element is NaN.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`,
    /// `d.abs_diff_eq(Mat3::from_diagonal(Vec3::new(2.25, 3.25, 4.25)), 0.5)` holds.
    pub fn abs_diff_eq(self, rhs: Mat3, max_abs_diff: f32) -> bool {
        self.x_axis.abs_diff_eq(rhs.x_axis, max_abs_diff)
            && self.y_axis.abs_diff_eq(rhs.y_axis, max_abs_diff)
            && self.z_axis.abs_diff_eq(rhs.z_axis, max_abs_diff)
    }

    /// Whether all elements are finite.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`,
    /// `d.is_finite() && !Mat3::from_diagonal(Vec3::new(f32::INFINITY, 1.0, 1.0)).is_finite()` holds.
    pub fn is_finite(self) -> bool {
        self.x_axis.is_finite() && self.y_axis.is_finite() && self.z_axis.is_finite()
    }

    /// Whether an element is NaN.
    ///
    /// Example: where `d` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`,
    /// `!d.is_nan() && Mat3::from_diagonal(Vec3::new(f32::NAN, f32::NAN, f32::NAN)).is_nan()` holds.
    pub fn is_nan(self) -> bool {
        self.x_axis.is_nan() || self.y_axis.is_nan() || self.z_axis.is_nan()
    }

    /// The matrix from its elements, row by row.
    ///
    /// Example: `Mat3::from_rows_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])` is
    /// `Mat3::from_cols_array(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0])`.
    pub fn from_rows_array(m: [f32; 9]) -> Mat3 {
        Mat3::from_cols_array(m).transpose()
    }

    /// The elements, row by row.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`,
    /// `m.to_rows_array()` is `[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0]`.
    pub fn to_rows_array(self) -> [f32; 9] {
        self.transpose().to_cols_array()
    }

    /// The transposed matrix times a vector.
    ///
    /// Example: where `m` is `Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])`,
    /// `m.mul_transpose_vec3(Vec3::new(1.0, 2.0, 3.0))` is `Vec3::new(14.0, 32.0, 50.0)`.
    pub fn mul_transpose_vec3(self, rhs: Vec3) -> Vec3 {
        self.transpose_mul_vec3(rhs)
    }

    /// The matrix without its column `i` and its row `j`. Positions beyond the last are a fault.
    ///
    /// Example: `Mat3::from_mat4_minor(Mat4::from_diagonal(Vec4::new(1.0, 2.0, 3.0, 4.0)), 1, 1)` is
    /// `Mat3::from_diagonal(Vec3::new(1.0, 3.0, 4.0))`.
    pub fn from_mat4_minor(m: Mat4, i: usize, j: usize) -> Mat3 {
        assert!(i < 4 && j < 4, "index out of bounds");
        let a = m.to_cols_array_2d();
        let mut minor = [[0.0; 3]; 3];
        for c in 0..3 {
            for r in 0..3 {
                minor[c][r] = a[if c < i { c } else { c + 1 }][if r < j { r } else { r + 1 }];
            }
        }
        Mat3::from_cols_array_2d(minor)
    }
}

/// Element by element.
///
/// Example: `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)) + Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0))` is
/// `Mat3::from_diagonal(Vec3::new(3.0, 5.0, 7.0))`.
impl Add for Mat3 {
    type Output = Mat3;
    fn add(self, rhs: Mat3) -> Mat3 {
        Mat3::from_cols(self.x_axis + rhs.x_axis, self.y_axis + rhs.y_axis, self.z_axis + rhs.z_axis)
    }
}

/// Element by element.
///
/// Example: `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)) - Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0))` is
/// `Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0))`.
impl Sub for Mat3 {
    type Output = Mat3;
    fn sub(self, rhs: Mat3) -> Mat3 {
        Mat3::from_cols(self.x_axis - rhs.x_axis, self.y_axis - rhs.y_axis, self.z_axis - rhs.z_axis)
    }
}

/// The product: the map of the right matrix, then that of the left one.
///
/// Example: `Mat3::from_translation(Vec2::new(1.0, 2.0)) * Mat3::from_translation(Vec2::new(4.0, 5.0))` is
/// `Mat3::from_translation(Vec2::new(5.0, 7.0))`.
impl Mul for Mat3 {
    type Output = Mat3;
    fn mul(self, rhs: Mat3) -> Mat3 {
        self.mul_mat3(rhs)
    }
}

/// The vector as the matrix maps it.
///
/// Example: `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)) * Vec3::new(1.0, 2.0, 3.0)` is `Vec3::new(2.0, 6.0, 12.0)`.
impl Mul<Vec3> for Mat3 {
    type Output = Vec3;
    fn mul(self, rhs: Vec3) -> Vec3 {
        self.mul_vec3(rhs)
    }
}

/// Each element times the number.
///
/// Example: `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)) * 2.0` is `Mat3::from_diagonal(Vec3::new(4.0, 6.0, 8.0))`.
impl Mul<f32> for Mat3 {
    type Output = Mat3;
    fn mul(self, rhs: f32) -> Mat3 {
        self.mul_scalar(rhs)
    }
}

/// Each element times the number.
///
/// Example: `2.0 * Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))` is `Mat3::from_diagonal(Vec3::new(4.0, 6.0, 8.0))`.
impl Mul<Mat3> for f32 {
    type Output = Mat3;
    fn mul(self, rhs: Mat3) -> Mat3 {
        rhs.mul_scalar(self)
    }
}

/// Each element over the number.
///
/// Example: `Mat3::from_diagonal(Vec3::new(4.0, 6.0, 8.0)) / 2.0` is `Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))`.
impl Div<f32> for Mat3 {
    type Output = Mat3;
    fn div(self, rhs: f32) -> Mat3 {
        self.div_scalar(rhs)
    }
}

/// The number over each element. Infinite where one is 0.
///
/// Example: `8.0 / Mat3::from_cols_array(&[1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0, 1.0])` is
/// `Mat3::from_cols_array(&[8.0, 4.0, 2.0, 1.0, 8.0, 4.0, 2.0, 1.0, 8.0])`.
impl Div<Mat3> for f32 {
    type Output = Mat3;
    fn div(self, rhs: Mat3) -> Mat3 {
        Mat3::from_cols(self / rhs.x_axis, self / rhs.y_axis, self / rhs.z_axis)
    }
}

/// Element by element.
///
/// Example: `-Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0))` is `Mat3::from_diagonal(Vec3::new(-2.0, -3.0, -4.0))`.
impl Neg for Mat3 {
    type Output = Mat3;
    fn neg(self) -> Mat3 {
        Mat3::from_cols(-self.x_axis, -self.y_axis, -self.z_axis)
    }
}
