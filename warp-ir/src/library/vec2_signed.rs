// Vectors of 2 components with a sign.

impl Vec2 {
    /// The magnitudes. The derivative at 0 is 0.
    ///
    /// Example: `Vec2::new(-1.0, 2.0).abs()` is `Vec2::new(1.0, 2.0)`.
    pub fn abs(self) -> Vec2 {
        Vec2::new(self.x.abs(), self.y.abs())
    }

    /// The signs. As that of each component: of floats -1 or 1 by the sign bit, also for zeros; of integers -1, 0 or 1.
    ///
    /// Example: `Vec2::new(-1.0, 2.0).signum()` is `Vec2::new(-1.0, 1.0)`.
    pub fn signum(self) -> Vec2 {
        Vec2::new(self.x.signum(), self.y.signum())
    }

    /// The square of the distance.
    ///
    /// Example: `Vec2::new(-1.0, 2.0).distance_squared(Vec2::new(1.0, 2.0))` is `4.0`.
    pub fn distance_squared(self, rhs: Vec2) -> f32 {
        (self - rhs).length_squared()
    }

    /// The vector turned by a quarter of a circle. Turned by a quarter turn to the left.
    ///
    /// Example: `Vec2::new(1.0, 2.0).perp()` is `Vec2::new(-2.0, 1.0)`.
    pub fn perp(self) -> Vec2 {
        Vec2::new(-self.y, self.x)
    }

    /// The third component of the cross product. Positive where `rhs` lies to the left; its magnitude is the area of
    /// the parallelogram of both.
    ///
    /// Example: `Vec2::new(1.0, 2.0).perp_dot(Vec2::new(3.0, 4.0))` is `-2.0`.
    pub fn perp_dot(self, rhs: Vec2) -> f32 {
        (self.x * rhs.y) - (self.y * rhs.x)
    }

    /// The product of complex numbers: `rhs` turned by the angle of `self`, and scaled. The product as complex numbers.
    ///
    /// Example: `Vec2::new(0.0, 1.0).rotate(Vec2::new(3.0, 4.0))` is `Vec2::new(-4.0, 3.0)`.
    pub fn rotate(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x * rhs.x - self.y * rhs.y, self.y * rhs.x + self.x * rhs.y)
    }

    /// Component by component `div_euclid`. For integers 0 as a divisor is a fault.
    ///
    /// Example: `Vec2::new(-7.0, 7.0).div_euclid(Vec2::new(2.0, 2.0))` is `Vec2::new(-4.0, 3.0)`.
    pub fn div_euclid(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x.div_euclid(rhs.x), self.y.div_euclid(rhs.y))
    }

    /// Component by component `rem_euclid`. For integers 0 as a divisor is a fault.
    ///
    /// Example: `Vec2::new(-7.0, 7.0).rem_euclid(Vec2::new(2.0, 2.0))` is `Vec2::new(1.0, 1.0)`.
    pub fn rem_euclid(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x.rem_euclid(rhs.x), self.y.rem_euclid(rhs.y))
    }
}

/// Component by component.
///
/// Example: `-Vec2::new(1.0, -2.0)` is `Vec2::new(-1.0, 2.0)`.
impl Neg for Vec2 {
    type Output = Vec2;
    fn neg(self) -> Vec2 {
        Vec2::new(-self.x, -self.y)
    }
}
