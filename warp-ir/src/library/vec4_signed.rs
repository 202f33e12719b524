// Vectors of 4 components with a sign.

impl Vec4 {
    /// The magnitudes.
    pub fn abs(self) -> Vec4 {
        Vec4::new(self.x.abs(), self.y.abs(), self.z.abs(), self.w.abs())
    }

    /// The signs.
    pub fn signum(self) -> Vec4 {
        Vec4::new(self.x.signum(), self.y.signum(), self.z.signum(), self.w.signum())
    }

    /// The square of the distance.
    pub fn distance_squared(self, rhs: Vec4) -> f32 {
        (self - rhs).length_squared()
    }

    /// Component by component `div_euclid`.
    pub fn div_euclid(self, rhs: Vec4) -> Vec4 {
        Vec4::new(
            self.x.div_euclid(rhs.x),
            self.y.div_euclid(rhs.y),
            self.z.div_euclid(rhs.z),
            self.w.div_euclid(rhs.w),
        )
    }

    /// Component by component `rem_euclid`.
    pub fn rem_euclid(self, rhs: Vec4) -> Vec4 {
        Vec4::new(
            self.x.rem_euclid(rhs.x),
            self.y.rem_euclid(rhs.y),
            self.z.rem_euclid(rhs.z),
            self.w.rem_euclid(rhs.w),
        )
    }
}

impl Neg for Vec4 {
    type Output = Vec4;
    fn neg(self) -> Vec4 {
        Vec4::new(-self.x, -self.y, -self.z, -self.w)
    }
}
