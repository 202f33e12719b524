// Matrices of 4 columns of 4 elements.

/// The matrix of these columns.
///
/// Example:
/// `mat4(Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0), Vec4::new(9.0, 10.0, 11.0, 12.0), Vec4::new(13.0, 14.0, 15.0, 16.0)).y_axis`
/// is `Vec4::new(5.0, 6.0, 7.0, 8.0)`.
pub fn mat4(x_axis: Vec4, y_axis: Vec4, z_axis: Vec4, w_axis: Vec4) -> Mat4 {
    Mat4::from_cols(x_axis, y_axis, z_axis, w_axis)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mat4 {
    pub x_axis: Vec4,
    pub y_axis: Vec4,
    pub z_axis: Vec4,
    pub w_axis: Vec4,
}

impl Mat4 {
    /// The matrix of these columns.
    ///
    /// Example:
    /// `Mat4::from_cols(Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0), Vec4::new(9.0, 10.0, 11.0, 12.0), Vec4::new(13.0, 14.0, 15.0, 16.0)).y_axis`
    /// is `Vec4::new(5.0, 6.0, 7.0, 8.0)`.
    pub fn from_cols(x_axis: Vec4, y_axis: Vec4, z_axis: Vec4, w_axis: Vec4) -> Mat4 {
        Mat4 { x_axis, y_axis, z_axis, w_axis }
    }

    /// The matrix of these rows.
    ///
    /// Example:
    /// `Mat4::from_rows(Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0), Vec4::new(9.0, 10.0, 11.0, 12.0), Vec4::new(13.0, 14.0, 15.0, 16.0))`
    /// is
    /// `Mat4::from_cols_array(&[1.0, 5.0, 9.0, 13.0, 2.0, 6.0, 10.0, 14.0, 3.0, 7.0, 11.0, 15.0, 4.0, 8.0, 12.0, 16.0])`.
    pub fn from_rows(row0: Vec4, row1: Vec4, row2: Vec4, row3: Vec4) -> Mat4 {
        Mat4::from_cols(row0, row1, row2, row3).transpose()
    }

    /// The matrix from its elements, column by column.
    ///
    /// Example:
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`
    /// is
    /// `Mat4::from_cols(Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0), Vec4::new(9.0, 10.0, 11.0, 12.0), Vec4::new(13.0, 14.0, 15.0, 16.0))`.
    pub fn from_cols_array(m: [f32; 16]) -> Mat4 {
        Mat4::from_cols(
            Vec4::new(m[0], m[1], m[2], m[3]),
            Vec4::new(m[4], m[5], m[6], m[7]),
            Vec4::new(m[8], m[9], m[10], m[11]),
            Vec4::new(m[12], m[13], m[14], m[15]),
        )
    }

    /// The elements, column by column.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols(Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0), Vec4::new(9.0, 10.0, 11.0, 12.0), Vec4::new(13.0, 14.0, 15.0, 16.0))`,
    /// `m.to_cols_array()` is
    /// `[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]`.
    pub fn to_cols_array(self) -> [f32; 16] {
        [
            self.x_axis.x,
            self.x_axis.y,
            self.x_axis.z,
            self.x_axis.w,
            self.y_axis.x,
            self.y_axis.y,
            self.y_axis.z,
            self.y_axis.w,
            self.z_axis.x,
            self.z_axis.y,
            self.z_axis.z,
            self.z_axis.w,
            self.w_axis.x,
            self.w_axis.y,
            self.w_axis.z,
            self.w_axis.w,
        ]
    }

    /// The matrix from its columns as arrays.
    ///
    /// Example:
    /// `Mat4::from_cols_array_2d(&[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]])`
    /// is
    /// `Mat4::from_cols(Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0), Vec4::new(9.0, 10.0, 11.0, 12.0), Vec4::new(13.0, 14.0, 15.0, 16.0))`.
    pub fn from_cols_array_2d(m: [[f32; 4]; 4]) -> Mat4 {
        Mat4::from_cols(Vec4::from_array(m[0]), Vec4::from_array(m[1]), Vec4::from_array(m[2]), Vec4::from_array(m[3]))
    }

    /// The columns as arrays.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols(Vec4::new(1.0, 2.0, 3.0, 4.0), Vec4::new(5.0, 6.0, 7.0, 8.0), Vec4::new(9.0, 10.0, 11.0, 12.0), Vec4::new(13.0, 14.0, 15.0, 16.0))`,
    /// `m.to_cols_array_2d()` is
    /// `[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]`.
    pub fn to_cols_array_2d(self) -> [[f32; 4]; 4] {
        [self.x_axis.to_array(), self.y_axis.to_array(), self.z_axis.to_array(), self.w_axis.to_array()]
    }

    /// The diagonal matrix.
    ///
    /// Example: `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0)).y_axis` is `Vec4::new(0.0, 3.0, 0.0, 0.0)`.
    pub fn from_diagonal(diagonal: Vec4) -> Mat4 {
        Mat4::from_cols(
            Vec4::new(diagonal.x, 0.0, 0.0, 0.0),
            Vec4::new(0.0, diagonal.y, 0.0, 0.0),
            Vec4::new(0.0, 0.0, diagonal.z, 0.0),
            Vec4::new(0.0, 0.0, 0.0, diagonal.w),
        )
    }

    /// The map that leaves the fourth coordinate.
    ///
    /// Example: `Mat4::from_mat3(Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)))` is
    /// `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 1.0))`.
    pub fn from_mat3(m: Mat3) -> Mat4 {
        Mat4::from_mat3_translation(m, Vec3::splat(0.0))
    }

    /// A column. A position beyond the last is a fault.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.col(1)` is `Vec4::new(5.0, 6.0, 7.0, 8.0)`.
    pub fn col(self, index: usize) -> Vec4 {
        match index {
            0 => self.x_axis,
            1 => self.y_axis,
            2 => self.z_axis,
            3 => self.w_axis,
            _ => panic!("index out of bounds"),
        }
    }

    /// A row. A position beyond the last is a fault.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.row(1)` is `Vec4::new(2.0, 6.0, 10.0, 14.0)`.
    pub fn row(self, index: usize) -> Vec4 {
        match index {
            0 => Vec4::new(self.x_axis.x, self.y_axis.x, self.z_axis.x, self.w_axis.x),
            1 => Vec4::new(self.x_axis.y, self.y_axis.y, self.z_axis.y, self.w_axis.y),
            2 => Vec4::new(self.x_axis.z, self.y_axis.z, self.z_axis.z, self.w_axis.z),
            3 => Vec4::new(self.x_axis.w, self.y_axis.w, self.z_axis.w, self.w_axis.w),
            _ => panic!("index out of bounds"),
        }
    }

    /// The diagonal.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.diagonal()` is `Vec4::new(1.0, 6.0, 11.0, 16.0)`.
    pub fn diagonal(self) -> Vec4 {
        Vec4::new(self.x_axis.x, self.y_axis.y, self.z_axis.z, self.w_axis.w)
    }

    /// Rows become columns.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.transpose()` is
    /// `Mat4::from_cols_array(&[1.0, 5.0, 9.0, 13.0, 2.0, 6.0, 10.0, 14.0, 3.0, 7.0, 11.0, 15.0, 4.0, 8.0, 12.0, 16.0])`.
    pub fn transpose(self) -> Mat4 {
        Mat4::from_cols(
            Vec4::new(self.x_axis.x, self.y_axis.x, self.z_axis.x, self.w_axis.x),
            Vec4::new(self.x_axis.y, self.y_axis.y, self.z_axis.y, self.w_axis.y),
            Vec4::new(self.x_axis.z, self.y_axis.z, self.z_axis.z, self.w_axis.z),
            Vec4::new(self.x_axis.w, self.y_axis.w, self.z_axis.w, self.w_axis.w),
        )
    }

    /// The determinant. A polynomial of the elements: its derivative is right for singular matrices too.
    ///
    /// Example: `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0)).determinant()` is `120.0`.
    pub fn determinant(self) -> f32 {
        let (m00, m01, m02, m03) = (self.x_axis.x, self.x_axis.y, self.x_axis.z, self.x_axis.w);
        let (m10, m11, m12, m13) = (self.y_axis.x, self.y_axis.y, self.y_axis.z, self.y_axis.w);
        let (m20, m21, m22, m23) = (self.z_axis.x, self.z_axis.y, self.z_axis.z, self.z_axis.w);
        let (m30, m31, m32, m33) = (self.w_axis.x, self.w_axis.y, self.w_axis.z, self.w_axis.w);
        let a2323 = m22 * m33 - m23 * m32;
        let a1323 = m21 * m33 - m23 * m31;
        let a1223 = m21 * m32 - m22 * m31;
        let a0323 = m20 * m33 - m23 * m30;
        let a0223 = m20 * m32 - m22 * m30;
        let a0123 = m20 * m31 - m21 * m30;
        m00 * (m11 * a2323 - m12 * a1323 + m13 * a1223) - m01 * (m10 * a2323 - m12 * a0323 + m13 * a0223)
            + m02 * (m10 * a1323 - m11 * a0323 + m13 * a0123)
            - m03 * (m10 * a1223 - m11 * a0223 + m12 * a0123)
    }

    /// The inverse; not finite where there is none.
    ///
    /// Example: where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`, `d.inverse()` is about
    /// `Mat4::from_diagonal(Vec4::new(0.5, 0.3333333333333333, 0.25, 0.2))`.
    pub fn inverse(self) -> Mat4 {
        let (m00, m01, m02, m03) = (self.x_axis.x, self.x_axis.y, self.x_axis.z, self.x_axis.w);
        let (m10, m11, m12, m13) = (self.y_axis.x, self.y_axis.y, self.y_axis.z, self.y_axis.w);
        let (m20, m21, m22, m23) = (self.z_axis.x, self.z_axis.y, self.z_axis.z, self.z_axis.w);
        let (m30, m31, m32, m33) = (self.w_axis.x, self.w_axis.y, self.w_axis.z, self.w_axis.w);
        let c23_23 = m22 * m33 - m32 * m23;
        let c13_23 = m12 * m33 - m32 * m13;
        let c12_23 = m12 * m23 - m22 * m13;
        let c23_13 = m21 * m33 - m31 * m23;
        let c13_13 = m11 * m33 - m31 * m13;
        let c12_13 = m11 * m23 - m21 * m13;
        let c23_12 = m21 * m32 - m31 * m22;
        let c13_12 = m11 * m32 - m31 * m12;
        let c12_12 = m11 * m22 - m21 * m12;
        let c23_03 = m20 * m33 - m30 * m23;
        let c13_03 = m10 * m33 - m30 * m13;
        let c12_03 = m10 * m23 - m20 * m13;
        let c23_02 = m20 * m32 - m30 * m22;
        let c13_02 = m10 * m32 - m30 * m12;
        let c12_02 = m10 * m22 - m20 * m12;
        let c23_01 = m20 * m31 - m30 * m21;
        let c13_01 = m10 * m31 - m30 * m11;
        let c12_01 = m10 * m21 - m20 * m11;
        let fac0 = Vec4::new(c23_23, c23_23, c13_23, c12_23);
        let fac1 = Vec4::new(c23_13, c23_13, c13_13, c12_13);
        let fac2 = Vec4::new(c23_12, c23_12, c13_12, c12_12);
        let fac3 = Vec4::new(c23_03, c23_03, c13_03, c12_03);
        let fac4 = Vec4::new(c23_02, c23_02, c13_02, c12_02);
        let fac5 = Vec4::new(c23_01, c23_01, c13_01, c12_01);
        let col0 = Vec4::new(m10, m00, m00, m00);
        let col1 = Vec4::new(m11, m01, m01, m01);
        let col2 = Vec4::new(m12, m02, m02, m02);
        let col3 = Vec4::new(m13, m03, m03, m03);
        let inv0 = col1 * fac0 - col2 * fac1 + col3 * fac2;
        let inv1 = col0 * fac0 - col2 * fac3 + col3 * fac4;
        let inv2 = col0 * fac1 - col1 * fac3 + col3 * fac5;
        let inv3 = col0 * fac2 - col1 * fac4 + col2 * fac5;
        let sign_a = Vec4::new(1.0, -1.0, 1.0, -1.0);
        let sign_b = Vec4::new(-1.0, 1.0, -1.0, 1.0);
        let adjugate = Mat4::from_cols(inv0 * sign_a, inv1 * sign_b, inv2 * sign_a, inv3 * sign_b);
        let first_row = Vec4::new(adjugate.x_axis.x, adjugate.y_axis.x, adjugate.z_axis.x, adjugate.w_axis.x);
        let terms = self.x_axis * first_row;
        adjugate * (1.0 / (terms.x + terms.y + terms.z + terms.w))
    }

    /// The inverse, where there is one. There is none where the determinant is exactly 0; a matrix that is nearly
    /// singular has a large one.
    ///
    /// Example: `Mat4::from_diagonal(Vec4::new(0.0, 0.0, 0.0, 0.0)).try_inverse().is_none()` holds.
    pub fn try_inverse(self) -> Option<Mat4> {
        let m = self.inverse();
        if m.is_finite() { Some(m) } else { None }
    }

    /// The inverse, else zero. At a singular matrix the derivative is 0.
    ///
    /// Example: `Mat4::from_diagonal(Vec4::new(0.0, 0.0, 0.0, 0.0)).inverse_or_zero()` is
    /// `Mat4::from_diagonal(Vec4::new(0.0, 0.0, 0.0, 0.0))`.
    ///
    /// Example: where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`, `d.inverse_or_zero()` is about
    /// `Mat4::from_diagonal(Vec4::new(0.5, 0.3333333333333333, 0.25, 0.2))`.
    pub fn inverse_or_zero(self) -> Mat4 {
        let m = self.inverse();
        if m.is_finite() {
            m
        } else {
            Mat4::from_cols(Vec4::splat(0.0), Vec4::splat(0.0), Vec4::splat(0.0), Vec4::splat(0.0))
        }
    }

    /// The product with a vector. `self * rhs` does the same.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.mul_vec4(Vec4::new(1.0, 2.0, 3.0, 4.0))` is `Vec4::new(90.0, 100.0, 110.0, 120.0)`.
    pub fn mul_vec4(self, rhs: Vec4) -> Vec4 {
        self.x_axis * rhs.x + self.y_axis * rhs.y + self.z_axis * rhs.z + self.w_axis * rhs.w
    }

    /// The product of the transpose with a vector.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.transpose_mul_vec4(Vec4::new(1.0, 2.0, 3.0, 4.0))` is `Vec4::new(30.0, 70.0, 110.0, 150.0)`.
    pub fn transpose_mul_vec4(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x_axis.dot(rhs), self.y_axis.dot(rhs), self.z_axis.dot(rhs), self.w_axis.dot(rhs))
    }

    /// The product. The map `rhs`, then this one; `self * rhs` does the same.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`, `m.mul_mat4(&d)` is
    /// `Mat4::from_cols_array(&[2.0, 4.0, 6.0, 8.0, 15.0, 18.0, 21.0, 24.0, 36.0, 40.0, 44.0, 48.0, 65.0, 70.0, 75.0, 80.0])`.
    pub fn mul_mat4(self, rhs: Mat4) -> Mat4 {
        Mat4::from_cols(
            self.mul_vec4(rhs.x_axis),
            self.mul_vec4(rhs.y_axis),
            self.mul_vec4(rhs.z_axis),
            self.mul_vec4(rhs.w_axis),
        )
    }

    /// The sum.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`, `m.add_mat4(&d)` is
    /// `Mat4::from_cols_array(&[3.0, 2.0, 3.0, 4.0, 5.0, 9.0, 7.0, 8.0, 9.0, 10.0, 15.0, 12.0, 13.0, 14.0, 15.0, 21.0])`.
    pub fn add_mat4(self, rhs: Mat4) -> Mat4 {
        self + rhs
    }

    /// The difference.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`, `m.sub_mat4(&d)` is
    /// `Mat4::from_cols_array(&[-1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 7.0, 8.0, 9.0, 10.0, 7.0, 12.0, 13.0, 14.0, 15.0, 11.0])`.
    pub fn sub_mat4(self, rhs: Mat4) -> Mat4 {
        self - rhs
    }

    /// Each element times a number.
    ///
    /// Example: where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`, `d.mul_scalar(2.0)` is
    /// `Mat4::from_diagonal(Vec4::new(4.0, 6.0, 8.0, 10.0))`.
    pub fn mul_scalar(self, rhs: f32) -> Mat4 {
        Mat4::from_cols(self.x_axis * rhs, self.y_axis * rhs, self.z_axis * rhs, self.w_axis * rhs)
    }

    /// Each element over a number.
    ///
    /// Example: where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`, `d.div_scalar(2.0)` is
    /// `Mat4::from_diagonal(Vec4::new(1.0, 1.5, 2.0, 2.5))`.
    pub fn div_scalar(self, rhs: f32) -> Mat4 {
        Mat4::from_cols(self.x_axis / rhs, self.y_axis / rhs, self.z_axis / rhs, self.w_axis / rhs)
    }

    /// Each column times a component. The scaling of the axes, then this map.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.mul_diagonal_scale(Vec4::new(2.0, 3.0, 4.0, 5.0))` is
    /// `Mat4::from_cols_array(&[2.0, 4.0, 6.0, 8.0, 15.0, 18.0, 21.0, 24.0, 36.0, 40.0, 44.0, 48.0, 65.0, 70.0, 75.0, 80.0])`.
    pub fn mul_diagonal_scale(self, scale: Vec4) -> Mat4 {
        Mat4::from_cols(self.x_axis * scale.x, self.y_axis * scale.y, self.z_axis * scale.z, self.w_axis * scale.w)
    }

    /// One over each element. Infinite for 0. It is not the inverse.
    ///
    /// Example:
    /// `Mat4::from_cols_array(&[1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0]).recip()`
    /// is
    /// `Mat4::from_cols_array(&[1.0, 0.5, 0.25, 0.125, 1.0, 0.5, 0.25, 0.125, 1.0, 0.5, 0.25, 0.125, 1.0, 0.5, 0.25, 0.125])`.
    pub fn recip(self) -> Mat4 {
        Mat4::from_cols(self.x_axis.recip(), self.y_axis.recip(), self.z_axis.recip(), self.w_axis.recip())
    }

    /// The magnitudes. The derivative at 0 is 0.
    ///
    /// Example: where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`,
    /// `Mat4::from_diagonal(Vec4::new(-2.0, -3.0, -4.0, -5.0)).abs()` is `d`.
    pub fn abs(self) -> Mat4 {
        Mat4::from_cols(self.x_axis.abs(), self.y_axis.abs(), self.z_axis.abs(), self.w_axis.abs())
    }

    /// Whether no element differs by more than `max_abs_diff`. False where an element is NaN.
    ///
    /// Example: where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`,
    /// `d.abs_diff_eq(Mat4::from_diagonal(Vec4::new(2.25, 3.25, 4.25, 5.25)), 0.5)` holds.
    pub fn abs_diff_eq(self, rhs: Mat4, max_abs_diff: f32) -> bool {
        self.x_axis.abs_diff_eq(rhs.x_axis, max_abs_diff)
            && self.y_axis.abs_diff_eq(rhs.y_axis, max_abs_diff)
            && self.z_axis.abs_diff_eq(rhs.z_axis, max_abs_diff)
            && self.w_axis.abs_diff_eq(rhs.w_axis, max_abs_diff)
    }

    /// Whether all elements are finite.
    ///
    /// Example: where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`,
    /// `d.is_finite() && !Mat4::from_diagonal(Vec4::new(f32::INFINITY, 1.0, 1.0, 1.0)).is_finite()` holds.
    pub fn is_finite(self) -> bool {
        self.x_axis.is_finite() && self.y_axis.is_finite() && self.z_axis.is_finite() && self.w_axis.is_finite()
    }

    /// Whether an element is NaN.
    ///
    /// Example: where `d` is `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`,
    /// `!d.is_nan() && Mat4::from_diagonal(Vec4::new(f32::NAN, f32::NAN, f32::NAN, f32::NAN)).is_nan()` holds.
    pub fn is_nan(self) -> bool {
        self.x_axis.is_nan() || self.y_axis.is_nan() || self.z_axis.is_nan() || self.w_axis.is_nan()
    }

    /// The matrix from its elements, row by row.
    ///
    /// Example:
    /// `Mat4::from_rows_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`
    /// is
    /// `Mat4::from_cols_array(&[1.0, 5.0, 9.0, 13.0, 2.0, 6.0, 10.0, 14.0, 3.0, 7.0, 11.0, 15.0, 4.0, 8.0, 12.0, 16.0])`.
    pub fn from_rows_array(m: [f32; 16]) -> Mat4 {
        Mat4::from_cols_array(m).transpose()
    }

    /// The elements, row by row.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.to_rows_array()` is
    /// `[1.0, 5.0, 9.0, 13.0, 2.0, 6.0, 10.0, 14.0, 3.0, 7.0, 11.0, 15.0, 4.0, 8.0, 12.0, 16.0]`.
    pub fn to_rows_array(self) -> [f32; 16] {
        self.transpose().to_cols_array()
    }

    /// The transposed matrix times a vector.
    ///
    /// Example: where `m` is
    /// `Mat4::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0])`,
    /// `m.mul_transpose_vec4(Vec4::new(1.0, 2.0, 3.0, 4.0))` is `Vec4::new(30.0, 70.0, 110.0, 150.0)`.
    pub fn mul_transpose_vec4(self, rhs: Vec4) -> Vec4 {
        self.transpose_mul_vec4(rhs)
    }
}

/// Element by element.
///
/// Example: `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0)) + Mat4::from_diagonal(Vec4::new(1.0, 2.0, 3.0, 4.0))`
/// is `Mat4::from_diagonal(Vec4::new(3.0, 5.0, 7.0, 9.0))`.
impl Add for Mat4 {
    type Output = Mat4;
    fn add(self, rhs: Mat4) -> Mat4 {
        Mat4::from_cols(
            self.x_axis + rhs.x_axis,
            self.y_axis + rhs.y_axis,
            self.z_axis + rhs.z_axis,
            self.w_axis + rhs.w_axis,
        )
    }
}

/// Element by element.
///
/// Example: `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0)) - Mat4::from_diagonal(Vec4::new(1.0, 2.0, 3.0, 4.0))`
/// is `Mat4::from_diagonal(Vec4::new(1.0, 1.0, 1.0, 1.0))`.
impl Sub for Mat4 {
    type Output = Mat4;
    fn sub(self, rhs: Mat4) -> Mat4 {
        Mat4::from_cols(
            self.x_axis - rhs.x_axis,
            self.y_axis - rhs.y_axis,
            self.z_axis - rhs.z_axis,
            self.w_axis - rhs.w_axis,
        )
    }
}

/// The product: the map of the right matrix, then that of the left one.
///
/// Example: `Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0)) * Mat4::from_translation(Vec3::new(4.0, 5.0, 6.0))` is
/// `Mat4::from_translation(Vec3::new(5.0, 7.0, 9.0))`.
impl Mul for Mat4 {
    type Output = Mat4;
    fn mul(self, rhs: Mat4) -> Mat4 {
        self.mul_mat4(rhs)
    }
}

/// The vector as the matrix maps it.
///
/// Example: `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0)) * Vec4::new(1.0, 2.0, 3.0, 4.0)` is
/// `Vec4::new(2.0, 6.0, 12.0, 20.0)`.
impl Mul<Vec4> for Mat4 {
    type Output = Vec4;
    fn mul(self, rhs: Vec4) -> Vec4 {
        self.mul_vec4(rhs)
    }
}

/// Each element times the number.
///
/// Example: `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0)) * 2.0` is
/// `Mat4::from_diagonal(Vec4::new(4.0, 6.0, 8.0, 10.0))`.
impl Mul<f32> for Mat4 {
    type Output = Mat4;
    fn mul(self, rhs: f32) -> Mat4 {
        self.mul_scalar(rhs)
    }
}

/// Each element times the number.
///
/// Example: `2.0 * Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))` is
/// `Mat4::from_diagonal(Vec4::new(4.0, 6.0, 8.0, 10.0))`.
impl Mul<Mat4> for f32 {
    type Output = Mat4;
    fn mul(self, rhs: Mat4) -> Mat4 {
        rhs.mul_scalar(self)
    }
}

/// Each element over the number.
///
/// Example: `Mat4::from_diagonal(Vec4::new(4.0, 6.0, 8.0, 10.0)) / 2.0` is
/// `Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))`.
impl Div<f32> for Mat4 {
    type Output = Mat4;
    fn div(self, rhs: f32) -> Mat4 {
        self.div_scalar(rhs)
    }
}

/// The number over each element. Infinite where one is 0.
///
/// Example:
/// `8.0 / Mat4::from_cols_array(&[1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, 8.0])` is
/// `Mat4::from_cols_array(&[8.0, 4.0, 2.0, 1.0, 8.0, 4.0, 2.0, 1.0, 8.0, 4.0, 2.0, 1.0, 8.0, 4.0, 2.0, 1.0])`.
impl Div<Mat4> for f32 {
    type Output = Mat4;
    fn div(self, rhs: Mat4) -> Mat4 {
        Mat4::from_cols(self / rhs.x_axis, self / rhs.y_axis, self / rhs.z_axis, self / rhs.w_axis)
    }
}

/// Element by element.
///
/// Example: `-Mat4::from_diagonal(Vec4::new(2.0, 3.0, 4.0, 5.0))` is
/// `Mat4::from_diagonal(Vec4::new(-2.0, -3.0, -4.0, -5.0))`.
impl Neg for Mat4 {
    type Output = Mat4;
    fn neg(self) -> Mat4 {
        Mat4::from_cols(-self.x_axis, -self.y_axis, -self.z_axis, -self.w_axis)
    }
}
