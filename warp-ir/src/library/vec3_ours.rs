// Vectors of 3 components: what glam lacks.

impl Vec3 {
    /// The matrix that multiplies as the cross product does: `a.skew() * b` is `a.cross(b)`.
    pub fn skew(self) -> Mat3 {
        Mat3::from_cols(
            Vec3::new(0.0, self.z, -self.y),
            Vec3::new(-self.z, 0.0, self.x),
            Vec3::new(self.y, -self.x, 0.0),
        )
    }
}
