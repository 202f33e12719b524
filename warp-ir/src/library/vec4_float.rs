// Vectors of 4 float components.

impl Vec4 {
    /// The length.
    pub fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// One over the length.
    pub fn length_recip(self) -> f32 {
        1.0 / self.length()
    }

    /// The distance.
    pub fn distance(self, rhs: Vec4) -> f32 {
        (self - rhs).length()
    }

    /// The vector of length 1 in the same direction; not finite for a vector without length.
    pub fn normalize(self) -> Vec4 {
        self * self.length_recip()
    }

    /// The vector of length 1 in the same direction, where there is one.
    pub fn try_normalize(self) -> Option<Vec4> {
        let rcp = self.length_recip();
        if rcp.is_finite() && rcp > 0.0 { Some(self * rcp) } else { None }
    }

    /// The vector of length 1 in the same direction, else `fallback`.
    pub fn normalize_or(self, fallback: Vec4) -> Vec4 {
        let rcp = self.length_recip();
        if rcp.is_finite() && rcp > 0.0 { self * rcp } else { fallback }
    }

    /// The vector of length 1 in the same direction, else zero.
    pub fn normalize_or_zero(self) -> Vec4 {
        self.normalize_or(Vec4::splat(0.0))
    }

    /// The vector of length 1 in the same direction, and the length; the x axis and 0 without one.
    pub fn normalize_and_length(self) -> (Vec4, f32) {
        let length = self.length();
        let rcp = 1.0 / length;
        if rcp.is_finite() && rcp > 0.0 { (self * rcp, length) } else { (Vec4::new(1.0, 0.0, 0.0, 0.0), 0.0) }
    }

    /// Whether the length is 1, within rounding.
    pub fn is_normalized(self) -> bool {
        (self.length_squared() - 1.0).abs() <= 2e-4
    }

    /// The part of `self` along `rhs`.
    pub fn project_onto(self, rhs: Vec4) -> Vec4 {
        rhs * (self.dot(rhs) / rhs.dot(rhs))
    }

    /// The part of `self` across `rhs`.
    pub fn reject_from(self, rhs: Vec4) -> Vec4 {
        self - self.project_onto(rhs)
    }

    /// The part of `self` along `rhs`, which has length 1.
    pub fn project_onto_normalized(self, rhs: Vec4) -> Vec4 {
        rhs * self.dot(rhs)
    }

    /// The part of `self` across `rhs`, which has length 1.
    pub fn reject_from_normalized(self, rhs: Vec4) -> Vec4 {
        self - self.project_onto_normalized(rhs)
    }

    /// The nearest whole numbers; halves away from zero.
    pub fn round(self) -> Vec4 {
        Vec4::new(self.x.round(), self.y.round(), self.z.round(), self.w.round())
    }

    /// Rounded down.
    pub fn floor(self) -> Vec4 {
        Vec4::new(self.x.floor(), self.y.floor(), self.z.floor(), self.w.floor())
    }

    /// Rounded up.
    pub fn ceil(self) -> Vec4 {
        Vec4::new(self.x.ceil(), self.y.ceil(), self.z.ceil(), self.w.ceil())
    }

    /// Rounded toward zero.
    pub fn trunc(self) -> Vec4 {
        Vec4::new(self.x.trunc(), self.y.trunc(), self.z.trunc(), self.w.trunc())
    }

    /// The square roots.
    pub fn sqrt(self) -> Vec4 {
        Vec4::new(self.x.sqrt(), self.y.sqrt(), self.z.sqrt(), self.w.sqrt())
    }

    /// What truncation drops.
    pub fn fract(self) -> Vec4 {
        self - self.trunc()
    }

    /// What rounding down drops.
    pub fn fract_gl(self) -> Vec4 {
        self - self.floor()
    }

    /// 0 where `rhs` lies below `self`, else 1.
    pub fn step(self, rhs: Vec4) -> Vec4 {
        Vec4::select(rhs.cmplt(self), Vec4::splat(0.0), Vec4::splat(1.0))
    }

    /// Into 0 to 1.
    pub fn saturate(self) -> Vec4 {
        self.clamp(Vec4::splat(0.0), Vec4::splat(1.0))
    }

    /// 0 below `edge0`, 1 above `edge1`, a smooth cubic between.
    pub fn smoothstep(self, edge0: Vec4, edge1: Vec4) -> Vec4 {
        let t = ((self - edge0) / (edge1 - edge0)).saturate();
        t * t * (Vec4::splat(3.0) - Vec4::splat(2.0) * t)
    }

    /// One over each component.
    pub fn recip(self) -> Vec4 {
        Vec4::new(1.0 / self.x, 1.0 / self.y, 1.0 / self.z, 1.0 / self.w)
    }

    /// From `self` at 0 to `rhs` at 1.
    pub fn lerp(self, rhs: Vec4, s: f32) -> Vec4 {
        self * (1.0 - s) + rhs * s
    }

    /// From `self` at 0 to about `rhs` at 1, monotonic in `s`.
    pub fn lerp_monotonic(self, rhs: Vec4, s: f32) -> Vec4 {
        self + (rhs - self) * s
    }

    /// At most `d` nearer to `rhs`.
    pub fn move_towards(self, rhs: Vec4, d: f32) -> Vec4 {
        let a = rhs - self;
        let len = a.length();
        if len <= d || len <= 1e-4 { rhs } else { self + a / len * d }
    }

    /// Half way to `rhs`.
    pub fn midpoint(self, rhs: Vec4) -> Vec4 {
        (self + rhs) * 0.5
    }

    /// Whether no component differs by more than `max_abs_diff`.
    pub fn abs_diff_eq(self, rhs: Vec4, max_abs_diff: f32) -> bool {
        (self - rhs).abs().cmple(Vec4::splat(max_abs_diff)).all()
    }

    /// The length brought into `min..=max`.
    pub fn clamp_length(self, min: f32, max: f32) -> Vec4 {
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
    pub fn clamp_length_max(self, max: f32) -> Vec4 {
        let length_sq = self.length_squared();
        if length_sq > max * max { max * (self / length_sq.sqrt()) } else { self }
    }

    /// The length brought to `min` at least.
    pub fn clamp_length_min(self, min: f32) -> Vec4 {
        let length_sq = self.length_squared();
        if length_sq < min * min { min * (self / length_sq.sqrt()) } else { self }
    }

    /// `self * a + b`, rounded once.
    pub fn mul_add(self, a: Vec4, b: Vec4) -> Vec4 {
        Vec4::new(
            self.x.mul_add(a.x, b.x),
            self.y.mul_add(a.y, b.y),
            self.z.mul_add(a.z, b.z),
            self.w.mul_add(a.w, b.w),
        )
    }

    /// Mirrored at the plane across `normal`.
    pub fn reflect(self, normal: Vec4) -> Vec4 {
        self - 2.0 * self.dot(normal) * normal
    }

    /// Bent at a surface with this `normal`, `eta` the ratio of the indices; zero where all is reflected.
    pub fn refract(self, normal: Vec4, eta: f32) -> Vec4 {
        let n_dot_i = normal.dot(self);
        let k = 1.0 - eta * eta * (1.0 - n_dot_i * n_dot_i);
        if k >= 0.0 { eta * self - (eta * n_dot_i + k.sqrt()) * normal } else { Vec4::splat(0.0) }
    }

    /// These magnitudes with the signs of `rhs`.
    pub fn copysign(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x.copysign(rhs.x), self.y.copysign(rhs.y), self.z.copysign(rhs.z), self.w.copysign(rhs.w))
    }

    /// Whether all components are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite() && self.w.is_finite()
    }

    /// Which components are finite.
    pub fn is_finite_mask(self) -> BVec4 {
        BVec4::new(self.x.is_finite(), self.y.is_finite(), self.z.is_finite(), self.w.is_finite())
    }

    /// Whether a component is NaN.
    pub fn is_nan(self) -> bool {
        self.x.is_nan() || self.y.is_nan() || self.z.is_nan() || self.w.is_nan()
    }

    /// Which components are NaN.
    pub fn is_nan_mask(self) -> BVec4 {
        BVec4::new(self.x.is_nan(), self.y.is_nan(), self.z.is_nan(), self.w.is_nan())
    }

    /// Which components have a minus sign.
    pub fn is_negative_mask(self) -> BVec4 {
        BVec4::new(
            self.x.is_sign_negative(),
            self.y.is_sign_negative(),
            self.z.is_sign_negative(),
            self.w.is_sign_negative(),
        )
    }

    /// Which components have a minus sign, as bits.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// The point of homogeneous coordinates.
    pub fn project(self) -> Vec3 {
        Vec3::from_homogeneous(self)
    }

    /// The exponential functions.
    pub fn exp(self) -> Vec4 {
        Vec4::new(self.x.exp(), self.y.exp(), self.z.exp(), self.w.exp())
    }

    /// Two to the power of each component.
    pub fn exp2(self) -> Vec4 {
        Vec4::new(self.x.exp2(), self.y.exp2(), self.z.exp2(), self.w.exp2())
    }

    /// The natural logarithms.
    pub fn ln(self) -> Vec4 {
        Vec4::new(self.x.ln(), self.y.ln(), self.z.ln(), self.w.ln())
    }

    /// The logarithms of base 2.
    pub fn log2(self) -> Vec4 {
        Vec4::new(self.x.log2(), self.y.log2(), self.z.log2(), self.w.log2())
    }

    /// The sines.
    pub fn sin(self) -> Vec4 {
        Vec4::new(self.x.sin(), self.y.sin(), self.z.sin(), self.w.sin())
    }

    /// The cosines.
    pub fn cos(self) -> Vec4 {
        Vec4::new(self.x.cos(), self.y.cos(), self.z.cos(), self.w.cos())
    }

    /// The sines and the cosines.
    pub fn sin_cos(self) -> (Vec4, Vec4) {
        (self.sin(), self.cos())
    }

    /// Each component to the power of `n`.
    pub fn powf(self, n: f32) -> Vec4 {
        Vec4::new(self.x.powf(n), self.y.powf(n), self.z.powf(n), self.w.powf(n))
    }
}
