// Vectors of 2 components: what floats and integers have in common.

/// The vector of these components.
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
    pub fn new(x: f32, y: f32) -> Vec2 {
        Vec2 { x, y }
    }

    /// All components the same.
    pub fn splat(v: f32) -> Vec2 {
        Vec2::new(v, v)
    }

    /// Component by component: `if_true` where `mask` holds.
    pub fn select(mask: BVec2, if_true: Vec2, if_false: Vec2) -> Vec2 {
        Vec2::new(if mask.x { if_true.x } else { if_false.x }, if mask.y { if_true.y } else { if_false.y })
    }

    /// The components from an array.
    pub fn from_array(a: [f32; 2]) -> Vec2 {
        Vec2::new(a[0], a[1])
    }

    /// The components as an array.
    pub fn to_array(self) -> [f32; 2] {
        [self.x, self.y]
    }

    /// The vector with another `x`.
    pub fn with_x(self, x: f32) -> Vec2 {
        Vec2::new(x, self.y)
    }

    /// The vector with another `y`.
    pub fn with_y(self, y: f32) -> Vec2 {
        Vec2::new(self.x, y)
    }

    /// One more component.
    pub fn extend(self, z: f32) -> Vec3 {
        Vec3::new(self.x, self.y, z)
    }

    /// The sum of the products of the components.
    pub fn dot(self, rhs: Vec2) -> f32 {
        (self.x * rhs.x) + (self.y * rhs.y)
    }

    /// The dot product in every component.
    pub fn dot_into_vec(self, rhs: Vec2) -> Vec2 {
        Vec2::splat(self.dot(rhs))
    }

    /// Component by component the smaller; that of `rhs` where one is NaN.
    pub fn min(self, rhs: Vec2) -> Vec2 {
        Vec2::new(if self.x < rhs.x { self.x } else { rhs.x }, if self.y < rhs.y { self.y } else { rhs.y })
    }

    /// Component by component the larger; that of `rhs` where one is NaN.
    pub fn max(self, rhs: Vec2) -> Vec2 {
        Vec2::new(if self.x > rhs.x { self.x } else { rhs.x }, if self.y > rhs.y { self.y } else { rhs.y })
    }

    /// Component by component into `min..=max`.
    pub fn clamp(self, min: Vec2, max: Vec2) -> Vec2 {
        self.max(min).min(max)
    }

    /// The smallest component.
    pub fn min_element(self) -> f32 {
        if self.x < self.y { self.x } else { self.y }
    }

    /// The largest component.
    pub fn max_element(self) -> f32 {
        if self.x > self.y { self.x } else { self.y }
    }

    /// The position of the smallest component, the first at a tie.
    pub fn min_position(self) -> usize {
        if self.x <= self.y { 0 } else { 1 }
    }

    /// The position of the largest component, the first at a tie.
    pub fn max_position(self) -> usize {
        if self.x >= self.y { 0 } else { 1 }
    }

    /// The sum of the components.
    pub fn element_sum(self) -> f32 {
        self.x + self.y
    }

    /// The product of the components.
    pub fn element_product(self) -> f32 {
        self.x * self.y
    }

    /// Component by component `self == rhs`.
    pub fn cmpeq(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x == rhs.x, self.y == rhs.y)
    }

    /// Component by component `self != rhs`.
    pub fn cmpne(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x != rhs.x, self.y != rhs.y)
    }

    /// Component by component `self >= rhs`.
    pub fn cmpge(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x >= rhs.x, self.y >= rhs.y)
    }

    /// Component by component `self > rhs`.
    pub fn cmpgt(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x > rhs.x, self.y > rhs.y)
    }

    /// Component by component `self <= rhs`.
    pub fn cmple(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x <= rhs.x, self.y <= rhs.y)
    }

    /// Component by component `self < rhs`.
    pub fn cmplt(self, rhs: Vec2) -> BVec2 {
        BVec2::new(self.x < rhs.x, self.y < rhs.y)
    }

    /// The square of the length.
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }
}

impl Add for Vec2 {
    type Output = Vec2;
    fn add(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x + rhs.x, self.y + rhs.y)
    }
}

impl Add<f32> for Vec2 {
    type Output = Vec2;
    fn add(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x + rhs, self.y + rhs)
    }
}

impl Add<Vec2> for f32 {
    type Output = Vec2;
    fn add(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self + rhs.x, self + rhs.y)
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    fn sub(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x - rhs.x, self.y - rhs.y)
    }
}

impl Sub<f32> for Vec2 {
    type Output = Vec2;
    fn sub(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x - rhs, self.y - rhs)
    }
}

impl Sub<Vec2> for f32 {
    type Output = Vec2;
    fn sub(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self - rhs.x, self - rhs.y)
    }
}

impl Mul for Vec2 {
    type Output = Vec2;
    fn mul(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x * rhs.x, self.y * rhs.y)
    }
}

impl Mul<f32> for Vec2 {
    type Output = Vec2;
    fn mul(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x * rhs, self.y * rhs)
    }
}

impl Mul<Vec2> for f32 {
    type Output = Vec2;
    fn mul(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self * rhs.x, self * rhs.y)
    }
}

impl Div for Vec2 {
    type Output = Vec2;
    fn div(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x / rhs.x, self.y / rhs.y)
    }
}

impl Div<f32> for Vec2 {
    type Output = Vec2;
    fn div(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x / rhs, self.y / rhs)
    }
}

impl Div<Vec2> for f32 {
    type Output = Vec2;
    fn div(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self / rhs.x, self / rhs.y)
    }
}

impl Rem for Vec2 {
    type Output = Vec2;
    fn rem(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self.x % rhs.x, self.y % rhs.y)
    }
}

impl Rem<f32> for Vec2 {
    type Output = Vec2;
    fn rem(self, rhs: f32) -> Vec2 {
        Vec2::new(self.x % rhs, self.y % rhs)
    }
}

impl Rem<Vec2> for f32 {
    type Output = Vec2;
    fn rem(self, rhs: Vec2) -> Vec2 {
        Vec2::new(self % rhs.x, self % rhs.y)
    }
}
