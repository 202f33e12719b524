// Sequences of points that fill the unit interval, square, cube and hypercube more evenly than random ones.
//
// Point k of a sequence of n differs from all others, so a thread takes that of its number. A key other than 0 gives
// another sequence as even: by Owen's scrambling (Sobol), or by a shift around the cube (the others).

/// Halton's sequence: the digits of the index backwards, to another prime base along each axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HaltonSequence {
    /// 0 for the sequence itself, else for a shifted one.
    pub key: u32,
}

/// Hammersley's set of `count` points: the first coordinate counts, the others are Halton's. More even than Halton's
/// first points, but its size is fixed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HammersleySet {
    /// How many points there are; their indexes are below.
    pub count: u32,
    /// 0 for the set itself, else for a shifted one.
    pub key: u32,
}

/// The R sequences (Roberts, The unreasonable effectiveness of quasirandom sequences, 2018): the multiples of the powers
/// of one number, the golden ratio on a line. The cheapest of these, and even for any number of points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RSequence {
    /// 0 for the sequence itself, else for a shifted one.
    pub key: u32,
}

/// Sobol's sequence, with the directions of Joe and Kuo (2008): each power of two of its first points is even in all
/// boxes with sides of powers of two at once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SobolSequence {
    /// 0 for the sequence itself, else for a scrambled one.
    pub key: u32,
}

impl HaltonSequence {
    /// The sequence itself.
    ///
    /// Example: `HaltonSequence::new().key` is `0`.
    pub fn new() -> HaltonSequence {
        HaltonSequence { key: 0 }
    }

    /// The sequence shifted by a random amount around the unit cube, another one for each seed.
    ///
    /// Example: where `x` is `HaltonSequence::scrambled(7).point1(3)`, `x >= 0.0 && x < 1.0` holds.
    pub fn scrambled(seed: u32) -> HaltonSequence {
        HaltonSequence { key: HaltonSequence::key_of(seed) }
    }

    /// The digits of `index` to a base, mirrored at the point: 6, which is 110 to the base 2, becomes 0.011. To the base
    /// 2 it is van der Corput's sequence. A base below 2 is a fault.
    ///
    /// Example: `HaltonSequence::radical_inverse(6, 2)` is `0.375`.
    pub fn radical_inverse(index: u32, base: u32) -> f32 {
        assert!(base >= 2, "digits to a base below 2");
        let base = base as u64;
        let mut rest = index as u64;
        let (mut mirrored, mut scale): (u64, u64) = (0, 1);
        // Both stay below 2^64: the scale is at most the base times the index.
        while rest > 0 {
            let next = rest / base;
            mirrored = mirrored * base + (rest - next * base);
            scale = scale * base;
            rest = next;
        }
        HaltonSequence::below_one(mirrored as f32 / scale as f32)
    }

    /// Point `index` of the unit interval.
    ///
    /// Example: `HaltonSequence::new().point1(1)` is about `0.5`.
    pub fn point1(self, index: u32) -> f32 {
        HaltonSequence::shifted(HaltonSequence::radical_inverse(index, 2), self.key, 0)
    }

    /// Point `index` of the unit square.
    ///
    /// Example: `HaltonSequence::new().point2(1)` is about `Vec2::new(0.5, 0.3333333333333333)`.
    pub fn point2(self, index: u32) -> Vec2 {
        Vec2::new(self.point1(index), HaltonSequence::shifted(HaltonSequence::radical_inverse(index, 3), self.key, 1))
    }

    /// Point `index` of the unit cube.
    ///
    /// Example: `HaltonSequence::new().point3(1)` is about `Vec3::new(0.5, 0.3333333333333333, 0.2)`.
    pub fn point3(self, index: u32) -> Vec3 {
        self.point2(index).extend(HaltonSequence::shifted(HaltonSequence::radical_inverse(index, 5), self.key, 2))
    }

    /// Point `index` of the unit cube of four dimensions.
    ///
    /// Example: `HaltonSequence::new().point4(1)` is about
    /// `Vec4::new(0.5, 0.3333333333333333, 0.2, 0.14285714285714285)`.
    pub fn point4(self, index: u32) -> Vec4 {
        self.point3(index).extend(HaltonSequence::shifted(HaltonSequence::radical_inverse(index, 7), self.key, 3))
    }

    /// The key of a seed, which is not 0.
    fn key_of(seed: u32) -> u32 {
        Rng::hash(seed).max(1)
    }

    /// What makes a random number of a key for an axis; 0 for the key 0.
    fn axis_key(key: u32, axis: u32) -> u32 {
        if key == 0 { 0 } else { Rng::hash(key.wrapping_add(Rng::hash(axis))) }
    }

    /// Around the unit interval by an amount that key and axis decide.
    fn shifted(x: f32, key: u32, axis: u32) -> f32 {
        let moved = x + HaltonSequence::fraction(HaltonSequence::axis_key(key, axis));
        if moved >= 1.0 { moved - 1.0 } else { moved }
    }

    /// 32 binary digits behind the point, as many of the first as the type holds.
    fn fraction(digits: u32) -> f32 {
        if f32::EPSILON > 1e-10 {
            (digits >> 8) as f32 * (1.0 / 16777216.0)
        } else {
            digits as f32 * (1.0 / 4294967296.0)
        }
    }

    /// What rounding brought to 1 becomes the largest number below.
    fn below_one(x: f32) -> f32 {
        x.min(1.0 - 0.5 * f32::EPSILON)
    }
}

impl HammersleySet {
    /// The set of `count` points.
    ///
    /// Example: `HammersleySet::new(4).count` is `4`.
    pub fn new(count: u32) -> HammersleySet {
        HammersleySet { count, key: 0 }
    }

    /// The set shifted by a random amount around the unit cube, another one for each seed.
    ///
    /// Example: where `p` is `HammersleySet::scrambled(4, 7).point2(3)`, `p.x >= 0.0 && p.x < 1.0` holds.
    pub fn scrambled(count: u32, seed: u32) -> HammersleySet {
        HammersleySet { count, key: HaltonSequence::key_of(seed) }
    }

    /// Point `index` of the unit square. An index from `count` on is a fault.
    ///
    /// Example: `HammersleySet::new(4).point2(1)` is about `Vec2::new(0.25, 0.5)`.
    pub fn point2(self, index: u32) -> Vec2 {
        Vec2::new(self.first(index), HaltonSequence { key: self.key }.point1(index))
    }

    /// Point `index` of the unit cube. An index from `count` on is a fault.
    ///
    /// Example: `HammersleySet::new(4).point3(1)` is about `Vec3::new(0.25, 0.5, 0.3333333333333333)`.
    pub fn point3(self, index: u32) -> Vec3 {
        let rest = HaltonSequence { key: self.key }.point2(index);
        Vec3::new(self.first(index), rest.x, rest.y)
    }

    /// Point `index` of the unit cube of four dimensions. An index from `count` on is a fault.
    ///
    /// Example: `HammersleySet::new(4).point4(1)` is about `Vec4::new(0.25, 0.5, 0.3333333333333333, 0.2)`.
    pub fn point4(self, index: u32) -> Vec4 {
        let rest = HaltonSequence { key: self.key }.point3(index);
        Vec4::new(self.first(index), rest.x, rest.y, rest.z)
    }

    fn first(self, index: u32) -> f32 {
        assert!(index < self.count, "a point beyond the set");
        HaltonSequence::shifted(HaltonSequence::below_one(index as f32 / self.count as f32), self.key, 3)
    }
}

impl RSequence {
    /// The sequence itself; it starts in the middle.
    ///
    /// Example: `RSequence::new().key` is `0`.
    pub fn new() -> RSequence {
        RSequence { key: 0 }
    }

    /// The sequence shifted by a random amount around the unit cube, another one for each seed.
    ///
    /// Example: where `x` is `RSequence::scrambled(7).point1(3)`, `x >= 0.0 && x < 1.0` holds.
    pub fn scrambled(seed: u32) -> RSequence {
        RSequence { key: HaltonSequence::key_of(seed) }
    }

    /// Point `index` of the unit interval.
    ///
    /// Example: `RSequence::new().point1(1)` is about `0.118034`.
    pub fn point1(self, index: u32) -> f32 {
        self.multiple(index, 0x9e37_79b9_7f4a_7c16, 0)
    }

    /// Point `index` of the unit square.
    ///
    /// Example: `RSequence::new().point2(1)` is about `Vec2::new(0.254878, 0.06984)`.
    pub fn point2(self, index: u32) -> Vec2 {
        Vec2::new(self.multiple(index, 0xc13f_a9a9_02a6_328f, 0), self.multiple(index, 0x91e1_0da5_c79e_7b1d, 1))
    }

    /// Point `index` of the unit cube.
    ///
    /// Example: `RSequence::new().point3(1)` is about `Vec3::new(0.319173, 0.171044, 0.0497)`.
    pub fn point3(self, index: u32) -> Vec3 {
        Vec3::new(
            self.multiple(index, 0xd1b5_4a32_d192_ed04, 0),
            self.multiple(index, 0xabc9_8388_fb8f_ac03, 1),
            self.multiple(index, 0x8cb9_2ba7_2f3d_8dd7, 2),
        )
    }

    /// Point `index` of the unit cube of four dimensions.
    ///
    /// Example: `RSequence::new().point4(1)` is about `Vec4::new(0.356675, 0.233892, 0.128707, 0.038597)`.
    pub fn point4(self, index: u32) -> Vec4 {
        Vec4::new(
            self.multiple(index, 0xdb4f_0b91_75ae_2165, 0),
            self.multiple(index, 0xbbe0_5633_03a4_615f, 1),
            self.multiple(index, 0xa0f2_ec75_a1fe_1576, 2),
            self.multiple(index, 0x89e1_8285_7d9e_d689, 3),
        )
    }

    /// A multiple of a number of 64 binary digits behind the point, without what stands before the point.
    fn multiple(self, index: u32, step: u64, axis: u32) -> f32 {
        let start: u64 = 0x8000_0000_0000_0000;
        let shift = (HaltonSequence::axis_key(self.key, axis) as u64) << 32;
        let digits = (index as u64).wrapping_mul(step).wrapping_add(start).wrapping_add(shift);
        HaltonSequence::fraction((digits >> 32) as u32)
    }
}

impl SobolSequence {
    /// The sequence itself; it starts in the corner.
    ///
    /// Example: `SobolSequence::new().key` is `0`.
    pub fn new() -> SobolSequence {
        SobolSequence { key: 0 }
    }

    /// The sequence scrambled in the manner of Owen, which keeps how even it is, another one for each seed.
    ///
    /// Example: where `s` is `SobolSequence::scrambled(7)`, `(s.point1(0) < 0.5) != (s.point1(1) < 0.5)` holds.
    pub fn scrambled(seed: u32) -> SobolSequence {
        SobolSequence { key: HaltonSequence::key_of(seed) }
    }

    /// Point `index` of the unit interval.
    ///
    /// Example: `SobolSequence::new().point1(1)` is `0.5`.
    pub fn point1(self, index: u32) -> f32 {
        self.finished(index.reverse_bits(), 0)
    }

    /// Point `index` of the unit square.
    ///
    /// Example: `SobolSequence::new().point2(1)` is `Vec2::new(0.5, 0.5)`.
    pub fn point2(self, index: u32) -> Vec2 {
        Vec2::new(self.point1(index), self.finished(SobolSequence::second(index), 1))
    }

    /// Point `index` of the unit cube.
    ///
    /// Example: `SobolSequence::new().point3(1)` is `Vec3::new(0.5, 0.5, 0.5)`.
    pub fn point3(self, index: u32) -> Vec3 {
        self.point2(index).extend(self.finished(SobolSequence::third(index), 2))
    }

    /// Point `index` of the unit cube of four dimensions.
    ///
    /// Example: `SobolSequence::new().point4(1)` is `Vec4::new(0.5, 0.5, 0.5, 0.5)`.
    pub fn point4(self, index: u32) -> Vec4 {
        self.point3(index).extend(self.finished(SobolSequence::fourth(index), 3))
    }

    /// The second coordinate: the directions of the polynomial `x + 1`.
    fn second(index: u32) -> u32 {
        let mut a: u32 = 0x8000_0000;
        let (mut digits, mut rest): (u32, u32) = (0, index);
        while rest != 0 {
            digits ^= if rest & 1 != 0 { a } else { 0 };
            a ^= a >> 1;
            rest >>= 1;
        }
        digits
    }

    /// The third: of `x² + x + 1`. Each direction is made of the two before.
    fn third(index: u32) -> u32 {
        let (mut a, mut b): (u32, u32) = (0x8000_0000, 0xc000_0000);
        let (mut digits, mut rest): (u32, u32) = (0, index);
        while rest != 0 {
            digits ^= if rest & 1 != 0 { a } else { 0 };
            let next = b ^ a ^ (a >> 2);
            a = b;
            b = next;
            rest >>= 1;
        }
        digits
    }

    /// The fourth: of `x³ + x + 1`.
    fn fourth(index: u32) -> u32 {
        let (mut a, mut b, mut c): (u32, u32, u32) = (0x8000_0000, 0xc000_0000, 0x2000_0000);
        let (mut digits, mut rest): (u32, u32) = (0, index);
        while rest != 0 {
            digits ^= if rest & 1 != 0 { a } else { 0 };
            let next = b ^ a ^ (a >> 3);
            a = b;
            b = c;
            c = next;
            rest >>= 1;
        }
        digits
    }

    /// Scrambled and made a number. In a hash of the reversed digits that only carries upwards each digit changes those
    /// below it alone, which is Owen's scrambling (Laine and Karras, 2011; the constants are Vegdahl's, 2021).
    fn finished(self, digits: u32, axis: u32) -> f32 {
        if self.key == 0 {
            return HaltonSequence::fraction(digits);
        }
        let seed = HaltonSequence::axis_key(self.key, axis);
        let mut x = digits.reverse_bits();
        x ^= x.wrapping_mul(0x3d20_adea);
        x = x.wrapping_add(seed);
        x = x.wrapping_mul((seed >> 16) | 1);
        x ^= x.wrapping_mul(0x0552_6c56);
        x ^= x.wrapping_mul(0x53a2_2864);
        HaltonSequence::fraction(x.reverse_bits())
    }
}
