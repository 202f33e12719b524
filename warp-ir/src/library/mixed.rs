// Vectors of integers: what is about their signs. Not a template.

impl IVec2 {
    /// Which components lie below zero.
    pub fn is_negative_mask(self) -> BVec2 {
        BVec2::new(self.x < 0, self.y < 0)
    }

    /// Which components lie below zero, as bits.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// Sums, where no component overflows.
    pub fn checked_add_unsigned(self, rhs: UVec2) -> Option<IVec2> {
        match (self.x.checked_add_unsigned(rhs.x), self.y.checked_add_unsigned(rhs.y)) {
            (Some(x), Some(y)) => Some(IVec2::new(x, y)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    pub fn checked_sub_unsigned(self, rhs: UVec2) -> Option<IVec2> {
        match (self.x.checked_sub_unsigned(rhs.x), self.y.checked_sub_unsigned(rhs.y)) {
            (Some(x), Some(y)) => Some(IVec2::new(x, y)),
            _ => None,
        }
    }

    /// Sums that wrap.
    pub fn wrapping_add_unsigned(self, rhs: UVec2) -> IVec2 {
        IVec2::new(self.x.wrapping_add_unsigned(rhs.x), self.y.wrapping_add_unsigned(rhs.y))
    }

    /// Differences that wrap.
    pub fn wrapping_sub_unsigned(self, rhs: UVec2) -> IVec2 {
        IVec2::new(self.x.wrapping_sub_unsigned(rhs.x), self.y.wrapping_sub_unsigned(rhs.y))
    }

    /// Sums that stop at the ends of the type.
    pub fn saturating_add_unsigned(self, rhs: UVec2) -> IVec2 {
        IVec2::new(self.x.saturating_add_unsigned(rhs.x), self.y.saturating_add_unsigned(rhs.y))
    }

    /// Differences that stop at the ends of the type.
    pub fn saturating_sub_unsigned(self, rhs: UVec2) -> IVec2 {
        IVec2::new(self.x.saturating_sub_unsigned(rhs.x), self.y.saturating_sub_unsigned(rhs.y))
    }
}

impl UVec2 {
    /// Sums, where no component overflows.
    pub fn checked_add_signed(self, rhs: IVec2) -> Option<UVec2> {
        match (self.x.checked_add_signed(rhs.x), self.y.checked_add_signed(rhs.y)) {
            (Some(x), Some(y)) => Some(UVec2::new(x, y)),
            _ => None,
        }
    }

    /// Sums that wrap.
    pub fn wrapping_add_signed(self, rhs: IVec2) -> UVec2 {
        UVec2::new(self.x.wrapping_add_signed(rhs.x), self.y.wrapping_add_signed(rhs.y))
    }

    /// Sums that stop at the ends of the type.
    pub fn saturating_add_signed(self, rhs: IVec2) -> UVec2 {
        UVec2::new(self.x.saturating_add_signed(rhs.x), self.y.saturating_add_signed(rhs.y))
    }
}

impl IVec3 {
    /// Which components lie below zero.
    pub fn is_negative_mask(self) -> BVec3 {
        BVec3::new(self.x < 0, self.y < 0, self.z < 0)
    }

    /// Which components lie below zero, as bits.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// Sums, where no component overflows.
    pub fn checked_add_unsigned(self, rhs: UVec3) -> Option<IVec3> {
        match (self.x.checked_add_unsigned(rhs.x), self.y.checked_add_unsigned(rhs.y), self.z.checked_add_unsigned(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    pub fn checked_sub_unsigned(self, rhs: UVec3) -> Option<IVec3> {
        match (self.x.checked_sub_unsigned(rhs.x), self.y.checked_sub_unsigned(rhs.y), self.z.checked_sub_unsigned(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(IVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Sums that wrap.
    pub fn wrapping_add_unsigned(self, rhs: UVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_add_unsigned(rhs.x), self.y.wrapping_add_unsigned(rhs.y), self.z.wrapping_add_unsigned(rhs.z))
    }

    /// Differences that wrap.
    pub fn wrapping_sub_unsigned(self, rhs: UVec3) -> IVec3 {
        IVec3::new(self.x.wrapping_sub_unsigned(rhs.x), self.y.wrapping_sub_unsigned(rhs.y), self.z.wrapping_sub_unsigned(rhs.z))
    }

    /// Sums that stop at the ends of the type.
    pub fn saturating_add_unsigned(self, rhs: UVec3) -> IVec3 {
        IVec3::new(self.x.saturating_add_unsigned(rhs.x), self.y.saturating_add_unsigned(rhs.y), self.z.saturating_add_unsigned(rhs.z))
    }

    /// Differences that stop at the ends of the type.
    pub fn saturating_sub_unsigned(self, rhs: UVec3) -> IVec3 {
        IVec3::new(self.x.saturating_sub_unsigned(rhs.x), self.y.saturating_sub_unsigned(rhs.y), self.z.saturating_sub_unsigned(rhs.z))
    }
}

impl UVec3 {
    /// Sums, where no component overflows.
    pub fn checked_add_signed(self, rhs: IVec3) -> Option<UVec3> {
        match (self.x.checked_add_signed(rhs.x), self.y.checked_add_signed(rhs.y), self.z.checked_add_signed(rhs.z)) {
            (Some(x), Some(y), Some(z)) => Some(UVec3::new(x, y, z)),
            _ => None,
        }
    }

    /// Sums that wrap.
    pub fn wrapping_add_signed(self, rhs: IVec3) -> UVec3 {
        UVec3::new(self.x.wrapping_add_signed(rhs.x), self.y.wrapping_add_signed(rhs.y), self.z.wrapping_add_signed(rhs.z))
    }

    /// Sums that stop at the ends of the type.
    pub fn saturating_add_signed(self, rhs: IVec3) -> UVec3 {
        UVec3::new(self.x.saturating_add_signed(rhs.x), self.y.saturating_add_signed(rhs.y), self.z.saturating_add_signed(rhs.z))
    }
}

impl IVec4 {
    /// Which components lie below zero.
    pub fn is_negative_mask(self) -> BVec4 {
        BVec4::new(self.x < 0, self.y < 0, self.z < 0, self.w < 0)
    }

    /// Which components lie below zero, as bits.
    pub fn is_negative_bitmask(self) -> u32 {
        self.is_negative_mask().bitmask()
    }

    /// Sums, where no component overflows.
    pub fn checked_add_unsigned(self, rhs: UVec4) -> Option<IVec4> {
        match (self.x.checked_add_unsigned(rhs.x), self.y.checked_add_unsigned(rhs.y), self.z.checked_add_unsigned(rhs.z), self.w.checked_add_unsigned(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(IVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Differences, where no component overflows.
    pub fn checked_sub_unsigned(self, rhs: UVec4) -> Option<IVec4> {
        match (self.x.checked_sub_unsigned(rhs.x), self.y.checked_sub_unsigned(rhs.y), self.z.checked_sub_unsigned(rhs.z), self.w.checked_sub_unsigned(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(IVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Sums that wrap.
    pub fn wrapping_add_unsigned(self, rhs: UVec4) -> IVec4 {
        IVec4::new(self.x.wrapping_add_unsigned(rhs.x), self.y.wrapping_add_unsigned(rhs.y), self.z.wrapping_add_unsigned(rhs.z), self.w.wrapping_add_unsigned(rhs.w))
    }

    /// Differences that wrap.
    pub fn wrapping_sub_unsigned(self, rhs: UVec4) -> IVec4 {
        IVec4::new(self.x.wrapping_sub_unsigned(rhs.x), self.y.wrapping_sub_unsigned(rhs.y), self.z.wrapping_sub_unsigned(rhs.z), self.w.wrapping_sub_unsigned(rhs.w))
    }

    /// Sums that stop at the ends of the type.
    pub fn saturating_add_unsigned(self, rhs: UVec4) -> IVec4 {
        IVec4::new(self.x.saturating_add_unsigned(rhs.x), self.y.saturating_add_unsigned(rhs.y), self.z.saturating_add_unsigned(rhs.z), self.w.saturating_add_unsigned(rhs.w))
    }

    /// Differences that stop at the ends of the type.
    pub fn saturating_sub_unsigned(self, rhs: UVec4) -> IVec4 {
        IVec4::new(self.x.saturating_sub_unsigned(rhs.x), self.y.saturating_sub_unsigned(rhs.y), self.z.saturating_sub_unsigned(rhs.z), self.w.saturating_sub_unsigned(rhs.w))
    }
}

impl UVec4 {
    /// Sums, where no component overflows.
    pub fn checked_add_signed(self, rhs: IVec4) -> Option<UVec4> {
        match (self.x.checked_add_signed(rhs.x), self.y.checked_add_signed(rhs.y), self.z.checked_add_signed(rhs.z), self.w.checked_add_signed(rhs.w)) {
            (Some(x), Some(y), Some(z), Some(w)) => Some(UVec4::new(x, y, z, w)),
            _ => None,
        }
    }

    /// Sums that wrap.
    pub fn wrapping_add_signed(self, rhs: IVec4) -> UVec4 {
        UVec4::new(self.x.wrapping_add_signed(rhs.x), self.y.wrapping_add_signed(rhs.y), self.z.wrapping_add_signed(rhs.z), self.w.wrapping_add_signed(rhs.w))
    }

    /// Sums that stop at the ends of the type.
    pub fn saturating_add_signed(self, rhs: IVec4) -> UVec4 {
        UVec4::new(self.x.saturating_add_signed(rhs.x), self.y.saturating_add_signed(rhs.y), self.z.saturating_add_signed(rhs.z), self.w.saturating_add_signed(rhs.w))
    }
}
