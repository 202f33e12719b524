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
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.p` is `Vec3::new(5.0, 6.0, 7.0)`.
    pub fn new(p: Vec3, q: Quat) -> Transform {
        Transform { p, q }
    }

    /// A shift.
    ///
    /// Example: `Transform::from_translation(Vec3::new(5.0, 6.0, 7.0)).transform_point(Vec3::new(1.0, 2.0, 3.0))` is
    /// `Vec3::new(6.0, 8.0, 10.0)`.
    pub fn from_translation(p: Vec3) -> Transform {
        Transform { p, q: Quat::IDENTITY }
    }

    /// A rotation about the origin.
    ///
    /// Example:
    /// `Transform::from_rotation(Quat::from_rotation_z(90f32.to_radians())).transform_point(Vec3::new(1.0, 2.0, 3.0))`
    /// is about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_rotation(q: Quat) -> Transform {
        Transform { p: Vec3::ZERO, q }
    }

    /// The motion of a 4x4 matrix of a rotation and a shift. Scale or shear in it gives a wrong rotation.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `Transform::from_mat4(m.to_mat4()).transform_point(Vec3::new(1.0, 2.0, 3.0))` is about
    /// `Vec3::new(3.0, 7.0, 10.0)`.
    pub fn from_mat4(m: Mat4) -> Transform {
        let q = Quat::from_rotation_axes(m.x_axis.truncate(), m.y_axis.truncate(), m.z_axis.truncate());
        Transform { p: m.w_axis.truncate(), q }
    }

    /// The 4x4 matrix that does the same to homogeneous coordinates.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.to_mat4().transform_point3(Vec3::new(1.0, 2.0, 3.0))` is about `Vec3::new(3.0, 7.0, 10.0)`.
    pub fn to_mat4(self) -> Mat4 {
        Mat4::from_rotation_translation(self.q, self.p)
    }

    /// The motion back.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.inverse().transform_point(Vec3::new(3.0, 7.0, 10.0))` is about `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn inverse(self) -> Transform {
        let q = self.q.inverse();
        Transform { p: -(q * self.p), q }
    }

    /// A point: rotated, then shifted.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.transform_point(Vec3::new(1.0, 2.0, 3.0))` is about `Vec3::new(3.0, 7.0, 10.0)`.
    pub fn transform_point(self, point: Vec3) -> Vec3 {
        self.q * point + self.p
    }

    /// A direction: rotated alone.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.transform_vector(Vec3::new(1.0, 2.0, 3.0))` is about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn transform_vector(self, vector: Vec3) -> Vec3 {
        self.q * vector
    }

    /// The point of the inner frame that comes to `point`; the same as the inverse's, with fewer operations.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.inverse_transform_point(Vec3::new(3.0, 7.0, 10.0))` is about `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn inverse_transform_point(self, point: Vec3) -> Vec3 {
        self.q.inverse() * (point - self.p)
    }

    /// The direction of the inner frame that comes to `vector`.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.inverse_transform_vector(Vec3::new(-2.0, 1.0, 3.0))` is about `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn inverse_transform_vector(self, vector: Vec3) -> Vec3 {
        self.q.inverse() * vector
    }

    /// The motion with a rotation of length 1 again, after many products. Not finite where the rotation is zero.
    ///
    /// Example: `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_xyzw(2.0, 2.0, 2.0, 2.0)).normalize().q` is
    /// `Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)`.
    pub fn normalize(self) -> Transform {
        Transform { p: self.p, q: self.q.normalize() }
    }

    /// From `self` at 0 to `rhs` at 1: the place straight, the rotation by [`slerp`](Quat::slerp).
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `Transform::from_translation(Vec3::new(1.0, 2.0, 3.0)).interpolate(m, 0.5).p` is `Vec3::new(3.0, 4.0, 5.0)`.
    pub fn interpolate(self, rhs: Transform, t: f32) -> Transform {
        Transform { p: self.p.lerp(rhs.p, t), q: self.q.slerp(rhs.q, t) }
    }

    /// Whether all components are finite.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.is_finite() && !Transform::from_translation(Vec3::new(f32::INFINITY, 0.0, 0.0)).is_finite()` holds.
    pub fn is_finite(self) -> bool {
        self.p.is_finite() && self.q.is_finite()
    }

    /// Whether a component is NaN.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `!m.is_nan() && Transform::from_translation(Vec3::new(f32::NAN, 0.0, 0.0)).is_nan()` holds.
    pub fn is_nan(self) -> bool {
        self.p.is_nan() || self.q.is_nan()
    }

    /// Whether no component differs by more than `max_abs_diff`; `q` and `-q` are different here.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.abs_diff_eq(m, 0.0)` holds.
    pub fn abs_diff_eq(self, rhs: Transform, max_abs_diff: f32) -> bool {
        self.p.abs_diff_eq(rhs.p, max_abs_diff) && self.q.abs_diff_eq(rhs.q, max_abs_diff)
    }
}

/// The transform on the right, then that on the left.
///
/// Example:
/// `(Transform::from_translation(Vec3::new(1.0, 2.0, 3.0)) * Transform::from_translation(Vec3::new(4.0, 5.0, 6.0))).p`
/// is `Vec3::new(5.0, 7.0, 9.0)`.
impl Mul for Transform {
    type Output = Transform;
    fn mul(self, rhs: Transform) -> Transform {
        Transform { p: self.q * rhs.p + self.p, q: self.q * rhs.q }
    }
}
