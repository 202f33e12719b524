// Vectors of 4 integer components.

impl IVec4 {
    /// Sums that wrap.
    ///
    /// Example: `IVec4::new(i32::MAX, 2, 3, 4).wrapping_add(IVec4::new(1, 1, 1, 1))` is
    /// `IVec4::new(i32::MIN, 3, 4, 5)`.
    pub fn wrapping_add(self, rhs: IVec4) -> IVec4 {
        IVec4::new(
            self.x.wrapping_add(rhs.x),
            self.y.wrapping_add(rhs.y),
            self.z.wrapping_add(rhs.z),
            self.w.wrapping_add(rhs.w),
        )
    }

    /// Differences that wrap.
    ///
    /// Example: `IVec4::new(i32::MIN, 2, 3, 4).wrapping_sub(IVec4::new(1, 1, 1, 1))` is
    /// `IVec4::new(i32::MAX, 1, 2, 3)`.
    pub fn wrapping_sub(self, rhs: IVec4) -> IVec4 {
        IVec4::new(
            self.x.wrapping_sub(rhs.x),
            self.y.wrapping_sub(rhs.y),
            self.z.wrapping_sub(rhs.z),
            self.w.wrapping_sub(rhs.w),
        )
    }

    /// Products that wrap.
    ///
    /// Example: `IVec4::new(i32::MAX, 2, 3, 4).wrapping_mul(IVec4::new(2, 2, 2, 2))` is
    /// `IVec4::new(i32::MAX.wrapping_add(i32::MAX), 4, 6, 8)`.
    pub fn wrapping_mul(self, rhs: IVec4) -> IVec4 {
        IVec4::new(
            self.x.wrapping_mul(rhs.x),
            self.y.wrapping_mul(rhs.y),
            self.z.wrapping_mul(rhs.z),
            self.w.wrapping_mul(rhs.w),
        )
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `IVec4::new(i32::MAX, 2, 3, 4).saturating_add(IVec4::new(1, 1, 1, 1))` is
    /// `IVec4::new(i32::MAX, 3, 4, 5)`.
    pub fn saturating_add(self, rhs: IVec4) -> IVec4 {
        IVec4::new(
            self.x.saturating_add(rhs.x),
            self.y.saturating_add(rhs.y),
            self.z.saturating_add(rhs.z),
            self.w.saturating_add(rhs.w),
        )
    }

    /// Differences that stop at the ends of the type.
    ///
    /// Example: `IVec4::new(i32::MIN, 2, 3, 4).saturating_sub(IVec4::new(1, 1, 1, 1))` is
    /// `IVec4::new(i32::MIN, 1, 2, 3)`.
    pub fn saturating_sub(self, rhs: IVec4) -> IVec4 {
        IVec4::new(
            self.x.saturating_sub(rhs.x),
            self.y.saturating_sub(rhs.y),
            self.z.saturating_sub(rhs.z),
            self.w.saturating_sub(rhs.w),
        )
    }

    /// Products that stop at the ends of the type.
    ///
    /// Example: `IVec4::new(i32::MAX, 2, 3, 4).saturating_mul(IVec4::new(2, 2, 2, 2))` is
    /// `IVec4::new(i32::MAX, 4, 6, 8)`.
    pub fn saturating_mul(self, rhs: IVec4) -> IVec4 {
        IVec4::new(
            self.x.saturating_mul(rhs.x),
            self.y.saturating_mul(rhs.y),
            self.z.saturating_mul(rhs.z),
            self.w.saturating_mul(rhs.w),
        )
    }

    /// The sum of the distances of the components. The sum wraps where it overflows.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).manhattan_distance(IVec4::new(5, 1, 9, 2))` is `13`.
    pub fn manhattan_distance(self, rhs: IVec4) -> u32 {
        self.x.abs_diff(rhs.x) + self.y.abs_diff(rhs.y) + self.z.abs_diff(rhs.z) + self.w.abs_diff(rhs.w)
    }

    /// The largest distance of the components.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).chebyshev_distance(IVec4::new(5, 1, 9, 2))` is `6`.
    pub fn chebyshev_distance(self, rhs: IVec4) -> u32 {
        self.x.abs_diff(rhs.x).max(self.y.abs_diff(rhs.y)).max(self.z.abs_diff(rhs.z)).max(self.w.abs_diff(rhs.w))
    }

    /// Sums, where no component overflows.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).checked_add(IVec4::new(5, 6, 7, 8))` is `Some(IVec4::new(6, 8, 10, 12))`.
    ///
    /// Example: `IVec4::new(i32::MAX, 2, 3, 4).checked_add(IVec4::new(1, 1, 1, 1))` is `None`.
    pub fn checked_add(self, rhs: IVec4) -> Option<IVec4> {
        match (self.x.checked_add(rhs.x), self.y.checked_add(rhs.y), self.z.checked_add(rhs.z), self.w.checked_add(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(IVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    ///
    /// Example: `IVec4::new(5, 6, 7, 8).checked_sub(IVec4::new(1, 2, 3, 4))` is `Some(IVec4::new(4, 4, 4, 4))`.
    ///
    /// Example: `IVec4::new(i32::MIN, 2, 3, 4).checked_sub(IVec4::new(1, 1, 1, 1))` is `None`.
    pub fn checked_sub(self, rhs: IVec4) -> Option<IVec4> {
        match (self.x.checked_sub(rhs.x), self.y.checked_sub(rhs.y), self.z.checked_sub(rhs.z), self.w.checked_sub(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(IVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Products, where no component overflows.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).checked_mul(IVec4::new(5, 6, 7, 8))` is `Some(IVec4::new(5, 12, 21, 32))`.
    ///
    /// Example: `IVec4::new(i32::MAX, 2, 3, 4).checked_mul(IVec4::new(2, 2, 2, 2))` is `None`.
    pub fn checked_mul(self, rhs: IVec4) -> Option<IVec4> {
        match (self.x.checked_mul(rhs.x), self.y.checked_mul(rhs.y), self.z.checked_mul(rhs.z), self.w.checked_mul(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(IVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Quotients, where no divisor is zero and no component overflows.
    ///
    /// Example: `IVec4::new(5, 6, 7, 8).checked_div(IVec4::new(1, 2, 3, 4))` is `Some(IVec4::new(5, 3, 2, 2))`.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).checked_div(IVec4::new(0, 0, 0, 0))` is `None`.
    pub fn checked_div(self, rhs: IVec4) -> Option<IVec4> {
        match (self.x.checked_div(rhs.x), self.y.checked_div(rhs.y), self.z.checked_div(rhs.z), self.w.checked_div(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(IVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Quotients that wrap. 0 as a divisor is a fault.
    ///
    /// Example: `IVec4::new(5, 6, 7, 8).wrapping_div(IVec4::new(1, 2, 3, 4))` is `IVec4::new(5, 3, 2, 2)`.
    pub fn wrapping_div(self, rhs: IVec4) -> IVec4 {
        IVec4::new(self.x.wrapping_div(rhs.x), self.y.wrapping_div(rhs.y), self.z.wrapping_div(rhs.z), self.w.wrapping_div(rhs.w))
    }

    /// Quotients that stop at the ends of the type. 0 as a divisor is a fault.
    ///
    /// Example: `IVec4::new(5, 6, 7, 8).saturating_div(IVec4::new(1, 2, 3, 4))` is `IVec4::new(5, 3, 2, 2)`.
    pub fn saturating_div(self, rhs: IVec4) -> IVec4 {
        IVec4::new(self.x.saturating_div(rhs.x), self.y.saturating_div(rhs.y), self.z.saturating_div(rhs.z), self.w.saturating_div(rhs.w))
    }

    /// The sum of the distances of the components, where it does not overflow.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).checked_manhattan_distance(IVec4::new(5, 1, 9, 2))` is `Some(13)`.
    pub fn checked_manhattan_distance(self, rhs: IVec4) -> Option<u32> {
        let mut sum = self.x.abs_diff(rhs.x);
        match sum.checked_add(self.y.abs_diff(rhs.y)) {
            Some(more) => sum = more,
            None => return None,
        }
        match sum.checked_add(self.z.abs_diff(rhs.z)) {
            Some(more) => sum = more,
            None => return None,
        }
        match sum.checked_add(self.w.abs_diff(rhs.w)) {
            Some(more) => sum = more,
            None => return None,
        }
        Some(sum)
    }
}

/// Component by component.
///
/// Example: `IVec4::new(12, 10, 9, 7) & IVec4::new(10, 6, 5, 3)` is `IVec4::new(8, 2, 1, 3)`.
impl BitAnd for IVec4 {
    type Output = IVec4;
    fn bitand(self, rhs: IVec4) -> IVec4 {
        IVec4::new(self.x & rhs.x, self.y & rhs.y, self.z & rhs.z, self.w & rhs.w)
    }
}

/// Each component with the number.
///
/// Example: `IVec4::new(12, 10, 9, 7) & 6` is `IVec4::new(4, 2, 0, 6)`.
impl BitAnd<i32> for IVec4 {
    type Output = IVec4;
    fn bitand(self, rhs: i32) -> IVec4 {
        IVec4::new(self.x & rhs, self.y & rhs, self.z & rhs, self.w & rhs)
    }
}

/// Component by component.
///
/// Example: `IVec4::new(12, 10, 9, 7) | IVec4::new(10, 6, 5, 3)` is `IVec4::new(14, 14, 13, 7)`.
impl BitOr for IVec4 {
    type Output = IVec4;
    fn bitor(self, rhs: IVec4) -> IVec4 {
        IVec4::new(self.x | rhs.x, self.y | rhs.y, self.z | rhs.z, self.w | rhs.w)
    }
}

/// Each component with the number.
///
/// Example: `IVec4::new(12, 10, 9, 7) | 6` is `IVec4::new(14, 14, 15, 7)`.
impl BitOr<i32> for IVec4 {
    type Output = IVec4;
    fn bitor(self, rhs: i32) -> IVec4 {
        IVec4::new(self.x | rhs, self.y | rhs, self.z | rhs, self.w | rhs)
    }
}

/// Component by component.
///
/// Example: `IVec4::new(12, 10, 9, 7) ^ IVec4::new(10, 6, 5, 3)` is `IVec4::new(6, 12, 12, 4)`.
impl BitXor for IVec4 {
    type Output = IVec4;
    fn bitxor(self, rhs: IVec4) -> IVec4 {
        IVec4::new(self.x ^ rhs.x, self.y ^ rhs.y, self.z ^ rhs.z, self.w ^ rhs.w)
    }
}

/// Each component with the number.
///
/// Example: `IVec4::new(12, 10, 9, 7) ^ 6` is `IVec4::new(10, 12, 15, 1)`.
impl BitXor<i32> for IVec4 {
    type Output = IVec4;
    fn bitxor(self, rhs: i32) -> IVec4 {
        IVec4::new(self.x ^ rhs, self.y ^ rhs, self.z ^ rhs, self.w ^ rhs)
    }
}

/// Component by component. Amounts are taken modulo the width.
///
/// Example: `IVec4::new(1, 2, 3, 4) << IVec4::new(3, 2, 1, 0)` is `IVec4::new(8, 8, 6, 4)`.
impl Shl for IVec4 {
    type Output = IVec4;
    fn shl(self, rhs: IVec4) -> IVec4 {
        IVec4::new(self.x << rhs.x, self.y << rhs.y, self.z << rhs.z, self.w << rhs.w)
    }
}

/// Each component by the number. Amounts are taken modulo the width.
///
/// Example: `IVec4::new(1, 2, 3, 4) << 2` is `IVec4::new(4, 8, 12, 16)`.
impl Shl<i32> for IVec4 {
    type Output = IVec4;
    fn shl(self, rhs: i32) -> IVec4 {
        IVec4::new(self.x << rhs, self.y << rhs, self.z << rhs, self.w << rhs)
    }
}

/// Component by component, with the sign for signed ones. Amounts are taken modulo the width.
///
/// Example: `IVec4::new(8, 9, 12, 16) >> IVec4::new(3, 1, 2, 4)` is `IVec4::new(1, 4, 3, 1)`.
impl Shr for IVec4 {
    type Output = IVec4;
    fn shr(self, rhs: IVec4) -> IVec4 {
        IVec4::new(self.x >> rhs.x, self.y >> rhs.y, self.z >> rhs.z, self.w >> rhs.w)
    }
}

/// Each component by the number, with the sign for signed ones. Amounts are taken modulo the width.
///
/// Example: `IVec4::new(8, 9, 12, 16) >> 2` is `IVec4::new(2, 2, 3, 4)`.
impl Shr<i32> for IVec4 {
    type Output = IVec4;
    fn shr(self, rhs: i32) -> IVec4 {
        IVec4::new(self.x >> rhs, self.y >> rhs, self.z >> rhs, self.w >> rhs)
    }
}

/// All bits inverted.
///
/// Example: `!IVec4::new(5, 6, 3, 0) & IVec4::new(7, 7, 7, 7)` is `IVec4::new(2, 1, 4, 7)`.
impl Not for IVec4 {
    type Output = IVec4;
    fn not(self) -> IVec4 {
        IVec4::new(!self.x, !self.y, !self.z, !self.w)
    }
}
