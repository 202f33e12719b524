// Masks of 2 components.

/// The mask of these components.
///
/// Example: `bvec2(true, false)` is `BVec2::new(true, false)`.
pub fn bvec2(x: bool, y: bool) -> BVec2 {
    BVec2::new(x, y)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BVec2 {
    pub x: bool,
    pub y: bool,
}

impl BVec2 {
    /// The mask of these components.
    ///
    /// Example: `BVec2::new(true, false).x` is `true`.
    pub fn new(x: bool, y: bool) -> BVec2 {
        BVec2 { x, y }
    }

    /// All components the same.
    ///
    /// Example: `BVec2::splat(true).all()` holds.
    pub fn splat(v: bool) -> BVec2 {
        BVec2::new(v, v)
    }

    /// The components from an array.
    ///
    /// Example: `BVec2::from_array([true, false])` is `BVec2::new(true, false)`.
    pub fn from_array(a: [bool; 2]) -> BVec2 {
        BVec2::new(a[0], a[1])
    }

    /// The components as bits, the first lowest.
    ///
    /// Example: `BVec2::new(true, false).bitmask()` is `1`.
    pub fn bitmask(self) -> u32 {
        (self.x as u32) | ((self.y as u32) << 1)
    }

    /// Whether one holds.
    ///
    /// Example: `BVec2::new(true, false).any()` holds.
    pub fn any(self) -> bool {
        self.x || self.y
    }

    /// Whether all hold.
    ///
    /// Example: `!BVec2::new(true, false).all()` holds.
    pub fn all(self) -> bool {
        self.x && self.y
    }

    /// The component at a position. A position beyond the last is a fault.
    ///
    /// Example: `BVec2::new(true, false).test(0) && !BVec2::new(true, false).test(1)` holds.
    pub fn test(self, index: usize) -> bool {
        match index {
            0 => self.x,
            1 => self.y,
            _ => panic!("index out of bounds"),
        }
    }
}

/// Component by component.
///
/// Example: `BVec2::new(true, true) & BVec2::new(true, false)` is `BVec2::new(true, false)`.
impl BitAnd for BVec2 {
    type Output = BVec2;
    fn bitand(self, rhs: BVec2) -> BVec2 {
        BVec2::new(self.x & rhs.x, self.y & rhs.y)
    }
}

/// Component by component.
///
/// Example: `BVec2::new(true, true) | BVec2::new(true, false)` is `BVec2::new(true, true)`.
impl BitOr for BVec2 {
    type Output = BVec2;
    fn bitor(self, rhs: BVec2) -> BVec2 {
        BVec2::new(self.x | rhs.x, self.y | rhs.y)
    }
}

/// Component by component.
///
/// Example: `BVec2::new(true, true) ^ BVec2::new(true, false)` is `BVec2::new(false, true)`.
impl BitXor for BVec2 {
    type Output = BVec2;
    fn bitxor(self, rhs: BVec2) -> BVec2 {
        BVec2::new(self.x ^ rhs.x, self.y ^ rhs.y)
    }
}

/// Component by component.
///
/// Example: `!BVec2::new(true, true)` is `BVec2::new(false, false)`.
impl Not for BVec2 {
    type Output = BVec2;
    fn not(self) -> BVec2 {
        BVec2::new(!self.x, !self.y)
    }
}
