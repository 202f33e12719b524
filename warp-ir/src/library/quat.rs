// Quaternions, real part last. Those that rotate have length 1.

/// The quaternion of these components.
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
    pub fn from_xyzw(x: f32, y: f32, z: f32, w: f32) -> Quat {
        Quat { x, y, z, w }
    }

    /// The components from an array.
    pub fn from_array(a: [f32; 4]) -> Quat {
        Quat::from_xyzw(a[0], a[1], a[2], a[3])
    }

    /// The components from a vector.
    pub fn from_vec4(v: Vec4) -> Quat {
        Quat::from_xyzw(v.x, v.y, v.z, v.w)
    }

    /// The components as an array.
    pub fn to_array(self) -> [f32; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// The components as a vector.
    fn to_vec4(self) -> Vec4 {
        Vec4::new(self.x, self.y, self.z, self.w)
    }

    /// The imaginary part.
    pub fn xyz(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The rotation whose matrix has these columns, each of length 1 and across the others.
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

    /// The rotation of a matrix.
    pub fn from_mat3(mat: Mat3) -> Quat {
        Quat::from_rotation_axes(mat.x_axis, mat.y_axis, mat.z_axis)
    }

    /// The rotation of the upper left part of a matrix.
    pub fn from_mat4(mat: Mat4) -> Quat {
        Quat::from_mat3(Mat3::from_mat4(mat))
    }

    /// The imaginary part negated: for a rotation, its inverse.
    pub fn conjugate(self) -> Quat {
        Quat::from_xyzw(-self.x, -self.y, -self.z, self.w)
    }

    /// The inverse of a rotation.
    pub fn inverse(self) -> Quat {
        self.conjugate()
    }

    /// The sum of the products of the components.
    pub fn dot(self, rhs: Quat) -> f32 {
        self.to_vec4().dot(rhs.to_vec4())
    }

    /// The length.
    pub fn length(self) -> f32 {
        self.to_vec4().length()
    }

    /// The square of the length.
    pub fn length_squared(self) -> f32 {
        self.to_vec4().length_squared()
    }

    /// One over the length.
    pub fn length_recip(self) -> f32 {
        self.to_vec4().length_recip()
    }

    /// The quaternion of length 1; not finite for one without length.
    pub fn normalize(self) -> Quat {
        Quat::from_vec4(self.to_vec4().normalize())
    }

    /// Whether all components are finite.
    pub fn is_finite(self) -> bool {
        self.to_vec4().is_finite()
    }

    /// Whether a component is NaN.
    pub fn is_nan(self) -> bool {
        self.to_vec4().is_nan()
    }

    /// Whether the length is 1, within rounding.
    pub fn is_normalized(self) -> bool {
        self.to_vec4().is_normalized()
    }

    /// Whether no component differs by more than `max_abs_diff`.
    pub fn abs_diff_eq(self, rhs: Quat, max_abs_diff: f32) -> bool {
        self.to_vec4().abs_diff_eq(rhs.to_vec4(), max_abs_diff)
    }

    /// From `self` at 0 to `end` at 1 the shorter way, of length 1.
    pub fn lerp(self, end: Quat, s: f32) -> Quat {
        let bias = if self.dot(end) >= 0.0 { 1.0 } else { -1.0 };
        (self * (1.0 - s) + end * bias * s).normalize()
    }

    /// The vector turned by this rotation.
    pub fn mul_vec3(self, rhs: Vec3) -> Vec3 {
        let b = self.xyz();
        let b2 = b.dot(b);
        rhs * (self.w * self.w - b2) + b * (rhs.dot(b) * 2.0) + b.cross(rhs) * (self.w * 2.0)
    }

    /// The rotation `rhs`, then this one.
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
}

impl Add for Quat {
    type Output = Quat;
    fn add(self, rhs: Quat) -> Quat {
        Quat::from_vec4(self.to_vec4() + rhs.to_vec4())
    }
}

impl Sub for Quat {
    type Output = Quat;
    fn sub(self, rhs: Quat) -> Quat {
        Quat::from_vec4(self.to_vec4() - rhs.to_vec4())
    }
}

impl Mul for Quat {
    type Output = Quat;
    fn mul(self, rhs: Quat) -> Quat {
        self.mul_quat(rhs)
    }
}

impl Mul<Vec3> for Quat {
    type Output = Vec3;
    fn mul(self, rhs: Vec3) -> Vec3 {
        self.mul_vec3(rhs)
    }
}

impl Mul<f32> for Quat {
    type Output = Quat;
    fn mul(self, rhs: f32) -> Quat {
        Quat::from_vec4(self.to_vec4() * rhs)
    }
}

impl Div<f32> for Quat {
    type Output = Quat;
    fn div(self, rhs: f32) -> Quat {
        Quat::from_vec4(self.to_vec4() / rhs)
    }
}

impl Neg for Quat {
    type Output = Quat;
    fn neg(self) -> Quat {
        self * -1.0
    }
}
