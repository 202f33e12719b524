// Matrices of 4 columns as maps of space in homogeneous coordinates.

impl Mat4 {
    /// A linear map, then a shift.
    ///
    /// Example:
    /// `Mat4::from_mat3_translation(Mat3::from_diagonal(Vec3::new(2.0, 2.0, 2.0)), Vec3::new(5.0, 6.0, 7.0)).transform_point3(Vec3::new(1.0, 2.0, 3.0))`
    /// is `Vec3::new(7.0, 10.0, 13.0)`.
    pub fn from_mat3_translation(linear: Mat3, translation: Vec3) -> Mat4 {
        Mat4::from_cols(
            linear.x_axis.extend(0.0),
            linear.y_axis.extend(0.0),
            linear.z_axis.extend(0.0),
            translation.extend(1.0),
        )
    }

    /// The rotation of a quaternion of length 1.
    ///
    /// Example:
    /// `Mat4::from_quat(Quat::from_rotation_z(90f32.to_radians())).transform_vector3(Vec3::new(1.0, 2.0, 3.0))` is
    /// about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_quat(rotation: Quat) -> Mat4 {
        Mat4::from_mat3(Mat3::from_quat(rotation))
    }

    /// A rotation, then a shift.
    ///
    /// Example:
    /// `Mat4::from_rotation_translation(Quat::from_rotation_z(90f32.to_radians()), Vec3::new(5.0, 6.0, 7.0)).transform_point3(Vec3::new(1.0, 2.0, 3.0))`
    /// is about `Vec3::new(3.0, 7.0, 10.0)`.
    pub fn from_rotation_translation(rotation: Quat, translation: Vec3) -> Mat4 {
        Mat4::from_mat3_translation(Mat3::from_quat(rotation), translation)
    }

    /// A scaling, then a rotation, then a shift.
    ///
    /// Example:
    /// `Mat4::from_scale_rotation_translation(Vec3::new(2.0, 2.0, 2.0), Quat::from_rotation_z(90f32.to_radians()), Vec3::new(5.0, 6.0, 7.0)).transform_point3(Vec3::new(1.0, 2.0, 3.0))`
    /// is about `Vec3::new(1.0, 8.0, 13.0)`.
    pub fn from_scale_rotation_translation(scale: Vec3, rotation: Quat, translation: Vec3) -> Mat4 {
        let axes = Mat4::from_quat(rotation);
        Mat4::from_cols(axes.x_axis * scale.x, axes.y_axis * scale.y, axes.z_axis * scale.z, translation.extend(1.0))
    }

    /// The shift.
    ///
    /// Example: `Mat4::from_translation(Vec3::new(5.0, 6.0, 7.0)).transform_point3(Vec3::new(1.0, 2.0, 3.0))` is
    /// `Vec3::new(6.0, 8.0, 10.0)`.
    pub fn from_translation(translation: Vec3) -> Mat4 {
        Mat4::from_cols(
            Vec4::new(1.0, 0.0, 0.0, 0.0),
            Vec4::new(0.0, 1.0, 0.0, 0.0),
            Vec4::new(0.0, 0.0, 1.0, 0.0),
            translation.extend(1.0),
        )
    }

    /// The scaling.
    ///
    /// Example: `Mat4::from_scale(Vec3::new(5.0, 6.0, 7.0)).transform_point3(Vec3::new(1.0, 2.0, 3.0))` is
    /// `Vec3::new(5.0, 12.0, 21.0)`.
    pub fn from_scale(scale: Vec3) -> Mat4 {
        Mat4::from_diagonal(scale.extend(1.0))
    }

    /// A point; the last row is taken to be that of an affine map.
    ///
    /// Example: `Mat4::from_translation(Vec3::new(5.0, 6.0, 7.0)).transform_point3(Vec3::new(1.0, 2.0, 3.0))` is
    /// `Vec3::new(6.0, 8.0, 10.0)`.
    pub fn transform_point3(self, rhs: Vec3) -> Vec3 {
        let sum = self.w_axis + (self.z_axis * rhs.z + (self.y_axis * rhs.y + self.x_axis * rhs.x));
        sum.truncate()
    }

    /// A direction; the last row is taken to be that of an affine map.
    ///
    /// Example: `Mat4::from_translation(Vec3::new(5.0, 6.0, 7.0)).transform_vector3(Vec3::new(1.0, 2.0, 3.0))` is
    /// `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn transform_vector3(self, rhs: Vec3) -> Vec3 {
        let sum = self.z_axis * rhs.z + (self.y_axis * rhs.y + self.x_axis * rhs.x);
        sum.truncate()
    }

    /// A point, divided by its last homogeneous coordinate. Not finite where that is 0.
    ///
    /// Example: `Mat4::from_diagonal(Vec4::new(2.0, 4.0, 6.0, 2.0)).project_point3(Vec3::new(1.0, 2.0, 3.0))` is
    /// `Vec3::new(1.0, 4.0, 9.0)`.
    pub fn project_point3(self, rhs: Vec3) -> Vec3 {
        let sum = self.w_axis + (self.z_axis * rhs.z + (self.y_axis * rhs.y + self.x_axis * rhs.x));
        (sum / sum.w).truncate()
    }

    /// The rotation by an angle about an axis of length 1.
    ///
    /// Example:
    /// `Mat4::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), 90f32.to_radians()).transform_vector3(Vec3::new(1.0, 2.0, 3.0))`
    /// is about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_axis_angle(axis: Vec3, angle: f32) -> Mat4 {
        Mat4::from_mat3(Mat3::from_axis_angle(axis, angle))
    }

    /// The rotation by an angle about the x axis.
    ///
    /// Example: `Mat4::from_rotation_x(90f32.to_radians()).transform_vector3(Vec3::new(1.0, 2.0, 3.0))` is about
    /// `Vec3::new(1.0, -3.0, 2.0)`.
    pub fn from_rotation_x(angle: f32) -> Mat4 {
        Mat4::from_mat3(Mat3::from_rotation_x(angle))
    }

    /// The rotation by an angle about the y axis.
    ///
    /// Example: `Mat4::from_rotation_y(90f32.to_radians()).transform_vector3(Vec3::new(1.0, 2.0, 3.0))` is about
    /// `Vec3::new(3.0, 2.0, -1.0)`.
    pub fn from_rotation_y(angle: f32) -> Mat4 {
        Mat4::from_mat3(Mat3::from_rotation_y(angle))
    }

    /// The rotation by an angle about the z axis.
    ///
    /// Example: `Mat4::from_rotation_z(90f32.to_radians()).transform_vector3(Vec3::new(1.0, 2.0, 3.0))` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_rotation_z(angle: f32) -> Mat4 {
        Mat4::from_mat3(Mat3::from_rotation_z(angle))
    }

    /// The rotation of three angles in this order of axes. `XYZ` is about x, then the new y, then the new z; `XYZEx` is
    /// about the fixed x, then y, then z.
    ///
    /// Example:
    /// `Mat4::from_euler(EulerRot::ZYX, 90f32.to_radians(), 0.0, 0.0).transform_vector3(Vec3::new(1.0, 2.0, 3.0))` is
    /// about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_euler(order: EulerRot, a: f32, b: f32, c: f32) -> Mat4 {
        Mat4::from_mat3(Mat3::from_euler(order, a, b, c))
    }

    /// The three angles of the rotation in this order of axes. Where the second turns the first axis onto the third,
    /// the third angle is zero, and the derivatives of all are large or zero.
    ///
    /// Example: `Mat4::from_euler(EulerRot::ZYX, 0.1, 0.2, 0.3).to_euler(EulerRot::ZYX).1` is about `0.2`.
    pub fn to_euler(self, order: EulerRot) -> (f32, f32, f32) {
        Mat3::from_mat4(self).to_euler(order)
    }

    /// Scale, rotation and shift; of a mirroring matrix the scale along x is negative. Needs columns across each other,
    /// none of them zero.
    ///
    /// Example:
    /// `Mat4::from_scale_rotation_translation(Vec3::new(2.0, 3.0, 4.0), Quat::from_rotation_z(90f32.to_radians()), Vec3::new(5.0, 6.0, 7.0)).to_scale_rotation_translation().0`
    /// is about `Vec3::new(2.0, 3.0, 4.0)`.
    pub fn to_scale_rotation_translation(self) -> (Vec3, Quat, Vec3) {
        let r = Mat3::from_mat4(self);
        let det = r.determinant();
        let scale = Vec3::new(r.x_axis.length() * det.signum(), r.y_axis.length(), r.z_axis.length());
        let inv_scale = scale.recip();
        let rotation =
            Quat::from_rotation_axes(r.x_axis * inv_scale.x, r.y_axis * inv_scale.y, r.z_axis * inv_scale.z);
        (scale, rotation, self.w_axis.truncate())
    }
}
