// Vectors of 3 float components.

impl Vec3 {
    /// The length. The derivative is the direction; 0 for the zero vector, as the row of `sqrt` says.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).length()` is `7.0`.
    pub fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// One over the length. Infinite for the zero vector; its derivative there is not finite.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).length_recip()` is about `0.14285714285714285`.
    pub fn length_recip(self) -> f32 {
        1.0 / self.length()
    }

    /// The distance. The derivative is 0 where both are the same.
    ///
    /// Example: `Vec3::new(3.0, 4.0, 7.0).distance(Vec3::new(1.0, 1.0, 1.0))` is `7.0`.
    pub fn distance(self, rhs: Vec3) -> f32 {
        (self - rhs).length()
    }

    /// The vector of length 1 in the same direction; not finite for a vector without length.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).normalize()` is about
    /// `Vec3::new(0.2857142857142857, 0.42857142857142855, 0.8571428571428571)`.
    pub fn normalize(self) -> Vec3 {
        self * self.length_recip()
    }

    /// The vector of length 1 in the same direction, where there is one. There is none for the zero vector, and for one
    /// whose length is too small or too large for one over it.
    ///
    /// Example:
    /// `Vec3::new(2.0, 3.0, 6.0).try_normalize().is_some() && Vec3::new(0.0, 0.0, 0.0).try_normalize().is_none()`
    /// holds.
    pub fn try_normalize(self) -> Option<Vec3> {
        let rcp = self.length_recip();
        if rcp.is_finite() && rcp > 0.0 { Some(self * rcp) } else { None }
    }

    /// The vector of length 1 in the same direction, else `fallback`. The derivative is that of `fallback` where it is
    /// taken.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).normalize_or(Vec3::new(1.0, 2.0, 3.0))` is `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn normalize_or(self, fallback: Vec3) -> Vec3 {
        let rcp = self.length_recip();
        if rcp.is_finite() && rcp > 0.0 { self * rcp } else { fallback }
    }

    /// The vector of length 1 in the same direction, else zero. The derivative at zero is 0.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).normalize_or_zero()` is about
    /// `Vec3::new(0.2857142857142857, 0.42857142857142855, 0.8571428571428571)`.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).normalize_or_zero()` is `Vec3::new(0.0, 0.0, 0.0)`.
    pub fn normalize_or_zero(self) -> Vec3 {
        self.normalize_or(Vec3::splat(0.0))
    }

    /// The vector of length 1 in the same direction, and the length; the x axis and 0 without one.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).normalize_and_length().1` is `7.0`.
    pub fn normalize_and_length(self) -> (Vec3, f32) {
        let length = self.length();
        let rcp = 1.0 / length;
        if rcp.is_finite() && rcp > 0.0 { (self * rcp, length) } else { (Vec3::new(1.0, 0.0, 0.0), 0.0) }
    }

    /// Whether the length is 1, within rounding. Within 2e-4 of the square.
    ///
    /// Example:
    /// `Vec3::new(0.2857142857142857, 0.42857142857142855, 0.8571428571428571).is_normalized() && !Vec3::new(2.0, 3.0, 6.0).is_normalized()`
    /// holds.
    pub fn is_normalized(self) -> bool {
        (self.length_squared() - 1.0).abs() <= 2e-4
    }

    /// The part of `self` along `rhs`. Not finite where `rhs` is zero.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).project_onto(Vec3::new(0.0, 2.0, 0.0))` is `Vec3::new(0.0, 2.0, 0.0)`.
    pub fn project_onto(self, rhs: Vec3) -> Vec3 {
        rhs * (self.dot(rhs) / rhs.dot(rhs))
    }

    /// The part of `self` across `rhs`. Not finite where `rhs` is zero.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).reject_from(Vec3::new(0.0, 2.0, 0.0))` is `Vec3::new(1.0, 0.0, 3.0)`.
    pub fn reject_from(self, rhs: Vec3) -> Vec3 {
        self - self.project_onto(rhs)
    }

    /// The part of `self` along `rhs`, which has length 1.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).project_onto_normalized(Vec3::new(0.0, 1.0, 0.0))` is
    /// `Vec3::new(0.0, 2.0, 0.0)`.
    pub fn project_onto_normalized(self, rhs: Vec3) -> Vec3 {
        rhs * self.dot(rhs)
    }

    /// The part of `self` across `rhs`, which has length 1.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).reject_from_normalized(Vec3::new(0.0, 1.0, 0.0))` is
    /// `Vec3::new(1.0, 0.0, 3.0)`.
    pub fn reject_from_normalized(self, rhs: Vec3) -> Vec3 {
        self - self.project_onto_normalized(rhs)
    }

    /// The nearest whole numbers; halves away from zero. The derivative is 0.
    ///
    /// Example: `Vec3::new(-1.5, 2.25, 2.5).round()` is `Vec3::new(-2.0, 2.0, 3.0)`.
    pub fn round(self) -> Vec3 {
        Vec3::new(self.x.round(), self.y.round(), self.z.round())
    }

    /// Rounded down. The derivative is 0.
    ///
    /// Example: `Vec3::new(-1.5, 2.25, 2.5).floor()` is `Vec3::new(-2.0, 2.0, 2.0)`.
    pub fn floor(self) -> Vec3 {
        Vec3::new(self.x.floor(), self.y.floor(), self.z.floor())
    }

    /// Rounded up. The derivative is 0.
    ///
    /// Example: `Vec3::new(-1.5, 2.25, 2.5).ceil()` is `Vec3::new(-1.0, 3.0, 3.0)`.
    pub fn ceil(self) -> Vec3 {
        Vec3::new(self.x.ceil(), self.y.ceil(), self.z.ceil())
    }

    /// Rounded toward zero. The derivative is 0.
    ///
    /// Example: `Vec3::new(-1.5, 2.25, 2.5).trunc()` is `Vec3::new(-1.0, 2.0, 2.0)`.
    pub fn trunc(self) -> Vec3 {
        Vec3::new(self.x.trunc(), self.y.trunc(), self.z.trunc())
    }

    /// The square roots. NaN below zero; the derivative at 0 is 0.
    ///
    /// Example: `Vec3::new(4.0, 9.0, 16.0).sqrt()` is `Vec3::new(2.0, 3.0, 4.0)`.
    pub fn sqrt(self) -> Vec3 {
        Vec3::new(self.x.sqrt(), self.y.sqrt(), self.z.sqrt())
    }

    /// What truncation drops. It has the sign of the component; the derivative is 1.
    ///
    /// Example: `Vec3::new(-1.5, 2.25, 2.5).fract()` is `Vec3::new(-0.5, 0.25, 0.5)`.
    pub fn fract(self) -> Vec3 {
        self - self.trunc()
    }

    /// What rounding down drops. From 0 up to 1, 1 not included; the derivative is 1.
    ///
    /// Example: `Vec3::new(-1.5, 2.25, 2.5).fract_gl()` is `Vec3::new(0.5, 0.25, 0.5)`.
    pub fn fract_gl(self) -> Vec3 {
        self - self.floor()
    }

    /// 0 where `rhs` lies below `self`, else 1. The derivative is 0.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).step(Vec3::new(0.5, 2.5, 3.0))` is `Vec3::new(0.0, 1.0, 1.0)`.
    pub fn step(self, rhs: Vec3) -> Vec3 {
        Vec3::select(rhs.cmplt(self), Vec3::splat(0.0), Vec3::splat(1.0))
    }

    /// Into 0 to 1. The derivative is 1 inside, 0 outside and at both ends.
    ///
    /// Example: `Vec3::new(-1.5, 2.25, 2.5).saturate()` is `Vec3::new(0.0, 1.0, 1.0)`.
    pub fn saturate(self) -> Vec3 {
        self.clamp(Vec3::splat(0.0), Vec3::splat(1.0))
    }

    /// 0 below `edge0`, 1 above `edge1`, a smooth cubic between. The derivative at both edges is 0. NaN where both
    /// edges are the same and the component is on them.
    ///
    /// Example: `Vec3::new(1.5, 0.0, 4.0).smoothstep(Vec3::new(1.0, 1.0, 1.0), Vec3::new(3.0, 3.0, 3.0))` is
    /// `Vec3::new(0.15625, 0.0, 1.0)`.
    pub fn smoothstep(self, edge0: Vec3, edge1: Vec3) -> Vec3 {
        let t = ((self - edge0) / (edge1 - edge0)).saturate();
        t * t * (Vec3::splat(3.0) - Vec3::splat(2.0) * t)
    }

    /// One over each component. Infinite for 0.
    ///
    /// Example: `Vec3::new(2.0, 4.0, -0.5).recip()` is `Vec3::new(0.5, 0.25, -2.0)`.
    pub fn recip(self) -> Vec3 {
        Vec3::new(1.0 / self.x, 1.0 / self.y, 1.0 / self.z)
    }

    /// From `self` at 0 to `rhs` at 1. Beyond 0 and 1 it goes on.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).lerp(Vec3::new(5.0, 6.0, 7.0), 0.25)` is `Vec3::new(2.0, 3.0, 4.0)`.
    pub fn lerp(self, rhs: Vec3, s: f32) -> Vec3 {
        self * (1.0 - s) + rhs * s
    }

    /// From `self` at 0 to about `rhs` at 1, monotonic in `s`. Beyond 0 and 1 it goes on.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).lerp_monotonic(Vec3::new(5.0, 6.0, 7.0), 0.25)` is
    /// `Vec3::new(2.0, 3.0, 4.0)`.
    pub fn lerp_monotonic(self, rhs: Vec3, s: f32) -> Vec3 {
        self + (rhs - self) * s
    }

    /// At most `d` nearer to `rhs`. The derivative is that of `rhs` once it is reached.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).move_towards(Vec3::new(2.0, 3.0, 6.0), 14.0)` is `Vec3::new(2.0, 3.0, 6.0)`.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).move_towards(Vec3::new(2.0, 3.0, 6.0), 3.5)` is about
    /// `Vec3::new(1.0, 1.5, 3.0)`.
    pub fn move_towards(self, rhs: Vec3, d: f32) -> Vec3 {
        let a = rhs - self;
        let len = a.length();
        if len <= d || len <= 1e-4 { rhs } else { self + a / len * d }
    }

    /// Half way to `rhs`.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).midpoint(Vec3::new(5.0, 6.0, 7.0))` is `Vec3::new(3.0, 4.0, 5.0)`.
    pub fn midpoint(self, rhs: Vec3) -> Vec3 {
        (self + rhs) * 0.5
    }

    /// Whether no component differs by more than `max_abs_diff`. False where a component is NaN.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).abs_diff_eq(Vec3::new(1.25, 2.25, 3.25), 0.5)` holds.
    pub fn abs_diff_eq(self, rhs: Vec3, max_abs_diff: f32) -> bool {
        (self - rhs).abs().cmple(Vec3::splat(max_abs_diff)).all()
    }

    /// The length brought into `min..=max`. Not finite for the zero vector, unless `min` is 0. On the host glam may
    /// panic where the bounds are crossed or negative.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).clamp_length(1.0, 14.0)` is `Vec3::new(2.0, 3.0, 6.0)`.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).clamp_length(0.5, 1.0)` is about
    /// `Vec3::new(0.2857142857142857, 0.42857142857142855, 0.8571428571428571)`.
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
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).clamp_length_max(1.0)` is about
    /// `Vec3::new(0.2857142857142857, 0.42857142857142855, 0.8571428571428571)`.
    pub fn clamp_length_max(self, max: f32) -> Vec3 {
        let length_sq = self.length_squared();
        if length_sq > max * max { max * (self / length_sq.sqrt()) } else { self }
    }

    /// The length brought to `min` at least. Not finite for the zero vector, unless `min` is 0.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 6.0).clamp_length_min(14.0)` is about `Vec3::new(4.0, 6.0, 12.0)`.
    pub fn clamp_length_min(self, min: f32) -> Vec3 {
        let length_sq = self.length_squared();
        if length_sq < min * min { min * (self / length_sq.sqrt()) } else { self }
    }

    /// `self * a + b`, rounded once.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).mul_add(Vec3::new(5.0, 6.0, 7.0), Vec3::new(1.0, 1.0, 1.0))` is
    /// `Vec3::new(6.0, 13.0, 22.0)`.
    pub fn mul_add(self, a: Vec3, b: Vec3) -> Vec3 {
        Vec3::new(self.x.mul_add(a.x, b.x), self.y.mul_add(a.y, b.y), self.z.mul_add(a.z, b.z))
    }

    /// Mirrored at the plane across `normal`. `normal` has length 1.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).reflect(Vec3::new(0.0, 1.0, 0.0))` is `Vec3::new(1.0, -2.0, 3.0)`.
    pub fn reflect(self, normal: Vec3) -> Vec3 {
        self - 2.0 * self.dot(normal) * normal
    }

    /// Bent at a surface with this `normal`, `eta` the ratio of the indices; zero where all is reflected. Both have
    /// length 1, and `self` goes against `normal`. Where reflection becomes total the derivative grows without bound.
    ///
    /// Example: `Vec3::new(0.6, -0.8, 0.0).refract(Vec3::new(0.0, 1.0, 0.0), 1.0)` is about
    /// `Vec3::new(0.6, -0.8, 0.0)`.
    ///
    /// Example: `Vec3::new(0.6, -0.8, 0.0).refract(Vec3::new(0.0, 1.0, 0.0), 2.0)` is `Vec3::new(0.0, 0.0, 0.0)`.
    pub fn refract(self, normal: Vec3, eta: f32) -> Vec3 {
        let n_dot_i = normal.dot(self);
        let k = 1.0 - eta * eta * (1.0 - n_dot_i * n_dot_i);
        if k >= 0.0 { eta * self - (eta * n_dot_i + k.sqrt()) * normal } else { Vec3::splat(0.0) }
    }

    /// These magnitudes with the signs of `rhs`. The derivative at 0 is 0.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).copysign(Vec3::new(-1.0, 2.0, -3.0))` is `Vec3::new(-1.0, 2.0, -3.0)`.
    pub fn copysign(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x.copysign(rhs.x), self.y.copysign(rhs.y), self.z.copysign(rhs.z))
    }

    /// Whether all components are finite.
    ///
    /// Example:
    /// `Vec3::new(1.0, 2.0, 3.0).is_finite() && !Vec3::new(1.0, 2.0, 3.0).recip().with_x(f32::INFINITY).is_finite()`
    /// holds.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// Which components are finite.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_x(f32::INFINITY).is_finite_mask().bitmask()` is `6`.
    pub fn is_finite_mask(self) -> BVec3 {
        BVec3::new(self.x.is_finite(), self.y.is_finite(), self.z.is_finite())
    }

    /// Whether a component is NaN.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_y(f32::NAN).is_nan() && !Vec3::new(1.0, 2.0, 3.0).is_nan()` holds.
    pub fn is_nan(self) -> bool {
        self.x.is_nan() || self.y.is_nan() || self.z.is_nan()
    }

    /// Which components are NaN.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_y(f32::NAN).is_nan_mask().bitmask()` is `2`.
    pub fn is_nan_mask(self) -> BVec3 {
        BVec3::new(self.x.is_nan(), self.y.is_nan(), self.z.is_nan())
    }

    /// Which components have a minus sign. -0.0 has one, and some NaNs.
    ///
    /// Example: `Vec3::new(-1.0, 2.0, -3.0).is_negative_mask().bitmask()` is `5`.
    pub fn is_negative_mask(self) -> BVec3 {
        BVec3::new(self.x.is_sign_negative(), self.y.is_sign_negative(), self.z.is_sign_negative())
    }

    /// Which components have a minus sign, as bits.
    ///
    /// Example: `Vec3::new(-1.0, 2.0, -3.0).is_negative_bitmask()` is `5`.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// The point of homogeneous coordinates. Not finite where `w` is 0: that is a direction.
    ///
    /// Example: `Vec3::from_homogeneous(Vec4::new(2.0, 4.0, 6.0, 2.0))` is `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn from_homogeneous(v: Vec4) -> Vec3 {
        Vec3::new(v.x, v.y, v.z) / v.w
    }

    /// Homogeneous coordinates of the point.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).to_homogeneous()` is `Vec4::new(1.0, 2.0, 3.0, 1.0)`.
    pub fn to_homogeneous(self) -> Vec4 {
        self.extend(1.0)
    }

    /// Some vector across this one. Its length is that of two components. Which one it is may jump where `x` and `y`
    /// have the same magnitude; zero for zero.
    ///
    /// Example: `Vec3::new(3.0, 2.0, 1.0).any_orthogonal_vector()` is `Vec3::new(-1.0, 0.0, 3.0)`.
    pub fn any_orthogonal_vector(self) -> Vec3 {
        if self.x.abs() > self.y.abs() { Vec3::new(-self.z, 0.0, self.x) } else { Vec3::new(0.0, self.z, -self.y) }
    }

    /// Some vector of length 1 across this one, which has length 1. It jumps where `z` changes its sign.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 1.0).any_orthonormal_vector()` is `Vec3::new(0.0, 1.0, 0.0)`.
    pub fn any_orthonormal_vector(self) -> Vec3 {
        let sign = self.z.signum();
        let a = -1.0 / (sign + self.z);
        let b = self.x * self.y * a;
        Vec3::new(b, sign + self.y * self.y * a, -self.y)
    }

    /// Two vectors of length 1 across this one, which has length 1, and each other. They jump where `z` changes its
    /// sign.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 1.0).any_orthonormal_pair().0` is `Vec3::new(1.0, 0.0, 0.0)`.
    pub fn any_orthonormal_pair(self) -> (Vec3, Vec3) {
        let sign = self.z.signum();
        let a = -1.0 / (sign + self.z);
        let b = self.x * self.y * a;
        let first = Vec3::new(1.0 + sign * self.x * self.x * a, sign * b, -sign * self.x);
        (first, Vec3::new(b, sign + self.y * self.y * a, -self.y))
    }

    /// The exponential functions.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).exp()` is `Vec3::new(1.0, 1.0, 1.0)`.
    pub fn exp(self) -> Vec3 {
        Vec3::new(self.x.exp(), self.y.exp(), self.z.exp())
    }

    /// Two to the power of each component.
    ///
    /// Example: `Vec3::new(1.0, -1.0, 3.0).exp2()` is `Vec3::new(2.0, 0.5, 8.0)`.
    pub fn exp2(self) -> Vec3 {
        Vec3::new(self.x.exp2(), self.y.exp2(), self.z.exp2())
    }

    /// The natural logarithms. Minus infinity at 0, with the derivative 0 there; NaN below.
    ///
    /// Example: `Vec3::new(1.0, 1.0, 1.0).ln()` is `Vec3::new(0.0, 0.0, 0.0)`.
    pub fn ln(self) -> Vec3 {
        Vec3::new(self.x.ln(), self.y.ln(), self.z.ln())
    }

    /// The logarithms of base 2. Minus infinity at 0, with the derivative 0 there; NaN below.
    ///
    /// Example: `Vec3::new(2.0, 0.5, 8.0).log2()` is `Vec3::new(1.0, -1.0, 3.0)`.
    pub fn log2(self) -> Vec3 {
        Vec3::new(self.x.log2(), self.y.log2(), self.z.log2())
    }

    /// The sines. Of angles of any size.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).sin()` is `Vec3::new(0.0, 0.0, 0.0)`.
    pub fn sin(self) -> Vec3 {
        Vec3::new(self.x.sin(), self.y.sin(), self.z.sin())
    }

    /// The cosines. Of angles of any size.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).cos()` is `Vec3::new(1.0, 1.0, 1.0)`.
    pub fn cos(self) -> Vec3 {
        Vec3::new(self.x.cos(), self.y.cos(), self.z.cos())
    }

    /// The sines and the cosines.
    ///
    /// Example: `Vec3::new(0.0, 0.0, 0.0).sin_cos()` is `(Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 1.0, 1.0))`.
    pub fn sin_cos(self) -> (Vec3, Vec3) {
        (self.sin(), self.cos())
    }

    /// Each component to the power of `n`. As `powf` of floats: NaN for a negative component, unless `n` is whole.
    ///
    /// Example: `Vec3::new(2.0, 3.0, 4.0).powf(2.0)` is `Vec3::new(4.0, 9.0, 16.0)`.
    pub fn powf(self, n: f32) -> Vec3 {
        Vec3::new(self.x.powf(n), self.y.powf(n), self.z.powf(n))
    }

    /// The angle between two vectors, from 0 to π.
    ///
    /// Finite, with a finite derivative, everywhere: at parallel vectors the derivative is zero.
    ///
    /// Example: `Vec3::new(1.0, 0.0, 0.0).angle_between(Vec3::new(0.0, 3.0, 0.0)).to_degrees()` is about `90.0`.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).angle_between(Vec3::new(2.0, 4.0, 6.0))` is `0.0`.
    pub fn angle_between(self, rhs: Vec3) -> f32 {
        let across = self.cross(rhs);
        let square = across.dot(across);
        let length = if square > 0.0 { square.sqrt() } else { 0.0 };
        length.atan2(self.dot(rhs))
    }

    /// The angle from this vector to `rhs`, from -π to π, positive where it is right-handed about `axis`. `axis` has
    /// length 1 and lies across both. The derivative is 0 where a vector is zero.
    ///
    /// Example: `Vec3::new(1.0, 0.0, 0.0).angle_to(Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 0.0, -1.0)).to_degrees()`
    /// is about `-90.0`.
    pub fn angle_to(self, rhs: Vec3, axis: Vec3) -> f32 {
        self.cross(rhs).dot(axis).atan2(self.dot(rhs))
    }

    /// Turned about the x axis.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).rotate_x(90f32.to_radians())` is about `Vec3::new(1.0, -3.0, 2.0)`.
    pub fn rotate_x(self, angle: f32) -> Vec3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Vec3::new(self.x, self.y * cosa - self.z * sina, self.y * sina + self.z * cosa)
    }

    /// Turned about the y axis.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).rotate_y(90f32.to_radians())` is about `Vec3::new(3.0, 2.0, -1.0)`.
    pub fn rotate_y(self, angle: f32) -> Vec3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Vec3::new(self.x * cosa + self.z * sina, self.y, self.x * -sina + self.z * cosa)
    }

    /// Turned about the z axis.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).rotate_z(90f32.to_radians())` is about `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn rotate_z(self, angle: f32) -> Vec3 {
        let (sina, cosa) = (angle.sin(), angle.cos());
        Vec3::new(self.x * cosa - self.y * sina, self.x * sina + self.y * cosa, self.z)
    }

    /// Turned about an axis of length 1.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).rotate_axis(Vec3::new(0.0, 0.0, 1.0), 90f32.to_radians())` is about
    /// `Vec3::new(-2.0, 1.0, 3.0)`.
    pub fn rotate_axis(self, axis: Vec3, angle: f32) -> Vec3 {
        Quat::from_axis_angle(axis, angle) * self
    }

    /// Turned toward `rhs` by at most `max_angle`; a negative one turns away, by no more than to the opposite. The
    /// length stays. Where both are parallel the axis is some vector across.
    ///
    /// Example: `Vec3::new(2.0, 0.0, 0.0).rotate_towards(Vec3::new(0.0, 1.0, 0.0), 30f32.to_radians())` is about
    /// `Vec3::new(3f32.sqrt(), 1.0, 0.0)`.
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
    /// straight, nearly opposite ones over some vector across. Not finite where one is zero.
    ///
    /// Example: `Vec3::new(2.0, 0.0, 0.0).slerp(Vec3::new(0.0, 2.0, 0.0), 0.5)` is about
    /// `Vec3::new(2f32.sqrt(), 2f32.sqrt(), 0.0)`.
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
