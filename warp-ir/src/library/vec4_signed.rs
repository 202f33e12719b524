// Vectors of 4 components with a sign.

impl Vec4 {
    /// The magnitudes. The derivative at 0 is 0.
    ///
    /// Example: `Vec4::new(-1.0, 2.0, -3.0, 4.0).abs()` is `Vec4::new(1.0, 2.0, 3.0, 4.0)`.
    pub fn abs(self) -> Vec4 {
        Vec4::new(self.x.abs(), self.y.abs(), self.z.abs(), self.w.abs())
    }

    /// The signs. As that of each component: of floats -1 or 1 by the sign bit, also for zeros; of integers -1, 0 or 1.
    ///
    /// Example: `Vec4::new(-1.0, 2.0, -3.0, 4.0).signum()` is `Vec4::new(-1.0, 1.0, -1.0, 1.0)`.
    pub fn signum(self) -> Vec4 {
        Vec4::new(self.x.signum(), self.y.signum(), self.z.signum(), self.w.signum())
    }

    /// The square of the distance.
    ///
    /// Example: `Vec4::new(-1.0, 2.0, -3.0, 4.0).distance_squared(Vec4::new(1.0, 2.0, -3.0, 2.0))` is `8.0`.
    pub fn distance_squared(self, rhs: Vec4) -> f32 {
        (self - rhs).length_squared()
    }

    /// Component by component `div_euclid`. For integers 0 as a divisor is a fault.
    ///
    /// Example: `Vec4::new(-7.0, 7.0, -8.0, 8.0).div_euclid(Vec4::new(2.0, 2.0, -3.0, 3.0))` is
    /// `Vec4::new(-4.0, 3.0, 3.0, 2.0)`.
    pub fn div_euclid(self, rhs: Vec4) -> Vec4 {
        Vec4::new(
            self.x.div_euclid(rhs.x),
            self.y.div_euclid(rhs.y),
            self.z.div_euclid(rhs.z),
            self.w.div_euclid(rhs.w),
        )
    }

    /// Component by component `rem_euclid`. For integers 0 as a divisor is a fault.
    ///
    /// Example: `Vec4::new(-7.0, 7.0, -8.0, 8.0).rem_euclid(Vec4::new(2.0, 2.0, -3.0, 3.0))` is
    /// `Vec4::new(1.0, 1.0, 1.0, 2.0)`.
    pub fn rem_euclid(self, rhs: Vec4) -> Vec4 {
        Vec4::new(
            self.x.rem_euclid(rhs.x),
            self.y.rem_euclid(rhs.y),
            self.z.rem_euclid(rhs.z),
            self.w.rem_euclid(rhs.w),
        )
    }
}

/// Component by component.
///
/// Example: `-Vec4::new(1.0, -2.0, 3.0, -4.0)` is `Vec4::new(-1.0, 2.0, -3.0, 4.0)`.
impl Neg for Vec4 {
    type Output = Vec4;
    fn neg(self) -> Vec4 {
        Vec4::new(-self.x, -self.y, -self.z, -self.w)
    }
}
