// Vectors of 2 components with a sign.

impl Vec2 {
    /// The magnitudes.
    pub fn abs(self) -> Vec2 {
        Vec2::new(self.x.abs(), self.y.abs())
    }

    /// The signs.
    pub fn signum(self) -> Vec2 {
        Vec2::new(self.x.signum(), self.y.signum())
    }

    /// The square of the distance.
    pub fn distance_squared(self, rhs: Vec2) -> f32 {
        (self - rhs).length_squared()
    }

    /// The vector turned by a quarter of a circle.
    pub fn perp(self) -> Vec2 {
        Vec2::new(-self.y, self.x)
    }

    /// The third component of the cross product.
    pub fn perp_dot(self, rhs: Vec2) -> f32 {
        (self.x * rhs.y) - (self.y * rhs.x)
    }

    /// The product of complex numbers: `rhs` turned by the angle of `self`, and scaled.
    pub fn rotate(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x * rhs.x - self.y * rhs.y, self.y * rhs.x + self.x * rhs.y)
    }

    /// Component by component `div_euclid`.
    pub fn div_euclid(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x.div_euclid(rhs.x), self.y.div_euclid(rhs.y))
    }

    /// Component by component `rem_euclid`.
    pub fn rem_euclid(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x.rem_euclid(rhs.x), self.y.rem_euclid(rhs.y))
    }
}

impl Neg for Vec2 {
    type Output = Vec2;
    fn neg(self) -> Vec2 {
        Vec2::new(-self.x, -self.y)
    }
}
