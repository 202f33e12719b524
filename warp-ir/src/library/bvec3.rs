// Masks of 3 components.

/// The mask of these components.
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
    pub fn new(x: bool, y: bool, z: bool) -> BVec3 {
        BVec3 { x, y, z }
    }

    /// All components the same.
    pub fn splat(v: bool) -> BVec3 {
        BVec3::new(v, v, v)
    }

    /// The components from an array.
    pub fn from_array(a: [bool; 3]) -> BVec3 {
        BVec3::new(a[0], a[1], a[2])
    }

    /// The components as bits, the first lowest.
    pub fn bitmask(self) -> u32 {
        (self.x as u32) | ((self.y as u32) << 1) | ((self.z as u32) << 2)
    }

    /// Whether one holds.
    pub fn any(self) -> bool {
        self.x || self.y || self.z
    }

    /// Whether all hold.
    pub fn all(self) -> bool {
        self.x && self.y && self.z
    }

    /// The component at a position.
    pub fn test(self, index: usize) -> bool {
        match index {
            0 => self.x,
            1 => self.y,
            2 => self.z,
            _ => panic!("index out of bounds"),
        }
    }
}

impl BitAnd for BVec3 {
    type Output = BVec3;
    fn bitand(self, rhs: BVec3) -> BVec3 {
        BVec3::new(self.x & rhs.x, self.y & rhs.y, self.z & rhs.z)
    }
}

impl BitOr for BVec3 {
    type Output = BVec3;
    fn bitor(self, rhs: BVec3) -> BVec3 {
        BVec3::new(self.x | rhs.x, self.y | rhs.y, self.z | rhs.z)
    }
}

impl BitXor for BVec3 {
    type Output = BVec3;
    fn bitxor(self, rhs: BVec3) -> BVec3 {
        BVec3::new(self.x ^ rhs.x, self.y ^ rhs.y, self.z ^ rhs.z)
    }
}

impl Not for BVec3 {
    type Output = BVec3;
    fn not(self) -> BVec3 {
        BVec3::new(!self.x, !self.y, !self.z)
    }
}
