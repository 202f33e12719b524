// Vectors of integers: what is about their signs. Not a template.

impl IVec2 {
    /// Which components lie below zero.
    ///
    /// Example: `IVec2::new(-1, 2).is_negative_mask().bitmask()` is `1`.
    pub fn is_negative_mask(self) -> BVec2 {
        BVec2::new(self.x < 0, self.y < 0)
    }

    /// Which components lie below zero, as bits.
    ///
    /// Example: `IVec2::new(-1, 2).is_negative_bitmask()` is `1`.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// Sums, where no component overflows.
    ///
    /// Example: `IVec2::new(-1, 2).checked_add_unsigned(UVec2::new(5, 6))` is `Some(IVec2::new(4, 8))`.
    pub fn checked_add_unsigned(self, rhs: UVec2) -> Option<IVec2> {
        match (self.x.checked_add_unsigned(rhs.x), self.y.checked_add_unsigned(rhs.y)) {
            (Some(x), Some(y)) => Some(IVec2::new(x, y)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    ///
    /// Example: `IVec2::new(-1, 2).checked_sub_unsigned(UVec2::new(5, 6))` is `Some(IVec2::new(-6, -4))`.
    pub fn checked_sub_unsigned(self, rhs: UVec2) -> Option<IVec2> {
        match (self.x.checked_sub_unsigned(rhs.x), self.y.checked_sub_unsigned(rhs.y)) {
            (Some(x), Some(y)) => Some(IVec2::new(x, y)),
            _ => None,
        }
    }

    /// Sums that wrap.
    ///
    /// Example: `IVec2::new(i32::MAX, 2).wrapping_add_unsigned(UVec2::new(1, 1))` is `IVec2::new(i32::MIN, 3)`.
    pub fn wrapping_add_unsigned(self, rhs: UVec2) -> IVec2 {
        IVec2::new(self.x.wrapping_add_unsigned(rhs.x), self.y.wrapping_add_unsigned(rhs.y))
    }

    /// Differences that wrap.
    ///
    /// Example: `IVec2::new(i32::MIN, 2).wrapping_sub_unsigned(UVec2::new(1, 1))` is `IVec2::new(i32::MAX, 1)`.
    pub fn wrapping_sub_unsigned(self, rhs: UVec2) -> IVec2 {
        IVec2::new(self.x.wrapping_sub_unsigned(rhs.x), self.y.wrapping_sub_unsigned(rhs.y))
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `IVec2::new(i32::MAX, 2).saturating_add_unsigned(UVec2::new(1, 1))` is `IVec2::new(i32::MAX, 3)`.
    pub fn saturating_add_unsigned(self, rhs: UVec2) -> IVec2 {
        IVec2::new(self.x.saturating_add_unsigned(rhs.x), self.y.saturating_add_unsigned(rhs.y))
    }

    /// Differences that stop at the ends of the type.
    ///
    /// Example: `IVec2::new(i32::MIN, 2).saturating_sub_unsigned(UVec2::new(1, 1))` is `IVec2::new(i32::MIN, 1)`.
    pub fn saturating_sub_unsigned(self, rhs: UVec2) -> IVec2 {
        IVec2::new(self.x.saturating_sub_unsigned(rhs.x), self.y.saturating_sub_unsigned(rhs.y))
    }
}

impl UVec2 {
    /// Sums, where no component overflows.
    ///
    /// Example: `UVec2::new(5, 6).checked_add_signed(IVec2::new(-1, 2))` is `Some(UVec2::new(4, 8))`.
    ///
    /// Example: `UVec2::new(0, 0).checked_add_signed(IVec2::new(-1, 2))` is `None`.
    pub fn checked_add_signed(self, rhs: IVec2) -> Option<UVec2> {
        match (self.x.checked_add_signed(rhs.x), self.y.checked_add_signed(rhs.y)) {
            (Some(x), Some(y)) => Some(UVec2::new(x, y)),
            _ => None,
        }
    }

    /// Sums that wrap.
    ///
    /// Example: `UVec2::new(0, 0).wrapping_add_signed(IVec2::new(-1, 2))` is `UVec2::new(u32::MAX, 2)`.
    pub fn wrapping_add_signed(self, rhs: IVec2) -> UVec2 {
        UVec2::new(self.x.wrapping_add_signed(rhs.x), self.y.wrapping_add_signed(rhs.y))
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `UVec2::new(0, 0).saturating_add_signed(IVec2::new(-1, 2))` is `UVec2::new(0, 2)`.
    pub fn saturating_add_signed(self, rhs: IVec2) -> UVec2 {
        UVec2::new(self.x.saturating_add_signed(rhs.x), self.y.saturating_add_signed(rhs.y))
    }
}

impl IVec3 {
    /// Which components lie below zero.
    ///
    /// Example: `IVec3::new(-1, 2, -3).is_negative_mask().bitmask()` is `5`.
    pub fn is_negative_mask(self) -> BVec3 {
        BVec3::new(self.x < 0, self.y < 0, self.z < 0)
    }

    /// Which components lie below zero, as bits.
    ///
    /// Example: `IVec3::new(-1, 2, -3).is_negative_bitmask()` is `5`.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// Sums, where no component overflows.
    ///
    /// Example: `IVec3::new(-1, 2, -3).checked_add_unsigned(UVec3::new(5, 6, 7))` is `Some(IVec3::new(4, 8, 4))`.
    pub fn checked_add_unsigned(self, rhs: UVec3) -> Option<IVec3> {
        match (self.x.checked_add_unsigned(rhs.x), self.y.checked_add_unsigned(rhs.y), self.z.checked_add_unsigned(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    ///
    /// Example: `IVec3::new(-1, 2, -3).checked_sub_unsigned(UVec3::new(5, 6, 7))` is `Some(IVec3::new(-6, -4, -10))`.
    pub fn checked_sub_unsigned(self, rhs: UVec3) -> Option<IVec3> {
        match (self.x.checked_sub_unsigned(rhs.x), self.y.checked_sub_unsigned(rhs.y), self.z.checked_sub_unsigned(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Sums that wrap.
    ///
    /// Example: `IVec3::new(i32::MAX, 2, 3).wrapping_add_unsigned(UVec3::new(1, 1, 1))` is
    /// `IVec3::new(i32::MIN, 3, 4)`.
    pub fn wrapping_add_unsigned(self, rhs: UVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_add_unsigned(rhs.x), self.y.wrapping_add_unsigned(rhs.y), self.z.wrapping_add_unsigned(rhs.z))
    }

    /// Differences that wrap.
    ///
    /// Example: `IVec3::new(i32::MIN, 2, 3).wrapping_sub_unsigned(UVec3::new(1, 1, 1))` is
    /// `IVec3::new(i32::MAX, 1, 2)`.
    pub fn wrapping_sub_unsigned(self, rhs: UVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_sub_unsigned(rhs.x), self.y.wrapping_sub_unsigned(rhs.y), self.z.wrapping_sub_unsigned(rhs.z))
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `IVec3::new(i32::MAX, 2, 3).saturating_add_unsigned(UVec3::new(1, 1, 1))` is
    /// `IVec3::new(i32::MAX, 3, 4)`.
    pub fn saturating_add_unsigned(self, rhs: UVec3) -> IVec3 {
        IVec3::new(self.x.saturating_add_unsigned(rhs.x), self.y.saturating_add_unsigned(rhs.y), self.z.saturating_add_unsigned(rhs.z))
    }

    /// Differences that stop at the ends of the type.
    ///
    /// Example: `IVec3::new(i32::MIN, 2, 3).saturating_sub_unsigned(UVec3::new(1, 1, 1))` is
    /// `IVec3::new(i32::MIN, 1, 2)`.
    pub fn saturating_sub_unsigned(self, rhs: UVec3) -> IVec3 {
        IVec3::new(self.x.saturating_sub_unsigned(rhs.x), self.y.saturating_sub_unsigned(rhs.y), self.z.saturating_sub_unsigned(rhs.z))
    }
}

impl UVec3 {
    /// Sums, where no component overflows.
    ///
    /// Example: `UVec3::new(5, 6, 7).checked_add_signed(IVec3::new(-1, 2, -3))` is `Some(UVec3::new(4, 8, 4))`.
    ///
    /// Example: `UVec3::new(0, 0, 0).checked_add_signed(IVec3::new(-1, 2, -3))` is `None`.
    pub fn checked_add_signed(self, rhs: IVec3) -> Option<UVec3> {
        match (self.x.checked_add_signed(rhs.x), self.y.checked_add_signed(rhs.y), self.z.checked_add_signed(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(UVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Sums that wrap.
    ///
    /// Example: `UVec3::new(0, 0, 0).wrapping_add_signed(IVec3::new(-1, 2, 3))` is `UVec3::new(u32::MAX, 2, 3)`.
    pub fn wrapping_add_signed(self, rhs: IVec3) -> UVec3 {
        UVec3::new(self.x.wrapping_add_signed(rhs.x), self.y.wrapping_add_signed(rhs.y), self.z.wrapping_add_signed(rhs.z))
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `UVec3::new(0, 0, 0).saturating_add_signed(IVec3::new(-1, 2, 3))` is `UVec3::new(0, 2, 3)`.
    pub fn saturating_add_signed(self, rhs: IVec3) -> UVec3 {
        UVec3::new(self.x.saturating_add_signed(rhs.x), self.y.saturating_add_signed(rhs.y), self.z.saturating_add_signed(rhs.z))
    }
}

impl IVec4 {
    /// Which components lie below zero.
    ///
    /// Example: `IVec4::new(-1, 2, -3, 0).is_negative_mask().bitmask()` is `5`.
    pub fn is_negative_mask(self) -> BVec4 {
        BVec4::new(self.x < 0, self.y < 0, self.z < 0, self.w < 0)
    }

    /// Which components lie below zero, as bits.
    ///
    /// Example: `IVec4::new(-1, 2, -3, 0).is_negative_bitmask()` is `5`.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// Sums, where no component overflows.
    ///
    /// Example: `IVec4::new(-1, 2, -3, 4).checked_add_unsigned(UVec4::new(5, 6, 7, 8))` is
    /// `Some(IVec4::new(4, 8, 4, 12))`.
    pub fn checked_add_unsigned(self, rhs: UVec4) -> Option<IVec4> {
        match (self.x.checked_add_unsigned(rhs.x), self.y.checked_add_unsigned(rhs.y), self.z.checked_add_unsigned(rhs.z), self.w.checked_add_unsigned(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(IVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    ///
    /// Example: `IVec4::new(-1, 2, -3, 4).checked_sub_unsigned(UVec4::new(5, 6, 7, 8))` is
    /// `Some(IVec4::new(-6, -4, -10, -4))`.
    pub fn checked_sub_unsigned(self, rhs: UVec4) -> Option<IVec4> {
        match (self.x.checked_sub_unsigned(rhs.x), self.y.checked_sub_unsigned(rhs.y), self.z.checked_sub_unsigned(rhs.z), self.w.checked_sub_unsigned(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(IVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Sums that wrap.
    ///
    /// Example: `IVec4::new(i32::MAX, 2, 3, 4).wrapping_add_unsigned(UVec4::new(1, 1, 1, 1))` is
    /// `IVec4::new(i32::MIN, 3, 4, 5)`.
    pub fn wrapping_add_unsigned(self, rhs: UVec4) -> IVec4 {
        IVec4::new(self.x.wrapping_add_unsigned(rhs.x), self.y.wrapping_add_unsigned(rhs.y), self.z.wrapping_add_unsigned(rhs.z), self.w.wrapping_add_unsigned(rhs.w))
    }

    /// Differences that wrap.
    ///
    /// Example: `IVec4::new(i32::MIN, 2, 3, 4).wrapping_sub_unsigned(UVec4::new(1, 1, 1, 1))` is
    /// `IVec4::new(i32::MAX, 1, 2, 3)`.
    pub fn wrapping_sub_unsigned(self, rhs: UVec4) -> IVec4 {
        IVec4::new(self.x.wrapping_sub_unsigned(rhs.x), self.y.wrapping_sub_unsigned(rhs.y), self.z.wrapping_sub_unsigned(rhs.z), self.w.wrapping_sub_unsigned(rhs.w))
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `IVec4::new(i32::MAX, 2, 3, 4).saturating_add_unsigned(UVec4::new(1, 1, 1, 1))` is
    /// `IVec4::new(i32::MAX, 3, 4, 5)`.
    pub fn saturating_add_unsigned(self, rhs: UVec4) -> IVec4 {
        IVec4::new(self.x.saturating_add_unsigned(rhs.x), self.y.saturating_add_unsigned(rhs.y), self.z.saturating_add_unsigned(rhs.z), self.w.saturating_add_unsigned(rhs.w))
    }

    /// Differences that stop at the ends of the type.
    ///
    /// Example: `IVec4::new(i32::MIN, 2, 3, 4).saturating_sub_unsigned(UVec4::new(1, 1, 1, 1))` is
    /// `IVec4::new(i32::MIN, 1, 2, 3)`.
    pub fn saturating_sub_unsigned(self, rhs: UVec4) -> IVec4 {
        IVec4::new(self.x.saturating_sub_unsigned(rhs.x), self.y.saturating_sub_unsigned(rhs.y), self.z.saturating_sub_unsigned(rhs.z), self.w.saturating_sub_unsigned(rhs.w))
    }
}

impl UVec4 {
    /// Sums, where no component overflows.
    ///
    /// Example: `UVec4::new(5, 6, 7, 8).checked_add_signed(IVec4::new(-1, 2, -3, 4))` is
    /// `Some(UVec4::new(4, 8, 4, 12))`.
    ///
    /// Example: `UVec4::new(0, 0, 0, 0).checked_add_signed(IVec4::new(-1, 2, -3, 4))` is `None`.
    pub fn checked_add_signed(self, rhs: IVec4) -> Option<UVec4> {
        match (self.x.checked_add_signed(rhs.x), self.y.checked_add_signed(rhs.y), self.z.checked_add_signed(rhs.z), self.w.checked_add_signed(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(UVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Sums that wrap.
    ///
    /// Example: `UVec4::new(0, 0, 0, 0).wrapping_add_signed(IVec4::new(-1, 2, 3, 4))` is
    /// `UVec4::new(u32::MAX, 2, 3, 4)`.
    pub fn wrapping_add_signed(self, rhs: IVec4) -> UVec4 {
        UVec4::new(self.x.wrapping_add_signed(rhs.x), self.y.wrapping_add_signed(rhs.y), self.z.wrapping_add_signed(rhs.z), self.w.wrapping_add_signed(rhs.w))
    }

    /// Sums that stop at the ends of the type.
    ///
    /// Example: `UVec4::new(0, 0, 0, 0).saturating_add_signed(IVec4::new(-1, 2, 3, 4))` is `UVec4::new(0, 2, 3, 4)`.
    pub fn saturating_add_signed(self, rhs: IVec4) -> UVec4 {
        UVec4::new(self.x.saturating_add_signed(rhs.x), self.y.saturating_add_signed(rhs.y), self.z.saturating_add_signed(rhs.z), self.w.saturating_add_signed(rhs.w))
    }
}
