// Masks of 4 components.

/// The mask of these components.
///
/// Example: `bvec4(true, false, true, false)` is `BVec4::new(true, false, true, false)`.
pub fn bvec4(x: bool, y: bool, z: bool, w: bool) -> BVec4 {
    BVec4::new(x, y, z, w)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BVec4 {
    pub x: bool,
    pub y: bool,
    pub z: bool,
    pub w: bool,
}

impl BVec4 {
    /// The mask of these components.
    ///
    /// Example: `BVec4::new(true, false, true, false).x` is `true`.
    pub fn new(x: bool, y: bool, z: bool, w: bool) -> BVec4 {
        BVec4 { x, y, z, w }
    }

    /// All components the same.
    ///
    /// Example: `BVec4::splat(true).all()` holds.
    pub fn splat(v: bool) -> BVec4 {
        BVec4::new(v, v, v, v)
    }

    /// The components from an array.
    ///
    /// Example: `BVec4::from_array([true, false, true, false])` is `BVec4::new(true, false, true, false)`.
    pub fn from_array(a: [bool; 4]) -> BVec4 {
        BVec4::new(a[0], a[1], a[2], a[3])
    }

    /// The components as bits, the first lowest.
    ///
    /// Example: `BVec4::new(true, false, true, false).bitmask()` is `5`.
    pub fn bitmask(self) -> u32 {
        (self.x as u32) | ((self.y as u32) << 1) | ((self.z as u32) << 2) | ((self.w as u32) << 3)
    }

    /// Whether one holds.
    ///
    /// Example: `BVec4::new(true, false, true, false).any()` holds.
    pub fn any(self) -> bool {
        self.x || self.y || self.z || self.w
    }

    /// Whether all hold.
    ///
    /// Example: `!BVec4::new(true, false, true, false).all()` holds.
    pub fn all(self) -> bool {
        self.x && self.y && self.z && self.w
    }

    /// The component at a position. A position beyond the last is a fault.
    ///
    /// Example: `BVec4::new(true, false, true, false).test(0) && !BVec4::new(true, false, true, false).test(1)` holds.
    pub fn test(self, index: usize) -> bool {
        match index {
            0 => self.x,
            1 => self.y,
            2 => self.z,
            3 => self.w,
            _ => panic!("index out of bounds"),
        }
    }
}

/// Component by component.
///
/// Example: `BVec4::new(true, true, false, false) & BVec4::new(true, false, true, false)` is
/// `BVec4::new(true, false, false, false)`.
impl BitAnd for BVec4 {
    type Output = BVec4;
    fn bitand(self, rhs: BVec4) -> BVec4 {
        BVec4::new(self.x & rhs.x, self.y & rhs.y, self.z & rhs.z, self.w & rhs.w)
    }
}

/// Component by component.
///
/// Example: `BVec4::new(true, true, false, false) | BVec4::new(true, false, true, false)` is
/// `BVec4::new(true, true, true, false)`.
impl BitOr for BVec4 {
    type Output = BVec4;
    fn bitor(self, rhs: BVec4) -> BVec4 {
        BVec4::new(self.x | rhs.x, self.y | rhs.y, self.z | rhs.z, self.w | rhs.w)
    }
}

/// Component by component.
///
/// Example: `BVec4::new(true, true, false, false) ^ BVec4::new(true, false, true, false)` is
/// `BVec4::new(false, true, true, false)`.
impl BitXor for BVec4 {
    type Output = BVec4;
    fn bitxor(self, rhs: BVec4) -> BVec4 {
        BVec4::new(self.x ^ rhs.x, self.y ^ rhs.y, self.z ^ rhs.z, self.w ^ rhs.w)
    }
}

/// Component by component.
///
/// Example: `!BVec4::new(true, true, false, false)` is `BVec4::new(false, false, true, true)`.
impl Not for BVec4 {
    type Output = BVec4;
    fn not(self) -> BVec4 {
        BVec4::new(!self.x, !self.y, !self.z, !self.w)
    }
}
