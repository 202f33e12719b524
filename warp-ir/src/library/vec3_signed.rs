// Vectors of 3 components with a sign.

impl Vec3 {
    /// The magnitudes.
    pub fn abs(self) -> Vec3 {
        Vec3::new(self.x.abs(), self.y.abs(), self.z.abs())
    }

    /// The signs.
    pub fn signum(self) -> Vec3 {
        Vec3::new(self.x.signum(), self.y.signum(), self.z.signum())
    }

    /// The square of the distance.
    pub fn distance_squared(self, rhs: Vec3) -> f32 {
        (self - rhs).length_squared()
    }

    /// Component by component `div_euclid`.
    pub fn div_euclid(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x.div_euclid(rhs.x), self.y.div_euclid(rhs.y), self.z.div_euclid(rhs.z))
    }

    /// Component by component `rem_euclid`.
    pub fn rem_euclid(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x.rem_euclid(rhs.x), self.y.rem_euclid(rhs.y), self.z.rem_euclid(rhs.z))
    }
}

impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        Vec3::new(-self.x, -self.y, -self.z)
    }
}
