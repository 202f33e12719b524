// Vectors of 4 components: what floats and integers have in common.

/// The vector of these components.
///
/// Example: `vec4(1.0, 2.0, 3.0, 4.0)` is `Vec4::new(1.0, 2.0, 3.0, 4.0)`.
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
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).y` is `2.0`.
    pub fn new(x: f32, y: f32, z: f32, w: f32) -> Vec4 {
        Vec4 { x, y, z, w }
    }

    /// All components the same.
    ///
    /// Example: `Vec4::splat(2.0)` is `Vec4::new(2.0, 2.0, 2.0, 2.0)`.
    pub fn splat(v: f32) -> Vec4 {
        Vec4::new(v, v, v, v)
    }

    /// Component by component: `if_true` where `mask` holds. On the host glam's mask of `Vec4` may be a type of its own
    /// rather than `BVec4`: pass on what a comparison gives.
    ///
    /// Example: where `a` is `Vec4::new(1.0, 6.0, 3.0, 8.0)`, where `b` is `Vec4::new(5.0, 2.0, 7.0, 4.0)`,
    /// `Vec4::select(a.cmplt(b), a, b)` is `Vec4::new(1.0, 2.0, 3.0, 4.0)`.
    pub fn select(mask: BVec4, if_true: Vec4, if_false: Vec4) -> Vec4 {
        Vec4::new(
            if mask.x { if_true.x } else { if_false.x },
            if mask.y { if_true.y } else { if_false.y },
            if mask.z { if_true.z } else { if_false.z },
            if mask.w { if_true.w } else { if_false.w },
        )
    }

    /// The components from an array.
    ///
    /// Example: `Vec4::from_array([1.0, 2.0, 3.0, 4.0])` is `Vec4::new(1.0, 2.0, 3.0, 4.0)`.
    pub fn from_array(a: [f32; 4]) -> Vec4 {
        Vec4::new(a[0], a[1], a[2], a[3])
    }

    /// The components as an array.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).to_array()` is `[1.0, 2.0, 3.0, 4.0]`.
    pub fn to_array(self) -> [f32; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// The vector with another `x`.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_x(9.0)` is `Vec4::new(9.0, 2.0, 3.0, 4.0)`.
    pub fn with_x(self, x: f32) -> Vec4 {
        Vec4::new(x, self.y, self.z, self.w)
    }

    /// The vector with another `y`.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_y(9.0)` is `Vec4::new(1.0, 9.0, 3.0, 4.0)`.
    pub fn with_y(self, y: f32) -> Vec4 {
        Vec4::new(self.x, y, self.z, self.w)
    }

    /// The vector with another `z`.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_z(9.0)` is `Vec4::new(1.0, 2.0, 9.0, 4.0)`.
    pub fn with_z(self, z: f32) -> Vec4 {
        Vec4::new(self.x, self.y, z, self.w)
    }

    /// The vector with another `w`.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).with_w(9.0)` is `Vec4::new(1.0, 2.0, 3.0, 9.0)`.
    pub fn with_w(self, w: f32) -> Vec4 {
        Vec4::new(self.x, self.y, self.z, w)
    }

    /// Without the last component.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).truncate()` is `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn truncate(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The sum of the products of the components.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).dot(Vec4::new(5.0, 6.0, 7.0, 8.0))` is `70.0`.
    pub fn dot(self, rhs: Vec4) -> f32 {
        (self.x * rhs.x) + (self.y * rhs.y) + (self.z * rhs.z) + (self.w * rhs.w)
    }

    /// The dot product in every component.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).dot_into_vec(Vec4::new(5.0, 6.0, 7.0, 8.0))` is
    /// `Vec4::new(70.0, 70.0, 70.0, 70.0)`.
    pub fn dot_into_vec(self, rhs: Vec4) -> Vec4 {
        Vec4::splat(self.dot(rhs))
    }

    /// Component by component the smaller; that of `rhs` where one is NaN. At a tie it is that of `rhs`, and so is the
    /// derivative.
    ///
    /// Example: `Vec4::new(4.0, 1.0, 7.0, 2.0).min(Vec4::new(3.0, 5.0, 6.0, 9.0))` is `Vec4::new(3.0, 1.0, 6.0, 2.0)`.
    pub fn min(self, rhs: Vec4) -> Vec4 {
        Vec4::new(
            if self.x < rhs.x { self.x } else { rhs.x },
            if self.y < rhs.y { self.y } else { rhs.y },
            if self.z < rhs.z { self.z } else { rhs.z },
            if self.w < rhs.w { self.w } else { rhs.w },
        )
    }

    /// Component by component the larger; that of `rhs` where one is NaN. At a tie it is that of `rhs`, and so is the
    /// derivative.
    ///
    /// Example: `Vec4::new(4.0, 1.0, 7.0, 2.0).max(Vec4::new(3.0, 5.0, 6.0, 9.0))` is `Vec4::new(4.0, 5.0, 7.0, 9.0)`.
    pub fn max(self, rhs: Vec4) -> Vec4 {
        Vec4::new(
            if self.x > rhs.x { self.x } else { rhs.x },
            if self.y > rhs.y { self.y } else { rhs.y },
            if self.z > rhs.z { self.z } else { rhs.z },
            if self.w > rhs.w { self.w } else { rhs.w },
        )
    }

    /// Component by component into `min..=max`. The derivative is 1 inside, 0 outside and at a bound. Crossed bounds are
    /// glam's business on the host, where they may panic; in a kernel `max` wins.
    ///
    /// Example: `Vec4::new(4.0, 1.0, 7.0, 2.0).clamp(Vec4::new(2.0, 2.0, 2.0, 2.0), Vec4::new(5.0, 5.0, 5.0, 5.0))` is
    /// `Vec4::new(4.0, 2.0, 5.0, 2.0)`.
    pub fn clamp(self, min: Vec4, max: Vec4) -> Vec4 {
        self.max(min).min(max)
    }

    /// The smallest component. The derivative is that of the component taken.
    ///
    /// Example: `Vec4::new(4.0, 1.0, 7.0, 2.0).min_element()` is `1.0`.
    pub fn min_element(self) -> f32 {
        let xy = if self.x < self.y { self.x } else { self.y };
        let zw = if self.z < self.w { self.z } else { self.w };
        if xy < zw { xy } else { zw }
    }

    /// The largest component. The derivative is that of the component taken.
    ///
    /// Example: `Vec4::new(4.0, 1.0, 7.0, 2.0).max_element()` is `7.0`.
    pub fn max_element(self) -> f32 {
        let xy = if self.x > self.y { self.x } else { self.y };
        let zw = if self.z > self.w { self.z } else { self.w };
        if xy > zw { xy } else { zw }
    }

    /// The position of the smallest component, the first at a tie.
    ///
    /// Example: `Vec4::new(4.0, 1.0, 7.0, 2.0).min_position()` is `1`.
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
    ///
    /// Example: `Vec4::new(4.0, 1.0, 7.0, 2.0).max_position()` is `2`.
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
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).element_sum()` is `10.0`.
    pub fn element_sum(self) -> f32 {
        self.x + self.y + self.z + self.w
    }

    /// The product of the components.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).element_product()` is `24.0`.
    pub fn element_product(self) -> f32 {
        self.x * self.y * self.z * self.w
    }

    /// Component by component `self == rhs`. False where either is NaN.
    ///
    /// Example: `Vec4::new(1.0, 5.0, 3.0, 9.0).cmpeq(Vec4::new(2.0, 5.0, 1.0, 9.0)).bitmask()` is `10`.
    pub fn cmpeq(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x == rhs.x, self.y == rhs.y, self.z == rhs.z, self.w == rhs.w)
    }

    /// Component by component `self != rhs`. True where either is NaN.
    ///
    /// Example: `Vec4::new(1.0, 5.0, 3.0, 9.0).cmpne(Vec4::new(2.0, 5.0, 1.0, 9.0)).bitmask()` is `5`.
    pub fn cmpne(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x != rhs.x, self.y != rhs.y, self.z != rhs.z, self.w != rhs.w)
    }

    /// Component by component `self >= rhs`. False where either is NaN.
    ///
    /// Example: `Vec4::new(1.0, 5.0, 3.0, 9.0).cmpge(Vec4::new(2.0, 5.0, 1.0, 9.0)).bitmask()` is `14`.
    pub fn cmpge(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x >= rhs.x, self.y >= rhs.y, self.z >= rhs.z, self.w >= rhs.w)
    }

    /// Component by component `self > rhs`. False where either is NaN.
    ///
    /// Example: `Vec4::new(1.0, 5.0, 3.0, 9.0).cmpgt(Vec4::new(2.0, 5.0, 1.0, 9.0)).bitmask()` is `4`.
    pub fn cmpgt(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x > rhs.x, self.y > rhs.y, self.z > rhs.z, self.w > rhs.w)
    }

    /// Component by component `self <= rhs`. False where either is NaN.
    ///
    /// Example: `Vec4::new(1.0, 5.0, 3.0, 9.0).cmple(Vec4::new(2.0, 5.0, 1.0, 9.0)).bitmask()` is `11`.
    pub fn cmple(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x <= rhs.x, self.y <= rhs.y, self.z <= rhs.z, self.w <= rhs.w)
    }

    /// Component by component `self < rhs`. False where either is NaN.
    ///
    /// Example: `Vec4::new(1.0, 5.0, 3.0, 9.0).cmplt(Vec4::new(2.0, 5.0, 1.0, 9.0)).bitmask()` is `1`.
    pub fn cmplt(self, rhs: Vec4) -> BVec4 {
        BVec4::new(self.x < rhs.x, self.y < rhs.y, self.z < rhs.z, self.w < rhs.w)
    }

    /// The square of the length.
    ///
    /// Example: `Vec4::new(1.0, 2.0, 3.0, 4.0).length_squared()` is `30.0`.
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }
}

/// Component by component.
///
/// Example: `Vec4::new(6.0, 8.0, 9.0, 10.0) + Vec4::new(2.0, 4.0, 3.0, 5.0)` is `Vec4::new(8.0, 12.0, 12.0, 15.0)`.
impl Add for Vec4 {
    type Output = Vec4;
    fn add(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x + rhs.x, self.y + rhs.y, self.z + rhs.z, self.w + rhs.w)
    }
}

/// The number is added to each component.
///
/// Example: `Vec4::new(6.0, 8.0, 9.0, 10.0) + 2.0` is `Vec4::new(8.0, 10.0, 11.0, 12.0)`.
impl Add<f32> for Vec4 {
    type Output = Vec4;
    fn add(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x + rhs, self.y + rhs, self.z + rhs, self.w + rhs)
    }
}

/// The number is added to each component.
///
/// Example: `2.0 + Vec4::new(6.0, 8.0, 9.0, 10.0)` is `Vec4::new(8.0, 10.0, 11.0, 12.0)`.
impl Add<Vec4> for f32 {
    type Output = Vec4;
    fn add(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self + rhs.x, self + rhs.y, self + rhs.z, self + rhs.w)
    }
}

/// Component by component.
///
/// Example: `Vec4::new(6.0, 8.0, 9.0, 10.0) - Vec4::new(2.0, 4.0, 3.0, 5.0)` is `Vec4::new(4.0, 4.0, 6.0, 5.0)`.
impl Sub for Vec4 {
    type Output = Vec4;
    fn sub(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x - rhs.x, self.y - rhs.y, self.z - rhs.z, self.w - rhs.w)
    }
}

/// The number is subtracted from each component.
///
/// Example: `Vec4::new(6.0, 8.0, 9.0, 10.0) - 2.0` is `Vec4::new(4.0, 6.0, 7.0, 8.0)`.
impl Sub<f32> for Vec4 {
    type Output = Vec4;
    fn sub(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x - rhs, self.y - rhs, self.z - rhs, self.w - rhs)
    }
}

/// Each component is subtracted from the number.
///
/// Example: `20.0 - Vec4::new(6.0, 8.0, 9.0, 10.0)` is `Vec4::new(14.0, 12.0, 11.0, 10.0)`.
impl Sub<Vec4> for f32 {
    type Output = Vec4;
    fn sub(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self - rhs.x, self - rhs.y, self - rhs.z, self - rhs.w)
    }
}

/// Component by component.
///
/// Example: `Vec4::new(6.0, 8.0, 9.0, 10.0) * Vec4::new(2.0, 4.0, 3.0, 5.0)` is `Vec4::new(12.0, 32.0, 27.0, 50.0)`.
impl Mul for Vec4 {
    type Output = Vec4;
    fn mul(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x * rhs.x, self.y * rhs.y, self.z * rhs.z, self.w * rhs.w)
    }
}

/// Each component times the number.
///
/// Example: `Vec4::new(6.0, 8.0, 9.0, 10.0) * 2.0` is `Vec4::new(12.0, 16.0, 18.0, 20.0)`.
impl Mul<f32> for Vec4 {
    type Output = Vec4;
    fn mul(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x * rhs, self.y * rhs, self.z * rhs, self.w * rhs)
    }
}

/// Each component times the number.
///
/// Example: `2.0 * Vec4::new(6.0, 8.0, 9.0, 10.0)` is `Vec4::new(12.0, 16.0, 18.0, 20.0)`.
impl Mul<Vec4> for f32 {
    type Output = Vec4;
    fn mul(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self * rhs.x, self * rhs.y, self * rhs.z, self * rhs.w)
    }
}

/// Component by component, as numbers divide: a zero is infinite or NaN, and a fault for integers.
///
/// Example: `Vec4::new(6.0, 8.0, 9.0, 10.0) / Vec4::new(2.0, 4.0, 3.0, 5.0)` is `Vec4::new(3.0, 2.0, 3.0, 2.0)`.
impl Div for Vec4 {
    type Output = Vec4;
    fn div(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x / rhs.x, self.y / rhs.y, self.z / rhs.z, self.w / rhs.w)
    }
}

/// Each component over the number.
///
/// Example: `Vec4::new(6.0, 8.0, 10.0, 12.0) / 2.0` is `Vec4::new(3.0, 4.0, 5.0, 6.0)`.
impl Div<f32> for Vec4 {
    type Output = Vec4;
    fn div(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x / rhs, self.y / rhs, self.z / rhs, self.w / rhs)
    }
}

/// The number over each component.
///
/// Example: `12.0 / Vec4::new(2.0, 4.0, 3.0, 6.0)` is `Vec4::new(6.0, 3.0, 4.0, 2.0)`.
impl Div<Vec4> for f32 {
    type Output = Vec4;
    fn div(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self / rhs.x, self / rhs.y, self / rhs.z, self / rhs.w)
    }
}

/// Component by component; the sign is that of the left operand.
///
/// Example: `Vec4::new(7.0, 9.0, 8.0, 11.0) % Vec4::new(2.0, 4.0, 3.0, 5.0)` is `Vec4::new(1.0, 1.0, 2.0, 1.0)`.
impl Rem for Vec4 {
    type Output = Vec4;
    fn rem(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self.x % rhs.x, self.y % rhs.y, self.z % rhs.z, self.w % rhs.w)
    }
}

/// The remainder of each component.
///
/// Example: `Vec4::new(6.0, 8.0, 9.0, 10.0) % 4.0` is `Vec4::new(2.0, 0.0, 1.0, 2.0)`.
impl Rem<f32> for Vec4 {
    type Output = Vec4;
    fn rem(self, rhs: f32) -> Vec4 {
        Vec4::new(self.x % rhs, self.y % rhs, self.z % rhs, self.w % rhs)
    }
}

/// The remainder of the number by each component.
///
/// Example: `20.0 % Vec4::new(6.0, 8.0, 9.0, 10.0)` is `Vec4::new(2.0, 4.0, 2.0, 0.0)`.
impl Rem<Vec4> for f32 {
    type Output = Vec4;
    fn rem(self, rhs: Vec4) -> Vec4 {
        Vec4::new(self % rhs.x, self % rhs.y, self % rhs.z, self % rhs.w)
    }
}
