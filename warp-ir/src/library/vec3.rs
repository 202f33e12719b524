// Vectors of 3 components: what floats and integers have in common.

/// The vector of these components.
///
/// Example: `vec3(1.0, 2.0, 3.0)` is `Vec3::new(1.0, 2.0, 3.0)`.
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
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).y` is `2.0`.
    pub fn new(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// All components the same.
    ///
    /// Example: `Vec3::splat(2.0)` is `Vec3::new(2.0, 2.0, 2.0)`.
    pub fn splat(v: f32) -> Vec3 {
        Vec3::new(v, v, v)
    }

    /// Component by component: `if_true` where `mask` holds.
    ///
    /// Example: `Vec3::select(BVec3::new(true, false, true), Vec3::new(1.0, 2.0, 3.0), Vec3::new(5.0, 6.0, 7.0))` is
    /// `Vec3::new(1.0, 6.0, 3.0)`.
    pub fn select(mask: BVec3, if_true: Vec3, if_false: Vec3) -> Vec3 {
        Vec3::new(
            if mask.x { if_true.x } else { if_false.x },
            if mask.y { if_true.y } else { if_false.y },
            if mask.z { if_true.z } else { if_false.z },
        )
    }

    /// The components from an array.
    ///
    /// Example: `Vec3::from_array([1.0, 2.0, 3.0])` is `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn from_array(a: [f32; 3]) -> Vec3 {
        Vec3::new(a[0], a[1], a[2])
    }

    /// The components as an array.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).to_array()` is `[1.0, 2.0, 3.0]`.
    pub fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    /// The vector with another `x`.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_x(9.0)` is `Vec3::new(9.0, 2.0, 3.0)`.
    pub fn with_x(self, x: f32) -> Vec3 {
        Vec3::new(x, self.y, self.z)
    }

    /// The vector with another `y`.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_y(9.0)` is `Vec3::new(1.0, 9.0, 3.0)`.
    pub fn with_y(self, y: f32) -> Vec3 {
        Vec3::new(self.x, y, self.z)
    }

    /// The vector with another `z`.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).with_z(9.0)` is `Vec3::new(1.0, 2.0, 9.0)`.
    pub fn with_z(self, z: f32) -> Vec3 {
        Vec3::new(self.x, self.y, z)
    }

    /// One more component.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).extend(9.0)` is `Vec4::new(1.0, 2.0, 3.0, 9.0)`.
    pub fn extend(self, w: f32) -> Vec4 {
        Vec4::new(self.x, self.y, self.z, w)
    }

    /// Without the last component.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).truncate()` is `Vec2::new(1.0, 2.0)`.
    pub fn truncate(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The sum of the products of the components.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).dot(Vec3::new(5.0, 6.0, 7.0))` is `38.0`.
    pub fn dot(self, rhs: Vec3) -> f32 {
        (self.x * rhs.x) + (self.y * rhs.y) + (self.z * rhs.z)
    }

    /// The dot product in every component.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).dot_into_vec(Vec3::new(5.0, 6.0, 7.0))` is `Vec3::new(38.0, 38.0, 38.0)`.
    pub fn dot_into_vec(self, rhs: Vec3) -> Vec3 {
        Vec3::splat(self.dot(rhs))
    }

    /// The cross product. It lies across both, right-handed: x cross y is z. Its length is the area of the
    /// parallelogram of both; zero for parallel vectors.
    ///
    /// Example: `Vec3::new(0.0, 3.0, 0.0).cross(Vec3::new(0.0, 0.0, 2.0))` is `Vec3::new(6.0, 0.0, 0.0)`.
    pub fn cross(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.y * rhs.z - rhs.y * self.z, self.z * rhs.x - rhs.z * self.x, self.x * rhs.y - rhs.x * self.y)
    }

    /// Component by component the smaller; that of `rhs` where one is NaN. At a tie it is that of `rhs`, and so is the
    /// derivative.
    ///
    /// Example: `Vec3::new(4.0, 1.0, 7.0).min(Vec3::new(3.0, 5.0, 6.0))` is `Vec3::new(3.0, 1.0, 6.0)`.
    pub fn min(self, rhs: Vec3) -> Vec3 {
        Vec3::new(
            if self.x < rhs.x { self.x } else { rhs.x },
            if self.y < rhs.y { self.y } else { rhs.y },
            if self.z < rhs.z { self.z } else { rhs.z },
        )
    }

    /// Component by component the larger; that of `rhs` where one is NaN. At a tie it is that of `rhs`, and so is the
    /// derivative.
    ///
    /// Example: `Vec3::new(4.0, 1.0, 7.0).max(Vec3::new(3.0, 5.0, 6.0))` is `Vec3::new(4.0, 5.0, 7.0)`.
    pub fn max(self, rhs: Vec3) -> Vec3 {
        Vec3::new(
            if self.x > rhs.x { self.x } else { rhs.x },
            if self.y > rhs.y { self.y } else { rhs.y },
            if self.z > rhs.z { self.z } else { rhs.z },
        )
    }

    /// Component by component into `min..=max`. The derivative is 1 inside, 0 outside and at a bound. Crossed bounds are
    /// glam's business on the host, where they may panic; in a kernel `max` wins.
    ///
    /// Example: `Vec3::new(4.0, 1.0, 7.0).clamp(Vec3::new(2.0, 2.0, 2.0), Vec3::new(5.0, 5.0, 5.0))` is
    /// `Vec3::new(4.0, 2.0, 5.0)`.
    pub fn clamp(self, min: Vec3, max: Vec3) -> Vec3 {
        self.max(min).min(max)
    }

    /// The smallest component. The derivative is that of the component taken.
    ///
    /// Example: `Vec3::new(4.0, 1.0, 7.0).min_element()` is `1.0`.
    pub fn min_element(self) -> f32 {
        let xy = if self.x < self.y { self.x } else { self.y };
        if xy < self.z { xy } else { self.z }
    }

    /// The largest component. The derivative is that of the component taken.
    ///
    /// Example: `Vec3::new(4.0, 1.0, 7.0).max_element()` is `7.0`.
    pub fn max_element(self) -> f32 {
        let xy = if self.x > self.y { self.x } else { self.y };
        if xy > self.z { xy } else { self.z }
    }

    /// The position of the smallest component, the first at a tie.
    ///
    /// Example: `Vec3::new(4.0, 1.0, 7.0).min_position()` is `1`.
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
    ///
    /// Example: `Vec3::new(4.0, 1.0, 7.0).max_position()` is `2`.
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
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).element_sum()` is `6.0`.
    pub fn element_sum(self) -> f32 {
        self.x + self.y + self.z
    }

    /// The product of the components.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).element_product()` is `6.0`.
    pub fn element_product(self) -> f32 {
        self.x * self.y * self.z
    }

    /// Component by component `self == rhs`. False where either is NaN.
    ///
    /// Example: `Vec3::new(1.0, 5.0, 3.0).cmpeq(Vec3::new(2.0, 5.0, 1.0)).bitmask()` is `2`.
    pub fn cmpeq(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x == rhs.x, self.y == rhs.y, self.z == rhs.z)
    }

    /// Component by component `self != rhs`. True where either is NaN.
    ///
    /// Example: `Vec3::new(1.0, 5.0, 3.0).cmpne(Vec3::new(2.0, 5.0, 1.0)).bitmask()` is `5`.
    pub fn cmpne(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x != rhs.x, self.y != rhs.y, self.z != rhs.z)
    }

    /// Component by component `self >= rhs`. False where either is NaN.
    ///
    /// Example: `Vec3::new(1.0, 5.0, 3.0).cmpge(Vec3::new(2.0, 5.0, 1.0)).bitmask()` is `6`.
    pub fn cmpge(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x >= rhs.x, self.y >= rhs.y, self.z >= rhs.z)
    }

    /// Component by component `self > rhs`. False where either is NaN.
    ///
    /// Example: `Vec3::new(1.0, 5.0, 3.0).cmpgt(Vec3::new(2.0, 5.0, 1.0)).bitmask()` is `4`.
    pub fn cmpgt(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x > rhs.x, self.y > rhs.y, self.z > rhs.z)
    }

    /// Component by component `self <= rhs`. False where either is NaN.
    ///
    /// Example: `Vec3::new(1.0, 5.0, 3.0).cmple(Vec3::new(2.0, 5.0, 1.0)).bitmask()` is `3`.
    pub fn cmple(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x <= rhs.x, self.y <= rhs.y, self.z <= rhs.z)
    }

    /// Component by component `self < rhs`. False where either is NaN.
    ///
    /// Example: `Vec3::new(1.0, 5.0, 3.0).cmplt(Vec3::new(2.0, 5.0, 1.0)).bitmask()` is `1`.
    pub fn cmplt(self, rhs: Vec3) -> BVec3 {
        BVec3::new(self.x < rhs.x, self.y < rhs.y, self.z < rhs.z)
    }

    /// The square of the length.
    ///
    /// Example: `Vec3::new(1.0, 2.0, 3.0).length_squared()` is `14.0`.
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }
}

/// Component by component.
///
/// Example: `Vec3::new(6.0, 8.0, 9.0) + Vec3::new(2.0, 4.0, 3.0)` is `Vec3::new(8.0, 12.0, 12.0)`.
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x + rhs.x, self.y + rhs.y, self.z + rhs.z)
    }
}

/// The number is added to each component.
///
/// Example: `Vec3::new(6.0, 8.0, 9.0) + 2.0` is `Vec3::new(8.0, 10.0, 11.0)`.
impl Add<f32> for Vec3 {
    type Output = Vec3;
    fn add(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x + rhs, self.y + rhs, self.z + rhs)
    }
}

/// The number is added to each component.
///
/// Example: `2.0 + Vec3::new(6.0, 8.0, 9.0)` is `Vec3::new(8.0, 10.0, 11.0)`.
impl Add<Vec3> for f32 {
    type Output = Vec3;
    fn add(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self + rhs.x, self + rhs.y, self + rhs.z)
    }
}

/// Component by component.
///
/// Example: `Vec3::new(6.0, 8.0, 9.0) - Vec3::new(2.0, 4.0, 3.0)` is `Vec3::new(4.0, 4.0, 6.0)`.
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x - rhs.x, self.y - rhs.y, self.z - rhs.z)
    }
}

/// The number is subtracted from each component.
///
/// Example: `Vec3::new(6.0, 8.0, 9.0) - 2.0` is `Vec3::new(4.0, 6.0, 7.0)`.
impl Sub<f32> for Vec3 {
    type Output = Vec3;
    fn sub(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x - rhs, self.y - rhs, self.z - rhs)
    }
}

/// Each component is subtracted from the number.
///
/// Example: `20.0 - Vec3::new(6.0, 8.0, 9.0)` is `Vec3::new(14.0, 12.0, 11.0)`.
impl Sub<Vec3> for f32 {
    type Output = Vec3;
    fn sub(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self - rhs.x, self - rhs.y, self - rhs.z)
    }
}

/// Component by component.
///
/// Example: `Vec3::new(6.0, 8.0, 9.0) * Vec3::new(2.0, 4.0, 3.0)` is `Vec3::new(12.0, 32.0, 27.0)`.
impl Mul for Vec3 {
    type Output = Vec3;
    fn mul(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x * rhs.x, self.y * rhs.y, self.z * rhs.z)
    }
}

/// Each component times the number.
///
/// Example: `Vec3::new(6.0, 8.0, 9.0) * 2.0` is `Vec3::new(12.0, 16.0, 18.0)`.
impl Mul<f32> for Vec3 {
    type Output = Vec3;
    fn mul(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x * rhs, self.y * rhs, self.z * rhs)
    }
}

/// Each component times the number.
///
/// Example: `2.0 * Vec3::new(6.0, 8.0, 9.0)` is `Vec3::new(12.0, 16.0, 18.0)`.
impl Mul<Vec3> for f32 {
    type Output = Vec3;
    fn mul(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self * rhs.x, self * rhs.y, self * rhs.z)
    }
}

/// Component by component, as numbers divide: a zero is infinite or NaN, and a fault for integers.
///
/// Example: `Vec3::new(6.0, 8.0, 9.0) / Vec3::new(2.0, 4.0, 3.0)` is `Vec3::new(3.0, 2.0, 3.0)`.
impl Div for Vec3 {
    type Output = Vec3;
    fn div(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x / rhs.x, self.y / rhs.y, self.z / rhs.z)
    }
}

/// Each component over the number.
///
/// Example: `Vec3::new(6.0, 8.0, 10.0) / 2.0` is `Vec3::new(3.0, 4.0, 5.0)`.
impl Div<f32> for Vec3 {
    type Output = Vec3;
    fn div(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x / rhs, self.y / rhs, self.z / rhs)
    }
}

/// The number over each component.
///
/// Example: `12.0 / Vec3::new(2.0, 4.0, 3.0)` is `Vec3::new(6.0, 3.0, 4.0)`.
impl Div<Vec3> for f32 {
    type Output = Vec3;
    fn div(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self / rhs.x, self / rhs.y, self / rhs.z)
    }
}

/// Component by component; the sign is that of the left operand.
///
/// Example: `Vec3::new(7.0, 9.0, 8.0) % Vec3::new(2.0, 4.0, 3.0)` is `Vec3::new(1.0, 1.0, 2.0)`.
impl Rem for Vec3 {
    type Output = Vec3;
    fn rem(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self.x % rhs.x, self.y % rhs.y, self.z % rhs.z)
    }
}

/// The remainder of each component.
///
/// Example: `Vec3::new(6.0, 8.0, 9.0) % 4.0` is `Vec3::new(2.0, 0.0, 1.0)`.
impl Rem<f32> for Vec3 {
    type Output = Vec3;
    fn rem(self, rhs: f32) -> Vec3 {
        Vec3::new(self.x % rhs, self.y % rhs, self.z % rhs)
    }
}

/// The remainder of the number by each component.
///
/// Example: `20.0 % Vec3::new(6.0, 8.0, 9.0)` is `Vec3::new(2.0, 4.0, 2.0)`.
impl Rem<Vec3> for f32 {
    type Output = Vec3;
    fn rem(self, rhs: Vec3) -> Vec3 {
        Vec3::new(self % rhs.x, self % rhs.y, self % rhs.z)
    }
}
