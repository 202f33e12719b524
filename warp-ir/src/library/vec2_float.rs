// Vectors of 2 float components.

impl Vec2 {
    /// The length. The derivative is the direction; 0 for the zero vector, as the row of `sqrt` says.
    ///
    /// Example: `Vec2::new(3.0, 4.0).length()` is `5.0`.
    pub fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// One over the length. Infinite for the zero vector; its derivative there is not finite.
    ///
    /// Example: `Vec2::new(3.0, 4.0).length_recip()` is about `0.2`.
    pub fn length_recip(self) -> f32 {
        1.0 / self.length()
    }

    /// The distance. The derivative is 0 where both are the same.
    ///
    /// Example: `Vec2::new(4.0, 5.0).distance(Vec2::new(1.0, 1.0))` is `5.0`.
    pub fn distance(self, rhs: Vec2) -> f32 {
        (self - rhs).length()
    }

    /// The vector of length 1 in the same direction; not finite for a vector without length.
    ///
    /// Example: `Vec2::new(3.0, 4.0).normalize()` is about `Vec2::new(0.6, 0.8)`.
    pub fn normalize(self) -> Vec2 {
        self * self.length_recip()
    }

    /// The vector of length 1 in the same direction, where there is one. There is none for the zero vector, and for one
    /// whose length is too small or too large for one over it.
    ///
    /// Example: `Vec2::new(3.0, 4.0).try_normalize().is_some() && Vec2::new(0.0, 0.0).try_normalize().is_none()` holds.
    pub fn try_normalize(self) -> Option<Vec2> {
        let rcp = self.length_recip();
        if rcp.is_finite() && rcp > 0.0 { Some(self * rcp) } else { None }
    }

    /// The vector of length 1 in the same direction, else `fallback`. The derivative is that of `fallback` where it is
    /// taken.
    ///
    /// Example: `Vec2::new(0.0, 0.0).normalize_or(Vec2::new(1.0, 2.0))` is `Vec2::new(1.0, 2.0)`.
    pub fn normalize_or(self, fallback: Vec2) -> Vec2 {
        let rcp = self.length_recip();
        if rcp.is_finite() && rcp > 0.0 { self * rcp } else { fallback }
    }

    /// The vector of length 1 in the same direction, else zero. The derivative at zero is 0.
    ///
    /// Example: `Vec2::new(3.0, 4.0).normalize_or_zero()` is about `Vec2::new(0.6, 0.8)`.
    ///
    /// Example: `Vec2::new(0.0, 0.0).normalize_or_zero()` is `Vec2::new(0.0, 0.0)`.
    pub fn normalize_or_zero(self) -> Vec2 {
        self.normalize_or(Vec2::splat(0.0))
    }

    /// The vector of length 1 in the same direction, and the length; the x axis and 0 without one.
    ///
    /// Example: `Vec2::new(3.0, 4.0).normalize_and_length().1` is `5.0`.
    pub fn normalize_and_length(self) -> (Vec2, f32) {
        let length = self.length();
        let rcp = 1.0 / length;
        if rcp.is_finite() && rcp > 0.0 { (self * rcp, length) } else { (Vec2::new(1.0, 0.0), 0.0) }
    }

    /// Whether the length is 1, within rounding. Within 2e-4 of the square.
    ///
    /// Example: `Vec2::new(0.6, 0.8).is_normalized() && !Vec2::new(3.0, 4.0).is_normalized()` holds.
    pub fn is_normalized(self) -> bool {
        (self.length_squared() - 1.0).abs() <= 2e-4
    }

    /// The part of `self` along `rhs`. Not finite where `rhs` is zero.
    ///
    /// Example: `Vec2::new(1.0, 2.0).project_onto(Vec2::new(0.0, 2.0))` is `Vec2::new(0.0, 2.0)`.
    pub fn project_onto(self, rhs: Vec2) -> Vec2 {
        rhs * (self.dot(rhs) / rhs.dot(rhs))
    }

    /// The part of `self` across `rhs`. Not finite where `rhs` is zero.
    ///
    /// Example: `Vec2::new(1.0, 2.0).reject_from(Vec2::new(0.0, 2.0))` is `Vec2::new(1.0, 0.0)`.
    pub fn reject_from(self, rhs: Vec2) -> Vec2 {
        self - self.project_onto(rhs)
    }

    /// The part of `self` along `rhs`, which has length 1.
    ///
    /// Example: `Vec2::new(1.0, 2.0).project_onto_normalized(Vec2::new(0.0, 1.0))` is `Vec2::new(0.0, 2.0)`.
    pub fn project_onto_normalized(self, rhs: Vec2) -> Vec2 {
        rhs * self.dot(rhs)
    }

    /// The part of `self` across `rhs`, which has length 1.
    ///
    /// Example: `Vec2::new(1.0, 2.0).reject_from_normalized(Vec2::new(0.0, 1.0))` is `Vec2::new(1.0, 0.0)`.
    pub fn reject_from_normalized(self, rhs: Vec2) -> Vec2 {
        self - self.project_onto_normalized(rhs)
    }

    /// The nearest whole numbers; halves away from zero. The derivative is 0.
    ///
    /// Example: `Vec2::new(-1.5, 2.25).round()` is `Vec2::new(-2.0, 2.0)`.
    pub fn round(self) -> Vec2 {
        Vec2::new(self.x.round(), self.y.round())
    }

    /// Rounded down. The derivative is 0.
    ///
    /// Example: `Vec2::new(-1.5, 2.25).floor()` is `Vec2::new(-2.0, 2.0)`.
    pub fn floor(self) -> Vec2 {
        Vec2::new(self.x.floor(), self.y.floor())
    }

    /// Rounded up. The derivative is 0.
    ///
    /// Example: `Vec2::new(-1.5, 2.25).ceil()` is `Vec2::new(-1.0, 3.0)`.
    pub fn ceil(self) -> Vec2 {
        Vec2::new(self.x.ceil(), self.y.ceil())
    }

    /// Rounded toward zero. The derivative is 0.
    ///
    /// Example: `Vec2::new(-1.5, 2.25).trunc()` is `Vec2::new(-1.0, 2.0)`.
    pub fn trunc(self) -> Vec2 {
        Vec2::new(self.x.trunc(), self.y.trunc())
    }

    /// The square roots. NaN below zero; the derivative at 0 is 0.
    ///
    /// Example: `Vec2::new(4.0, 9.0).sqrt()` is `Vec2::new(2.0, 3.0)`.
    pub fn sqrt(self) -> Vec2 {
        Vec2::new(self.x.sqrt(), self.y.sqrt())
    }

    /// What truncation drops. It has the sign of the component; the derivative is 1.
    ///
    /// Example: `Vec2::new(-1.5, 2.25).fract()` is `Vec2::new(-0.5, 0.25)`.
    pub fn fract(self) -> Vec2 {
        self - self.trunc()
    }

    /// What rounding down drops. From 0 up to 1, 1 not included; the derivative is 1.
    ///
    /// Example: `Vec2::new(-1.5, 2.25).fract_gl()` is `Vec2::new(0.5, 0.25)`.
    pub fn fract_gl(self) -> Vec2 {
        self - self.floor()
    }

    /// 0 where `rhs` lies below `self`, else 1. The derivative is 0.
    ///
    /// Example: `Vec2::new(1.0, 2.0).step(Vec2::new(0.5, 2.5))` is `Vec2::new(0.0, 1.0)`.
    pub fn step(self, rhs: Vec2) -> Vec2 {
        Vec2::select(rhs.cmplt(self), Vec2::splat(0.0), Vec2::splat(1.0))
    }

    /// Into 0 to 1. The derivative is 1 inside, 0 outside and at both ends.
    ///
    /// Example: `Vec2::new(-1.5, 2.25).saturate()` is `Vec2::new(0.0, 1.0)`.
    pub fn saturate(self) -> Vec2 {
        self.clamp(Vec2::splat(0.0), Vec2::splat(1.0))
    }

    /// 0 below `edge0`, 1 above `edge1`, a smooth cubic between. The derivative at both edges is 0. NaN where both
    /// edges are the same and the component is on them.
    ///
    /// Example: `Vec2::new(1.5, 0.0).smoothstep(Vec2::new(1.0, 1.0), Vec2::new(3.0, 3.0))` is
    /// `Vec2::new(0.15625, 0.0)`.
    pub fn smoothstep(self, edge0: Vec2, edge1: Vec2) -> Vec2 {
        let t = ((self - edge0) / (edge1 - edge0)).saturate();
        t * t * (Vec2::splat(3.0) - Vec2::splat(2.0) * t)
    }

    /// One over each component. Infinite for 0.
    ///
    /// Example: `Vec2::new(2.0, 4.0).recip()` is `Vec2::new(0.5, 0.25)`.
    pub fn recip(self) -> Vec2 {
        Vec2::new(1.0 / self.x, 1.0 / self.y)
    }

    /// From `self` at 0 to `rhs` at 1. Beyond 0 and 1 it goes on.
    ///
    /// Example: `Vec2::new(1.0, 2.0).lerp(Vec2::new(5.0, 6.0), 0.25)` is `Vec2::new(2.0, 3.0)`.
    pub fn lerp(self, rhs: Vec2, s: f32) -> Vec2 {
        self * (1.0 - s) + rhs * s
    }

    /// From `self` at 0 to about `rhs` at 1, monotonic in `s`. Beyond 0 and 1 it goes on.
    ///
    /// Example: `Vec2::new(1.0, 2.0).lerp_monotonic(Vec2::new(5.0, 6.0), 0.25)` is `Vec2::new(2.0, 3.0)`.
    pub fn lerp_monotonic(self, rhs: Vec2, s: f32) -> Vec2 {
        self + (rhs - self) * s
    }

    /// At most `d` nearer to `rhs`. The derivative is that of `rhs` once it is reached.
    ///
    /// Example: `Vec2::new(0.0, 0.0).move_towards(Vec2::new(3.0, 4.0), 10.0)` is `Vec2::new(3.0, 4.0)`.
    ///
    /// Example: `Vec2::new(0.0, 0.0).move_towards(Vec2::new(3.0, 4.0), 2.5)` is about `Vec2::new(1.5, 2.0)`.
    pub fn move_towards(self, rhs: Vec2, d: f32) -> Vec2 {
        let a = rhs - self;
        let len = a.length();
        if len <= d || len <= 1e-4 { rhs } else { self + a / len * d }
    }

    /// Half way to `rhs`.
    ///
    /// Example: `Vec2::new(1.0, 2.0).midpoint(Vec2::new(5.0, 6.0))` is `Vec2::new(3.0, 4.0)`.
    pub fn midpoint(self, rhs: Vec2) -> Vec2 {
        (self + rhs) * 0.5
    }

    /// Whether no component differs by more than `max_abs_diff`. False where a component is NaN.
    ///
    /// Example: `Vec2::new(1.0, 2.0).abs_diff_eq(Vec2::new(1.25, 2.25), 0.5)` holds.
    pub fn abs_diff_eq(self, rhs: Vec2, max_abs_diff: f32) -> bool {
        (self - rhs).abs().cmple(Vec2::splat(max_abs_diff)).all()
    }

    /// The length brought into `min..=max`. Not finite for the zero vector, unless `min` is 0. On the host glam may
    /// panic where the bounds are crossed or negative.
    ///
    /// Example: `Vec2::new(3.0, 4.0).clamp_length(1.0, 10.0)` is `Vec2::new(3.0, 4.0)`.
    ///
    /// Example: `Vec2::new(3.0, 4.0).clamp_length(0.5, 1.0)` is about `Vec2::new(0.6, 0.8)`.
    pub fn clamp_length(self, min: f32, max: f32) -> Vec2 {
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
    /// Example: `Vec2::new(3.0, 4.0).clamp_length_max(1.0)` is about `Vec2::new(0.6, 0.8)`.
    pub fn clamp_length_max(self, max: f32) -> Vec2 {
        let length_sq = self.length_squared();
        if length_sq > max * max { max * (self / length_sq.sqrt()) } else { self }
    }

    /// The length brought to `min` at least. Not finite for the zero vector, unless `min` is 0.
    ///
    /// Example: `Vec2::new(3.0, 4.0).clamp_length_min(10.0)` is about `Vec2::new(6.0, 8.0)`.
    pub fn clamp_length_min(self, min: f32) -> Vec2 {
        let length_sq = self.length_squared();
        if length_sq < min * min { min * (self / length_sq.sqrt()) } else { self }
    }

    /// `self * a + b`, rounded once.
    ///
    /// Example: `Vec2::new(1.0, 2.0).mul_add(Vec2::new(5.0, 6.0), Vec2::new(1.0, 1.0))` is `Vec2::new(6.0, 13.0)`.
    pub fn mul_add(self, a: Vec2, b: Vec2) -> Vec2 {
        Vec2::new(self.x.mul_add(a.x, b.x), self.y.mul_add(a.y, b.y))
    }

    /// Mirrored at the plane across `normal`. `normal` has length 1.
    ///
    /// Example: `Vec2::new(1.0, 2.0).reflect(Vec2::new(0.0, 1.0))` is `Vec2::new(1.0, -2.0)`.
    pub fn reflect(self, normal: Vec2) -> Vec2 {
        self - 2.0 * self.dot(normal) * normal
    }

    /// Bent at a surface with this `normal`, `eta` the ratio of the indices; zero where all is reflected. Both have
    /// length 1, and `self` goes against `normal`. Where reflection becomes total the derivative grows without bound.
    ///
    /// Example: `Vec2::new(0.6, -0.8).refract(Vec2::new(0.0, 1.0), 1.0)` is about `Vec2::new(0.6, -0.8)`.
    ///
    /// Example: `Vec2::new(0.6, -0.8).refract(Vec2::new(0.0, 1.0), 2.0)` is `Vec2::new(0.0, 0.0)`.
    pub fn refract(self, normal: Vec2, eta: f32) -> Vec2 {
        let n_dot_i = normal.dot(self);
        let k = 1.0 - eta * eta * (1.0 - n_dot_i * n_dot_i);
        if k >= 0.0 { eta * self - (eta * n_dot_i + k.sqrt()) * normal } else { Vec2::splat(0.0) }
    }

    /// These magnitudes with the signs of `rhs`. The derivative at 0 is 0.
    ///
    /// Example: `Vec2::new(1.0, 2.0).copysign(Vec2::new(-1.0, 2.0))` is `Vec2::new(-1.0, 2.0)`.
    pub fn copysign(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x.copysign(rhs.x), self.y.copysign(rhs.y))
    }

    /// Whether all components are finite.
    ///
    /// Example: `Vec2::new(1.0, 2.0).is_finite() && !Vec2::new(1.0, 2.0).recip().with_x(f32::INFINITY).is_finite()`
    /// holds.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// Which components are finite.
    ///
    /// Example: `Vec2::new(1.0, 2.0).with_x(f32::INFINITY).is_finite_mask().bitmask()` is `2`.
    pub fn is_finite_mask(self) -> BVec2 {
        BVec2::new(self.x.is_finite(), self.y.is_finite())
    }

    /// Whether a component is NaN.
    ///
    /// Example: `Vec2::new(1.0, 2.0).with_y(f32::NAN).is_nan() && !Vec2::new(1.0, 2.0).is_nan()` holds.
    pub fn is_nan(self) -> bool {
        self.x.is_nan() || self.y.is_nan()
    }

    /// Which components are NaN.
    ///
    /// Example: `Vec2::new(1.0, 2.0).with_y(f32::NAN).is_nan_mask().bitmask()` is `2`.
    pub fn is_nan_mask(self) -> BVec2 {
        BVec2::new(self.x.is_nan(), self.y.is_nan())
    }

    /// Which components have a minus sign. -0.0 has one, and some NaNs.
    ///
    /// Example: `Vec2::new(-1.0, 2.0).is_negative_mask().bitmask()` is `1`.
    pub fn is_negative_mask(self) -> BVec2 {
        BVec2::new(self.x.is_sign_negative(), self.y.is_sign_negative())
    }

    /// Which components have a minus sign, as bits.
    ///
    /// Example: `Vec2::new(-1.0, 2.0).is_negative_bitmask()` is `1`.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// The exponential functions.
    ///
    /// Example: `Vec2::new(0.0, 0.0).exp()` is `Vec2::new(1.0, 1.0)`.
    pub fn exp(self) -> Vec2 {
        Vec2::new(self.x.exp(), self.y.exp())
    }

    /// Two to the power of each component.
    ///
    /// Example: `Vec2::new(1.0, -1.0).exp2()` is `Vec2::new(2.0, 0.5)`.
    pub fn exp2(self) -> Vec2 {
        Vec2::new(self.x.exp2(), self.y.exp2())
    }

    /// The natural logarithms. Minus infinity at 0, with the derivative 0 there; NaN below.
    ///
    /// Example: `Vec2::new(1.0, 1.0).ln()` is `Vec2::new(0.0, 0.0)`.
    pub fn ln(self) -> Vec2 {
        Vec2::new(self.x.ln(), self.y.ln())
    }

    /// The logarithms of base 2. Minus infinity at 0, with the derivative 0 there; NaN below.
    ///
    /// Example: `Vec2::new(2.0, 0.5).log2()` is `Vec2::new(1.0, -1.0)`.
    pub fn log2(self) -> Vec2 {
        Vec2::new(self.x.log2(), self.y.log2())
    }

    /// The sines. Of angles of any size.
    ///
    /// Example: `Vec2::new(0.0, 0.0).sin()` is `Vec2::new(0.0, 0.0)`.
    pub fn sin(self) -> Vec2 {
        Vec2::new(self.x.sin(), self.y.sin())
    }

    /// The cosines. Of angles of any size.
    ///
    /// Example: `Vec2::new(0.0, 0.0).cos()` is `Vec2::new(1.0, 1.0)`.
    pub fn cos(self) -> Vec2 {
        Vec2::new(self.x.cos(), self.y.cos())
    }

    /// The sines and the cosines.
    ///
    /// Example: `Vec2::new(0.0, 0.0).sin_cos()` is `(Vec2::new(0.0, 0.0), Vec2::new(1.0, 1.0))`.
    pub fn sin_cos(self) -> (Vec2, Vec2) {
        (self.sin(), self.cos())
    }

    /// Each component to the power of `n`. As `powf` of floats: NaN for a negative component, unless `n` is whole.
    ///
    /// Example: `Vec2::new(2.0, 3.0).powf(2.0)` is `Vec2::new(4.0, 9.0)`.
    pub fn powf(self, n: f32) -> Vec2 {
        Vec2::new(self.x.powf(n), self.y.powf(n))
    }

    /// The vector of length 1 at this angle from the x axis.
    ///
    /// Example: `Vec2::from_angle(90f32.to_radians())` is about `Vec2::new(0.0, 1.0)`.
    pub fn from_angle(angle: f32) -> Vec2 {
        Vec2::new(angle.cos(), angle.sin())
    }

    /// The angle from the x axis, from -π to π. The zero vector has the angle 0, and the derivative there is 0.
    ///
    /// Example: `Vec2::new(-1.0, 1.0).to_angle().to_degrees()` is about `135.0`.
    pub fn to_angle(self) -> f32 {
        self.y.atan2(self.x)
    }

    /// The angle from this vector to `rhs`, from -π to π, positive to the left. The derivative is 0 where a vector is
    /// zero.
    ///
    /// Example: `Vec2::new(0.0, 1.0).angle_to(Vec2::new(1.0, 0.0)).to_degrees()` is about `-90.0`.
    pub fn angle_to(self, rhs: Vec2) -> f32 {
        self.perp_dot(rhs).atan2(self.dot(rhs))
    }

    /// The vector turned to the left by an angle.
    ///
    /// Example: `Vec2::new(1.0, 2.0).rotate_angle(90f32.to_radians())` is about `Vec2::new(-2.0, 1.0)`.
    pub fn rotate_angle(self, angle: f32) -> Vec2 {
        self.rotate(Vec2::from_angle(angle))
    }

    /// Turned toward `rhs` by at most `max_angle`; a negative one turns away, by no more than to the opposite. The
    /// length stays.
    ///
    /// Example: `Vec2::new(2.0, 0.0).rotate_towards(Vec2::new(0.0, 1.0), 30f32.to_radians())` is about
    /// `Vec2::new(3f32.sqrt(), 1.0)`.
    pub fn rotate_towards(self, rhs: Vec2, max_angle: f32) -> Vec2 {
        let a = self.angle_to(rhs);
        let abs_a = a.abs();
        let angle = max_angle.clamp(abs_a - 3.141_592_653_589_793_2, abs_a) * a.signum();
        Vec2::from_angle(angle).rotate(self)
    }
}
