// Vectors of 3 components with some of them taken from another vector.

impl Vec3 {
    /// The vector with other `x` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_xy(Vec2::new(7.0, 8.0))` is `Vec3::new(7.0, 8.0, 3.0)`.
    pub fn with_xy(self, rhs: Vec2) -> Vec3 {
        Vec3::new(rhs.x, rhs.y, self.z)
    }

    /// The vector with other `x` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_xz(Vec2::new(7.0, 8.0))` is `Vec3::new(7.0, 2.0, 8.0)`.
    pub fn with_xz(self, rhs: Vec2) -> Vec3 {
        Vec3::new(rhs.x, self.y, rhs.y)
    }

    /// The vector with other `y` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_yx(Vec2::new(7.0, 8.0))` is `Vec3::new(8.0, 7.0, 3.0)`.
    pub fn with_yx(self, rhs: Vec2) -> Vec3 {
        Vec3::new(rhs.y, rhs.x, self.z)
    }

    /// The vector with other `y` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_yz(Vec2::new(7.0, 8.0))` is `Vec3::new(1.0, 7.0, 8.0)`.
    pub fn with_yz(self, rhs: Vec2) -> Vec3 {
        Vec3::new(self.x, rhs.x, rhs.y)
    }

    /// The vector with other `z` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_zx(Vec2::new(7.0, 8.0))` is `Vec3::new(8.0, 2.0, 7.0)`.
    pub fn with_zx(self, rhs: Vec2) -> Vec3 {
        Vec3::new(rhs.y, self.y, rhs.x)
    }

    /// The vector with other `z` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_zy(Vec2::new(7.0, 8.0))` is `Vec3::new(1.0, 8.0, 7.0)`.
    pub fn with_zy(self, rhs: Vec2) -> Vec3 {
        Vec3::new(self.x, rhs.y, rhs.x)
    }
}
