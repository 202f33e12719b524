// Matrices of 3 columns as rotations of space, and as maps of the plane in homogeneous coordinates.

impl Mat3 {
    /// The rotation of a quaternion of length 1.
    ///
    /// Example: `Mat3::from_quat(Quat::from_rotation_z(90f32.to_radians()))` is about
    /// `Mat3::from_cols_array(&[0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0])`.
    pub fn from_quat(rotation: Quat) -> Mat3 {
        let x2 = rotation.x + rotation.x;
        let y2 = rotation.y + rotation.y;
        let z2 = rotation.z + rotation.z;
        let xx = rotation.x * x2;
        let xy = rotation.x * y2;
        let xz = rotation.x * z2;
        let yy = rotation.y * y2;
        let yz = rotation.y * z2;
        let zz = rotation.z * z2;
        let wx = rotation.w * x2;
        let wy = rotation.w * y2;
        let wz = rotation.w * z2;
        Mat3::from_cols(
            Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
            Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
            Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
        )
    }

    /// The shift of the plane, in homogeneous coordinates.
    ///
    /// Example: `Mat3::from_translation(Vec2::new(5.0, 6.0)).transform_point2(Vec2::new(1.0, 2.0))` is
    /// `Vec2::new(6.0, 8.0)`.
    pub fn from_translation(translation: Vec2) -> Mat3 {
        Mat3::from_cols(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), translation.extend(1.0))
    }

    /// The scaling of the plane, in homogeneous coordinates.
    ///
    /// Example: `Mat3::from_scale(Vec2::new(5.0, 6.0)).transform_point2(Vec2::new(1.0, 2.0))` is
    /// `Vec2::new(5.0, 12.0)`.
    pub fn from_scale(scale: Vec2) -> Mat3 {
        Mat3::from_cols(Vec3::new(scale.x, 0.0, 0.0), Vec3::new(0.0, scale.y, 0.0), Vec3::new(0.0, 0.0, 1.0))
    }

    /// A point of the plane, in homogeneous coordinates. The last row is taken to be that of an affine map; on the host
    /// glam may panic where it is not.
    ///
    /// Example: `Mat3::from_translation(Vec2::new(5.0, 6.0)).transform_point2(Vec2::new(1.0, 2.0))` is
    /// `Vec2::new(6.0, 8.0)`.
    pub fn transform_point2(self, rhs: Vec2) -> Vec2 {
        Mat2::from_mat3(self) * rhs + self.z_axis.truncate()
    }

    /// A direction of the plane. The last row is taken to be that of an affine map; on the host glam may panic where it
    /// is not.
    ///
    /// Example: `Mat3::from_translation(Vec2::new(5.0, 6.0)).transform_vector2(Vec2::new(1.0, 2.0))` is
    /// `Vec2::new(1.0, 2.0)`.
    pub fn transform_vector2(self, rhs: Vec2) -> Vec2 {
        Mat2::from_mat3(self) * rhs
    }

    /// The rotation of the plane by an angle, in homogeneous coordinates.
    ///
    /// Example: `Mat3::from_angle(90f32.to_radians()).transform_point2(Vec2::new(1.0, 2.0)).x` is about `-2.0`.
    pub fn from_angle(angle: f32) -> Mat3 {
        Mat3::from_rotation_z(angle)
    }

    /// Scaling, rotation and shift of the plane, in homogeneous coordinates.
    ///
    /// Example:
    /// `Mat3::from_scale_angle_translation(Vec2::new(2.0, 3.0), 90f32.to_radians(), Vec2::new(10.0, 20.0)).transform_point2(Vec2::new(1.0, 1.0)).y`
    /// is about `22.0`.
    pub fn from_scale_angle_translation(scale: Vec2, angle: f32, translation: Vec2) -> Mat3 {
        let (sin, cos) = (angle.sin(), angle.cos());
        Mat3::from_cols(
            Vec3::new(cos * scale.x, sin * scale.x, 0.0),
            Vec3::new(-sin * scale.y, cos * scale.y, 0.0),
            Vec3::new(translation.x, translation.y, 1.0),
        )
    }

    /// The rotation by an angle about an axis of length 1.
    ///
    /// Example: `Mat3::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), 90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is
    /// about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_axis_angle(axis: Vec3, angle: f32) -> Mat3 {
        let (sin, cos) = (angle.sin(), angle.cos());
        let axis_sin = axis * sin;
        let axis_sq = axis * axis;
        let omc = 1.0 - cos;
        let xyomc = axis.x * axis.y * omc;
        let xzomc = axis.x * axis.z * omc;
        let yzomc = axis.y * axis.z * omc;
        Mat3::from_cols(
            Vec3::new(axis_sq.x * omc + cos, xyomc + axis_sin.z, xzomc - axis_sin.y),
            Vec3::new(xyomc - axis_sin.z, axis_sq.y * omc + cos, yzomc + axis_sin.x),
            Vec3::new(xzomc + axis_sin.y, yzomc - axis_sin.x, axis_sq.z * omc + cos),
        )
    }

    /// The rotation by an angle about the x axis.
    ///
    /// Example: `Mat3::from_rotation_x(90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(1.0, -3.0, 2.0)`.
    pub fn from_rotation_x(angle: f32) -> Mat3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Mat3::from_cols(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, cosa, sina), Vec3::new(0.0, -sina, cosa))
    }

    /// The rotation by an angle about the y axis.
    ///
    /// Example: `Mat3::from_rotation_y(90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(3.0, 2.0, -1.0)`.
    pub fn from_rotation_y(angle: f32) -> Mat3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Mat3::from_cols(Vec3::new(cosa, 0.0, -sina), Vec3::new(0.0, 1.0, 0.0), Vec3::new(sina, 0.0, cosa))
    }

    /// The rotation by an angle about the z axis.
    ///
    /// Example: `Mat3::from_rotation_z(90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_rotation_z(angle: f32) -> Mat3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Mat3::from_cols(Vec3::new(cosa, sina, 0.0), Vec3::new(-sina, cosa, 0.0), Vec3::new(0.0, 0.0, 1.0))
    }

    /// The rotation of three angles in this order of axes. `XYZ` is about x, then the new y, then the new z; `XYZEx` is
    /// about the fixed x, then y, then z.
    ///
    /// Example: `Mat3::from_euler(EulerRot::ZYX, 90f32.to_radians(), 0.0, 0.0) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_euler(order: EulerRot, a: f32, b: f32, c: f32) -> Mat3 {
        let (i, j, k, even, repeated, relative) = order.axes();
        let x = if relative { c } else { a };
        let z = if relative { a } else { c };
        let (x, y, z) = if even { (-x, -b, -z) } else { (x, b, z) };
        let (si, ci) = (x.sin(), x.cos());
        let (sj, cj) = (y.sin(), y.cos());
        let (sh, ch) = (z.sin(), z.cos());
        let (cc, cs, sc, ss) = (ci * ch, ci * sh, si * ch, si * sh);
        let mut m = [[0.0; 3]; 3];
        if repeated {
            m[i][i] = cj;
            m[i][j] = sj * si;
            m[i][k] = sj * ci;
            m[j][i] = sj * sh;
            m[j][j] = -cj * ss + cc;
            m[j][k] = -cj * cs - sc;
            m[k][i] = -sj * ch;
            m[k][j] = cj * sc + cs;
            m[k][k] = cj * cc - ss;
        } else {
            m[i][i] = cj * ch;
            m[i][j] = sj * sc - cs;
            m[i][k] = sj * cc + ss;
            m[j][i] = cj * sh;
            m[j][j] = sj * ss + cc;
            m[j][k] = sj * cs - sc;
            m[k][i] = -sj;
            m[k][j] = cj * si;
            m[k][k] = cj * ci;
        }
        Mat3::from_cols_array_2d(m)
    }

    /// The three angles of a rotation in this order of axes. Where the second turns the first axis onto the third, the
    /// third angle is zero, and the derivatives of all are large or zero.
    ///
    /// Example: `Mat3::from_euler(EulerRot::ZYX, 0.1, 0.2, 0.3).to_euler(EulerRot::ZYX).1` is about `0.2`.
    pub fn to_euler(self, order: EulerRot) -> (f32, f32, f32) {
        let (i, j, k, even, repeated, relative) = order.axes();
        let m = self.to_cols_array_2d();
        let mut x: f32;
        let mut y: f32;
        let mut z = 0.0;
        if repeated {
            let square: f32 = m[i][j] * m[i][j] + m[i][k] * m[i][k];
            let sy = if square > 0.0 { square.sqrt() } else { 0.0 };
            y = sy.atan2(m[i][i]);
            if sy > 16.0 * f32::EPSILON {
                x = m[i][j].atan2(m[i][k]);
                z = m[j][i].atan2(-m[k][i]);
            } else {
                x = (-m[j][k]).atan2(m[j][j]);
            }
        } else {
            let square: f32 = m[i][i] * m[i][i] + m[j][i] * m[j][i];
            let cy = if square > 0.0 { square.sqrt() } else { 0.0 };
            y = (-m[k][i]).atan2(cy);
            if cy > 16.0 * f32::EPSILON {
                x = m[k][j].atan2(m[k][k]);
                z = m[j][i].atan2(m[i][i]);
            } else {
                x = (-m[j][k]).atan2(m[j][j]);
            }
        }
        if even {
            x = -x;
            y = -y;
            z = -z;
        }
        if relative { (z, y, x) } else { (x, y, z) }
    }
}
