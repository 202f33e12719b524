//! Numbers that carry their own error bound.
//!
//! A kernel's text is compiled once more with these in place of `f32` and `f64`. Each value is an `f64` and a bound on
//! how far any correct `BITS`-bit evaluation, fused or not, may be from it (first-order running error analysis). A
//! comparison or cast that the bound does not decide marks the thread as undecided, and the sample is dropped.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

thread_local! {
    static UNDECIDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether anything was left undecided since the last call; clears the mark.
pub fn take_undecided() -> bool {
    UNDECIDED.replace(false)
}

fn undecided() {
    UNDECIDED.set(true);
}

/// A value with a bound on the error of a `BITS`-bit evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Bounded<const BITS: u32> {
    /// The value.
    pub value: f64,
    /// No correct evaluation is farther from `value` than this.
    pub error: f64,
}

/// Stands for `f32`.
pub type F32 = Bounded<24>;
/// Stands for `f64`.
pub type F64 = Bounded<53>;

impl<const BITS: u32> Bounded<BITS> {
    /// A value without error.
    pub fn exact(value: f64) -> Self {
        Bounded { value, error: 0.0 }
    }

    /// A result that was rounded: `error` is what it inherits. Twice half an ulp, as the `f64` here rounds as well.
    fn rounded(value: f64, error: f64) -> Self {
        let (ulp, tiny, huge) = match BITS {
            24 => (2f64.powi(-23), 2f64.powi(-148), f32::MAX as f64),
            _ => (2f64.powi(-51), 2f64.powi(-1070), f64::MAX / 4.0),
        };
        let error = error * (1.0 + 1e-9) + value.abs() * ulp + if value == 0.0 && error == 0.0 { 0.0 } else { tiny };
        if !value.is_finite() || !error.is_finite() || value.abs() + error > huge {
            undecided();
            return Bounded { value: 1.0, error: 0.0 };
        }
        Bounded { value, error }
    }

    /// `sqrt`.
    pub fn sqrt(self) -> Self {
        if self.value - self.error < 0.0 || (self.value - self.error == 0.0 && self.error > 0.0) {
            undecided();
            return Self::exact(0.0);
        }
        let root = self.value.sqrt();
        let low = (self.value - self.error).sqrt();
        Self::rounded(root, root - low)
    }

    /// `abs`.
    pub fn abs(self) -> Self {
        Bounded { value: self.value.abs(), error: self.error }
    }

    /// `min`.
    pub fn min(self, other: Self) -> Self {
        Bounded { value: self.value.min(other.value), error: self.error.max(other.error) }
    }

    /// `max`.
    pub fn max(self, other: Self) -> Self {
        Bounded { value: self.value.max(other.value), error: self.error.max(other.error) }
    }

    fn step(self, f: impl Fn(f64) -> f64) -> Self {
        let (low, high) = (f(self.value - self.error), f(self.value + self.error));
        if low != high {
            undecided();
        }
        Self::exact(f(self.value))
    }

    /// `floor`.
    pub fn floor(self) -> Self {
        self.step(f64::floor)
    }

    /// `ceil`.
    pub fn ceil(self) -> Self {
        self.step(f64::ceil)
    }

    /// `trunc`.
    pub fn trunc(self) -> Self {
        self.step(f64::trunc)
    }

    /// `round`.
    pub fn round(self) -> Self {
        self.step(f64::round)
    }

    /// The value for a cast to an integer; the bound must not reach another one.
    pub fn whole(self) -> f64 {
        self.step(f64::trunc).value
    }

    /// `as f32`.
    pub fn narrow(self) -> F32 {
        if BITS == 24 { Bounded { value: self.value, error: self.error } } else { F32::rounded(self.value, self.error) }
    }

    /// `as f64`.
    pub fn wide(self) -> F64 {
        Bounded { value: self.value, error: self.error }
    }

    /// `integer as f32` or `as f64`.
    pub fn from_integer(value: f64) -> Self {
        if BITS == 24 && (value as f32) as f64 != value { Self::rounded(value, 0.0) } else { Self::exact(value) }
    }
}

impl<const BITS: u32> Add for Bounded<BITS> {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self::rounded(self.value + rhs.value, self.error + rhs.error)
    }
}

impl<const BITS: u32> Sub for Bounded<BITS> {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        Self::rounded(self.value - rhs.value, self.error + rhs.error)
    }
}

impl<const BITS: u32> Mul for Bounded<BITS> {
    type Output = Self;
    fn mul(self, rhs: Self) -> Self {
        let inherited = self.value.abs() * rhs.error + rhs.value.abs() * self.error + self.error * rhs.error;
        Self::rounded(self.value * rhs.value, inherited)
    }
}

impl<const BITS: u32> Div for Bounded<BITS> {
    type Output = Self;
    fn div(self, rhs: Self) -> Self {
        let nearest = rhs.value.abs() - rhs.error;
        if nearest <= 0.0 {
            undecided();
            return Self::exact(1.0);
        }
        let quotient = self.value / rhs.value;
        Self::rounded(quotient, (self.error + quotient.abs() * rhs.error) / nearest)
    }
}

impl<const BITS: u32> Rem for Bounded<BITS> {
    type Output = Self;
    fn rem(self, rhs: Self) -> Self {
        if self.error != 0.0 || rhs.error != 0.0 || rhs.value == 0.0 {
            undecided();
            return Self::exact(0.0);
        }
        Self::exact(self.value % rhs.value)
    }
}

impl<const BITS: u32> Neg for Bounded<BITS> {
    type Output = Self;
    fn neg(self) -> Self {
        Bounded { value: -self.value, error: self.error }
    }
}

macro_rules! assign {
    ($($Trait:ident $method:ident $op:tt),*) => {$(
        impl<const BITS: u32> $Trait for Bounded<BITS> {
            fn $method(&mut self, rhs: Self) {
                *self = *self $op rhs;
            }
        }
    )*};
}
assign!(AddAssign add_assign +, SubAssign sub_assign -, MulAssign mul_assign *, DivAssign div_assign /, RemAssign rem_assign %);

impl<const BITS: u32> PartialEq for Bounded<BITS> {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl<const BITS: u32> PartialOrd for Bounded<BITS> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let distance = (self.value - other.value).abs();
        if distance <= self.error + other.error && self.error + other.error > 0.0 {
            undecided();
        }
        self.value.partial_cmp(&other.value)
    }
}

/// Stands for `Vec3`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3B {
    /// First component.
    pub x: F32,
    /// Second component.
    pub y: F32,
    /// Third component.
    pub z: F32,
}

impl Vec3B {
    /// `Vec3::new`.
    pub fn new(x: F32, y: F32, z: F32) -> Self {
        Vec3B { x, y, z }
    }

    /// `dot`.
    pub fn dot(self, o: Self) -> F32 {
        (self.x * o.x) + (self.y * o.y) + (self.z * o.z)
    }

    /// `length`.
    pub fn length(self) -> F32 {
        self.dot(self).sqrt()
    }

    /// `cross`.
    pub fn cross(self, o: Self) -> Self {
        Vec3B { x: self.y * o.z - o.y * self.z, y: self.z * o.x - o.z * self.x, z: self.x * o.y - o.x * self.y }
    }
}

macro_rules! vector {
    ($($Trait:ident $method:ident $Assign:ident $assign:ident $op:tt),*) => {$(
        impl $Trait for Vec3B {
            type Output = Self;
            fn $method(self, o: Self) -> Self {
                Vec3B { x: self.x $op o.x, y: self.y $op o.y, z: self.z $op o.z }
            }
        }
        impl $Trait<F32> for Vec3B {
            type Output = Self;
            fn $method(self, o: F32) -> Self {
                Vec3B { x: self.x $op o, y: self.y $op o, z: self.z $op o }
            }
        }
        impl $Assign for Vec3B {
            fn $assign(&mut self, o: Self) {
                *self = *self $op o;
            }
        }
    )*};
}
vector!(Add add AddAssign add_assign +, Sub sub SubAssign sub_assign -, Mul mul MulAssign mul_assign *, Div div DivAssign div_assign /);

impl Neg for Vec3B {
    type Output = Self;
    fn neg(self) -> Self {
        Vec3B { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl Index<usize> for Vec3B {
    type Output = F32;
    fn index(&self, at: usize) -> &F32 {
        [&self.x, &self.y, &self.z][at]
    }
}

impl IndexMut<usize> for Vec3B {
    fn index_mut(&mut self, at: usize) -> &mut F32 {
        let Vec3B { x, y, z } = self;
        [x, y, z].into_iter().nth(at).expect("a component")
    }
}

/// Stands for `Mat3`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Mat3B {
    pub x_axis: Vec3B,
    pub y_axis: Vec3B,
    pub z_axis: Vec3B,
}

impl Mat3B {
    /// `Mat3::from_cols`.
    pub fn from_cols(x_axis: Vec3B, y_axis: Vec3B, z_axis: Vec3B) -> Self {
        Mat3B { x_axis, y_axis, z_axis }
    }

    /// `col`.
    pub fn col(self, at: usize) -> Vec3B {
        [self.x_axis, self.y_axis, self.z_axis][at]
    }

    /// `col_mut`.
    pub fn col_mut(&mut self, at: usize) -> &mut Vec3B {
        let Mat3B { x_axis, y_axis, z_axis } = self;
        [x_axis, y_axis, z_axis].into_iter().nth(at).expect("a column")
    }
}
