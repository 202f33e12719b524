// Vectors of 3 integer components.

impl IVec3 {
    /// Sums that wrap.
    ///
    /// Example: `IVec3::new(i32::MAX, 2, 3).wrapping_add(IVec3::new(1, 1, 1))` is `IVec3::new(i32::MIN, 3, 4)`.
    pub fn wrapping_add(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_add(rhs.x), self.y.wrapping_add(rhs.y), self.z.wrapping_add(rhs.z))
    }

    /// Differences that wrap.
    ///
    /// Example: `IVec3::new(i32::MIN, 2, 3).wrapping_sub(IVec3::new(1, 1, 1))` is `IVec3::new(i32::MAX, 1, 2)`.
    pub fn wrapping_sub(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_sub(rhs.x), self.y.wrapping_sub(rhs.y), self.z.wrapping_sub(rhs.z))
    }

    /// Products that wrap.
    ///
    /// Example: `IVec3::new(i32::MAX, 2, 3).wrapping_mul(IVec3::new(2, 2, 2))` is
    /// `IVec3::new(i32::MAX.wrapping_add(i32::MAX), 4, 6)`.
    pub fn wrapping_mul(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_mul(rhs.x), self.y.wrapping_mul(rhs.y), self.z.wrapping_mul(rhs.z))
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `IVec3::new(i32::MAX, 2, 3).saturating_add(IVec3::new(1, 1, 1))` is `IVec3::new(i32::MAX, 3, 4)`.
    pub fn saturating_add(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.saturating_add(rhs.x), self.y.saturating_add(rhs.y), self.z.saturating_add(rhs.z))
    }

    /// Differences that stop at the ends of the type.
    ///
    /// Example: `IVec3::new(i32::MIN, 2, 3).saturating_sub(IVec3::new(1, 1, 1))` is `IVec3::new(i32::MIN, 1, 2)`.
    pub fn saturating_sub(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.saturating_sub(rhs.x), self.y.saturating_sub(rhs.y), self.z.saturating_sub(rhs.z))
    }

    /// Products that stop at the ends of the type.
    ///
    /// Example: `IVec3::new(i32::MAX, 2, 3).saturating_mul(IVec3::new(2, 2, 2))` is `IVec3::new(i32::MAX, 4, 6)`.
    pub fn saturating_mul(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.saturating_mul(rhs.x), self.y.saturating_mul(rhs.y), self.z.saturating_mul(rhs.z))
    }

    /// The sum of the distances of the components. The sum wraps where it overflows.
    ///
    /// Example: `IVec3::new(1, 2, 3).manhattan_distance(IVec3::new(5, 1, 9))` is `11`.
    pub fn manhattan_distance(self, rhs: IVec3) -> u32 {
        self.x.abs_diff(rhs.x) + self.y.abs_diff(rhs.y) + self.z.abs_diff(rhs.z)
    }

    /// The largest distance of the components.
    ///
    /// Example: `IVec3::new(1, 2, 3).chebyshev_distance(IVec3::new(5, 1, 9))` is `6`.
    pub fn chebyshev_distance(self, rhs: IVec3) -> u32 {
        self.x.abs_diff(rhs.x).max(self.y.abs_diff(rhs.y)).max(self.z.abs_diff(rhs.z))
    }

    /// Sums, where no component overflows.
    ///
    /// Example: `IVec3::new(1, 2, 3).checked_add(IVec3::new(5, 6, 7))` is `Some(IVec3::new(6, 8, 10))`.
    ///
    /// Example: `IVec3::new(i32::MAX, 2, 3).checked_add(IVec3::new(1, 1, 1))` is `None`.
    pub fn checked_add(self, rhs: IVec3) -> Option<IVec3> {
        match (self.x.checked_add(rhs.x), self.y.checked_add(rhs.y), self.z.checked_add(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    ///
    /// Example: `IVec3::new(5, 6, 7).checked_sub(IVec3::new(1, 2, 3))` is `Some(IVec3::new(4, 4, 4))`.
    ///
    /// Example: `IVec3::new(i32::MIN, 2, 3).checked_sub(IVec3::new(1, 1, 1))` is `None`.
    pub fn checked_sub(self, rhs: IVec3) -> Option<IVec3> {
        match (self.x.checked_sub(rhs.x), self.y.checked_sub(rhs.y), self.z.checked_sub(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Products, where no component overflows.
    ///
    /// Example: `IVec3::new(1, 2, 3).checked_mul(IVec3::new(5, 6, 7))` is `Some(IVec3::new(5, 12, 21))`.
    ///
    /// Example: `IVec3::new(i32::MAX, 2, 3).checked_mul(IVec3::new(2, 2, 2))` is `None`.
    pub fn checked_mul(self, rhs: IVec3) -> Option<IVec3> {
        match (self.x.checked_mul(rhs.x), self.y.checked_mul(rhs.y), self.z.checked_mul(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Quotients, where no divisor is zero and no component overflows.
    ///
    /// Example: `IVec3::new(5, 6, 7).checked_div(IVec3::new(1, 2, 3))` is `Some(IVec3::new(5, 3, 2))`.
    ///
    /// Example: `IVec3::new(1, 2, 3).checked_div(IVec3::new(0, 0, 0))` is `None`.
    pub fn checked_div(self, rhs: IVec3) -> Option<IVec3> {
        match (self.x.checked_div(rhs.x), self.y.checked_div(rhs.y), self.z.checked_div(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Quotients that wrap. 0 as a divisor is a fault.
    ///
    /// Example: `IVec3::new(5, 6, 7).wrapping_div(IVec3::new(1, 2, 3))` is `IVec3::new(5, 3, 2)`.
    pub fn wrapping_div(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_div(rhs.x), self.y.wrapping_div(rhs.y), self.z.wrapping_div(rhs.z))
    }

    /// Quotients that stop at the ends of the type. 0 as a divisor is a fault.
    ///
    /// Example: `IVec3::new(5, 6, 7).saturating_div(IVec3::new(1, 2, 3))` is `IVec3::new(5, 3, 2)`.
    pub fn saturating_div(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x.saturating_div(rhs.x), self.y.saturating_div(rhs.y), self.z.saturating_div(rhs.z))
    }

    /// The sum of the distances of the components, where it does not overflow.
    ///
    /// Example: `IVec3::new(1, 2, 3).checked_manhattan_distance(IVec3::new(5, 1, 9))` is `Some(11)`.
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

/// Component by component.
///
/// Example: `IVec3::new(12, 10, 9) & IVec3::new(10, 6, 5)` is `IVec3::new(8, 2, 1)`.
impl BitAnd for IVec3 {
    type Output = IVec3;
    fn bitand(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x & rhs.x, self.y & rhs.y, self.z & rhs.z)
    }
}

/// Each component with the number.
///
/// Example: `IVec3::new(12, 10, 9) & 6` is `IVec3::new(4, 2, 0)`.
impl BitAnd<i32> for IVec3 {
    type Output = IVec3;
    fn bitand(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x & rhs, self.y & rhs, self.z & rhs)
    }
}

/// Component by component.
///
/// Example: `IVec3::new(12, 10, 9) | IVec3::new(10, 6, 5)` is `IVec3::new(14, 14, 13)`.
impl BitOr for IVec3 {
    type Output = IVec3;
    fn bitor(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x | rhs.x, self.y | rhs.y, self.z | rhs.z)
    }
}

/// Each component with the number.
///
/// Example: `IVec3::new(12, 10, 9) | 6` is `IVec3::new(14, 14, 15)`.
impl BitOr<i32> for IVec3 {
    type Output = IVec3;
    fn bitor(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x | rhs, self.y | rhs, self.z | rhs)
    }
}

/// Component by component.
///
/// Example: `IVec3::new(12, 10, 9) ^ IVec3::new(10, 6, 5)` is `IVec3::new(6, 12, 12)`.
impl BitXor for IVec3 {
    type Output = IVec3;
    fn bitxor(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x ^ rhs.x, self.y ^ rhs.y, self.z ^ rhs.z)
    }
}

/// Each component with the number.
///
/// Example: `IVec3::new(12, 10, 9) ^ 6` is `IVec3::new(10, 12, 15)`.
impl BitXor<i32> for IVec3 {
    type Output = IVec3;
    fn bitxor(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x ^ rhs, self.y ^ rhs, self.z ^ rhs)
    }
}

/// Component by component. Amounts are taken modulo the width.
///
/// Example: `IVec3::new(1, 2, 3) << IVec3::new(3, 2, 1)` is `IVec3::new(8, 8, 6)`.
impl Shl for IVec3 {
    type Output = IVec3;
    fn shl(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x << rhs.x, self.y << rhs.y, self.z << rhs.z)
    }
}

/// Each component by the number. Amounts are taken modulo the width.
///
/// Example: `IVec3::new(1, 2, 3) << 2` is `IVec3::new(4, 8, 12)`.
impl Shl<i32> for IVec3 {
    type Output = IVec3;
    fn shl(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x << rhs, self.y << rhs, self.z << rhs)
    }
}

/// Component by component, with the sign for signed ones. Amounts are taken modulo the width.
///
/// Example: `IVec3::new(8, 9, 12) >> IVec3::new(3, 1, 2)` is `IVec3::new(1, 4, 3)`.
impl Shr for IVec3 {
    type Output = IVec3;
    fn shr(self, rhs: IVec3) -> IVec3 {
        IVec3::new(self.x >> rhs.x, self.y >> rhs.y, self.z >> rhs.z)
    }
}

/// Each component by the number, with the sign for signed ones. Amounts are taken modulo the width.
///
/// Example: `IVec3::new(8, 9, 12) >> 2` is `IVec3::new(2, 2, 3)`.
impl Shr<i32> for IVec3 {
    type Output = IVec3;
    fn shr(self, rhs: i32) -> IVec3 {
        IVec3::new(self.x >> rhs, self.y >> rhs, self.z >> rhs)
    }
}

/// All bits inverted.
///
/// Example: `!IVec3::new(5, 6, 3) & IVec3::new(7, 7, 7)` is `IVec3::new(2, 1, 4)`.
impl Not for IVec3 {
    type Output = IVec3;
    fn not(self) -> IVec3 {
        IVec3::new(!self.x, !self.y, !self.z)
    }
}
