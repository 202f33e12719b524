// Simplex noise (Perlin, Noise hardware, 2001): a sum over the corners of the simplex that holds the point.
//
// A corner adds `(1/2 - d²)^4` times its linear function, which ends smoothly before the sides of the simplexes that the
// corner does not belong to. So the function has three continuous derivatives, and the straightforward derivative is
// right on every border. The factors make the largest possible value 1.

impl Noise {
    /// Simplex noise on a line; from -1 to 1, like all simplex noise here.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.simplex1(0.0)` is about `0.0`.
    pub fn simplex1(self, x: f32) -> f32 {
        self.simplex1_gradient(x).0
    }

    /// Simplex noise in the plane: rounder than Perlin noise, without its axes.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.simplex2(Vec2::new(0.0, 0.0))` is about `0.0`.
    pub fn simplex2(self, p: Vec2) -> f32 {
        self.simplex2_gradient(p).0
    }

    /// Simplex noise in space.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.simplex3(Vec3::new(0.0, 0.0, 0.0))` is about `0.0`.
    pub fn simplex3(self, p: Vec3) -> f32 {
        self.simplex3_gradient(p).0
    }

    /// Simplex noise in four dimensions, with 5 corners where Perlin noise has 16.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.simplex4(Vec4::new(0.0, 0.0, 0.0, 0.0))` is about `0.0`.
    pub fn simplex4(self, p: Vec4) -> f32 {
        self.simplex4_gradient(p).0
    }

    /// [`simplex1`](Self::simplex1) and its derivative.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.simplex1_gradient(0.25).0` is `noise.simplex1(0.25)`.
    pub fn simplex1_gradient(self, x: f32) -> (f32, f32) {
        let floor = x.floor();
        let low = floor as i32;
        let d = x - floor;
        let (near, near_slope) = Noise::bump1(self.slope1(low), d);
        let (far, far_slope) = Noise::bump1(self.slope1(low.wrapping_add(1)), d - 1.0);
        ((near + far) * (256.0 / 81.0), (near_slope + far_slope) * (256.0 / 81.0))
    }

    /// [`simplex2`](Self::simplex2) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.simplex2_gradient(Vec2::new(0.25, 0.5)).0` is
    /// `noise.simplex2(Vec2::new(0.25, 0.5))`.
    pub fn simplex2_gradient(self, p: Vec2) -> (f32, Vec2) {
        let back = 0.21132486540518712;
        let skew = (p.x + p.y) * 0.3660254037844386;
        let cell = (p + Vec2::splat(skew)).floor();
        let d = p - (cell - Vec2::splat((cell.x + cell.y) * back));
        let first = if d.x >= d.y { Vec2::new(1.0, 0.0) } else { Vec2::new(0.0, 1.0) };
        let (a, slope_a) = self.bump2(cell, d);
        let (b, slope_b) = self.bump2(cell + first, d - first + Vec2::splat(back));
        let (c, slope_c) = self.bump2(cell + Vec2::splat(1.0), d - Vec2::splat(1.0 - 2.0 * back));
        ((a + b + c) * 99.204334582718, (slope_a + slope_b + slope_c) * 99.204334582718)
    }

    /// [`simplex3`](Self::simplex3) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.simplex3_gradient(Vec3::new(0.25, 0.5, 0.75)).0` is
    /// `noise.simplex3(Vec3::new(0.25, 0.5, 0.75))`.
    pub fn simplex3_gradient(self, p: Vec3) -> (f32, Vec3) {
        let back = 1.0 / 6.0;
        let skew = (p.x + p.y + p.z) * (1.0 / 3.0);
        let cell = (p + Vec3::splat(skew)).floor();
        let d = p - (cell - Vec3::splat((cell.x + cell.y + cell.z) * back));
        // The way to the far corner goes along the axes in the order of the distances.
        let (xy, xz, yz) = (Noise::one_if(d.x >= d.y), Noise::one_if(d.x >= d.z), Noise::one_if(d.y >= d.z));
        let rank = Vec3::new(xy + xz, 1.0 - xy + yz, 2.0 - xz - yz);
        let (mut value, mut gradient) = self.bump3(cell, d);
        for k in 1..4 {
            let limit = 3.0 - k as f32;
            let step = Vec3::new(
                Noise::one_if(rank.x >= limit),
                Noise::one_if(rank.y >= limit),
                Noise::one_if(rank.z >= limit),
            );
            let (more, slope) = self.bump3(cell + step, d - step + Vec3::splat(k as f32 * back));
            value += more;
            gradient += slope;
        }
        (value * 107.653485397281, gradient * 107.653485397281)
    }

    /// [`simplex4`](Self::simplex4) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.simplex4_gradient(Vec4::new(0.25, 0.5, 0.75, 0.375)).0` is
    /// `noise.simplex4(Vec4::new(0.25, 0.5, 0.75, 0.375))`.
    pub fn simplex4_gradient(self, p: Vec4) -> (f32, Vec4) {
        let back = 0.1381966011250105;
        let skew = (p.x + p.y + p.z + p.w) * 0.30901699437494745;
        let cell = (p + Vec4::splat(skew)).floor();
        let d = p - (cell - Vec4::splat((cell.x + cell.y + cell.z + cell.w) * back));
        let (xy, xz, xw) = (Noise::one_if(d.x >= d.y), Noise::one_if(d.x >= d.z), Noise::one_if(d.x >= d.w));
        let (yz, yw, zw) = (Noise::one_if(d.y >= d.z), Noise::one_if(d.y >= d.w), Noise::one_if(d.z >= d.w));
        let rank = Vec4::new(xy + xz + xw, 1.0 - xy + yz + yw, 2.0 - xz - yz + zw, 3.0 - xw - yw - zw);
        let (mut value, mut gradient) = self.bump4(cell, d);
        for k in 1..5 {
            let limit = 4.0 - k as f32;
            let step = Vec4::new(
                Noise::one_if(rank.x >= limit),
                Noise::one_if(rank.y >= limit),
                Noise::one_if(rank.z >= limit),
                Noise::one_if(rank.w >= limit),
            );
            let (more, slope) = self.bump4(cell + step, d - step + Vec4::splat(k as f32 * back));
            value += more;
            gradient += slope;
        }
        (value * 108.567826464028, gradient * 108.567826464028)
    }

    fn one_if(condition: bool) -> f32 {
        if condition { 1.0 } else { 0.0 }
    }

    /// What a corner adds at the distance `d`, and its derivative.
    fn bump1(slope: f32, d: f32) -> (f32, f32) {
        let t = 1.0 - d * d;
        let linear = slope * d;
        (t * t * t * t * linear, t * t * t * (t * slope - 8.0 * d * linear))
    }

    fn bump2(self, corner: Vec2, d: Vec2) -> (f32, Vec2) {
        let (linear, slope) = self.corner2(corner.x as i32, corner.y as i32, d);
        let t = (0.5 - (d.x * d.x + d.y * d.y)).max(0.0);
        (t * t * t * t * linear, (slope * t - d * (8.0 * linear)) * (t * t * t))
    }

    fn bump3(self, corner: Vec3, d: Vec3) -> (f32, Vec3) {
        let (linear, slope) = self.corner3(corner.x as i32, corner.y as i32, corner.z as i32, d);
        let t = (0.5 - (d.x * d.x + d.y * d.y + d.z * d.z)).max(0.0);
        (t * t * t * t * linear, (slope * t - d * (8.0 * linear)) * (t * t * t))
    }

    fn bump4(self, corner: Vec4, d: Vec4) -> (f32, Vec4) {
        let (linear, slope) = self.corner4(corner.x as i32, corner.y as i32, corner.z as i32, corner.w as i32, d);
        let t = (0.5 - (d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w)).max(0.0);
        (t * t * t * t * linear, (slope * t - d * (8.0 * linear)) * (t * t * t))
    }
}
