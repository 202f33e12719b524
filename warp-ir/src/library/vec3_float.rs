// Vectors of 3 float components.

impl Vec3 {
    /// The length.
    pub fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// One over the length.
    pub fn length_recip(self) -> f32 {
        1.0 / self.length()
    }

    /// The distance.
    pub fn distance(self, rhs: Vec3) -> f32 {
        (self - rhs).length()
    }

    /// The vector of length 1 in the same direction; not finite for a vector without length.
    pub fn normalize(self) -> Vec3 {
        self * self.length_recip()
    }

    /// The vector of length 1 in the same direction, where there is one.
    pub fn try_normalize(self) -> Option<Vec3> {
        let rcp = self.length_recip();
        if rcp.is_finite() && rcp > 0.0 { Some(self * rcp) } else { None }
    }

    /// The vector of length 1 in the same direction, else `fallback`.
    pub fn normalize_or(self, fallback: Vec3) -> Vec3 {
        let rcp = self.length_recip();
        if rcp.is_finite() && rcp > 0.0 { self * rcp } else { fallback }
    }

    /// The vector of length 1 in the same direction, else zero.
    pub fn normalize_or_zero(self) -> Vec3 {
        self.normalize_or(Vec3::splat(0.0))
    }

    /// The vector of length 1 in the same direction, and the length; the x axis and 0 without one.
    pub fn normalize_and_length(self) -> (Vec3, f32) {
        let length = self.length();
        let rcp = 1.0 / length;
        if rcp.is_finite() && rcp > 0.0 { (self * rcp, length) } else { (Vec3::new(1.0, 0.0, 0.0), 0.0) }
    }

    /// Whether the length is 1, within rounding.
    pub fn is_normalized(self) -> bool {
        (self.length_squared() - 1.0).abs() <= 2e-4
    }

    /// The part of `self` along `rhs`.
    pub fn project_onto(self, rhs: Vec3) -> Vec3 {
        rhs * (self.dot(rhs) / rhs.dot(rhs))
    }

    /// The part of `self` across `rhs`.
    pub fn reject_from(self, rhs: Vec3) -> Vec3 {
        self - self.project_onto(rhs)
    }

    /// The part of `self` along `rhs`, which has length 1.
    pub fn project_onto_normalized(self, rhs: Vec3) -> Vec3 {
        rhs * self.dot(rhs)
    }

    /// The part of `self` across `rhs`, which has length 1.
    pub fn reject_from_normalized(self, rhs: Vec3) -> Vec3 {
        self - self.project_onto_normalized(rhs)
    }

    /// The nearest whole numbers; halves away from zero.
    pub fn round(self) -> Vec3 {
        Vec3::new(self.x.round(), self.y.round(), self.z.round())
    }

    /// Rounded down.
    pub fn floor(self) -> Vec3 {
        Vec3::new(self.x.floor(), self.y.floor(), self.z.floor())
    }

    /// Rounded up.
    pub fn ceil(self) -> Vec3 {
        Vec3::new(self.x.ceil(), self.y.ceil(), self.z.ceil())
    }

    /// Rounded toward zero.
    pub fn trunc(self) -> Vec3 {
        Vec3::new(self.x.trunc(), self.y.trunc(), self.z.trunc())
    }

    /// The square roots.
    pub fn sqrt(self) -> Vec3 {
        Vec3::new(self.x.sqrt(), self.y.sqrt(), self.z.sqrt())
    }

    /// What truncation drops.
    pub fn fract(self) -> Vec3 {
        self - self.trunc()
    }

    /// What rounding down drops.
    pub fn fract_gl(self) -> Vec3 {
        self - self.floor()
    }

    /// 0 where `rhs` lies below `self`, else 1.
    pub fn step(self, rhs: Vec3) -> Vec3 {
        Vec3::select(rhs.cmplt(self), Vec3::splat(0.0), Vec3::splat(1.0))
    }

    /// Into 0 to 1.
    pub fn saturate(self) -> Vec3 {
        self.clamp(Vec3::splat(0.0), Vec3::splat(1.0))
    }

    /// 0 below `edge0`, 1 above `edge1`, a smooth cubic between.
    pub fn smoothstep(self, edge0: Vec3, edge1: Vec3) -> Vec3 {
        let t = ((self - edge0) / (edge1 - edge0)).saturate();
        t * t * (Vec3::splat(3.0) - Vec3::splat(2.0) * t)
    }

    /// One over each component.
    pub fn recip(self) -> Vec3 {
        Vec3::new(1.0 / self.x, 1.0 / self.y, 1.0 / self.z)
    }

    /// From `self` at 0 to `rhs` at 1.
    pub fn lerp(self, rhs: Vec3, s: f32) -> Vec3 {
        self * (1.0 - s) + rhs * s
    }

    /// From `self` at 0 to about `rhs` at 1, monotonic in `s`.
    pub fn lerp_monotonic(self, rhs: Vec3, s: f32) -> Vec3 {
        self + (rhs - self) * s
    }

    /// At most `d` nearer to `rhs`.
    pub fn move_towards(self, rhs: Vec3, d: f32) -> Vec3 {
        let a = rhs - self;
        let len = a.length();
        if len <= d || len <= 1e-4 { rhs } else { self + a / len * d }
    }

    /// Half way to `rhs`.
    pub fn midpoint(self, rhs: Vec3) -> Vec3 {
        (self + rhs) * 0.5
    }

    /// Whether no component differs by more than `max_abs_diff`.
    pub fn abs_diff_eq(self, rhs: Vec3, max_abs_diff: f32) -> bool {
        (self - rhs).abs().cmple(Vec3::splat(max_abs_diff)).all()
    }

    /// The length brought into `min..=max`.
    pub fn clamp_length(self, min: f32, max: f32) -> Vec3 {
        let length_sq = self.length_squared();
        if length_sq < min * min {
            min * (self / length_sq.sqrt())
        } else if length_sq > max * max {
            max * (self / length_sq.sqrt())
        } else {
            self
        }
    }

    /// The length brought to `max` at most.
    pub fn clamp_length_max(self, max: f32) -> Vec3 {
        let length_sq = self.length_squared();
        if length_sq > max * max { max * (self / length_sq.sqrt()) } else { self }
    }

    /// The length brought to `min` at least.
    pub fn clamp_length_min(self, min: f32) -> Vec3 {
        let length_sq = self.length_squared();
        if length_sq < min * min { min * (self / length_sq.sqrt()) } else { self }
    }

    /// `self * a + b`, rounded once.
    pub fn mul_add(self, a: Vec3, b: Vec3) -> Vec3 {
        Vec3::new(self.x.mul_add(a.x, b.x), self.y.mul_add(a.y, b.y), self.z.mul_add(a.z, b.z))
    }

    /// Mirrored at the plane across `normal`.
    pub fn reflect(self, normal: Vec3) -> Vec3 {
        self - 2.0 * self.dot(normal) * normal
    }

    /// Bent at a surface with this `normal`, `eta` the ratio of the indices; zero where all is reflected.
    pub fn refract(self, normal: Vec3, eta: f32) -> Vec3 {
        let n_dot_i = normal.dot(self);
        let k = 1.0 - eta * eta * (1.0 - n_dot_i * n_dot_i);
        if k >= 0.0 { eta * self - (eta * n_dot_i + k.sqrt()) * normal } else { Vec3::splat(0.0) }
    }

    /// These magnitudes with the signs of `rhs`.
    pub fn copysign(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x.copysign(rhs.x), self.y.copysign(rhs.y), self.z.copysign(rhs.z))
    }

    /// Whether all components are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// Which components are finite.
    pub fn is_finite_mask(self) -> BVec3 {
        BVec3::new(self.x.is_finite(), self.y.is_finite(), self.z.is_finite())
    }

    /// Whether a component is NaN.
    pub fn is_nan(self) -> bool {
        self.x.is_nan() || self.y.is_nan() || self.z.is_nan()
    }

    /// Which components are NaN.
    pub fn is_nan_mask(self) -> BVec3 {
        BVec3::new(self.x.is_nan(), self.y.is_nan(), self.z.is_nan())
    }

    /// Which components have a minus sign.
    pub fn is_negative_mask(self) -> BVec3 {
        BVec3::new(self.x.is_sign_negative(), self.y.is_sign_negative(), self.z.is_sign_negative())
    }

    /// Which components have a minus sign, as bits.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// The point of homogeneous coordinates.
    pub fn from_homogeneous(v: Vec4) -> Vec3 {
        Vec3::new(v.x, v.y, v.z) / v.w
    }

    /// Homogeneous coordinates of the point.
    pub fn to_homogeneous(self) -> Vec4 {
        self.extend(1.0)
    }

    /// Some vector across this one.
    pub fn any_orthogonal_vector(self) -> Vec3 {
        if self.x.abs() > self.y.abs() { Vec3::new(-self.z, 0.0, self.x) } else { Vec3::new(0.0, self.z, -self.y) }
    }

    /// Some vector of length 1 across this one, which has length 1.
    pub fn any_orthonormal_vector(self) -> Vec3 {
        let sign = self.z.signum();
        let a = -1.0 / (sign + self.z);
        let b = self.x * self.y * a;
        Vec3::new(b, sign + self.y * self.y * a, -self.y)
    }

    /// Two vectors of length 1 across this one, which has length 1, and each other.
    pub fn any_orthonormal_pair(self) -> (Vec3, Vec3) {
        let sign = self.z.signum();
        let a = -1.0 / (sign + self.z);
        let b = self.x * self.y * a;
        let first = Vec3::new(1.0 + sign * self.x * self.x * a, sign * b, -sign * self.x);
        (first, Vec3::new(b, sign + self.y * self.y * a, -self.y))
    }

    /// The exponential functions.
    pub fn exp(self) -> Vec3 {
        Vec3::new(self.x.exp(), self.y.exp(), self.z.exp())
    }

    /// Two to the power of each component.
    pub fn exp2(self) -> Vec3 {
        Vec3::new(self.x.exp2(), self.y.exp2(), self.z.exp2())
    }

    /// The natural logarithms.
    pub fn ln(self) -> Vec3 {
        Vec3::new(self.x.ln(), self.y.ln(), self.z.ln())
    }

    /// The logarithms of base 2.
    pub fn log2(self) -> Vec3 {
        Vec3::new(self.x.log2(), self.y.log2(), self.z.log2())
    }

    /// The sines.
    pub fn sin(self) -> Vec3 {
        Vec3::new(self.x.sin(), self.y.sin(), self.z.sin())
    }

    /// The cosines.
    pub fn cos(self) -> Vec3 {
        Vec3::new(self.x.cos(), self.y.cos(), self.z.cos())
    }

    /// The sines and the cosines.
    pub fn sin_cos(self) -> (Vec3, Vec3) {
        (self.sin(), self.cos())
    }

    /// Each component to the power of `n`.
    pub fn powf(self, n: f32) -> Vec3 {
        Vec3::new(self.x.powf(n), self.y.powf(n), self.z.powf(n))
    }

    /// The angle between two vectors, from 0 to π.
    ///
    /// Finite, with a finite derivative, everywhere: at parallel vectors the derivative is zero.
    pub fn angle_between(self, rhs: Vec3) -> f32 {
        let across = self.cross(rhs);
        let square = across.dot(across);
        let length = if square > 0.0 { square.sqrt() } else { 0.0 };
        length.atan2(self.dot(rhs))
    }

    /// The angle from this vector to `rhs`, from -π to π, positive where it is right-handed about `axis`.
    pub fn angle_to(self, rhs: Vec3, axis: Vec3) -> f32 {
        self.cross(rhs).dot(axis).atan2(self.dot(rhs))
    }

    /// Turned about the x axis.
    pub fn rotate_x(self, angle: f32) -> Vec3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Vec3::new(self.x, self.y * cosa - self.z * sina, self.y * sina + self.z * cosa)
    }

    /// Turned about the y axis.
    pub fn rotate_y(self, angle: f32) -> Vec3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Vec3::new(self.x * cosa + self.z * sina, self.y, self.x * -sina + self.z * cosa)
    }

    /// Turned about the z axis.
    pub fn rotate_z(self, angle: f32) -> Vec3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Vec3::new(self.x * cosa - self.y * sina, self.x * sina + self.y * cosa, self.z)
    }

    /// Turned about an axis of length 1.
    pub fn rotate_axis(self, axis: Vec3, angle: f32) -> Vec3 {
        Quat::from_axis_angle(axis, angle) * self
    }

    /// Turned toward `rhs` by at most `max_angle`; a negative one turns away, by no more than to the opposite.
    pub fn rotate_towards(self, rhs: Vec3, max_angle: f32) -> Vec3 {
        let angle_between = self.angle_between(rhs);
        let angle = max_angle.clamp(angle_between - 3.141_592_653_589_793_2, angle_between);
        let axis = match self.cross(rhs).try_normalize() {
            Some(axis) => axis,
            None => self.any_orthogonal_vector().normalize(),
        };
        Quat::from_axis_angle(axis, angle) * self
    }

    /// From `self` at 0 to `rhs` at 1 along the arc, at even speed; lengths in proportion. Nearly parallel vectors go
    /// straight, nearly opposite ones over some vector across.
    pub fn slerp(self, rhs: Vec3, s: f32) -> Vec3 {
        let self_length = self.length();
        let rhs_length = rhs.length();
        let dot = self.dot(rhs) / (self_length * rhs_length);
        if dot.abs() < 1.0 - 3e-7 {
            let theta = dot.acos();
            let sin_theta = theta.sin();
            let t1 = (theta * (1.0 - s)).sin();
            let t2 = (theta * s).sin();
            let result_length = self_length + (rhs_length - self_length) * s;
            return (self * (result_length / self_length) * t1 + rhs * (result_length / rhs_length) * t2)
                * (1.0 / sin_theta);
        }
        if dot < 0.0 {
            let axis = self.any_orthogonal_vector().normalize();
            let rotation = Quat::from_axis_angle(axis, 3.141_592_653_589_793_2 * s);
            let result_length = self_length + (rhs_length - self_length) * s;
            rotation * self * (result_length / self_length)
        } else {
            self.lerp(rhs, s)
        }
    }
}
