// Spatial vectors: velocities, forces and inertias of rigid bodies.
//
// After Featherstone, Rigid Body Dynamics Algorithms, chapter 2. A spatial vector is about a point, and has axes: those
// of the frame that the caller means. As columns of 6, `linear` and `force` come first.

/// The velocity of a rigid body: that of its point at the origin of the frame, and how it turns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Twist {
    /// The velocity of the point at the origin, m/s.
    pub linear: Vec3,
    /// The angular velocity, rad/s, right-handed about its direction.
    pub angular: Vec3,
}

/// Force and torque on a rigid body, the torque about the origin of the frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wrench {
    /// The force, N.
    pub force: Vec3,
    /// The torque about the origin, N m.
    pub torque: Vec3,
}

/// Mass and its distribution: what a rigid body's twist is multiplied by to give its momentum.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpatialInertia {
    /// The mass, kg.
    pub mass: f32,
    /// The center of mass in the frame, m.
    pub com: Vec3,
    /// The symmetric inertia about the center of mass, along the frame's axes, kg m².
    pub inertia: Mat3,
}

impl Twist {
    /// No motion.
    pub const ZERO: Twist = Twist { linear: Vec3::ZERO, angular: Vec3::ZERO };

    /// The motion of these parts.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `v.angular` is
    /// `Vec3::new(4.0, 5.0, 6.0)`.
    pub fn new(linear: Vec3, angular: Vec3) -> Twist {
        Twist { linear, angular }
    }

    /// As a column: `linear`, then `angular`.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `v.to_array()` is
    /// `[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]`.
    pub fn to_array(self) -> [f32; 6] {
        let (v, w) = (self.linear, self.angular);
        [v.x, v.y, v.z, w.x, w.y, w.z]
    }

    /// From a column: `linear`, then `angular`.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`,
    /// `Twist::from_array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])` is `v`.
    pub fn from_array(a: [f32; 6]) -> Twist {
        Twist { linear: Vec3::new(a[0], a[1], a[2]), angular: Vec3::new(a[3], a[4], a[5]) }
    }

    /// The velocity of the body's point at `r`.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`,
    /// `v.velocity_at(Vec3::new(1.0, 0.0, 0.0))` is `Vec3::new(1.0, 8.0, -2.0)`.
    pub fn velocity_at(self, r: Vec3) -> Vec3 {
        self.linear + self.angular.cross(r)
    }

    /// The same motion, told from the point `r` instead of the origin.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`,
    /// `v.about(Vec3::new(1.0, 0.0, 0.0)).linear` is `Vec3::new(1.0, 8.0, -2.0)`.
    pub fn about(self, r: Vec3) -> Twist {
        Twist { linear: self.velocity_at(r), angular: self.angular }
    }

    /// The power that a wrench brings to this motion, W.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, where `f` is
    /// `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `v.dot(f)` is `91.0`.
    pub fn dot(self, rhs: Wrench) -> f32 {
        self.linear.dot(rhs.force) + self.angular.dot(rhs.torque)
    }

    /// How a motion that moves along with this one changes. It is zero for a motion with itself.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `v.cross(v)` is
    /// `Twist::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0))`.
    ///
    /// Example:
    /// `Twist::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 2.0)).cross(Twist::new(Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0))).linear`
    /// is `Vec3::new(0.0, 6.0, 0.0)`.
    pub fn cross(self, rhs: Twist) -> Twist {
        Twist {
            linear: self.angular.cross(rhs.linear) + self.linear.cross(rhs.angular),
            angular: self.angular.cross(rhs.angular),
        }
    }

    /// How a wrench that moves along with this motion changes.
    ///
    /// Example:
    /// `Twist::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 2.0)).cross_dual(Wrench::new(Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0))).force`
    /// is `Vec3::new(0.0, 6.0, 0.0)`.
    pub fn cross_dual(self, rhs: Wrench) -> Wrench {
        Wrench {
            force: self.angular.cross(rhs.force),
            torque: self.angular.cross(rhs.torque) + self.linear.cross(rhs.force),
        }
    }

    /// Whether no component differs by more than `max_abs_diff`.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `v.abs_diff_eq(v, 0.0)`
    /// holds.
    pub fn abs_diff_eq(self, rhs: Twist, max_abs_diff: f32) -> bool {
        self.linear.abs_diff_eq(rhs.linear, max_abs_diff) && self.angular.abs_diff_eq(rhs.angular, max_abs_diff)
    }
}

impl Wrench {
    /// No force.
    pub const ZERO: Wrench = Wrench { force: Vec3::ZERO, torque: Vec3::ZERO };

    /// The wrench of these parts.
    ///
    /// Example: where `f` is `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `f.torque` is
    /// `Vec3::new(4.0, 5.0, 6.0)`.
    pub fn new(force: Vec3, torque: Vec3) -> Wrench {
        Wrench { force, torque }
    }

    /// A force at the point `r`.
    ///
    /// Example: `Wrench::from_force_at(Vec3::new(0.0, 3.0, 0.0), Vec3::new(2.0, 0.0, 0.0)).torque` is
    /// `Vec3::new(0.0, 0.0, 6.0)`.
    pub fn from_force_at(force: Vec3, r: Vec3) -> Wrench {
        Wrench { force, torque: r.cross(force) }
    }

    /// As a column: `force`, then `torque`.
    ///
    /// Example: where `f` is `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `f.to_array()` is
    /// `[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]`.
    pub fn to_array(self) -> [f32; 6] {
        let (f, t) = (self.force, self.torque);
        [f.x, f.y, f.z, t.x, t.y, t.z]
    }

    /// From a column: `force`, then `torque`.
    ///
    /// Example: where `f` is `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`,
    /// `Wrench::from_array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])` is `f`.
    pub fn from_array(a: [f32; 6]) -> Wrench {
        Wrench { force: Vec3::new(a[0], a[1], a[2]), torque: Vec3::new(a[3], a[4], a[5]) }
    }

    /// The same wrench, its torque about the point `r` instead of the origin.
    ///
    /// Example:
    /// `Wrench::from_force_at(Vec3::new(0.0, 3.0, 0.0), Vec3::new(2.0, 0.0, 0.0)).about(Vec3::new(2.0, 0.0, 0.0)).torque`
    /// is `Vec3::new(0.0, 0.0, 0.0)`.
    pub fn about(self, r: Vec3) -> Wrench {
        Wrench { force: self.force, torque: self.torque - r.cross(self.force) }
    }

    /// The power that this wrench brings to a motion, W.
    ///
    /// Example: where `v` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, where `f` is
    /// `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `f.dot(v)` is `91.0`.
    pub fn dot(self, rhs: Twist) -> f32 {
        rhs.dot(self)
    }

    /// Whether no component differs by more than `max_abs_diff`.
    ///
    /// Example: where `f` is `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `f.abs_diff_eq(f, 0.0)`
    /// holds.
    pub fn abs_diff_eq(self, rhs: Wrench, max_abs_diff: f32) -> bool {
        self.force.abs_diff_eq(rhs.force, max_abs_diff) && self.torque.abs_diff_eq(rhs.torque, max_abs_diff)
    }
}

impl SpatialInertia {
    /// A body of this mass, its center of mass at `com`, and `inertia` about that along the frame's axes.
    ///
    /// Example: where `body` is
    /// `SpatialInertia::new(2.0, Vec3::new(3.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)))`, `body.mass`
    /// is `2.0`.
    pub fn new(mass: f32, com: Vec3, inertia: Mat3) -> SpatialInertia {
        SpatialInertia { mass, com, inertia }
    }

    /// A mass in one point.
    ///
    /// Example: `SpatialInertia::from_point(2.0, Vec3::new(3.0, 0.0, 0.0)).about_origin()` is
    /// `Mat3::from_diagonal(Vec3::new(0.0, 18.0, 18.0))`.
    pub fn from_point(mass: f32, at: Vec3) -> SpatialInertia {
        SpatialInertia { mass, com: at, inertia: Mat3::ZERO }
    }

    /// The inertia about the origin, along the frame's axes (the parallel axis theorem).
    ///
    /// Example: where `body` is
    /// `SpatialInertia::new(2.0, Vec3::new(3.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)))`,
    /// `body.about_origin()` is `Mat3::from_diagonal(Vec3::new(1.0, 19.0, 19.0))`.
    pub fn about_origin(self) -> Mat3 {
        let c = self.com;
        self.inertia + (Mat3::from_diagonal(Vec3::splat(c.length_squared())) - c.outer(c)) * self.mass
    }

    /// Momentum and angular momentum of a motion: N s in the place of the force, N m s in that of the torque.
    /// `self * twist` does the same.
    ///
    /// Example: where `body` is
    /// `SpatialInertia::new(2.0, Vec3::new(3.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)))`, where
    /// `spin` is `Twist::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0))`, `body.momentum(spin)` is
    /// `Wrench::new(Vec3::new(0.0, 6.0, 0.0), Vec3::new(0.0, 0.0, 19.0))`.
    pub fn momentum(self, twist: Twist) -> Wrench {
        let force = twist.velocity_at(self.com) * self.mass;
        Wrench { force, torque: self.inertia * twist.angular + self.com.cross(force) }
    }

    /// The motion of this momentum; not finite without mass or with a singular inertia.
    ///
    /// Example: where `body` is
    /// `SpatialInertia::new(2.0, Vec3::new(3.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)))`,
    /// `body.solve(Wrench::new(Vec3::new(0.0, 6.0, 0.0), Vec3::new(0.0, 0.0, 19.0))).angular` is about
    /// `Vec3::new(0.0, 0.0, 1.0)`.
    pub fn solve(self, momentum: Wrench) -> Twist {
        let angular = self.inertia.inverse() * (momentum.torque - self.com.cross(momentum.force));
        Twist { linear: momentum.force / self.mass - angular.cross(self.com), angular }
    }

    /// The energy of a motion, J.
    ///
    /// Example: where `body` is
    /// `SpatialInertia::new(2.0, Vec3::new(3.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)))`, where
    /// `spin` is `Twist::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0))`, `body.kinetic_energy(spin)` is
    /// `9.5`.
    pub fn kinetic_energy(self, twist: Twist) -> f32 {
        0.5 * twist.dot(self.momentum(twist))
    }

    /// The wrench that gives the acceleration `acceleration` to a body that moves as `twist` says: Newton's and Euler's
    /// equations in one.
    ///
    /// Example: where `body` is
    /// `SpatialInertia::new(2.0, Vec3::new(3.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)))`, where
    /// `spin` is `Twist::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0))`,
    /// `body.inverse_dynamics(spin, Twist::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0)))` is
    /// `Wrench::new(Vec3::new(-6.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0))`.
    pub fn inverse_dynamics(self, twist: Twist, acceleration: Twist) -> Wrench {
        self.momentum(acceleration) + twist.cross_dual(self.momentum(twist))
    }

    /// As a matrix on columns of 6, `linear` and `force` first: symmetric, positive for a body with extent.
    ///
    /// Example: where `body` is
    /// `SpatialInertia::new(2.0, Vec3::new(3.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)))`,
    /// `body.to_mat().mul_vec([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])` is `[0.0, 6.0, 0.0, 0.0, 0.0, 19.0]`.
    pub fn to_mat(self) -> Mat6x6 {
        let c = self.com.skew() * self.mass;
        Mat6x6::from_blocks(Mat3::from_diagonal(Vec3::splat(self.mass)), -c, c, self.about_origin())
    }
}

impl Mat6x6 {
    /// The matrix of these quarters: two above, two below.
    ///
    /// Example:
    /// `Mat6x6::from_blocks(Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)), Mat3::from_diagonal(Vec3::new(0.0, 0.0, 0.0)), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0))).row(0)`
    /// is `[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]`.
    pub fn from_blocks(a: Mat3, b: Mat3, c: Mat3, d: Mat3) -> Mat6x6 {
        let (a, b) = (a.transpose().to_cols_array_2d(), b.transpose().to_cols_array_2d());
        let (c, d) = (c.transpose().to_cols_array_2d(), d.transpose().to_cols_array_2d());
        let mut m = [[0.0; 6]; 6];
        for row in 0..3 {
            for col in 0..3 {
                m[row][col] = a[row][col];
                m[row][col + 3] = b[row][col];
                m[row + 3][col] = c[row][col];
                m[row + 3][col + 3] = d[row][col];
            }
        }
        Mat6x6 { m }
    }
}

impl Transform {
    /// A motion told in the inner frame, about its origin and along its axes, told in the outer one.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// where `spin` is `Twist::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0))`,
    /// `m.transform_twist(spin).linear` is about `Vec3::new(6.0, -5.0, 0.0)`.
    pub fn transform_twist(self, twist: Twist) -> Twist {
        let angular = self.q * twist.angular;
        Twist { linear: self.q * twist.linear + self.p.cross(angular), angular }
    }

    /// A wrench told in the inner frame, about its origin and along its axes, told in the outer one. It keeps the power:
    /// `x.transform_twist(t).dot(x.transform_wrench(w))` is `t.dot(w)`.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// `m.transform_wrench(Wrench::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0))).torque` is about
    /// `Vec3::new(-7.0, 0.0, 5.0)`.
    pub fn transform_wrench(self, wrench: Wrench) -> Wrench {
        let force = self.q * wrench.force;
        Wrench { force, torque: self.q * wrench.torque + self.p.cross(force) }
    }

    /// An inertia told in the inner frame, told in the outer one.
    ///
    /// Example: where `m` is `Transform::new(Vec3::new(5.0, 6.0, 7.0), Quat::from_rotation_z(90f32.to_radians()))`,
    /// where `body` is
    /// `SpatialInertia::new(2.0, Vec3::new(3.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0)))`,
    /// `m.transform_inertia(body).com` is about `Vec3::new(5.0, 9.0, 7.0)`.
    pub fn transform_inertia(self, inertia: SpatialInertia) -> SpatialInertia {
        let r = Mat3::from_quat(self.q);
        SpatialInertia {
            mass: inertia.mass,
            com: self.transform_point(inertia.com),
            inertia: r * inertia.inertia * r.transpose(),
        }
    }

    /// The matrix that does to a twist, as a column, what [`transform_twist`](Self::transform_twist) does.
    ///
    /// Example:
    /// `Transform::from_translation(Vec3::new(5.0, 6.0, 7.0)).adjoint().mul_vec([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])` is
    /// `[6.0, -5.0, 0.0, 0.0, 0.0, 1.0]`.
    pub fn adjoint(self) -> Mat6x6 {
        let r = Mat3::from_quat(self.q);
        Mat6x6::from_blocks(r, self.p.skew() * r, Mat3::ZERO, r)
    }

    /// The matrix that does to a wrench, as a column, what [`transform_wrench`](Self::transform_wrench) does: the
    /// inverse of [`adjoint`](Self::adjoint), transposed.
    ///
    /// Example:
    /// `Transform::from_translation(Vec3::new(5.0, 6.0, 7.0)).adjoint_dual().mul_vec([0.0, 1.0, 0.0, 0.0, 0.0, 0.0])`
    /// is `[0.0, 1.0, 0.0, -7.0, 0.0, 5.0]`.
    pub fn adjoint_dual(self) -> Mat6x6 {
        let r = Mat3::from_quat(self.q);
        Mat6x6::from_blocks(r, Mat3::ZERO, self.p.skew() * r, r)
    }
}

/// Component by component; both about the same point.
///
/// Example: where `t` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `t + t` is
/// `Twist::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0))`.
impl Add for Twist {
    type Output = Twist;
    fn add(self, rhs: Twist) -> Twist {
        Twist { linear: self.linear + rhs.linear, angular: self.angular + rhs.angular }
    }
}

/// Component by component; both about the same point.
///
/// Example: where `t` is `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`,
/// `Twist::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0)) - t` is `t`.
impl Sub for Twist {
    type Output = Twist;
    fn sub(self, rhs: Twist) -> Twist {
        Twist { linear: self.linear - rhs.linear, angular: self.angular - rhs.angular }
    }
}

/// Component by component.
///
/// Example: `-Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))` is
/// `Twist::new(Vec3::new(-1.0, -2.0, -3.0), Vec3::new(-4.0, -5.0, -6.0))`.
impl Neg for Twist {
    type Output = Twist;
    fn neg(self) -> Twist {
        Twist { linear: -self.linear, angular: -self.angular }
    }
}

/// Each component times the number.
///
/// Example: `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)) * 2.0` is
/// `Twist::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0))`.
impl Mul<f32> for Twist {
    type Output = Twist;
    fn mul(self, rhs: f32) -> Twist {
        Twist { linear: self.linear * rhs, angular: self.angular * rhs }
    }
}

/// Each component times the number.
///
/// Example: `2.0 * Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))` is
/// `Twist::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0))`.
impl Mul<Twist> for f32 {
    type Output = Twist;
    fn mul(self, rhs: Twist) -> Twist {
        rhs * self
    }
}

/// Each component over the number.
///
/// Example: `Twist::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0)) / 2.0` is
/// `Twist::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`.
impl Div<f32> for Twist {
    type Output = Twist;
    fn div(self, rhs: f32) -> Twist {
        Twist { linear: self.linear / rhs, angular: self.angular / rhs }
    }
}

/// Component by component; both about the same point.
///
/// Example: where `t` is `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`, `t + t` is
/// `Wrench::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0))`.
impl Add for Wrench {
    type Output = Wrench;
    fn add(self, rhs: Wrench) -> Wrench {
        Wrench { force: self.force + rhs.force, torque: self.torque + rhs.torque }
    }
}

/// Component by component; both about the same point.
///
/// Example: where `t` is `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`,
/// `Wrench::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0)) - t` is `t`.
impl Sub for Wrench {
    type Output = Wrench;
    fn sub(self, rhs: Wrench) -> Wrench {
        Wrench { force: self.force - rhs.force, torque: self.torque - rhs.torque }
    }
}

/// Component by component.
///
/// Example: `-Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))` is
/// `Wrench::new(Vec3::new(-1.0, -2.0, -3.0), Vec3::new(-4.0, -5.0, -6.0))`.
impl Neg for Wrench {
    type Output = Wrench;
    fn neg(self) -> Wrench {
        Wrench { force: -self.force, torque: -self.torque }
    }
}

/// Each component times the number.
///
/// Example: `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)) * 2.0` is
/// `Wrench::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0))`.
impl Mul<f32> for Wrench {
    type Output = Wrench;
    fn mul(self, rhs: f32) -> Wrench {
        Wrench { force: self.force * rhs, torque: self.torque * rhs }
    }
}

/// Each component times the number.
///
/// Example: `2.0 * Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))` is
/// `Wrench::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0))`.
impl Mul<Wrench> for f32 {
    type Output = Wrench;
    fn mul(self, rhs: Wrench) -> Wrench {
        rhs * self
    }
}

/// Each component over the number.
///
/// Example: `Wrench::new(Vec3::new(2.0, 4.0, 6.0), Vec3::new(8.0, 10.0, 12.0)) / 2.0` is
/// `Wrench::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0))`.
impl Div<f32> for Wrench {
    type Output = Wrench;
    fn div(self, rhs: f32) -> Wrench {
        Wrench { force: self.force / rhs, torque: self.torque / rhs }
    }
}

/// The momentum at this velocity, as [`momentum`](SpatialInertia::momentum).
///
/// Example: where `body` is
/// `SpatialInertia::new(2.0, Vec3::new(0.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0)))`,
/// `(body * Twist::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0))).force` is `Vec3::new(2.0, 0.0, 0.0)`.
impl Mul<Twist> for SpatialInertia {
    type Output = Wrench;
    fn mul(self, rhs: Twist) -> Wrench {
        self.momentum(rhs)
    }
}

/// Two bodies as one. Without mass its centre is the origin.
///
/// Example: where `body` is
/// `SpatialInertia::new(2.0, Vec3::new(0.0, 0.0, 0.0), Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0)))`,
/// `(body + body).mass` is `4.0`.
impl Add for SpatialInertia {
    type Output = SpatialInertia;
    fn add(self, rhs: SpatialInertia) -> SpatialInertia {
        let mass = self.mass + rhs.mass;
        let some = mass > 0.0;
        let safe = if some { mass } else { 1.0 };
        let com = if some { (self.com * self.mass + rhs.com * rhs.mass) / safe } else { Vec3::splat(0.0) };
        let (r, s) = (self.com - com, rhs.com - com);
        let around = (Mat3::from_diagonal(Vec3::splat(r.length_squared())) - r.outer(r)) * self.mass
            + (Mat3::from_diagonal(Vec3::splat(s.length_squared())) - s.outer(s)) * rhs.mass;
        SpatialInertia { mass, com, inertia: self.inertia + rhs.inertia + around }
    }
}
