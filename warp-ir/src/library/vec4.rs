// Vectors of 4 components: what floats and integers have in common.

/// The vector of these components.
pub fn vec4(x: f32, y: f32, z: f32, w: f32) -> Vec4 {
    Vec4::new(x, y, z, w)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vec4 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub w: f32,
}

impl Vec4 {
    /// The vector of these components.
    pub fn new(x: f32, y: f32, z: f32, w: f32) -> Vec4 {
        Vec4 { x, y, z, w }
    }

    /// All components the same.
    pub fn splat(v: f32) -> Vec4 {
        Vec4::new(v, v, v, v)
    }

    /// Component by component: `if_true` where `mask` holds.
    pub fn select(mask: BVec4, if_true: Vec4, if_false: Vec4) -> Vec4 {
        Vec4::new(
            if mask.x { if_true.x } else { if_false.x },
            if mask.y { if_true.y } else { if_false.y },
            if mask.z { if_true.z } else { if_false.z },
            if mask.w { if_true.w } else { if_false.w },
        )
    }

    /// The components from an array.
    pub fn from_array(a: [f32; 4]) -> Vec4 {
        Vec4::new(a[0], a[1], a[2], a[3])
    }

    /// The components as an array.
    pub fn to_array(self) -> [f32; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// The vector with another `x`.
    pub fn with_x(self, x: f32) -> Vec4 {
        Vec4::new(x, self.y, self.z, self.w)
    }

    /// The vector with another `y`.
    pub fn with_y(self, y: f32) -> Vec4 {
        Vec4::new(self.x, y, self.z, self.w)
    }

    /// The vector with another `z`.
    pub fn with_z(self, z: f32) -> Vec4 {
        Vec4::new(self.x, self.y, z, self.w)
    }

    /// The vector with another `w`.
    pub fn with_w(self, w: f32) -> Vec4 {
        Vec4::new(self.x, self.y, self.z, w)
    }

    /// Without the last component.
    pub fn truncate(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The sum of the products of the components.
    pub fn dot(self, rhs: Vec4) -> f32 {
        (self.x * rhs.x) + (self.y * rhs.y) + (self.z * rhs.z) + (self.w * rhs.w)
    }

    /// The dot product in every component.
    pub fn dot_into_vec(self, rhs: Vec4) -> Vec4 {
        Vec4::splat(self.dot(rhs))
    }

    /// Component by component the smaller; that of `rhs` where one is NaN.
    pub fn min(self, rhs: Vec4) -> Vec4 {
        Vec4::new(
            if self.x < rhs.x { self.x } else { rhs.x },
            if self.y < rhs.y { self.y } else { rhs.y },
            if self.z < rhs.z { self.z } else { rhs.z },
            if self.w < rhs.w { self.w } else { rhs.w },
        )
    }

    /// Component by component the larger; that of `rhs` where one is NaN.
    pub fn max(self, rhs: Vec4) -> Vec4 {
        Vec4::new(
            if self.x > rhs.x { self.x } else { rhs.x },
            if self.y > rhs.y { self.y } else { rhs.y },
            if self.z > rhs.z { self.z } else { rhs.z },
            if self.w > rhs.w { self.w } else { rhs.w },
        )
    }

    /// Component by component into `min..=max`.
    pub fn clamp(self, min: Vec4, max: Vec4) -> Vec4 {
        self.max(min).min(max)
    }

    /// The smallest component.
    pub fn min_element(self) -> f32 {
        let xy = if self.x < self.y { self.x } else { self.y };
        let zw = if self.z < self.w { self.z } else { self.w };
        if xy < zw { xy } else { zw }
    }

    /// The largest component.
    pub fn max_element(self) -> f32 {
        let xy = if self.x > self.y { self.x } else { self.y };
        let zw = if self.z > self.w { self.z } else { self.w };
        if xy > zw { xy } else { zw }
    }

    /// The position of the smallest component, the first at a tie.
    pub fn min_position(self) -> usize {
        let mut min = self.x;
        let mut index = 0;
        if self.y < min {
            min = self.y;
            index = 1;
        }
        if self.z < min {
            min = self.z;
            index = 2;
        }
        if self.w < min {
            index = 3;
        }
        index
    }

    /// The position of the largest component, the first at a tie.
    pub fn max_position(self) -> usize {
        let mut max = self.x;
        let mut index = 0;
        if self.y > max {
            max = self.y;
            index = 1;
        }
        if self.z > max {
            max = self.z;
            index = 2;
        }
        if self.w > max {
            index = 3;
        }
        index
    }

    /// The sum of the components.
    pub fn element_sum(self) -> f32 {
        self.x + self.y + self.z + self.w
    }

    /// The product of the components.
    pub fn element_product(self) -> f32 {
        self.x * self.y * self.z * self.w
    }

    /// Component by component `self == rhs`.
    pub fn cmpeq(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x == rhs.x, self.y == rhs.y, self.z == rhs.z, self.w == rhs.w)
    }

    /// Component by component `self != rhs`.
    pub fn cmpne(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x != rhs.x, self.y != rhs.y, self.z != rhs.z, self.w != rhs.w)
    }

    /// Component by component `self >= rhs`.
    pub fn cmpge(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x >= rhs.x, self.y >= rhs.y, self.z >= rhs.z, self.w >= rhs.w)
    }

    /// Component by component `self > rhs`.
    pub fn cmpgt(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x > rhs.x, self.y > rhs.y, self.z > rhs.z, self.w > rhs.w)
    }

    /// Component by component `self <= rhs`.
    pub fn cmple(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x <= rhs.x, self.y <= rhs.y, self.z <= rhs.z, self.w <= rhs.w)
    }

    /// Component by component `self < rhs`.
    pub fn cmplt(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x < rhs.x, self.y < rhs.y, self.z < rhs.z, self.w < rhs.w)
    }

    /// The square of the length.
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }
}

impl Add for Vec4 {
    type Output = Vec4;
    fn add(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x + rhs.x, self.y + rhs.y, self.z + rhs.z, self.w + rhs.w)
    }
}

impl Add<f32> for Vec4 {
    type Output = Vec4;
    fn add(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x + rhs, self.y + rhs, self.z + rhs, self.w + rhs)
    }
}

impl Add<Vec4> for f32 {
    type Output = Vec4;
    fn add(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self + rhs.x, self + rhs.y, self + rhs.z, self + rhs.w)
    }
}

impl Sub for Vec4 {
    type Output = Vec4;
    fn sub(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x - rhs.x, self.y - rhs.y, self.z - rhs.z, self.w - rhs.w)
    }
}

impl Sub<f32> for Vec4 {
    type Output = Vec4;
    fn sub(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x - rhs, self.y - rhs, self.z - rhs, self.w - rhs)
    }
}

impl Sub<Vec4> for f32 {
    type Output = Vec4;
    fn sub(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self - rhs.x, self - rhs.y, self - rhs.z, self - rhs.w)
    }
}

impl Mul for Vec4 {
    type Output = Vec4;
    fn mul(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x * rhs.x, self.y * rhs.y, self.z * rhs.z, self.w * rhs.w)
    }
}

impl Mul<f32> for Vec4 {
    type Output = Vec4;
    fn mul(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x * rhs, self.y * rhs, self.z * rhs, self.w * rhs)
    }
}

impl Mul<Vec4> for f32 {
    type Output = Vec4;
    fn mul(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self * rhs.x, self * rhs.y, self * rhs.z, self * rhs.w)
    }
}

impl Div for Vec4 {
    type Output = Vec4;
    fn div(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x / rhs.x, self.y / rhs.y, self.z / rhs.z, self.w / rhs.w)
    }
}

impl Div<f32> for Vec4 {
    type Output = Vec4;
    fn div(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x / rhs, self.y / rhs, self.z / rhs, self.w / rhs)
    }
}

impl Div<Vec4> for f32 {
    type Output = Vec4;
    fn div(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self / rhs.x, self / rhs.y, self / rhs.z, self / rhs.w)
    }
}

impl Rem for Vec4 {
    type Output = Vec4;
    fn rem(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x % rhs.x, self.y % rhs.y, self.z % rhs.z, self.w % rhs.w)
    }
}

impl Rem<f32> for Vec4 {
    type Output = Vec4;
    fn rem(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x % rhs, self.y % rhs, self.z % rhs, self.w % rhs)
    }
}

impl Rem<Vec4> for f32 {
    type Output = Vec4;
    fn rem(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self % rhs.x, self % rhs.y, self % rhs.z, self % rhs.w)
    }
}
