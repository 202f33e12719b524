// Vectors of 3 components: what floats and integers have in common.

/// The vector of these components.
pub fn vec3(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vec3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

impl Vec3 {
    /// The vector of these components.
    pub fn new(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// All components the same.
    pub fn splat(v: f32) -> Vec3 {
        Vec3::new(v, v, v)
    }

    /// Component by component: `if_true` where `mask` holds.
    pub fn select(mask: BVec3, if_true: Vec3, if_false: Vec3) -> Vec3 {
        Vec3::new(
            if mask.x { if_true.x } else { if_false.x },
            if mask.y { if_true.y } else { if_false.y },
            if mask.z { if_true.z } else { if_false.z },
        )
    }

    /// The components from an array.
    pub fn from_array(a: [f32; 3]) -> Vec3 {
        Vec3::new(a[0], a[1], a[2])
    }

    /// The components as an array.
    pub fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    /// The vector with another `x`.
    pub fn with_x(self, x: f32) -> Vec3 {
        Vec3::new(x, self.y, self.z)
    }

    /// The vector with another `y`.
    pub fn with_y(self, y: f32) -> Vec3 {
        Vec3::new(self.x, y, self.z)
    }

    /// The vector with another `z`.
    pub fn with_z(self, z: f32) -> Vec3 {
        Vec3::new(self.x, self.y, z)
    }

    /// One more component.
    pub fn extend(self, w: f32) -> Vec4 {
        Vec4::new(self.x, self.y, self.z, w)
    }

    /// Without the last component.
    pub fn truncate(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The sum of the products of the components.
    pub fn dot(self, rhs: Vec3) -> f32 {
        (self.x * rhs.x) + (self.y * rhs.y) + (self.z * rhs.z)
    }

    /// The dot product in every component.
    pub fn dot_into_vec(self, rhs: Vec3) -> Vec3 {
        Vec3::splat(self.dot(rhs))
    }

    /// The cross product.
    pub fn cross(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.y * rhs.z - rhs.y * self.z, self.z * rhs.x - rhs.z * self.x, self.x * rhs.y - rhs.x * self.y)
    }

    /// Component by component the smaller; that of `rhs` where one is NaN.
    pub fn min(self, rhs: Vec3) -> Vec3 {
        Vec3::new(
            if self.x < rhs.x { self.x } else { rhs.x },
            if self.y < rhs.y { self.y } else { rhs.y },
            if self.z < rhs.z { self.z } else { rhs.z },
        )
    }

    /// Component by component the larger; that of `rhs` where one is NaN.
    pub fn max(self, rhs: Vec3) -> Vec3 {
        Vec3::new(
            if self.x > rhs.x { self.x } else { rhs.x },
            if self.y > rhs.y { self.y } else { rhs.y },
            if self.z > rhs.z { self.z } else { rhs.z },
        )
    }

    /// Component by component into `min..=max`.
    pub fn clamp(self, min: Vec3, max: Vec3) -> Vec3 {
        self.max(min).min(max)
    }

    /// The smallest component.
    pub fn min_element(self) -> f32 {
        let xy = if self.x < self.y { self.x } else { self.y };
        if xy < self.z { xy } else { self.z }
    }

    /// The largest component.
    pub fn max_element(self) -> f32 {
        let xy = if self.x > self.y { self.x } else { self.y };
        if xy > self.z { xy } else { self.z }
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
            index = 2;
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
            index = 2;
        }
        index
    }

    /// The sum of the components.
    pub fn element_sum(self) -> f32 {
        self.x + self.y + self.z
    }

    /// The product of the components.
    pub fn element_product(self) -> f32 {
        self.x * self.y * self.z
    }

    /// Component by component `self == rhs`.
    pub fn cmpeq(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x == rhs.x, self.y == rhs.y, self.z == rhs.z)
    }

    /// Component by component `self != rhs`.
    pub fn cmpne(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x != rhs.x, self.y != rhs.y, self.z != rhs.z)
    }

    /// Component by component `self >= rhs`.
    pub fn cmpge(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x >= rhs.x, self.y >= rhs.y, self.z >= rhs.z)
    }

    /// Component by component `self > rhs`.
    pub fn cmpgt(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x > rhs.x, self.y > rhs.y, self.z > rhs.z)
    }

    /// Component by component `self <= rhs`.
    pub fn cmple(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x <= rhs.x, self.y <= rhs.y, self.z <= rhs.z)
    }

    /// Component by component `self < rhs`.
    pub fn cmplt(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x < rhs.x, self.y < rhs.y, self.z < rhs.z)
    }

    /// The square of the length.
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x + rhs.x, self.y + rhs.y, self.z + rhs.z)
    }
}

impl Add<f32> for Vec3 {
    type Output = Vec3;
    fn add(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x + rhs, self.y + rhs, self.z + rhs)
    }
}

impl Add<Vec3> for f32 {
    type Output = Vec3;
    fn add(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self + rhs.x, self + rhs.y, self + rhs.z)
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x - rhs.x, self.y - rhs.y, self.z - rhs.z)
    }
}

impl Sub<f32> for Vec3 {
    type Output = Vec3;
    fn sub(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x - rhs, self.y - rhs, self.z - rhs)
    }
}

impl Sub<Vec3> for f32 {
    type Output = Vec3;
    fn sub(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self - rhs.x, self - rhs.y, self - rhs.z)
    }
}

impl Mul for Vec3 {
    type Output = Vec3;
    fn mul(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x * rhs.x, self.y * rhs.y, self.z * rhs.z)
    }
}

impl Mul<f32> for Vec3 {
    type Output = Vec3;
    fn mul(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x * rhs, self.y * rhs, self.z * rhs)
    }
}

impl Mul<Vec3> for f32 {
    type Output = Vec3;
    fn mul(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self * rhs.x, self * rhs.y, self * rhs.z)
    }
}

impl Div for Vec3 {
    type Output = Vec3;
    fn div(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x / rhs.x, self.y / rhs.y, self.z / rhs.z)
    }
}

impl Div<f32> for Vec3 {
    type Output = Vec3;
    fn div(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x / rhs, self.y / rhs, self.z / rhs)
    }
}

impl Div<Vec3> for f32 {
    type Output = Vec3;
    fn div(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self / rhs.x, self / rhs.y, self / rhs.z)
    }
}

impl Rem for Vec3 {
    type Output = Vec3;
    fn rem(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x % rhs.x, self.y % rhs.y, self.z % rhs.z)
    }
}

impl Rem<f32> for Vec3 {
    type Output = Vec3;
    fn rem(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x % rhs, self.y % rhs, self.z % rhs)
    }
}

impl Rem<Vec3> for f32 {
    type Output = Vec3;
    fn rem(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self % rhs.x, self % rhs.y, self % rhs.z)
    }
}
