// Quaternions, real part last. Those that rotate have length 1.

/// The quaternion of these components.
///
/// Example: `quat(1.0, 2.0, 3.0, 4.0).w` is `4.0`.
pub fn quat(x: f32, y: f32, z: f32, w: f32) -> Quat {
    Quat::from_xyzw(x, y, z, w)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quat {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub w: f32,
}

impl Quat {
    /// The quaternion of these components.
    ///
    /// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).w` is `4.0`.
    pub fn from_xyzw(x: f32, y: f32, z: f32, w: f32) -> Quat {
        Quat { x, y, z, w }
    }

    /// The components from an array.
    ///
    /// Example: `Quat::from_array([1.0, 2.0, 3.0, 4.0])` is `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)`.
    pub fn from_array(a: [f32; 4]) -> Quat {
        Quat::from_xyzw(a[0], a[1], a[2], a[3])
    }

    /// The components from a vector.
    ///
    /// Example: `Quat::from_vec4(Vec4::new(1.0, 2.0, 3.0, 4.0))` is `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)`.
    pub fn from_vec4(v: Vec4) -> Quat {
        Quat::from_xyzw(v.x, v.y, v.z, v.w)
    }

    /// The components as an array.
    ///
    /// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).to_array()` is `[1.0, 2.0, 3.0, 4.0]`.
    pub fn to_array(self) -> [f32; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// The components as a vector.
    fn to_vec4(self) -> Vec4 {
        Vec4::new(self.x, self.y, self.z, self.w)
    }

    /// The imaginary part.
    ///
    /// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).xyz()` is `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn xyz(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The rotation whose matrix has these columns, each of length 1 and across the others. The signs
    /// may jump where another component becomes the largest; the rotation does not.
    ///
    /// Example:
    /// `Quat::from_rotation_axes(Vec3::new(0.0, 1.0, 0.0), Vec3::new(-1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0))` is
    /// about `Quat::from_xyzw(0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt())`.
    pub fn from_rotation_axes(x_axis: Vec3, y_axis: Vec3, z_axis: Vec3) -> Quat {
        let (m00, m01, m02) = (x_axis.x, x_axis.y, x_axis.z);
        let (m10, m11, m12) = (y_axis.x, y_axis.y, y_axis.z);
        let (m20, m21, m22) = (z_axis.x, z_axis.y, z_axis.z);
        // The largest component is found from its square, the others from sums and differences with it.
        if m22 <= 0.0 {
            let dif10 = m11 - m00;
            let omm22 = 1.0 - m22;
            if dif10 <= 0.0 {
                let four_xsq = omm22 - dif10;
                let inv4x = 0.5 / four_xsq.sqrt();
                Quat::from_xyzw(four_xsq * inv4x, (m01 + m10) * inv4x, (m02 + m20) * inv4x, (m12 - m21) * inv4x)
            } else {
                let four_ysq = omm22 + dif10;
                let inv4y = 0.5 / four_ysq.sqrt();
                Quat::from_xyzw((m01 + m10) * inv4y, four_ysq * inv4y, (m12 + m21) * inv4y, (m20 - m02) * inv4y)
            }
        } else {
            let sum10 = m11 + m00;
            let opm22 = 1.0 + m22;
            if sum10 <= 0.0 {
                let four_zsq = opm22 - sum10;
                let inv4z = 0.5 / four_zsq.sqrt();
                Quat::from_xyzw((m02 + m20) * inv4z, (m12 + m21) * inv4z, four_zsq * inv4z, (m01 - m10) * inv4z)
            } else {
                let four_wsq = opm22 + sum10;
                let inv4w = 0.5 / four_wsq.sqrt();
                Quat::from_xyzw((m12 - m21) * inv4w, (m20 - m02) * inv4w, (m01 - m10) * inv4w, four_wsq * inv4w)
            }
        }
    }

    /// The rotation of a matrix. Its columns have length 1 and lie across each other.
    ///
    /// Example: `Quat::from_mat3(&Mat3::from_rotation_z(90f32.to_radians())) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_mat3(mat: Mat3) -> Quat {
        Quat::from_rotation_axes(mat.x_axis, mat.y_axis, mat.z_axis)
    }

    /// The rotation of the upper left part of a matrix. Its columns have length 1 and lie across each other.
    ///
    /// Example: `Quat::from_mat4(&Mat4::from_rotation_z(90f32.to_radians())) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_mat4(mat: Mat4) -> Quat {
        Quat::from_mat3(Mat3::from_mat4(mat))
    }

    /// The imaginary part negated: for a rotation, its inverse.
    ///
    /// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).conjugate()` is `Quat::from_xyzw(-1.0, -2.0, -3.0, 4.0)`.
    pub fn conjugate(self) -> Quat {
        Quat::from_xyzw(-self.x, -self.y, -self.z, self.w)
    }

    /// The inverse of a rotation. By the conjugate, so wrong for a quaternion whose length is not 1; on the host glam
    /// may panic for that.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).inverse() * Vec3::new(-2.0, 1.0, 3.0)` is about
    /// `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn inverse(self) -> Quat {
        self.conjugate()
    }

    /// The sum of the products of the components.
    ///
    /// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).dot(Quat::from_xyzw(5.0, 6.0, 7.0, 8.0))` is `70.0`.
    pub fn dot(self, rhs: Quat) -> f32 {
        self.to_vec4().dot(rhs.to_vec4())
    }

    /// The length. The derivative is 0 for the zero quaternion.
    ///
    /// Example: `Quat::from_xyzw(2.0, 4.0, 5.0, 6.0).length()` is `9.0`.
    pub fn length(self) -> f32 {
        self.to_vec4().length()
    }

    /// The square of the length.
    ///
    /// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).length_squared()` is `30.0`.
    pub fn length_squared(self) -> f32 {
        self.to_vec4().length_squared()
    }

    /// One over the length. Infinite for the zero quaternion.
    ///
    /// Example: `Quat::from_xyzw(2.0, 2.0, 2.0, 2.0).length_recip()` is `0.25`.
    pub fn length_recip(self) -> f32 {
        self.to_vec4().length_recip()
    }

    /// The quaternion of length 1; not finite for one without length.
    ///
    /// Example: `Quat::from_xyzw(2.0, 2.0, 2.0, 2.0).normalize()` is `Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)`.
    pub fn normalize(self) -> Quat {
        Quat::from_vec4(self.to_vec4().normalize())
    }

    /// Whether all components are finite.
    ///
    /// Example:
    /// `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).is_finite() && !Quat::from_xyzw(f32::INFINITY, 0.0, 0.0, 1.0).is_finite()`
    /// holds.
    pub fn is_finite(self) -> bool {
        self.to_vec4().is_finite()
    }

    /// Whether a component is NaN.
    ///
    /// Example: `Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0).is_nan() && !Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).is_nan()`
    /// holds.
    pub fn is_nan(self) -> bool {
        self.to_vec4().is_nan()
    }

    /// Whether the length is 1, within rounding. Within 2e-4 of the square.
    ///
    /// Example:
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).is_normalized() && !Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).is_normalized()`
    /// holds.
    pub fn is_normalized(self) -> bool {
        self.to_vec4().is_normalized()
    }

    /// Whether no component differs by more than `max_abs_diff`. A rotation has two quaternions, `q` and `-q`, which
    /// are different here.
    ///
    /// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0).abs_diff_eq(Quat::from_xyzw(1.25, 2.0, 3.0, 4.0), 0.5)` holds.
    pub fn abs_diff_eq(self, rhs: Quat, max_abs_diff: f32) -> bool {
        self.to_vec4().abs_diff_eq(rhs.to_vec4(), max_abs_diff)
    }

    /// From `self` at 0 to `end` at 1 the shorter way, of length 1. The straight way, so the speed is uneven.
    ///
    /// Example:
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).lerp(Quat::from_rotation_z(90f32.to_radians()), 0.5) * Vec3::new(2.0, 0.0, 0.0)`
    /// is about `Vec3::new(2f32.sqrt(), 2f32.sqrt(), 0.0)`.
    pub fn lerp(self, end: Quat, s: f32) -> Quat {
        let bias = if self.dot(end) >= 0.0 { 1.0 } else { -1.0 };
        (self * (1.0 - s) + end * bias * s).normalize()
    }

    /// The vector turned by this rotation. `self * rhs` does the same. A quaternion of length `l` also scales by `l`
    /// squared.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).mul_vec3(Vec3::new(1.0, 2.0, 3.0))` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn mul_vec3(self, rhs: Vec3) -> Vec3 {
        let b = self.xyz();
        let b2 = b.dot(b);
        rhs * (self.w * self.w - b2) + b * (rhs.dot(b) * 2.0) + b.cross(rhs) * (self.w * 2.0)
    }

    /// The rotation `rhs`, then this one. `self * rhs` does the same.
    ///
    /// Example:
    /// `Quat::from_rotation_z(90f32.to_radians()).mul_quat(Quat::from_rotation_z(90f32.to_radians())) * Vec3::new(1.0, 2.0, 3.0)`
    /// is about `Vec3::new(-1.0, -2.0, 3.0)`.
    pub fn mul_quat(self, rhs: Quat) -> Quat {
        let (x0, y0, z0, w0) = (self.x, self.y, self.z, self.w);
        let (x1, y1, z1, w1) = (rhs.x, rhs.y, rhs.z, rhs.w);
        Quat::from_xyzw(
            w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
            w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
            w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
            w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        )
    }

    /// The rotation by an angle about an axis of length 1.
    ///
    /// Example: `Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), 90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is
    /// about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_axis_angle(axis: Vec3, angle: f32) -> Quat {
        let half = angle * 0.5;
        let v = axis * half.sin();
        Quat::from_xyzw(v.x, v.y, v.z, half.cos())
    }

    /// The rotation about the direction of `v` by the length of `v`.
    ///
    /// Smooth everywhere, at zero too.
    ///
    /// Example: `Quat::from_scaled_axis(Vec3::new(0.0, 0.0, 90f32.to_radians())) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    ///
    /// Example: `Quat::from_scaled_axis(Vec3::new(0.0, 0.0, 0.0))` is `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)`.
    pub fn from_scaled_axis(v: Vec3) -> Quat {
        let square = v.dot(v);
        let small = square < 1e-4;
        let safe = if small { 1.0 } else { square };
        let half = safe.sqrt() * 0.5;
        let near = 0.5 - square * (1.0 / 48.0 - square * (1.0 / 3840.0 - square * (1.0 / 645120.0)));
        let near_w = 1.0 - square * (0.125 - square * (1.0 / 384.0 - square * (1.0 / 46080.0)));
        let factor = if small { near } else { half.sin() / (half + half) };
        let w = if small { near_w } else { half.cos() };
        Quat::from_xyzw(v.x * factor, v.y * factor, v.z * factor, w)
    }

    /// The rotation by an angle about the x axis.
    ///
    /// Example: `Quat::from_rotation_x(90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(1.0, -3.0, 2.0)`.
    pub fn from_rotation_x(angle: f32) -> Quat {
        let half = angle * 0.5;
        Quat::from_xyzw(half.sin(), 0.0, 0.0, half.cos())
    }

    /// The rotation by an angle about the y axis.
    ///
    /// Example: `Quat::from_rotation_y(90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(3.0, 2.0, -1.0)`.
    pub fn from_rotation_y(angle: f32) -> Quat {
        let half = angle * 0.5;
        Quat::from_xyzw(0.0, half.sin(), 0.0, half.cos())
    }

    /// The rotation by an angle about the z axis.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_rotation_z(angle: f32) -> Quat {
        let half = angle * 0.5;
        Quat::from_xyzw(0.0, 0.0, half.sin(), half.cos())
    }

    /// The rotation of three angles in this order of axes: `XYZ` is about x, then the new y, then the new z; `XYZEx` is
    /// about the fixed x, then y, then z.
    ///
    /// Example: `Quat::from_euler(EulerRot::ZYX, 90f32.to_radians(), 0.0, 0.0) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_euler(order: EulerRot, a: f32, b: f32, c: f32) -> Quat {
        let (i, j, k, even, repeated, relative) = order.axes();
        let x = if relative { c } else { a };
        let z = if relative { a } else { c };
        let y = if even { -b } else { b };
        let (ti, tj, th) = (x * 0.5, y * 0.5, z * 0.5);
        let (si, ci) = (ti.sin(), ti.cos());
        let (sj, cj) = (tj.sin(), tj.cos());
        let (sh, ch) = (th.sin(), th.cos());
        let (cc, cs, sc, ss) = (ci * ch, ci * sh, si * ch, si * sh);
        let parity = if even { -1.0 } else { 1.0 };
        let mut q = [0.0; 4];
        if repeated {
            q[i] = cj * (cs + sc);
            q[j] = sj * (cc + ss) * parity;
            q[k] = sj * (cs - sc);
            q[3] = cj * (cc - ss);
        } else {
            q[i] = cj * sc - sj * cs;
            q[j] = (cj * ss + sj * cc) * parity;
            q[k] = cj * cs - sj * sc;
            q[3] = cj * cc + sj * ss;
        }
        Quat::from_array(q)
    }

    /// The three angles of this rotation in this order of axes. Where the second turns the first axis onto the third,
    /// the third angle is zero, and the derivatives of all are large or zero.
    ///
    /// Example: `Quat::from_euler(EulerRot::ZYX, 0.1, 0.2, 0.3).to_euler(EulerRot::ZYX).1` is about `0.2`.
    pub fn to_euler(self, order: EulerRot) -> (f32, f32, f32) {
        Mat3::from_quat(self).to_euler(order)
    }

    /// The shortest rotation from one direction to another, both of length 1; from a direction to its opposite, half a
    /// turn about some axis across.
    ///
    /// Its derivative is zero where both are the same, within rounding; where they are opposite, it is that of the axis
    /// across the first, and zero by the second.
    ///
    /// Example:
    /// `Quat::from_rotation_arc(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)) * Vec3::new(1.0, 2.0, 3.0)` is
    /// about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_rotation_arc(from: Vec3, to: Vec3) -> Quat {
        let one_minus_eps = 1.0 - 2.0 * f32::EPSILON;
        let dot = from.dot(to);
        if dot > one_minus_eps {
            Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)
        } else if dot < -one_minus_eps {
            Quat::from_axis_angle(from.any_orthonormal_vector(), 3.141_592_653_589_793_2)
        } else {
            let c = from.cross(to);
            Quat::from_xyzw(c.x, c.y, c.z, 1.0 + dot).normalize()
        }
    }

    /// The shortest rotation that lays one direction along another, or along its opposite. It jumps where both lie
    /// across each other.
    ///
    /// Example: `Quat::from_rotation_arc_colinear(Vec3::new(1.0, 0.0, 0.0), Vec3::new(-1.0, 0.0, 0.0))` is about
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)`.
    pub fn from_rotation_arc_colinear(from: Vec3, to: Vec3) -> Quat {
        if from.dot(to) < 0.0 { Quat::from_rotation_arc(from, -to) } else { Quat::from_rotation_arc(from, to) }
    }

    /// The rotation about the z axis from one direction of the plane to another, both of length 1. Between opposite
    /// directions it is half a turn; its derivative is zero where both are the same or opposite, within rounding.
    ///
    /// Example: `Quat::from_rotation_arc_2d(Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)) * Vec3::new(1.0, 2.0, 3.0)` is
    /// about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_rotation_arc_2d(from: Vec2, to: Vec2) -> Quat {
        let one_minus_eps = 1.0 - 2.0 * f32::EPSILON;
        let dot = from.dot(to);
        if dot > one_minus_eps {
            Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)
        } else if dot < -one_minus_eps {
            Quat::from_xyzw(0.0, 0.0, 1.0, 0.0)
        } else {
            let z = from.x * to.y - to.x * from.y;
            let w = 1.0 + dot;
            let len_rcp = 1.0 / (z * z + w * w).sqrt();
            Quat::from_xyzw(0.0, 0.0, z * len_rcp, w * len_rcp)
        }
    }

    /// Axis of length 1 and angle from 0 to 2π; the x axis and 0 for the identity. The derivative at the identity is 0.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).to_axis_angle().0` is about `Vec3::new(0.0, 0.0, 1.0)`.
    ///
    /// Example: `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).to_axis_angle().1` is `0.0`.
    pub fn to_axis_angle(self) -> (Vec3, f32) {
        let v = self.xyz();
        let square = v.dot(v);
        if square >= 1e-16 {
            let length = square.sqrt();
            (v / length, 2.0 * length.atan2(self.w))
        } else {
            (Vec3::new(1.0, 0.0, 0.0), 0.0)
        }
    }

    /// The axis times the angle.
    ///
    /// Smooth everywhere but at `w = -1`, where the angle is a whole turn and every axis does: zero there, and so is the
    /// derivative.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).to_scaled_axis()` is about
    /// `Vec3::new(0.0, 0.0, 90f32.to_radians())`.
    pub fn to_scaled_axis(self) -> Vec3 {
        let v = self.xyz();
        let square = v.dot(v);
        let other = self.w * self.w;
        if square < 1e-4 * other && self.w > 0.0 {
            let x = square / other;
            let series = 1.0 - x * (1.0 / 3.0 - x * (0.2 - x * (1.0 / 7.0 - x * (1.0 / 9.0))));
            v * (2.0 / self.w * series)
        } else if square > 1e-16 * other {
            let length = square.sqrt();
            v * (2.0 * length.atan2(self.w) / length)
        } else {
            Vec3::new(0.0, 0.0, 0.0)
        }
    }

    /// The angle of the rotation between two, from 0 to π; the derivative is zero where they are the same.
    ///
    /// Example: `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).angle_between(Quat::from_rotation_z(90f32.to_radians()))` is about
    /// `90f32.to_radians()`.
    pub fn angle_between(self, rhs: Quat) -> f32 {
        let between = self.conjugate() * rhs;
        let v = between.xyz();
        let square = v.dot(v);
        let length = if square > 0.0 { square.sqrt() } else { 0.0 };
        2.0 * length.atan2(between.w.abs())
    }

    /// Turned toward `rhs` by at most `max_angle`; a negative one turns away. Closer than 1e-4 it is there. It jumps
    /// where both are half a turn apart.
    ///
    /// Example:
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).rotate_towards(Quat::from_rotation_z(90f32.to_radians()), 30f32.to_radians()) * Vec3::new(2.0, 0.0, 0.0)`
    /// is about `Vec3::new(3f32.sqrt(), 1.0, 0.0)`.
    pub fn rotate_towards(self, rhs: Quat, max_angle: f32) -> Quat {
        let angle = self.angle_between(rhs);
        if angle <= 1e-4 {
            return rhs;
        }
        if max_angle < 0.0 {
            let target = (self - rhs * self.dot(rhs)).normalize();
            let angle = self.angle_between(target);
            if angle <= 1e-4 {
                return target;
            }
            return self.slerp(target, (-max_angle / angle).clamp(0.0, 1.0));
        }
        self.slerp(rhs, (max_angle / angle).clamp(0.0, 1.0))
    }

    /// From `self` at 0 to `end` at 1 at even speed, the shorter way. Both have length 1.
    ///
    /// Smooth, also where both are the same; where they are half a turn apart there are two ways, and the signs of the
    /// components choose.
    ///
    /// Example:
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).slerp(Quat::from_rotation_z(90f32.to_radians()), 0.5) * Vec3::new(2.0, 0.0, 0.0)`
    /// is about `Vec3::new(2f32.sqrt(), 2f32.sqrt(), 0.0)`.
    pub fn slerp(self, end: Quat, s: f32) -> Quat {
        if self.dot(end) < 0.0 { self.slerp_long(-end, s) } else { self.slerp_long(end, s) }
    }

    /// From `self` at 0 to `end` at 1 at even speed, the way that the signs say, which may be the longer. Both have
    /// length 1. From `q` to `-q`, a whole turn about no axis, it stays.
    ///
    /// Example:
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).slerp_long(Quat::from_rotation_z(90f32.to_radians()), 0.5) * Vec3::new(2.0, 0.0, 0.0)`
    /// is about `Vec3::new(2f32.sqrt(), 2f32.sqrt(), 0.0)`.
    pub fn slerp_long(self, end: Quat, s: f32) -> Quat {
        // The part `s` of the rotation between, rather than quotients of sines, whose derivatives are rough near 0.
        self * Quat::from_scaled_axis((self.conjugate() * end).to_scaled_axis() * s)
    }
}

/// Component by component. The sum of rotations is none.
///
/// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0) + Quat::from_xyzw(5.0, 6.0, 7.0, 8.0)` is
/// `Quat::from_xyzw(6.0, 8.0, 10.0, 12.0)`.
impl Add for Quat {
    type Output = Quat;
    fn add(self, rhs: Quat) -> Quat {
        Quat::from_vec4(self.to_vec4() + rhs.to_vec4())
    }
}

/// Component by component.
///
/// Example: `Quat::from_xyzw(5.0, 6.0, 7.0, 8.0) - Quat::from_xyzw(4.0, 3.0, 2.0, 1.0)` is
/// `Quat::from_xyzw(1.0, 3.0, 5.0, 7.0)`.
impl Sub for Quat {
    type Output = Quat;
    fn sub(self, rhs: Quat) -> Quat {
        Quat::from_vec4(self.to_vec4() - rhs.to_vec4())
    }
}

/// Hamilton's product: the rotation of the right one, then that of the left one.
///
/// Example: `Quat::from_xyzw(1.0, 0.0, 0.0, 0.0) * Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)` is
/// `Quat::from_xyzw(0.0, 0.0, 1.0, 0.0)`.
impl Mul for Quat {
    type Output = Quat;
    fn mul(self, rhs: Quat) -> Quat {
        self.mul_quat(rhs)
    }
}

/// The vector as a quaternion of length 1 rotates it.
///
/// Example: `Quat::from_xyzw(0.0, 0.0, 1.0, 0.0) * Vec3::new(1.0, 2.0, 3.0)` is `Vec3::new(-1.0, -2.0, 3.0)`.
impl Mul<Vec3> for Quat {
    type Output = Vec3;
    fn mul(self, rhs: Vec3) -> Vec3 {
        self.mul_vec3(rhs)
    }
}

/// Each component times the number.
///
/// Example: `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0) * 2.0` is `Quat::from_xyzw(2.0, 4.0, 6.0, 8.0)`.
impl Mul<f32> for Quat {
    type Output = Quat;
    fn mul(self, rhs: f32) -> Quat {
        Quat::from_vec4(self.to_vec4() * rhs)
    }
}

/// Each component over the number.
///
/// Example: `Quat::from_xyzw(2.0, 4.0, 6.0, 8.0) / 2.0` is `Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)`.
impl Div<f32> for Quat {
    type Output = Quat;
    fn div(self, rhs: f32) -> Quat {
        Quat::from_vec4(self.to_vec4() / rhs)
    }
}

/// Component by component: the same rotation.
///
/// Example: `-Quat::from_xyzw(1.0, -2.0, 3.0, -4.0)` is `Quat::from_xyzw(-1.0, 2.0, -3.0, 4.0)`.
impl Neg for Quat {
    type Output = Quat;
    fn neg(self) -> Quat {
        self * -1.0
    }
}
