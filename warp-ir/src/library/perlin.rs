// Perlin noise (Improving noise, 2002) and the flows without divergence that are made of it.
//
// The lattice has no table: the gradient at a point is hashed from its whole coordinates and the state, as Warp does.
// Polynomials of the fifth degree join the cells, so that value, gradient and second derivatives are continuous; between
// lattice points `floor` has the derivative zero, and so the straightforward derivative is right there, too.

/// Smooth random functions of one to four coordinates.
///
/// They are zero in the mean, vary over a length of about 1 (scale the coordinates for another), and repeat for the same
/// seed: `let noise = Noise::new(seed);`, then `noise.perlin3(p)`. Each comes with its gradient: `perlin3_gradient`
/// gives the value and the derivative by each coordinate. Perlin noise is zero at whole coordinates, and at most half the
/// root of the number of coordinates. Whole coordinates beyond the range of i32 are not told apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// Decides the function.
    pub state: u32,
}

impl Noise {
    /// The noise of a seed.
    ///
    /// Example: `Noise::new(42).state` is `1223963391`.
    pub fn new(seed: u32) -> Noise {
        Noise { state: Rng::new(seed).state }
    }

    /// The noise of a seed and a number: another one for each pair.
    ///
    /// Example: `Noise::with_offset(42, 7).state` is `3115480925`.
    pub fn with_offset(seed: u32, offset: u32) -> Noise {
        Noise { state: Rng::with_offset(seed, offset).state }
    }

    /// Perlin noise on a line.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.perlin1(2.0)` is about `0.0`.
    pub fn perlin1(self, x: f32) -> f32 {
        self.perlin1_gradient(x).0
    }

    /// Perlin noise in the plane.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.perlin2(Vec2::new(2.0, -3.0))` is about `0.0`.
    pub fn perlin2(self, p: Vec2) -> f32 {
        self.perlin2_gradient(p).0
    }

    /// Perlin noise in space.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.perlin3(Vec3::new(2.0, -3.0, 4.0))` is about `0.0`.
    pub fn perlin3(self, p: Vec3) -> f32 {
        self.perlin3_gradient(p).0
    }

    /// Perlin noise in four dimensions, say in space and time.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.perlin4(Vec4::new(2.0, -3.0, 4.0, 5.0))` is about `0.0`.
    pub fn perlin4(self, p: Vec4) -> f32 {
        self.perlin4_gradient(p).0
    }

    /// [`perlin1`](Self::perlin1) and its derivative.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.perlin1_gradient(0.25).0` is `noise.perlin1(0.25)`.
    pub fn perlin1_gradient(self, x: f32) -> (f32, f32) {
        let floor = x.floor();
        let low = floor as i32;
        self.line(low, low.wrapping_add(1), x - floor)
    }

    /// [`perlin2`](Self::perlin2) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.perlin2_gradient(Vec2::new(0.25, 0.5)).0` is
    /// `noise.perlin2(Vec2::new(0.25, 0.5))`.
    pub fn perlin2_gradient(self, p: Vec2) -> (f32, Vec2) {
        let floor = p.floor();
        let low = floor.as_ivec2();
        self.square(low, low.wrapping_add(IVec2::splat(1)), p - floor)
    }

    /// [`perlin3`](Self::perlin3) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.perlin3_gradient(Vec3::new(0.25, 0.5, 0.75)).0` is
    /// `noise.perlin3(Vec3::new(0.25, 0.5, 0.75))`.
    pub fn perlin3_gradient(self, p: Vec3) -> (f32, Vec3) {
        let floor = p.floor();
        let low = floor.as_ivec3();
        self.cube(low, low.wrapping_add(IVec3::splat(1)), p - floor)
    }

    /// [`perlin4`](Self::perlin4) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.perlin4_gradient(Vec4::new(0.25, 0.5, 0.75, 0.375)).0` is
    /// `noise.perlin4(Vec4::new(0.25, 0.5, 0.75, 0.375))`.
    pub fn perlin4_gradient(self, p: Vec4) -> (f32, Vec4) {
        let floor = p.floor();
        let low = floor.as_ivec4();
        self.hypercube(low, low.wrapping_add(IVec4::splat(1)), p - floor)
    }

    /// Perlin noise that repeats after `period`, which is a whole number other than 0.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.periodic1(3.25, 3)` is about `noise.periodic1(0.25, 3)`.
    pub fn periodic1(self, x: f32, period: i32) -> f32 {
        self.periodic1_gradient(x, period).0
    }

    /// Perlin noise in the plane that repeats along each axis after its period.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.periodic2(Vec2::new(3.25, 4.5), IVec2::new(3, 4))` is about
    /// `noise.periodic2(Vec2::new(0.25, 0.5), IVec2::new(3, 4))`.
    pub fn periodic2(self, p: Vec2, period: IVec2) -> f32 {
        self.periodic2_gradient(p, period).0
    }

    /// Perlin noise in space that repeats along each axis after its period.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.periodic3(Vec3::new(3.25, 4.5, 5.75), IVec3::new(3, 4, 5))` is
    /// about `noise.periodic3(Vec3::new(0.25, 0.5, 0.75), IVec3::new(3, 4, 5))`.
    pub fn periodic3(self, p: Vec3, period: IVec3) -> f32 {
        self.periodic3_gradient(p, period).0
    }

    /// Perlin noise in four dimensions that repeats along each axis after its period.
    ///
    /// Example: where `noise` is `Noise::new(7)`,
    /// `noise.periodic4(Vec4::new(3.25, 4.5, 5.75, 6.375), IVec4::new(3, 4, 5, 6))` is about
    /// `noise.periodic4(Vec4::new(0.25, 0.5, 0.75, 0.375), IVec4::new(3, 4, 5, 6))`.
    pub fn periodic4(self, p: Vec4, period: IVec4) -> f32 {
        self.periodic4_gradient(p, period).0
    }

    /// [`periodic1`](Self::periodic1) and its derivative.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.periodic1_gradient(0.25, 3).0` is `noise.periodic1(0.25, 3)`.
    pub fn periodic1_gradient(self, x: f32, period: i32) -> (f32, f32) {
        let floor = x.floor();
        let low = (floor as i32).rem_euclid(period);
        self.line(low, low.wrapping_add(1).rem_euclid(period), x - floor)
    }

    /// [`periodic2`](Self::periodic2) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.periodic2_gradient(Vec2::new(0.25, 0.5), IVec2::new(3, 4)).0`
    /// is `noise.periodic2(Vec2::new(0.25, 0.5), IVec2::new(3, 4))`.
    pub fn periodic2_gradient(self, p: Vec2, period: IVec2) -> (f32, Vec2) {
        let floor = p.floor();
        let low = floor.as_ivec2().rem_euclid(period);
        self.square(low, low.wrapping_add(IVec2::splat(1)).rem_euclid(period), p - floor)
    }

    /// [`periodic3`](Self::periodic3) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`,
    /// `noise.periodic3_gradient(Vec3::new(0.25, 0.5, 0.75), IVec3::new(3, 4, 5)).0` is
    /// `noise.periodic3(Vec3::new(0.25, 0.5, 0.75), IVec3::new(3, 4, 5))`.
    pub fn periodic3_gradient(self, p: Vec3, period: IVec3) -> (f32, Vec3) {
        let floor = p.floor();
        let low = floor.as_ivec3().rem_euclid(period);
        self.cube(low, low.wrapping_add(IVec3::splat(1)).rem_euclid(period), p - floor)
    }

    /// [`periodic4`](Self::periodic4) and its gradient.
    ///
    /// Example: where `noise` is `Noise::new(7)`,
    /// `noise.periodic4_gradient(Vec4::new(0.25, 0.5, 0.75, 0.375), IVec4::new(3, 4, 5, 6)).0` is
    /// `noise.periodic4(Vec4::new(0.25, 0.5, 0.75, 0.375), IVec4::new(3, 4, 5, 6))`.
    pub fn periodic4_gradient(self, p: Vec4, period: IVec4) -> (f32, Vec4) {
        let floor = p.floor();
        let low = floor.as_ivec4().rem_euclid(period);
        self.hypercube(low, low.wrapping_add(IVec4::splat(1)).rem_euclid(period), p - floor)
    }

    /// A flow in the plane without divergence: the gradient of Perlin noise turned by a quarter, to the left.
    ///
    /// Example: where `noise` is `Noise::new(7)`,
    /// `noise.curl2(Vec2::new(0.25, 0.5)) - noise.perlin2_gradient(Vec2::new(0.25, 0.5)).1.perp()` is about
    /// `Vec2::new(0.0, 0.0)`.
    pub fn curl2(self, p: Vec2) -> Vec2 {
        self.curl2_octaves(p, 1, 2.0, 0.5)
    }

    /// A flow in space without divergence: the curl of three fields of Perlin noise (Bridson, Hourihan and Nordenstam,
    /// Curl-noise for procedural fluid flow, 2007).
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.curl3(Vec3::new(0.25, 0.5, 0.75)).is_finite()` holds.
    pub fn curl3(self, p: Vec3) -> Vec3 {
        self.curl3_octaves(p, 1, 2.0, 0.5)
    }

    /// A flow in space that changes with time, which is the last coordinate; without divergence at each time.
    ///
    /// Example: where `noise` is `Noise::new(7)`, `noise.curl4(Vec4::new(0.25, 0.5, 0.75, 0.375)).is_finite()` holds.
    pub fn curl4(self, p: Vec4) -> Vec3 {
        self.curl4_octaves(p, 1, 2.0, 0.5)
    }

    /// The sum of [`curl2`](Self::curl2) in several sizes: each is finer than the one before by `lacunarity`, and has
    /// `gain` times its potential.
    ///
    /// Example: where `noise` is `Noise::new(7)`,
    /// `noise.curl2_octaves(Vec2::new(0.25, 0.5), 1, 2.0, 0.5) - noise.curl2(Vec2::new(0.25, 0.5))` is about
    /// `Vec2::new(0.0, 0.0)`.
    pub fn curl2_octaves(self, p: Vec2, octaves: u32, lacunarity: f32, gain: f32) -> Vec2 {
        let (mut frequency, mut amplitude) = (1.0, 1.0);
        let mut sum = Vec2::splat(0.0);
        for _ in 0..octaves {
            let (_, gradient) = self.perlin2_gradient(p * frequency);
            sum += gradient * amplitude;
            amplitude *= gain;
            frequency *= lacunarity;
        }
        Vec2::new(-sum.y, sum.x)
    }

    /// The sum of [`curl3`](Self::curl3) in several sizes, as [`curl2_octaves`](Self::curl2_octaves).
    ///
    /// Example: where `noise` is `Noise::new(7)`,
    /// `noise.curl3_octaves(Vec3::new(0.25, 0.5, 0.75), 1, 2.0, 0.5) - noise.curl3(Vec3::new(0.25, 0.5, 0.75))` is
    /// about `Vec3::new(0.0, 0.0, 0.0)`.
    pub fn curl3_octaves(self, p: Vec3, octaves: u32, lacunarity: f32, gain: f32) -> Vec3 {
        let (mut frequency, mut amplitude) = (1.0, 1.0);
        let (mut a, mut b, mut c) = (Vec3::splat(0.0), Vec3::splat(0.0), Vec3::splat(0.0));
        let mut field = self;
        for _ in 0..octaves {
            let at = p * frequency;
            let (_, first) = field.perlin3_gradient(at);
            field = Noise::with_offset(field.state, 10019689);
            let (_, second) = field.perlin3_gradient(at);
            field = Noise::with_offset(field.state, 13112221);
            let (_, third) = field.perlin3_gradient(at);
            a += first * amplitude;
            b += second * amplitude;
            c += third * amplitude;
            amplitude *= gain;
            frequency *= lacunarity;
        }
        Vec3::new(c.y - b.z, a.z - c.x, b.x - a.y)
    }

    /// The sum of [`curl4`](Self::curl4) in several sizes, as [`curl2_octaves`](Self::curl2_octaves).
    ///
    /// Example: where `noise` is `Noise::new(7)`,
    /// `noise.curl4_octaves(Vec4::new(0.25, 0.5, 0.75, 0.375), 1, 2.0, 0.5) - noise.curl4(Vec4::new(0.25, 0.5, 0.75, 0.375))`
    /// is about `Vec3::new(0.0, 0.0, 0.0)`.
    pub fn curl4_octaves(self, p: Vec4, octaves: u32, lacunarity: f32, gain: f32) -> Vec3 {
        let (mut frequency, mut amplitude) = (1.0, 1.0);
        let (mut a, mut b, mut c) = (Vec4::splat(0.0), Vec4::splat(0.0), Vec4::splat(0.0));
        let mut field = self;
        for _ in 0..octaves {
            let at = p * frequency;
            let (_, first) = field.perlin4_gradient(at);
            field = Noise::with_offset(field.state, 10019689);
            let (_, second) = field.perlin4_gradient(at);
            field = Noise::with_offset(field.state, 13112221);
            let (_, third) = field.perlin4_gradient(at);
            a += first * amplitude;
            b += second * amplitude;
            c += third * amplitude;
            amplitude *= gain;
            frequency *= lacunarity;
        }
        Vec3::new(c.y - b.z, a.z - c.x, b.x - a.y)
    }

    /// From 0 to 1 with slopes and curvatures of 0 at both ends, and its slope.
    fn fade(t: f32) -> (f32, f32) {
        (t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * t * t * (t * (t - 2.0) + 1.0))
    }

    /// The noise in the cell between two lattice points, at the part `t` of the way, and its derivative.
    fn line(self, low: i32, high: i32, t: f32) -> (f32, f32) {
        let (near, far) = (self.slope1(low), self.slope1(high));
        let (fade, slope) = Noise::fade(t);
        let step = (t - 1.0) * far - t * near;
        (step * fade + t * near, (far - near) * fade + step * slope + near)
    }

    /// The noise in the cell whose corners have these coordinates, and its gradient.
    fn square(self, low: IVec2, high: IVec2, t: Vec2) -> (f32, Vec2) {
        let near = Noise::blend2(
            self.corner2(low.x, low.y, t),
            self.corner2(high.x, low.y, Vec2::new(t.x - 1.0, t.y)),
            t.x,
            Vec2::new(1.0, 0.0),
        );
        let far = Noise::blend2(
            self.corner2(low.x, high.y, Vec2::new(t.x, t.y - 1.0)),
            self.corner2(high.x, high.y, Vec2::new(t.x - 1.0, t.y - 1.0)),
            t.x,
            Vec2::new(1.0, 0.0),
        );
        Noise::blend2(near, far, t.y, Vec2::new(0.0, 1.0))
    }

    fn cube(self, low: IVec3, high: IVec3, t: Vec3) -> (f32, Vec3) {
        let near = self.face(low, high, low.z, t);
        let far = self.face(low, high, high.z, Vec3::new(t.x, t.y, t.z - 1.0));
        Noise::blend3(near, far, t.z, Vec3::new(0.0, 0.0, 1.0))
    }

    /// One of the two faces of a cube across the z axis.
    fn face(self, low: IVec3, high: IVec3, z: i32, t: Vec3) -> (f32, Vec3) {
        let near = Noise::blend3(
            self.corner3(low.x, low.y, z, t),
            self.corner3(high.x, low.y, z, Vec3::new(t.x - 1.0, t.y, t.z)),
            t.x,
            Vec3::new(1.0, 0.0, 0.0),
        );
        let far = Noise::blend3(
            self.corner3(low.x, high.y, z, Vec3::new(t.x, t.y - 1.0, t.z)),
            self.corner3(high.x, high.y, z, Vec3::new(t.x - 1.0, t.y - 1.0, t.z)),
            t.x,
            Vec3::new(1.0, 0.0, 0.0),
        );
        Noise::blend3(near, far, t.y, Vec3::new(0.0, 1.0, 0.0))
    }

    fn hypercube(self, low: IVec4, high: IVec4, t: Vec4) -> (f32, Vec4) {
        let near = self.cell(low, high, low.w, t);
        let far = self.cell(low, high, high.w, Vec4::new(t.x, t.y, t.z, t.w - 1.0));
        Noise::blend4(near, far, t.w, Vec4::new(0.0, 0.0, 0.0, 1.0))
    }

    /// One of the two cubes of a hypercube across the last axis.
    fn cell(self, low: IVec4, high: IVec4, w: i32, t: Vec4) -> (f32, Vec4) {
        let near = self.cell_face(low, high, low.z, w, t);
        let far = self.cell_face(low, high, high.z, w, Vec4::new(t.x, t.y, t.z - 1.0, t.w));
        Noise::blend4(near, far, t.z, Vec4::new(0.0, 0.0, 1.0, 0.0))
    }

    fn cell_face(self, low: IVec4, high: IVec4, z: i32, w: i32, t: Vec4) -> (f32, Vec4) {
        let near = Noise::blend4(
            self.corner4(low.x, low.y, z, w, t),
            self.corner4(high.x, low.y, z, w, Vec4::new(t.x - 1.0, t.y, t.z, t.w)),
            t.x,
            Vec4::new(1.0, 0.0, 0.0, 0.0),
        );
        let far = Noise::blend4(
            self.corner4(low.x, high.y, z, w, Vec4::new(t.x, t.y - 1.0, t.z, t.w)),
            self.corner4(high.x, high.y, z, w, Vec4::new(t.x - 1.0, t.y - 1.0, t.z, t.w)),
            t.x,
            Vec4::new(1.0, 0.0, 0.0, 0.0),
        );
        Noise::blend4(near, far, t.y, Vec4::new(0.0, 1.0, 0.0, 0.0))
    }

    /// From one value and gradient to another along an axis of length 1.
    fn blend2(near: (f32, Vec2), far: (f32, Vec2), t: f32, axis: Vec2) -> (f32, Vec2) {
        let (fade, slope) = Noise::fade(t);
        let step = far.0 - near.0;
        (step * fade + near.0, (far.1 - near.1) * fade + axis * (step * slope) + near.1)
    }

    fn blend3(near: (f32, Vec3), far: (f32, Vec3), t: f32, axis: Vec3) -> (f32, Vec3) {
        let (fade, slope) = Noise::fade(t);
        let step = far.0 - near.0;
        (step * fade + near.0, (far.1 - near.1) * fade + axis * (step * slope) + near.1)
    }

    fn blend4(near: (f32, Vec4), far: (f32, Vec4), t: f32, axis: Vec4) -> (f32, Vec4) {
        let (fade, slope) = Noise::fade(t);
        let step = far.0 - near.0;
        (step * fade + near.0, (far.1 - near.1) * fade + axis * (step * slope) + near.1)
    }

    /// The linear function of a lattice point, at the distance `d` from it, and its gradient.
    fn corner2(self, x: i32, y: i32, d: Vec2) -> (f32, Vec2) {
        let slope = self.slope2(x, y);
        (slope.x * d.x + slope.y * d.y, slope)
    }

    fn corner3(self, x: i32, y: i32, z: i32, d: Vec3) -> (f32, Vec3) {
        let slope = self.slope3(x, y, z);
        (slope.x * d.x + slope.y * d.y + slope.z * d.z, slope)
    }

    fn corner4(self, x: i32, y: i32, z: i32, w: i32, d: Vec4) -> (f32, Vec4) {
        let slope = self.slope4(x, y, z, w);
        (slope.x * d.x + slope.y * d.y + slope.z * d.z + slope.w * d.w, slope)
    }

    /// The gradient at a lattice point of the line: from -1 to 1.
    fn slope1(self, x: i32) -> f32 {
        let mut rng = Rng { state: Noise::spread(x, 73856093).wrapping_add(self.state) };
        2.0 * rng.coarse() - 1.0
    }

    /// The gradient at a lattice point of the plane: of length 1.
    fn slope2(self, x: i32, y: i32) -> Vec2 {
        let mixed = Noise::spread(x, 73856093) ^ Noise::spread(y, 19349663).wrapping_add(self.state);
        let mut rng = Rng { state: mixed };
        let a = rng.coarse() - 0.5;
        let b = rng.coarse() - 0.5;
        Vec2::new(a, b) / Noise::divisor(a * a + b * b)
    }

    fn slope3(self, x: i32, y: i32, z: i32) -> Vec3 {
        let mixed = Noise::spread(x, 73856093)
            ^ Noise::spread(y, 19349663)
            ^ Noise::spread(z, 53471161).wrapping_add(self.state);
        let mut rng = Rng { state: mixed };
        let a = rng.coarse() - 0.5;
        let b = rng.coarse() - 0.5;
        let c = rng.coarse() - 0.5;
        Vec3::new(a, b, c) / Noise::divisor(a * a + b * b + c * c)
    }

    fn slope4(self, x: i32, y: i32, z: i32, w: i32) -> Vec4 {
        let mixed = Noise::spread(x, 73856093)
            ^ Noise::spread(y, 19349663)
            ^ Noise::spread(z, 53471161)
            ^ Noise::spread(w, 10000019).wrapping_add(self.state);
        let mut rng = Rng { state: mixed };
        let a = rng.coarse() - 0.5;
        let b = rng.coarse() - 0.5;
        let c = rng.coarse() - 0.5;
        let d = rng.coarse() - 0.5;
        Vec4::new(a, b, c, d) / Noise::divisor(a * a + b * b + c * c + d * d)
    }

    /// A lattice coordinate times a large prime.
    fn spread(x: i32, prime: u32) -> u32 {
        (x as u32).wrapping_mul(prime)
    }

    /// The length that makes a vector of this square one of length 1; a zero vector stays.
    fn divisor(square: f32) -> f32 {
        if square > 0.0 { square.sqrt() } else { 1.0 }
    }
}
