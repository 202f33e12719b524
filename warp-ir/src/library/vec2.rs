// Vectors of 2 components: what floats and integers have in common.

/// The vector of these components.
///
/// Example: `vec2(1.0, 2.0)` is `Vec2::new(1.0, 2.0)`.
pub fn vec2(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vec2 {
    pub x: f32,
    pub y: f32,
}

impl Vec2 {
    /// The vector of these components.
    ///
    /// Example: `Vec2::new(1.0, 2.0).y` is `2.0`.
    pub fn new(x: f32, y: f32) -> Vec2 {
        Vec2 { x, y }
    }

    /// All components the same.
    ///
    /// Example: `Vec2::splat(2.0)` is `Vec2::new(2.0, 2.0)`.
    pub fn splat(v: f32) -> Vec2 {
        Vec2::new(v, v)
    }

    /// Component by component: `if_true` where `mask` holds.
    ///
    /// Example: `Vec2::select(BVec2::new(true, false), Vec2::new(1.0, 2.0), Vec2::new(5.0, 6.0))` is
    /// `Vec2::new(1.0, 6.0)`.
    pub fn select(mask: BVec2, if_true: Vec2, if_false: Vec2) -> Vec2 {
        Vec2::new(if mask.x { if_true.x } else { if_false.x }, if mask.y { if_true.y } else { if_false.y })
    }

    /// The components from an array.
    ///
    /// Example: `Vec2::from_array([1.0, 2.0])` is `Vec2::new(1.0, 2.0)`.
    pub fn from_array(a: [f32; 2]) -> Vec2 {
        Vec2::new(a[0], a[1])
    }

    /// The components as an array.
    ///
    /// Example: `Vec2::new(1.0, 2.0).to_array()` is `[1.0, 2.0]`.
    pub fn to_array(self) -> [f32; 2] {
        [self.x, self.y]
    }

    /// The vector with another `x`.
    ///
    /// Example: `Vec2::new(1.0, 2.0).with_x(9.0)` is `Vec2::new(9.0, 2.0)`.
    pub fn with_x(self, x: f32) -> Vec2 {
        Vec2::new(x, self.y)
    }

    /// The vector with another `y`.
    ///
    /// Example: `Vec2::new(1.0, 2.0).with_y(9.0)` is `Vec2::new(1.0, 9.0)`.
    pub fn with_y(self, y: f32) -> Vec2 {
        Vec2::new(self.x, y)
    }

    /// One more component.
    ///
    /// Example: `Vec2::new(1.0, 2.0).extend(9.0)` is `Vec3::new(1.0, 2.0, 9.0)`.
    pub fn extend(self, z: f32) -> Vec3 {
        Vec3::new(self.x, self.y, z)
    }

    /// The sum of the products of the components.
    ///
    /// Example: `Vec2::new(1.0, 2.0).dot(Vec2::new(5.0, 6.0))` is `17.0`.
    pub fn dot(self, rhs: Vec2) -> f32 {
        (self.x * rhs.x) + (self.y * rhs.y)
    }

    /// The dot product in every component.
    ///
    /// Example: `Vec2::new(1.0, 2.0).dot_into_vec(Vec2::new(5.0, 6.0))` is `Vec2::new(17.0, 17.0)`.
    pub fn dot_into_vec(self, rhs: Vec2) -> Vec2 {
        Vec2::splat(self.dot(rhs))
    }

    /// Component by component the smaller; that of `rhs` where one is NaN. At a tie it is that of `rhs`, and so is the
    /// derivative.
    ///
    /// Example: `Vec2::new(4.0, 1.0).min(Vec2::new(3.0, 5.0))` is `Vec2::new(3.0, 1.0)`.
    pub fn min(self, rhs: Vec2) -> Vec2 {
        Vec2::new(if self.x < rhs.x { self.x } else { rhs.x }, if self.y < rhs.y { self.y } else { rhs.y })
    }

    /// Component by component the larger; that of `rhs` where one is NaN. At a tie it is that of `rhs`, and so is the
    /// derivative.
    ///
    /// Example: `Vec2::new(4.0, 1.0).max(Vec2::new(3.0, 5.0))` is `Vec2::new(4.0, 5.0)`.
    pub fn max(self, rhs: Vec2) -> Vec2 {
        Vec2::new(if self.x > rhs.x { self.x } else { rhs.x }, if self.y > rhs.y { self.y } else { rhs.y })
    }

    /// Component by component into `min..=max`. The derivative is 1 inside, 0 outside and at a bound. Crossed bounds are
    /// glam's business on the host, where they may panic; in a kernel `max` wins.
    ///
    /// Example: `Vec2::new(4.0, 1.0).clamp(Vec2::new(2.0, 2.0), Vec2::new(5.0, 5.0))` is `Vec2::new(4.0, 2.0)`.
    pub fn clamp(self, min: Vec2, max: Vec2) -> Vec2 {
        self.max(min).min(max)
    }

    /// The smallest component. The derivative is that of the component taken.
    ///
    /// Example: `Vec2::new(4.0, 1.0).min_element()` is `1.0`.
    pub fn min_element(self) -> f32 {
        if self.x < self.y { self.x } else { self.y }
    }

    /// The largest component. The derivative is that of the component taken.
    ///
    /// Example: `Vec2::new(4.0, 1.0).max_element()` is `4.0`.
    pub fn max_element(self) -> f32 {
        if self.x > self.y { self.x } else { self.y }
    }

    /// The position of the smallest component, the first at a tie.
    ///
    /// Example: `Vec2::new(4.0, 1.0).min_position()` is `1`.
    pub fn min_position(self) -> usize {
        if self.x <= self.y { 0 } else { 1 }
    }

    /// The position of the largest component, the first at a tie.
    ///
    /// Example: `Vec2::new(4.0, 1.0).max_position()` is `0`.
    pub fn max_position(self) -> usize {
        if self.x >= self.y { 0 } else { 1 }
    }

    /// The sum of the components.
    ///
    /// Example: `Vec2::new(1.0, 2.0).element_sum()` is `3.0`.
    pub fn element_sum(self) -> f32 {
        self.x + self.y
    }

    /// The product of the components.
    ///
    /// Example: `Vec2::new(1.0, 2.0).element_product()` is `2.0`.
    pub fn element_product(self) -> f32 {
        self.x * self.y
    }

    /// Component by component `self == rhs`. False where either is NaN.
    ///
    /// Example: `Vec2::new(1.0, 5.0).cmpeq(Vec2::new(2.0, 5.0)).bitmask()` is `2`.
    pub fn cmpeq(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x == rhs.x, self.y == rhs.y)
    }

    /// Component by component `self != rhs`. True where either is NaN.
    ///
    /// Example: `Vec2::new(1.0, 5.0).cmpne(Vec2::new(2.0, 5.0)).bitmask()` is `1`.
    pub fn cmpne(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x != rhs.x, self.y != rhs.y)
    }

    /// Component by component `self >= rhs`. False where either is NaN.
    ///
    /// Example: `Vec2::new(1.0, 5.0).cmpge(Vec2::new(2.0, 5.0)).bitmask()` is `2`.
    pub fn cmpge(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x >= rhs.x, self.y >= rhs.y)
    }

    /// Component by component `self > rhs`. False where either is NaN.
    ///
    /// Example: `Vec2::new(1.0, 5.0).cmpgt(Vec2::new(2.0, 5.0)).bitmask()` is `0`.
    pub fn cmpgt(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x > rhs.x, self.y > rhs.y)
    }

    /// Component by component `self <= rhs`. False where either is NaN.
    ///
    /// Example: `Vec2::new(1.0, 5.0).cmple(Vec2::new(2.0, 5.0)).bitmask()` is `3`.
    pub fn cmple(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x <= rhs.x, self.y <= rhs.y)
    }

    /// Component by component `self < rhs`. False where either is NaN.
    ///
    /// Example: `Vec2::new(1.0, 5.0).cmplt(Vec2::new(2.0, 5.0)).bitmask()` is `1`.
    pub fn cmplt(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x < rhs.x, self.y < rhs.y)
    }

    /// The square of the length.
    ///
    /// Example: `Vec2::new(1.0, 2.0).length_squared()` is `5.0`.
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }
}

/// Component by component.
///
/// Example: `Vec2::new(6.0, 8.0) + Vec2::new(2.0, 4.0)` is `Vec2::new(8.0, 12.0)`.
impl Add for Vec2 {
    type Output = Vec2;
    fn add(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x + rhs.x, self.y + rhs.y)
    }
}

/// The number is added to each component.
///
/// Example: `Vec2::new(6.0, 8.0) + 2.0` is `Vec2::new(8.0, 10.0)`.
impl Add<f32> for Vec2 {
    type Output = Vec2;
    fn add(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x + rhs, self.y + rhs)
    }
}

/// The number is added to each component.
///
/// Example: `2.0 + Vec2::new(6.0, 8.0)` is `Vec2::new(8.0, 10.0)`.
impl Add<Vec2> for f32 {
    type Output = Vec2;
    fn add(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self + rhs.x, self + rhs.y)
    }
}

/// Component by component.
///
/// Example: `Vec2::new(6.0, 8.0) - Vec2::new(2.0, 4.0)` is `Vec2::new(4.0, 4.0)`.
impl Sub for Vec2 {
    type Output = Vec2;
    fn sub(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x - rhs.x, self.y - rhs.y)
    }
}

/// The number is subtracted from each component.
///
/// Example: `Vec2::new(6.0, 8.0) - 2.0` is `Vec2::new(4.0, 6.0)`.
impl Sub<f32> for Vec2 {
    type Output = Vec2;
    fn sub(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x - rhs, self.y - rhs)
    }
}

/// Each component is subtracted from the number.
///
/// Example: `20.0 - Vec2::new(6.0, 8.0)` is `Vec2::new(14.0, 12.0)`.
impl Sub<Vec2> for f32 {
    type Output = Vec2;
    fn sub(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self - rhs.x, self - rhs.y)
    }
}

/// Component by component.
///
/// Example: `Vec2::new(6.0, 8.0) * Vec2::new(2.0, 4.0)` is `Vec2::new(12.0, 32.0)`.
impl Mul for Vec2 {
    type Output = Vec2;
    fn mul(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x * rhs.x, self.y * rhs.y)
    }
}

/// Each component times the number.
///
/// Example: `Vec2::new(6.0, 8.0) * 2.0` is `Vec2::new(12.0, 16.0)`.
impl Mul<f32> for Vec2 {
    type Output = Vec2;
    fn mul(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x * rhs, self.y * rhs)
    }
}

/// Each component times the number.
///
/// Example: `2.0 * Vec2::new(6.0, 8.0)` is `Vec2::new(12.0, 16.0)`.
impl Mul<Vec2> for f32 {
    type Output = Vec2;
    fn mul(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self * rhs.x, self * rhs.y)
    }
}

/// Component by component, as numbers divide: a zero is infinite or NaN, and a fault for integers.
///
/// Example: `Vec2::new(6.0, 8.0) / Vec2::new(2.0, 4.0)` is `Vec2::new(3.0, 2.0)`.
impl Div for Vec2 {
    type Output = Vec2;
    fn div(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x / rhs.x, self.y / rhs.y)
    }
}

/// Each component over the number.
///
/// Example: `Vec2::new(6.0, 8.0) / 2.0` is `Vec2::new(3.0, 4.0)`.
impl Div<f32> for Vec2 {
    type Output = Vec2;
    fn div(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x / rhs, self.y / rhs)
    }
}

/// The number over each component.
///
/// Example: `12.0 / Vec2::new(2.0, 4.0)` is `Vec2::new(6.0, 3.0)`.
impl Div<Vec2> for f32 {
    type Output = Vec2;
    fn div(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self / rhs.x, self / rhs.y)
    }
}

/// Component by component; the sign is that of the left operand.
///
/// Example: `Vec2::new(7.0, 9.0) % Vec2::new(2.0, 4.0)` is `Vec2::new(1.0, 1.0)`.
impl Rem for Vec2 {
    type Output = Vec2;
    fn rem(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x % rhs.x, self.y % rhs.y)
    }
}

/// The remainder of each component.
///
/// Example: `Vec2::new(6.0, 8.0) % 4.0` is `Vec2::new(2.0, 0.0)`.
impl Rem<f32> for Vec2 {
    type Output = Vec2;
    fn rem(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x % rhs, self.y % rhs)
    }
}

/// The remainder of the number by each component.
///
/// Example: `20.0 % Vec2::new(6.0, 8.0)` is `Vec2::new(2.0, 4.0)`.
impl Rem<Vec2> for f32 {
    type Output = Vec2;
    fn rem(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self % rhs.x, self % rhs.y)
    }
}
