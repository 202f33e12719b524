// Quaternions: what glam lacks. All but `exp` and `ln` are about rotations, which have length 1.

impl Quat {
    /// The vector turned by this rotation: `self * v`.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).rotate(Vec3::new(1.0, 2.0, 3.0))` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn rotate(self, v: Vec3) -> Vec3 {
        self * v
    }

    /// The vector turned back by this rotation.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).rotate_inverse(Vec3::new(-2.0, 1.0, 3.0))` is about
    /// `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn rotate_inverse(self, v: Vec3) -> Vec3 {
        self.conjugate() * v
    }

    /// The rotation vector of the shorter way: the axis times the angle, which is at most π.
    ///
    /// Smooth but at half turns, where the axis changes its sign: there the one that the signs of the components say.
    ///
    /// Example: `(-Quat::from_rotation_z(90f32.to_radians())).to_rotation_vector()` is about
    /// `Vec3::new(0.0, 0.0, 90f32.to_radians())`.
    pub fn to_rotation_vector(self) -> Vec3 {
        if self.w < 0.0 { (-self).to_scaled_axis() } else { self.to_scaled_axis() }
    }

    /// The exponential function of a quaternion.
    ///
    /// Example: `Quat::from_xyzw(0.0, 0.0, 45f32.to_radians(), 0.0).exp() * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    ///
    /// Example: `Quat::from_xyzw(0.0, 0.0, 0.0, 0.0).exp()` is `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)`.
    pub fn exp(self) -> Quat {
        Quat::from_scaled_axis(self.xyz() * 2.0) * self.w.exp()
    }

    /// The principal logarithm of a quaternion that is not zero; its imaginary part is at most π long.
    ///
    /// Smooth but on the negative real axis, where the direction of the imaginary part is lost: it is zero there. Not
    /// finite for zero.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).ln()` is about
    /// `Quat::from_xyzw(0.0, 0.0, 45f32.to_radians(), 0.0)`.
    pub fn ln(self) -> Quat {
        let v = self.normalize().to_scaled_axis() * 0.5;
        Quat::from_xyzw(v.x, v.y, v.z, self.length().ln())
    }

    /// The part `t` of this rotation, the shorter way: nothing at 0, all of it at 1. Smooth but at half turns, where it
    /// jumps.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).powf(2.0) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-1.0, -2.0, 3.0)`.
    pub fn powf(self, t: f32) -> Quat {
        Quat::from_scaled_axis(self.to_rotation_vector() * t)
    }

    /// The quaternion nearly of length 1 made one, by a step of Newton's method: without square root or division, and
    /// good to the square of what is missing.
    ///
    /// Example: `Quat::from_xyzw(0.0, 0.0, 0.0, 1.001).renormalize()` is about `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)`.
    pub fn renormalize(self) -> Quat {
        self * (1.5 - 0.5 * self.length_squared())
    }

    /// The rotation after the time `dt` at a constant angular velocity along the outer frame's axes, rad/s: exact for
    /// any `dt`.
    ///
    /// Example:
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).integrate(Vec3::new(0.0, 0.0, 90f32.to_radians()), 1.0) * Vec3::new(1.0, 2.0, 3.0)`
    /// is about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn integrate(self, angular: Vec3, dt: f32) -> Quat {
        (Quat::from_scaled_axis(angular * dt) * self).renormalize()
    }

    /// The rotation after the time `dt` at a constant angular velocity along the body's own axes, rad/s.
    ///
    /// Example:
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).integrate_body(Vec3::new(0.0, 0.0, 90f32.to_radians()), 1.0) * Vec3::new(1.0, 2.0, 3.0)`
    /// is about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn integrate_body(self, angular: Vec3, dt: f32) -> Quat {
        (self * Quat::from_scaled_axis(angular * dt)).renormalize()
    }

    /// How fast the components change at an angular velocity along the outer frame's axes. Per second where `angular`
    /// is in rad/s.
    ///
    /// Example: `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).derivative(Vec3::new(2.0, 4.0, 6.0))` is
    /// `Quat::from_xyzw(1.0, 2.0, 3.0, 0.0)`.
    pub fn derivative(self, angular: Vec3) -> Quat {
        Quat::from_xyzw(angular.x, angular.y, angular.z, 0.0) * self * 0.5
    }

    /// Rotation and angular velocity of a free body after the time `dt`: the midpoint rule.
    ///
    /// `angular` is along the outer frame's axes, `torque`, `inertia` and its inverse along the body's. The rate of
    /// change is that half way, found in four rounds, and is added to the angular velocity as an increment: so energy
    /// and momentum of a body without torque drift by no more than rounding and the square of `dt`. Units are those of
    /// the caller; in SI rad/s, N m, kg m² and s.
    ///
    /// Example:
    /// `Quat::from_xyzw(0.0, 0.0, 0.0, 1.0).integrate_midpoint(Vec3::new(0.0, 0.0, 90f32.to_radians()), Vec3::new(0.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 2.0)), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 0.5)), 1.0).0 * Vec3::new(1.0, 2.0, 3.0)`
    /// is about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn integrate_midpoint(
        self,
        angular: Vec3,
        torque: Vec3,
        inertia: Mat3,
        inverse_inertia: Mat3,
        dt: f32,
    ) -> (Quat, Vec3) {
        let start = self.rotate_inverse(angular);
        let mut middle = start;
        for _ in 0..4 {
            middle = start + inverse_inertia * (torque - middle.cross(inertia * middle)) * (0.5 * dt);
        }
        let rate = inverse_inertia * (torque - middle.cross(inertia * middle));
        let half_way = self * Quat::from_scaled_axis(middle * (0.5 * dt));
        (self.integrate_body(middle, dt), angular + half_way.rotate(rate) * dt)
    }

    /// The rotation about the fixed x axis by `roll`, then y by `pitch`, then z by `yaw`.
    ///
    /// Example: `Quat::from_rpy(0.0, 0.0, 90f32.to_radians()) * Vec3::new(1.0, 2.0, 3.0)` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn from_rpy(roll: f32, pitch: f32, yaw: f32) -> Quat {
        Quat::from_rotation_z(yaw) * Quat::from_rotation_y(pitch) * Quat::from_rotation_x(roll)
    }

    /// Roll and yaw from -π to π, pitch from -π/2 to π/2: the inverse of [`from_rpy`](Self::from_rpy).
    ///
    /// At a pitch of a quarter turn roll and yaw are about one axis: what they make together is right, how they share it is
    /// left to rounding, and the derivatives are large or zero.
    ///
    /// Example: `Quat::from_rpy(0.1, 0.2, 0.3).to_rpy().2` is about `0.3`.
    pub fn to_rpy(self) -> (f32, f32, f32) {
        // Half of roll plus yaw and half of roll less yaw, each with a weight of its own: where one weight is lost, so is
        // what the angle under it has to say.
        let (sum_sine, sum_cosine) = (self.x + self.z, self.w - self.y);
        let (gap_sine, gap_cosine) = (self.x - self.z, self.w + self.y);
        let (sum, gap) = (sum_sine.atan2(sum_cosine), gap_sine.atan2(gap_cosine));
        let (low, high) = (sum_sine.hypot(sum_cosine), gap_sine.hypot(gap_cosine));
        let pitch = 2.0 * (high - low).atan2(high + low);
        (Quat::half_turns(sum + gap), pitch, Quat::half_turns(sum - gap))
    }

    /// An angle between two turns back and forth, brought between two half ones.
    fn half_turns(angle: f32) -> f32 {
        let half: f32 = 3.141_592_653_589_793;
        let turn: f32 = 6.283_185_307_179_586;
        if angle > half {
            angle - turn
        } else if angle < -half {
            angle + turn
        } else {
            angle
        }
    }

    /// The part of this rotation about an axis of length 1: `self` is some rotation about an axis across it, after this
    /// one. The identity, with a derivative of zero, where the other part is half a turn.
    ///
    /// Example:
    /// `(Quat::from_rotation_x(0.5) * Quat::from_rotation_z(90f32.to_radians())).twist(Vec3::new(0.0, 0.0, 1.0)) * Vec3::new(1.0, 2.0, 3.0)`
    /// is about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn twist(self, axis: Vec3) -> Quat {
        let along = axis * self.xyz().dot(axis);
        let square = along.dot(along) + self.w * self.w;
        let known = square > 0.0;
        let scale = if known { 1.0 / (if known { square } else { 1.0 }).sqrt() } else { 0.0 };
        let w = if known { self.w * scale } else { 1.0 };
        Quat::from_xyzw(along.x * scale, along.y * scale, along.z * scale, w)
    }

    /// This rotation taken apart: `swing * twist`, the twist about an axis of length 1, the swing about one across it.
    /// The swing is the whole rotation where the twist is the identity.
    ///
    /// Example:
    /// `(Quat::from_rotation_x(90f32.to_radians()) * Quat::from_rotation_z(90f32.to_radians())).swing_twist(Vec3::new(0.0, 0.0, 1.0)).0 * Vec3::new(1.0, 2.0, 3.0)`
    /// is about `Vec3::new(1.0, -3.0, 2.0)`.
    pub fn swing_twist(self, axis: Vec3) -> (Quat, Quat) {
        let twist = self.twist(axis);
        (self * twist.conjugate(), twist)
    }

    /// The angle of the [`twist`](Self::twist) about an axis of length 1, right-handed, from -π to π. It jumps at
    /// half turns about the axis; where the swing is half a turn it is 0, and so is its derivative.
    ///
    /// Example: `Quat::from_rotation_z(90f32.to_radians()).twist_angle(Vec3::new(0.0, 0.0, 1.0))` is about
    /// `90f32.to_radians()`.
    pub fn twist_angle(self, axis: Vec3) -> f32 {
        let along = self.xyz().dot(axis);
        // Zeros have signs, which would make half turns here.
        if along == 0.0 && self.w == 0.0 {
            0.0
        } else if self.w < 0.0 {
            2.0 * (-along).atan2(-self.w)
        } else {
            2.0 * along.atan2(self.w)
        }
    }
}
