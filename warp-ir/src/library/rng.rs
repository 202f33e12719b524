// Random numbers.

/// Random numbers: a state that each number moves on.
///
/// A thread makes its own from the seed of the run and its number, so that threads differ and a run can be repeated:
/// `let mut rng = Rng::with_offset(seed, tid() as u32);`, then `rng.f32()`. A copy gives the same numbers again. Keep the
/// numbers of a step apart from those of the next by another seed, or keep the `Rng` in an array.
///
/// The numbers are those of NVIDIA Warp: each state is a hash of the one before, by O'Neill's permuted congruential
/// generator on 32 bits (RXS-M-XS; Jarzynski and Olano, Hash functions for GPU rendering, 2020). They repeat after more than
/// 300 million draws for 98 % of all states, and after more than 100,000 but for one in 90,000. They serve simulation, not
/// secrets. No random number has a derivative by the seed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rng {
    /// Decides all numbers to come.
    pub state: u32,
}

impl Rng {
    /// The numbers of a seed.
    ///
    /// Example: `Rng::new(42).state` is `1223963391`.
    pub fn new(seed: u32) -> Rng {
        Rng { state: Rng::hash(seed) }
    }

    /// The numbers of a seed and, say, a thread: other numbers for each pair.
    ///
    /// Example: `Rng::with_offset(42, 7).state` is `3115480925`.
    pub fn with_offset(seed: u32, offset: u32) -> Rng {
        Rng { state: Rng::hash(seed.wrapping_add(Rng::hash(offset))) }
    }

    /// A number that looks random and depends on `x` alone; other ones for all other `x`.
    ///
    /// Example: `Rng::hash(0)` is `129708002`.
    pub fn hash(x: u32) -> u32 {
        let state = x.wrapping_mul(747796405).wrapping_add(2891336453);
        let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277803737);
        (word >> 22) ^ word
    }

    /// Any u32, each as likely.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.u32()` is `2785308739`.
    pub fn u32(&mut self) -> u32 {
        self.state = Rng::hash(self.state);
        self.state
    }

    /// Any i32, each as likely.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.i32()` is `-1509658557`.
    pub fn i32(&mut self) -> i32 {
        self.u32() as i32
    }

    /// Any u64, made of two draws, the upper half first.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.u64()` is `11962809947272461309`.
    pub fn u64(&mut self) -> u64 {
        let high = self.u32() as u64;
        let low = self.u32() as u64;
        (high << 32) | low
    }

    /// From `low` to below `high`, each about as likely: one is more likely than another by at most the part that the
    /// width of the range is of 2^32. An empty range is a fault.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.range_u32(10, 20)` is `19`.
    pub fn range_u32(&mut self, low: u32, high: u32) -> u32 {
        assert!(low < high, "random numbers of an empty range");
        low + self.u32() % (high - low)
    }

    /// From `low` to below `high`, each about as likely, as [`range_u32`](Self::range_u32).
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.range_i32(-5, 5)` is `4`.
    pub fn range_i32(&mut self, low: i32, high: i32) -> i32 {
        assert!(low < high, "random numbers of an empty range");
        let width = high.wrapping_sub(low) as u32;
        low.wrapping_add((self.u32() % width) as i32)
    }

    /// A multiple of 2^-24 from 0 to below 1, of one draw, whatever the type.
    fn coarse(&mut self) -> f32 {
        (self.u32() >> 8) as f32 * (1.0 / 16777216.0)
    }

    /// From 0 to below 1: in single precision a multiple of 2^-24, of one draw; in double one of 2^-53, of two.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.f32()` is about `0.648505`.
    pub fn f32(&mut self) -> f32 {
        if f32::EPSILON > 1e-10 {
            self.coarse()
        } else {
            let high = (self.u32() >> 5) as f32;
            let low = (self.u32() >> 6) as f32;
            (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)
        }
    }

    /// From `low` to below `high`; by rounding it may equal `high`. Not finite where `high - low` is not. The derivative
    /// by both ends is that of the formula.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.uniform(2.0, 4.0)` is about `3.297010`.
    pub fn uniform(&mut self, low: f32, high: f32) -> f32 {
        (high - low) * self.f32() + low
    }

    /// True with this probability.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.chance(0.7)` holds.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.f32() < probability
    }

    /// An angle from 0 to 2π.
    fn angle(&mut self) -> f32 {
        6.283185307179586 * self.f32()
    }

    /// Of the standard normal distribution: mean 0, standard deviation 1 (Box and Muller, 1958).
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.normal().abs() < 6.0` holds.
    pub fn normal(&mut self) -> f32 {
        // Keeps the logarithm finite, and the sum at most 1.
        let least = if f32::EPSILON > 1e-10 { 5.96e-8 } else { 1.1e-16 };
        let radius = (-2.0 * ln(self.f32() + least)).sqrt();
        radius * cos(self.angle())
    }

    /// Of the normal distribution of this mean and standard deviation. The derivative by both is that of the formula.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.normal_with(3.0, 0.0)` is `3.0`.
    pub fn normal_with(&mut self, mean: f32, deviation: f32) -> f32 {
        deviation * self.normal() + mean
    }

    /// Of the exponential distribution: the time to the next event, of which `rate` happen in a unit of time. Not
    /// finite where `rate` is 0.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.exponential(2.0)` is about `0.522780`.
    pub fn exponential(&mut self, rate: f32) -> f32 {
        -ln(1.0 - self.f32()) / rate
    }

    /// Of the Poisson distribution: how many events happen where `mean` do in the mean. 0 where `mean` is not above 0;
    /// at most the largest u32.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.poisson(0.0)` is `0`.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.poisson(1000.0) > 800` holds.
    pub fn poisson(&mut self, mean: f32) -> u32 {
        if mean > 1e10 {
            4294967295
        } else if mean >= 10.0 {
            self.poisson_of_many(mean)
        } else if mean > 0.0 {
            self.poisson_of_few(mean)
        } else {
            0
        }
    }

    /// Counts events until their waiting times, whose product of uniform numbers this is, are longer than a unit.
    fn poisson_of_few(&mut self, mean: f32) -> u32 {
        let least = exp(-mean);
        let mut count: u32 = 0;
        let mut product = self.f32();
        while product > least {
            product *= self.f32();
            count += 1;
        }
        count
    }

    /// Transformed rejection (Hörmann, The transformed rejection method for generating Poisson random variables, 1993).
    fn poisson_of_many(&mut self, mean: f32) -> u32 {
        let b = 0.931 + 2.53 * mean.sqrt();
        let a = 0.02483 * b - 0.059;
        let hat = ln(1.1239 + 1.1328 / (b - 3.4));
        let sure = 0.9277 - 3.6224 / (b - 2.0);
        // One round in five fails. From a few states the numbers go round in a small circle, perhaps of failures alone.
        for _ in 0..64 {
            let u = self.f32() - 0.5;
            let v = self.f32();
            let edge = 0.5 - u.abs();
            let count = ((2.0 * a / edge + b) * u + mean + 0.43).floor();
            if edge >= 0.07 && v <= sure {
                return count as u32;
            }
            let outside = count < 0.0 || edge < 0.013 && v > edge;
            if !outside && ln(v) + hat - ln(a / (edge * edge) + b) <= Rng::ln_poisson(count, mean) {
                return count as u32;
            }
        }
        (mean + 0.5).floor() as u32
    }

    /// The logarithm of the probability of `count` events, by Stirling's series; from the relative distance to the mean,
    /// since the difference of the large terms would lose all digits.
    fn ln_poisson(count: f32, mean: f32) -> f32 {
        if count < 1.0 {
            return -mean;
        }
        let off = (mean - count) / count;
        let series = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * count * count)) / (count * count)) / count;
        count * (ln_1p(off) - off) - 0.5 * ln(6.283185307179586 * count) - series
    }

    /// An index drawn by weights, of which these are the sums: `cumulative[k]` is that of the weights 0 to `k`. No
    /// weight is negative; their sum need not be 1. No weights at all are a fault, and so is a sum that is not above 0, not
    /// finite or NaN.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.weighted_index(&[1.0, 3.0, 6.0])` is `2`.
    pub fn weighted_index(&mut self, cumulative: &[f32]) -> usize {
        assert!(!cumulative.is_empty(), "a random index of no weights");
        let sum = cumulative[cumulative.len() - 1];
        assert!(sum > 0.0 && sum < f32::INFINITY, "a random index of weights whose sum is no number above zero");
        let target = self.f32() * sum;
        let mut low = 0;
        let mut high = cumulative.len() - 1;
        while low < high {
            let middle = low + (high - low) / 2;
            if cumulative[middle] > target {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// On the circle of radius 1: a direction in the plane.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.on_unit_circle().length()` is about `1.0`.
    pub fn on_unit_circle(&mut self) -> Vec2 {
        let angle = self.angle();
        Vec2::new(cos(angle), sin(angle))
    }

    /// In the disk of radius 1, each part of it by its area.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.in_unit_disk().length() <= 1.0` holds.
    pub fn in_unit_disk(&mut self) -> Vec2 {
        let radius = self.f32().sqrt();
        let angle = self.angle();
        Vec2::new(radius * cos(angle), radius * sin(angle))
    }

    /// A direction in space, of length 1: the same as [`on_unit_sphere`](Self::on_unit_sphere).
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.direction().length()` is about `1.0`.
    pub fn direction(&mut self) -> Vec3 {
        self.on_unit_sphere()
    }

    /// On the sphere of radius 1, each part of it by its area.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.on_unit_sphere().length()` is about `1.0`.
    pub fn on_unit_sphere(&mut self) -> Vec3 {
        let u = self.f32();
        self.on_circle_at(1.0 - 2.0 * u, 4.0 * u * (1.0 - u))
    }

    /// In the ball of radius 1, each part of it by its volume.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.in_unit_sphere().length() <= 1.0` holds.
    pub fn in_unit_sphere(&mut self) -> Vec3 {
        self.on_unit_sphere() * cbrt(self.f32())
    }

    /// On the half of the unit sphere with z above 0.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.on_unit_hemisphere().length()` is about `1.0`.
    pub fn on_unit_hemisphere(&mut self) -> Vec3 {
        let u = self.f32();
        self.on_circle_at(1.0 - u, u * (2.0 - u))
    }

    /// In the half of the unit ball with z above 0.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.in_unit_hemisphere().z >= 0.0` holds.
    pub fn in_unit_hemisphere(&mut self) -> Vec3 {
        self.on_unit_hemisphere() * cbrt(self.f32())
    }

    /// On the circle of the unit sphere at the height `z`, whose radius has this square.
    fn on_circle_at(&mut self, z: f32, square: f32) -> Vec3 {
        let radius = square.sqrt();
        let angle = self.angle();
        Vec3::new(radius * cos(angle), radius * sin(angle), z)
    }

    /// In the square of side 1 about the origin: from -0.5 to below 0.5.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.in_unit_square().abs().max_element() <= 0.5` holds.
    pub fn in_unit_square(&mut self) -> Vec2 {
        let x = self.f32() - 0.5;
        let y = self.f32() - 0.5;
        Vec2::new(x, y)
    }

    /// In the cube of side 1 about the origin: from -0.5 to below 0.5.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.in_unit_cube().abs().max_element() <= 0.5` holds.
    pub fn in_unit_cube(&mut self) -> Vec3 {
        let x = self.f32() - 0.5;
        let y = self.f32() - 0.5;
        let z = self.f32() - 0.5;
        Vec3::new(x, y, z)
    }

    /// In the cube of side 1 about the origin of four dimensions.
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.in_unit_hypercube().abs().max_element() <= 0.5` holds.
    pub fn in_unit_hypercube(&mut self) -> Vec4 {
        let x = self.f32() - 0.5;
        let y = self.f32() - 0.5;
        let z = self.f32() - 0.5;
        let w = self.f32() - 0.5;
        Vec4::new(x, y, z, w)
    }

    /// In a triangle, each part of it by its area: the weights of its corners, of sum 1, for
    /// [`Triangle::at`](Triangle::at).
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.in_triangle().element_sum()` is about `1.0`.
    pub fn in_triangle(&mut self) -> Vec3 {
        let root = self.f32().sqrt();
        let second = root * self.f32();
        Vec3::new(1.0 - root, second, root - second)
    }

    /// A rotation, each as likely (Shoemake, Uniform random rotations, Graphics gems III, 1992).
    ///
    /// Example: where `mut rng` is `Rng::new(42)`, `rng.rotation().length()` is about `1.0`.
    pub fn rotation(&mut self) -> Quat {
        let u = self.f32();
        let (a, b) = (self.angle(), self.angle());
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        Quat::from_xyzw(r * sin(a), r * cos(a), s * sin(b), s * cos(b))
    }
}
