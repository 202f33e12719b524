// Vectors of 4 components with some of them taken from another vector.

impl Vec4 {
    /// The vector with other `x` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xy(Vec2::new(7.0, 8.0))` is `Vec4::new(7.0, 8.0, 3.0, 4.0)`.
    pub fn with_xy(self, rhs: Vec2) -> Vec4 {
        Vec4::new(rhs.x, rhs.y, self.z, self.w)
    }

    /// The vector with other `x` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xz(Vec2::new(7.0, 8.0))` is `Vec4::new(7.0, 2.0, 8.0, 4.0)`.
    pub fn with_xz(self, rhs: Vec2) -> Vec4 {
        Vec4::new(rhs.x, self.y, rhs.y, self.w)
    }

    /// The vector with other `x` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xw(Vec2::new(7.0, 8.0))` is `Vec4::new(7.0, 2.0, 3.0, 8.0)`.
    pub fn with_xw(self, rhs: Vec2) -> Vec4 {
        Vec4::new(rhs.x, self.y, self.z, rhs.y)
    }

    /// The vector with other `y` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_yx(Vec2::new(7.0, 8.0))` is `Vec4::new(8.0, 7.0, 3.0, 4.0)`.
    pub fn with_yx(self, rhs: Vec2) -> Vec4 {
        Vec4::new(rhs.y, rhs.x, self.z, self.w)
    }

    /// The vector with other `y` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_yz(Vec2::new(7.0, 8.0))` is `Vec4::new(1.0, 7.0, 8.0, 4.0)`.
    pub fn with_yz(self, rhs: Vec2) -> Vec4 {
        Vec4::new(self.x, rhs.x, rhs.y, self.w)
    }

    /// The vector with other `y` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_yw(Vec2::new(7.0, 8.0))` is `Vec4::new(1.0, 7.0, 3.0, 8.0)`.
    pub fn with_yw(self, rhs: Vec2) -> Vec4 {
        Vec4::new(self.x, rhs.x, self.z, rhs.y)
    }

    /// The vector with other `z` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zx(Vec2::new(7.0, 8.0))` is `Vec4::new(8.0, 2.0, 7.0, 4.0)`.
    pub fn with_zx(self, rhs: Vec2) -> Vec4 {
        Vec4::new(rhs.y, self.y, rhs.x, self.w)
    }

    /// The vector with other `z` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zy(Vec2::new(7.0, 8.0))` is `Vec4::new(1.0, 8.0, 7.0, 4.0)`.
    pub fn with_zy(self, rhs: Vec2) -> Vec4 {
        Vec4::new(self.x, rhs.y, rhs.x, self.w)
    }

    /// The vector with other `z` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zw(Vec2::new(7.0, 8.0))` is `Vec4::new(1.0, 2.0, 7.0, 8.0)`.
    pub fn with_zw(self, rhs: Vec2) -> Vec4 {
        Vec4::new(self.x, self.y, rhs.x, rhs.y)
    }

    /// The vector with other `w` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wx(Vec2::new(7.0, 8.0))` is `Vec4::new(8.0, 2.0, 3.0, 7.0)`.
    pub fn with_wx(self, rhs: Vec2) -> Vec4 {
        Vec4::new(rhs.y, self.y, self.z, rhs.x)
    }

    /// The vector with other `w` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wy(Vec2::new(7.0, 8.0))` is `Vec4::new(1.0, 8.0, 3.0, 7.0)`.
    pub fn with_wy(self, rhs: Vec2) -> Vec4 {
        Vec4::new(self.x, rhs.y, self.z, rhs.x)
    }

    /// The vector with other `w` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wz(Vec2::new(7.0, 8.0))` is `Vec4::new(1.0, 2.0, 8.0, 7.0)`.
    pub fn with_wz(self, rhs: Vec2) -> Vec4 {
        Vec4::new(self.x, self.y, rhs.y, rhs.x)
    }

    /// The vector with other `x`, `y` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xyz(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(7.0, 8.0, 9.0, 4.0)`.
    pub fn with_xyz(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.x, rhs.y, rhs.z, self.w)
    }

    /// The vector with other `x`, `y` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xyw(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(7.0, 8.0, 3.0, 9.0)`.
    pub fn with_xyw(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.x, rhs.y, self.z, rhs.z)
    }

    /// The vector with other `x`, `z` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xzy(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(7.0, 9.0, 8.0, 4.0)`.
    pub fn with_xzy(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.x, rhs.z, rhs.y, self.w)
    }

    /// The vector with other `x`, `z` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xzw(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(7.0, 2.0, 8.0, 9.0)`.
    pub fn with_xzw(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.x, self.y, rhs.y, rhs.z)
    }

    /// The vector with other `x`, `w` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xwy(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(7.0, 9.0, 3.0, 8.0)`.
    pub fn with_xwy(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.x, rhs.z, self.z, rhs.y)
    }

    /// The vector with other `x`, `w` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_xwz(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(7.0, 2.0, 9.0, 8.0)`.
    pub fn with_xwz(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.x, self.y, rhs.z, rhs.y)
    }

    /// The vector with other `y`, `x` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_yxz(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(8.0, 7.0, 9.0, 4.0)`.
    pub fn with_yxz(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.y, rhs.x, rhs.z, self.w)
    }

    /// The vector with other `y`, `x` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_yxw(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(8.0, 7.0, 3.0, 9.0)`.
    pub fn with_yxw(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.y, rhs.x, self.z, rhs.z)
    }

    /// The vector with other `y`, `z` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_yzx(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(9.0, 7.0, 8.0, 4.0)`.
    pub fn with_yzx(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.z, rhs.x, rhs.y, self.w)
    }

    /// The vector with other `y`, `z` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_yzw(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(1.0, 7.0, 8.0, 9.0)`.
    pub fn with_yzw(self, rhs: Vec3) -> Vec4 {
        Vec4::new(self.x, rhs.x, rhs.y, rhs.z)
    }

    /// The vector with other `y`, `w` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_ywx(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(9.0, 7.0, 3.0, 8.0)`.
    pub fn with_ywx(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.z, rhs.x, self.z, rhs.y)
    }

    /// The vector with other `y`, `w` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_ywz(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(1.0, 7.0, 9.0, 8.0)`.
    pub fn with_ywz(self, rhs: Vec3) -> Vec4 {
        Vec4::new(self.x, rhs.x, rhs.z, rhs.y)
    }

    /// The vector with other `z`, `x` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zxy(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(8.0, 9.0, 7.0, 4.0)`.
    pub fn with_zxy(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.y, rhs.z, rhs.x, self.w)
    }

    /// The vector with other `z`, `x` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zxw(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(8.0, 2.0, 7.0, 9.0)`.
    pub fn with_zxw(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.y, self.y, rhs.x, rhs.z)
    }

    /// The vector with other `z`, `y` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zyx(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(9.0, 8.0, 7.0, 4.0)`.
    pub fn with_zyx(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.z, rhs.y, rhs.x, self.w)
    }

    /// The vector with other `z`, `y` and `w`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zyw(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(1.0, 8.0, 7.0, 9.0)`.
    pub fn with_zyw(self, rhs: Vec3) -> Vec4 {
        Vec4::new(self.x, rhs.y, rhs.x, rhs.z)
    }

    /// The vector with other `z`, `w` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zwx(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(9.0, 2.0, 7.0, 8.0)`.
    pub fn with_zwx(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.z, self.y, rhs.x, rhs.y)
    }

    /// The vector with other `z`, `w` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_zwy(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(1.0, 9.0, 7.0, 8.0)`.
    pub fn with_zwy(self, rhs: Vec3) -> Vec4 {
        Vec4::new(self.x, rhs.z, rhs.x, rhs.y)
    }

    /// The vector with other `w`, `x` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wxy(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(8.0, 9.0, 3.0, 7.0)`.
    pub fn with_wxy(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.y, rhs.z, self.z, rhs.x)
    }

    /// The vector with other `w`, `x` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wxz(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(8.0, 2.0, 9.0, 7.0)`.
    pub fn with_wxz(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.y, self.y, rhs.z, rhs.x)
    }

    /// The vector with other `w`, `y` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wyx(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(9.0, 8.0, 3.0, 7.0)`.
    pub fn with_wyx(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.z, rhs.y, self.z, rhs.x)
    }

    /// The vector with other `w`, `y` and `z`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wyz(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(1.0, 8.0, 9.0, 7.0)`.
    pub fn with_wyz(self, rhs: Vec3) -> Vec4 {
        Vec4::new(self.x, rhs.y, rhs.z, rhs.x)
    }

    /// The vector with other `w`, `z` and `x`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wzx(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(9.0, 2.0, 8.0, 7.0)`.
    pub fn with_wzx(self, rhs: Vec3) -> Vec4 {
        Vec4::new(rhs.z, self.y, rhs.y, rhs.x)
    }

    /// The vector with other `w`, `z` and `y`, those of `rhs` in its order.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_wzy(Vec3::new(7.0, 8.0, 9.0))` is `Vec4::new(1.0, 9.0, 8.0, 7.0)`.
    pub fn with_wzy(self, rhs: Vec3) -> Vec4 {
        Vec4::new(self.x, rhs.z, rhs.y, rhs.x)
    }
}
