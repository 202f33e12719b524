// Vectors of 2 integer components.

impl IVec2 {
    /// Sums that wrap.
    ///
    /// Example: `IVec2::new(i32::MAX, 2).wrapping_add(IVec2::new(1, 1))` is `IVec2::new(i32::MIN, 3)`.
    pub fn wrapping_add(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x.wrapping_add(rhs.x), self.y.wrapping_add(rhs.y))
    }

    /// Differences that wrap.
    ///
    /// Example: `IVec2::new(i32::MIN, 2).wrapping_sub(IVec2::new(1, 1))` is `IVec2::new(i32::MAX, 1)`.
    pub fn wrapping_sub(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x.wrapping_sub(rhs.x), self.y.wrapping_sub(rhs.y))
    }

    /// Products that wrap.
    ///
    /// Example: `IVec2::new(i32::MAX, 2).wrapping_mul(IVec2::new(2, 2))` is
    /// `IVec2::new(i32::MAX.wrapping_add(i32::MAX), 4)`.
    pub fn wrapping_mul(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x.wrapping_mul(rhs.x), self.y.wrapping_mul(rhs.y))
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `IVec2::new(i32::MAX, 2).saturating_add(IVec2::new(1, 1))` is `IVec2::new(i32::MAX, 3)`.
    pub fn saturating_add(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x.saturating_add(rhs.x), self.y.saturating_add(rhs.y))
    }

    /// Differences that stop at the ends of the type.
    ///
    /// Example: `IVec2::new(i32::MIN, 2).saturating_sub(IVec2::new(1, 1))` is `IVec2::new(i32::MIN, 1)`.
    pub fn saturating_sub(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x.saturating_sub(rhs.x), self.y.saturating_sub(rhs.y))
    }

    /// Products that stop at the ends of the type.
    ///
    /// Example: `IVec2::new(i32::MAX, 2).saturating_mul(IVec2::new(2, 2))` is `IVec2::new(i32::MAX, 4)`.
    pub fn saturating_mul(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x.saturating_mul(rhs.x), self.y.saturating_mul(rhs.y))
    }

    /// The sum of the distances of the components. The sum wraps where it overflows.
    ///
    /// Example: `IVec2::new(1, 2).manhattan_distance(IVec2::new(5, 1))` is `5`.
    pub fn manhattan_distance(self, rhs: IVec2) -> u32 {
        self.x.abs_diff(rhs.x) + self.y.abs_diff(rhs.y)
    }

    /// The largest distance of the components.
    ///
    /// Example: `IVec2::new(1, 2).chebyshev_distance(IVec2::new(5, 1))` is `4`.
    pub fn chebyshev_distance(self, rhs: IVec2) -> u32 {
        self.x.abs_diff(rhs.x).max(self.y.abs_diff(rhs.y))
    }

    /// Sums, where no component overflows.
    ///
    /// Example: `IVec2::new(1, 2).checked_add(IVec2::new(5, 6))` is `Some(IVec2::new(6, 8))`.
    ///
    /// Example: `IVec2::new(i32::MAX, 2).checked_add(IVec2::new(1, 1))` is `None`.
    pub fn checked_add(self, rhs: IVec2) -> Option<IVec2> {
        match (self.x.checked_add(rhs.x), self.y.checked_add(rhs.y)) {
            (Some(x), Some(y)) => Some(IVec2::new(x, y)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    ///
    /// Example: `IVec2::new(5, 6).checked_sub(IVec2::new(1, 2))` is `Some(IVec2::new(4, 4))`.
    ///
    /// Example: `IVec2::new(i32::MIN, 2).checked_sub(IVec2::new(1, 1))` is `None`.
    pub fn checked_sub(self, rhs: IVec2) -> Option<IVec2> {
        match (self.x.checked_sub(rhs.x), self.y.checked_sub(rhs.y)) {
            (Some(x), Some(y)) => Some(IVec2::new(x, y)),
            _ => None,
        }
    }

    /// Products, where no component overflows.
    ///
    /// Example: `IVec2::new(1, 2).checked_mul(IVec2::new(5, 6))` is `Some(IVec2::new(5, 12))`.
    ///
    /// Example: `IVec2::new(i32::MAX, 2).checked_mul(IVec2::new(2, 2))` is `None`.
    pub fn checked_mul(self, rhs: IVec2) -> Option<IVec2> {
        match (self.x.checked_mul(rhs.x), self.y.checked_mul(rhs.y)) {
            (Some(x), Some(y)) => Some(IVec2::new(x, y)),
            _ => None,
        }
    }

    /// Quotients, where no divisor is zero and no component overflows.
    ///
    /// Example: `IVec2::new(5, 6).checked_div(IVec2::new(1, 2))` is `Some(IVec2::new(5, 3))`.
    ///
    /// Example: `IVec2::new(1, 2).checked_div(IVec2::new(0, 0))` is `None`.
    pub fn checked_div(self, rhs: IVec2) -> Option<IVec2> {
        match (self.x.checked_div(rhs.x), self.y.checked_div(rhs.y)) {
            (Some(x), Some(y)) => Some(IVec2::new(x, y)),
            _ => None,
        }
    }

    /// Quotients that wrap. 0 as a divisor is a fault.
    ///
    /// Example: `IVec2::new(5, 6).wrapping_div(IVec2::new(1, 2))` is `IVec2::new(5, 3)`.
    pub fn wrapping_div(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x.wrapping_div(rhs.x), self.y.wrapping_div(rhs.y))
    }

    /// Quotients that stop at the ends of the type. 0 as a divisor is a fault.
    ///
    /// Example: `IVec2::new(5, 6).saturating_div(IVec2::new(1, 2))` is `IVec2::new(5, 3)`.
    pub fn saturating_div(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x.saturating_div(rhs.x), self.y.saturating_div(rhs.y))
    }

    /// The sum of the distances of the components, where it does not overflow.
    ///
    /// Example: `IVec2::new(1, 2).checked_manhattan_distance(IVec2::new(5, 1))` is `Some(5)`.
    pub fn checked_manhattan_distance(self, rhs: IVec2) -> Option<u32> {
        let mut sum = self.x.abs_diff(rhs.x);
        match sum.checked_add(self.y.abs_diff(rhs.y)) {
            Some(more) => sum = more,
            None => return None,
        }
        Some(sum)
    }
}

/// Component by component.
///
/// Example: `IVec2::new(12, 10) & IVec2::new(10, 6)` is `IVec2::new(8, 2)`.
impl BitAnd for IVec2 {
    type Output = IVec2;
    fn bitand(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x & rhs.x, self.y & rhs.y)
    }
}

/// Each component with the number.
///
/// Example: `IVec2::new(12, 10) & 6` is `IVec2::new(4, 2)`.
impl BitAnd<i32> for IVec2 {
    type Output = IVec2;
    fn bitand(self, rhs: i32) -> IVec2 {
        IVec2::new(self.x & rhs, self.y & rhs)
    }
}

/// Component by component.
///
/// Example: `IVec2::new(12, 10) | IVec2::new(10, 6)` is `IVec2::new(14, 14)`.
impl BitOr for IVec2 {
    type Output = IVec2;
    fn bitor(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x | rhs.x, self.y | rhs.y)
    }
}

/// Each component with the number.
///
/// Example: `IVec2::new(12, 10) | 6` is `IVec2::new(14, 14)`.
impl BitOr<i32> for IVec2 {
    type Output = IVec2;
    fn bitor(self, rhs: i32) -> IVec2 {
        IVec2::new(self.x | rhs, self.y | rhs)
    }
}

/// Component by component.
///
/// Example: `IVec2::new(12, 10) ^ IVec2::new(10, 6)` is `IVec2::new(6, 12)`.
impl BitXor for IVec2 {
    type Output = IVec2;
    fn bitxor(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x ^ rhs.x, self.y ^ rhs.y)
    }
}

/// Each component with the number.
///
/// Example: `IVec2::new(12, 10) ^ 6` is `IVec2::new(10, 12)`.
impl BitXor<i32> for IVec2 {
    type Output = IVec2;
    fn bitxor(self, rhs: i32) -> IVec2 {
        IVec2::new(self.x ^ rhs, self.y ^ rhs)
    }
}

/// Component by component. Amounts are taken modulo the width.
///
/// Example: `IVec2::new(1, 2) << IVec2::new(3, 2)` is `IVec2::new(8, 8)`.
impl Shl for IVec2 {
    type Output = IVec2;
    fn shl(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x << rhs.x, self.y << rhs.y)
    }
}

/// Each component by the number. Amounts are taken modulo the width.
///
/// Example: `IVec2::new(1, 2) << 2` is `IVec2::new(4, 8)`.
impl Shl<i32> for IVec2 {
    type Output = IVec2;
    fn shl(self, rhs: i32) -> IVec2 {
        IVec2::new(self.x << rhs, self.y << rhs)
    }
}

/// Component by component, with the sign for signed ones. Amounts are taken modulo the width.
///
/// Example: `IVec2::new(8, 9) >> IVec2::new(3, 1)` is `IVec2::new(1, 4)`.
impl Shr for IVec2 {
    type Output = IVec2;
    fn shr(self, rhs: IVec2) -> IVec2 {
        IVec2::new(self.x >> rhs.x, self.y >> rhs.y)
    }
}

/// Each component by the number, with the sign for signed ones. Amounts are taken modulo the width.
///
/// Example: `IVec2::new(8, 9) >> 2` is `IVec2::new(2, 2)`.
impl Shr<i32> for IVec2 {
    type Output = IVec2;
    fn shr(self, rhs: i32) -> IVec2 {
        IVec2::new(self.x >> rhs, self.y >> rhs)
    }
}

/// All bits inverted.
///
/// Example: `!IVec2::new(5, 6) & IVec2::new(7, 7)` is `IVec2::new(2, 1)`.
impl Not for IVec2 {
    type Output = IVec2;
    fn not(self) -> IVec2 {
        IVec2::new(!self.x, !self.y)
    }
}
