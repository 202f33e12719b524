// Vectors of 3 components: what glam lacks.

impl Vec3 {
    /// The matrix that multiplies as the cross product does: `a.skew() * b` is `a.cross(b)`.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).skew() * Vec3::new(4.0, 5.0, 6.0)` is `Vec3::new(-3.0, 6.0, -3.0)`.
    pub fn skew(self) -> Mat3 {
        Mat3::from_cols(
            Vec3::new(0.0, self.z, -self.y),
            Vec3::new(-self.z, 0.0, self.x),
            Vec3::new(self.y, -self.x, 0.0),
        )
    }
}
