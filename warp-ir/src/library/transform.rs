// Rigid transforms.

/// A rigid motion of space: the rotation `q`, then the shift `p`.
///
/// It takes a point `x` of the inner frame to `q * x + p` in the outer one. `a * b` does `b` first. `q` has length 1;
/// lengths are in the units of `p`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transform {
    /// The place of the inner origin in the outer frame.
    pub p: Vec3,
    /// The rotation from inner to outer axes.
    pub q: Quat,
}

impl Transform {
    /// The motion that changes nothing.
    pub const IDENTITY: Transform = Transform { p: Vec3::ZERO, q: Quat::IDENTITY };

    /// The rotation `q`, then the shift `p`.
    pub fn new(p: Vec3, q: Quat) -> Transform {
        Transform { p, q }
    }

    /// A shift.
    pub fn from_translation(p: Vec3) -> Transform {
        Transform { p, q: Quat::IDENTITY }
    }

    /// A rotation about the origin.
    pub fn from_rotation(q: Quat) -> Transform {
        Transform { p: Vec3::ZERO, q }
    }

    /// The motion of a 4x4 matrix of a rotation and a shift. Scale or shear in it gives a wrong rotation.
    pub fn from_mat4(m: Mat4) -> Transform {
        let q = Quat::from_rotation_axes(m.x_axis.truncate(), m.y_axis.truncate(), m.z_axis.truncate());
        Transform { p: m.w_axis.truncate(), q }
    }

    /// The 4x4 matrix that does the same to homogeneous coordinates.
    pub fn to_mat4(self) -> Mat4 {
        Mat4::from_rotation_translation(self.q, self.p)
    }

    /// The motion back.
    pub fn inverse(self) -> Transform {
        let q = self.q.inverse();
        Transform { p: -(q * self.p), q }
    }

    /// A point: rotated, then shifted.
    pub fn transform_point(self, point: Vec3) -> Vec3 {
        self.q * point + self.p
    }

    /// A direction: rotated alone.
    pub fn transform_vector(self, vector: Vec3) -> Vec3 {
        self.q * vector
    }

    /// The point of the inner frame that comes to `point`; the same as the inverse's, with fewer operations.
    pub fn inverse_transform_point(self, point: Vec3) -> Vec3 {
        self.q.inverse() * (point - self.p)
    }

    /// The direction of the inner frame that comes to `vector`.
    pub fn inverse_transform_vector(self, vector: Vec3) -> Vec3 {
        self.q.inverse() * vector
    }

    /// The motion with a rotation of length 1 again, after many products.
    pub fn normalize(self) -> Transform {
        Transform { p: self.p, q: self.q.normalize() }
    }

    /// From `self` at 0 to `rhs` at 1: the place straight, the rotation by [`slerp`](Quat::slerp).
    pub fn interpolate(self, rhs: Transform, t: f32) -> Transform {
        Transform { p: self.p.lerp(rhs.p, t), q: self.q.slerp(rhs.q, t) }
    }

    /// Whether all components are finite.
    pub fn is_finite(self) -> bool {
        self.p.is_finite() && self.q.is_finite()
    }

    /// Whether a component is NaN.
    pub fn is_nan(self) -> bool {
        self.p.is_nan() || self.q.is_nan()
    }

    /// Whether no component differs by more than `max_abs_diff`; `q` and `-q` are different here.
    pub fn abs_diff_eq(self, rhs: Transform, max_abs_diff: f32) -> bool {
        self.p.abs_diff_eq(rhs.p, max_abs_diff) && self.q.abs_diff_eq(rhs.q, max_abs_diff)
    }
}

impl Mul for Transform {
    type Output = Transform;
    fn mul(self, rhs: Transform) -> Transform {
        Transform { p: self.q * rhs.p + self.p, q: self.q * rhs.q }
    }
}
