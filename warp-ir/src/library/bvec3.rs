// Masks of 3 components.

/// The mask of these components.
///
/// Example: `bvec3(true, false, true)` is `BVec3::new(true, false, true)`.
pub fn bvec3(x: bool, y: bool, z: bool) -> BVec3 {
    BVec3::new(x, y, z)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BVec3 {
    pub x: bool,
    pub y: bool,
    pub z: bool,
}

impl BVec3 {
    /// The mask of these components.
    ///
    /// Example: `BVec3::new(true, false, true).x` is `true`.
    pub fn new(x: bool, y: bool, z: bool) -> BVec3 {
        BVec3 { x, y, z }
    }

    /// All components the same.
    ///
    /// Example: `BVec3::splat(true).all()` holds.
    pub fn splat(v: bool) -> BVec3 {
        BVec3::new(v, v, v)
    }

    /// The components from an array.
    ///
    /// Example: `BVec3::from_array([true, false, true])` is `BVec3::new(true, false, true)`.
    pub fn from_array(a: [bool; 3]) -> BVec3 {
        BVec3::new(a[0], a[1], a[2])
    }

    /// The components as bits, the first lowest.
    ///
    /// Example: `BVec3::new(true, false, true).bitmask()` is `5`.
    pub fn bitmask(self) -> u32 {
        (self.x as u32) | ((self.y as u32) << 1) | ((self.z as u32) << 2)
    }

    /// Whether one holds.
    ///
    /// Example: `BVec3::new(true, false, true).any()` holds.
    pub fn any(self) -> bool {
        self.x || self.y || self.z
    }

    /// Whether all hold.
    ///
    /// Example: `!BVec3::new(true, false, true).all()` holds.
    pub fn all(self) -> bool {
        self.x && self.y && self.z
    }

    /// The component at a position. A position beyond the last is a fault.
    ///
    /// Example: `BVec3::new(true, false, true).test(0) && !BVec3::new(true, false, true).test(1)` holds.
    pub fn test(self, index: usize) -> bool {
        match index {
            0 => self.x,
            1 => self.y,
            2 => self.z,
            _ => panic!("index out of bounds"),
        }
    }
}

/// Component by component.
///
/// Example: `BVec3::new(true, true, false) & BVec3::new(true, false, true)` is `BVec3::new(true, false, false)`.
impl BitAnd for BVec3 {
    type Output = BVec3;
    fn bitand(self, rhs: BVec3) -> BVec3 {
        BVec3::new(self.x & rhs.x, self.y & rhs.y, self.z & rhs.z)
    }
}

/// Component by component.
///
/// Example: `BVec3::new(true, true, false) | BVec3::new(true, false, true)` is `BVec3::new(true, true, true)`.
impl BitOr for BVec3 {
    type Output = BVec3;
    fn bitor(self, rhs: BVec3) -> BVec3 {
        BVec3::new(self.x | rhs.x, self.y | rhs.y, self.z | rhs.z)
    }
}

/// Component by component.
///
/// Example: `BVec3::new(true, true, false) ^ BVec3::new(true, false, true)` is `BVec3::new(false, true, true)`.
impl BitXor for BVec3 {
    type Output = BVec3;
    fn bitxor(self, rhs: BVec3) -> BVec3 {
        BVec3::new(self.x ^ rhs.x, self.y ^ rhs.y, self.z ^ rhs.z)
    }
}

/// Component by component.
///
/// Example: `!BVec3::new(true, true, false)` is `BVec3::new(false, false, true)`.
impl Not for BVec3 {
    type Output = BVec3;
    fn not(self) -> BVec3 {
        BVec3::new(!self.x, !self.y, !self.z)
    }
}
