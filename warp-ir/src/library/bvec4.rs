// Masks of 4 components.

/// The mask of these components.
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
    pub fn new(x: bool, y: bool, z: bool, w: bool) -> BVec4 {
        BVec4 { x, y, z, w }
    }

    /// All components the same.
    pub fn splat(v: bool) -> BVec4 {
        BVec4::new(v, v, v, v)
    }

    /// The components from an array.
    pub fn from_array(a: [bool; 4]) -> BVec4 {
        BVec4::new(a[0], a[1], a[2], a[3])
    }

    /// The components as bits, the first lowest.
    pub fn bitmask(self) -> u32 {
        (self.x as u32) | ((self.y as u32) << 1) | ((self.z as u32) << 2) | ((self.w as u32) << 3)
    }

    /// Whether one holds.
    pub fn any(self) -> bool {
        self.x || self.y || self.z || self.w
    }

    /// Whether all hold.
    pub fn all(self) -> bool {
        self.x && self.y && self.z && self.w
    }

    /// The component at a position.
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

impl BitAnd for BVec4 {
    type Output = BVec4;
    fn bitand(self, rhs: BVec4) -> BVec4 {
        BVec4::new(self.x & rhs.x, self.y & rhs.y, self.z & rhs.z, self.w & rhs.w)
    }
}

impl BitOr for BVec4 {
    type Output = BVec4;
    fn bitor(self, rhs: BVec4) -> BVec4 {
        BVec4::new(self.x | rhs.x, self.y | rhs.y, self.z | rhs.z, self.w | rhs.w)
    }
}

impl BitXor for BVec4 {
    type Output = BVec4;
    fn bitxor(self, rhs: BVec4) -> BVec4 {
        BVec4::new(self.x ^ rhs.x, self.y ^ rhs.y, self.z ^ rhs.z, self.w ^ rhs.w)
    }
}

impl Not for BVec4 {
    type Output = BVec4;
    fn not(self) -> BVec4 {
        BVec4::new(!self.x, !self.y, !self.z, !self.w)
    }
}
