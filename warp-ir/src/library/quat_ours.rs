// Quaternions: what glam lacks.

impl Quat {
    /// The vector turned by this rotation: `self * v`.
    pub fn rotate(self, v: Vec3) -> Vec3 {
        self * v
    }

    /// The vector turned back by this rotation.
    pub fn rotate_inverse(self, v: Vec3) -> Vec3 {
        self.conjugate() * v
    }
}
