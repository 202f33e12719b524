// Vectors of 3 integer components.

impl IVec3 {
    /// Sums that wrap.
    pub fn wrapping_add(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_add(rhs.x), self.y.wrapping_add(rhs.y), self.z.wrapping_add(rhs.z))
    }

    /// Differences that wrap.
    pub fn wrapping_sub(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_sub(rhs.x), self.y.wrapping_sub(rhs.y), self.z.wrapping_sub(rhs.z))
    }

    /// Products that wrap.
    pub fn wrapping_mul(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_mul(rhs.x), self.y.wrapping_mul(rhs.y), self.z.wrapping_mul(rhs.z))
    }

    /// Sums that stop at the ends of the type.
    pub fn saturating_add(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.saturating_add(rhs.x), self.y.saturating_add(rhs.y), self.z.saturating_add(rhs.z))
    }

    /// Differences that stop at the ends of the type.
    pub fn saturating_sub(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.saturating_sub(rhs.x), self.y.saturating_sub(rhs.y), self.z.saturating_sub(rhs.z))
    }

    /// Products that stop at the ends of the type.
    pub fn saturating_mul(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.saturating_mul(rhs.x), self.y.saturating_mul(rhs.y), self.z.saturating_mul(rhs.z))
    }

    /// The sum of the distances of the components.
    pub fn manhattan_distance(self, rhs: IVec3) -> u32 {
        self.x.abs_diff(rhs.x) + self.y.abs_diff(rhs.y) + self.z.abs_diff(rhs.z)
    }

    /// The largest distance of the components.
    pub fn chebyshev_distance(self, rhs: IVec3) -> u32 {
        self.x.abs_diff(rhs.x).max(self.y.abs_diff(rhs.y)).max(self.z.abs_diff(rhs.z))
    }

    /// Sums, where no component overflows.
    pub fn checked_add(self, rhs: IVec3) -> Option<IVec3> {
        match (self.x.checked_add(rhs.x), self.y.checked_add(rhs.y), self.z.checked_add(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    pub fn checked_sub(self, rhs: IVec3) -> Option<IVec3> {
        match (self.x.checked_sub(rhs.x), self.y.checked_sub(rhs.y), self.z.checked_sub(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Products, where no component overflows.
    pub fn checked_mul(self, rhs: IVec3) -> Option<IVec3> {
        match (self.x.checked_mul(rhs.x), self.y.checked_mul(rhs.y), self.z.checked_mul(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Quotients, where no divisor is zero and no component overflows.
    pub fn checked_div(self, rhs: IVec3) -> Option<IVec3> {
        match (self.x.checked_div(rhs.x), self.y.checked_div(rhs.y), self.z.checked_div(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Quotients that wrap.
    pub fn wrapping_div(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_div(rhs.x), self.y.wrapping_div(rhs.y), self.z.wrapping_div(rhs.z))
    }

    /// Quotients that stop at the ends of the type.
    pub fn saturating_div(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.saturating_div(rhs.x), self.y.saturating_div(rhs.y), self.z.saturating_div(rhs.z))
    }

    /// The sum of the distances of the components, where it does not overflow.
    pub fn checked_manhattan_distance(self, rhs: IVec3) -> Option<u32> {
        let mut sum = self.x.abs_diff(rhs.x);
        match sum.checked_add(self.y.abs_diff(rhs.y)) {
            Some(more) => sum = more,
            None => return None,
        }
        match sum.checked_add(self.z.abs_diff(rhs.z)) {
            Some(more) => sum = more,
            None => return None,
        }
        Some(sum)
    }
}

impl BitAnd for IVec3 {
    type Output = IVec3;
    fn bitand(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x & rhs.x, self.y & rhs.y, self.z & rhs.z)
    }
}

impl BitAnd<i32> for IVec3 {
    type Output = IVec3;
    fn bitand(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x & rhs, self.y & rhs, self.z & rhs)
    }
}

impl BitOr for IVec3 {
    type Output = IVec3;
    fn bitor(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x | rhs.x, self.y | rhs.y, self.z | rhs.z)
    }
}

impl BitOr<i32> for IVec3 {
    type Output = IVec3;
    fn bitor(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x | rhs, self.y | rhs, self.z | rhs)
    }
}

impl BitXor for IVec3 {
    type Output = IVec3;
    fn bitxor(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x ^ rhs.x, self.y ^ rhs.y, self.z ^ rhs.z)
    }
}

impl BitXor<i32> for IVec3 {
    type Output = IVec3;
    fn bitxor(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x ^ rhs, self.y ^ rhs, self.z ^ rhs)
    }
}

impl Shl for IVec3 {
    type Output = IVec3;
    fn shl(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x << rhs.x, self.y << rhs.y, self.z << rhs.z)
    }
}

impl Shl<i32> for IVec3 {
    type Output = IVec3;
    fn shl(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x << rhs, self.y << rhs, self.z << rhs)
    }
}

impl Shr for IVec3 {
    type Output = IVec3;
    fn shr(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x >> rhs.x, self.y >> rhs.y, self.z >> rhs.z)
    }
}

impl Shr<i32> for IVec3 {
    type Output = IVec3;
    fn shr(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x >> rhs, self.y >> rhs, self.z >> rhs)
    }
}

impl Not for IVec3 {
    type Output = IVec3;
    fn not(self) -> IVec3 {
        IVec3::new(!self.x, !self.y, !self.z)
    }
}
