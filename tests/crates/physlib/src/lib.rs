//! A library of functions and types for kernels, with private constants and helpers.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, future_incompatible, unused)]

use warp::prelude::*;

mod private {
    /// Out of sight of everyone else.
    pub(super) const AIR: f32 = 0.5;
}

/// Twice what `private::AIR` is: a public constant made of a private one.
pub const TWICE_AIR: f32 = 2.0 * private::AIR;

const COUNT: i32 = 3;

/// Settings in a struct constant.
pub struct Settings {
    /// A gain.
    pub gain: f32,
}

/// The settings.
pub const SETTINGS: Settings = Settings { gain: 8.0 };

/// A linear drag, by a private helper and a private constant.
#[func]
pub fn drag(speed: f32) -> f32 {
    scaled(speed) * private::AIR
}

#[func]
fn scaled(x: f32) -> f32 {
    x * SETTINGS.gain + COUNT as f32
}

/// Linear interpolation, with a constant of this crate in it.
#[func]
pub fn lerp<T: warp::Float>(a: T, b: T, t: T) -> T {
    a + (b - a) * t
}

/// The sum of an array, by constant length.
// An index is what the case is about.
#[allow(clippy::needless_range_loop)]
#[func]
pub fn sum<const N: usize>(values: [f32; N]) -> f32 {
    let mut total = private::AIR;
    for i in 0..N {
        total += values[i];
    }
    total
}

/// A number with a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Dual {
    /// The value.
    pub value: f32,
    /// Its derivative.
    pub slope: f32,
}

#[methods]
impl core::ops::Mul for Dual {
    type Output = Dual;
    fn mul(self, other: Dual) -> Dual {
        Dual { value: self.value * other.value, slope: self.slope * other.value + self.value * other.slope }
    }
}

#[methods]
impl core::ops::Mul<f32> for Dual {
    type Output = Dual;
    fn mul(self, factor: f32) -> Dual {
        Dual { value: self.value * factor, slope: self.slope * factor }
    }
}

#[methods]
impl core::ops::Mul<Dual> for f32 {
    type Output = Dual;
    fn mul(self, dual: Dual) -> Dual {
        dual * self
    }
}

#[methods]
impl core::ops::AddAssign for Dual {
    fn add_assign(&mut self, other: Dual) {
        self.value += other.value;
        self.slope += other.slope;
    }
}

#[methods]
impl core::ops::Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        Dual { value: -self.value, slope: -self.slope }
    }
}

/// A spring; nobody outside needs its name.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
pub struct Spring {
    /// Stiffness.
    pub stiffness: f32,
    /// Length at rest.
    pub rest: f32,
}

#[methods]
impl Spring {
    const HALF: f32 = 0.5;

    /// The force at a length; reads a private constant.
    pub fn force(&self, length: f32) -> f32 {
        self.stiffness * (length - self.rest) * private::AIR
    }
}

// A second block of the same type.
#[methods]
impl Spring {
    /// Mixes values in a row with a weight; reads private constants, of the type too, and calls what is private.
    // An index is what the case is about.
    #[allow(clippy::needless_range_loop)]
    pub fn mixed<T: warp::Float, const N: usize>(&self, values: [T; N], weight: T) -> (T, f32) {
        let mut all = values[0];
        for k in 1..N {
            all = self.halfway(all, values[k], weight);
        }
        (all, Self::HALF * scaled(self.rest) + private::AIR)
    }

    fn halfway<T: warp::Float>(self, a: T, b: T, weight: T) -> T {
        lerp(a, b, weight)
    }

    /// The energy at a length, by another method.
    pub fn energy(&self, length: f32) -> f32 {
        Self::HALF * self.force(length) * (length - self.rest)
    }

    /// A spring of a stiffness.
    pub fn with(stiffness: f32) -> Spring {
        Spring { stiffness, rest: 1.0 }
    }

    /// Moves the rest length, in place.
    pub fn stretch(&mut self, by: f32) {
        self.rest += by;
    }
}

/// A leg has a spring.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
pub struct Leg {
    /// Its number.
    pub number: u8,
    /// Its spring.
    pub spring: Spring,
}

/// A leg with a spring of a stiffness.
#[func]
pub fn leg(stiffness: f32) -> Leg {
    Leg { number: 1, spring: Spring { stiffness, rest: 1.0 } }
}

/// Two values of one type.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Interval<T> {
    /// The lower one.
    pub low: T,
    /// The upper one.
    pub high: T,
}

const HALF: f32 = 0.5;

#[methods]
impl<T: warp::Float> Interval<T> {
    /// Around a value.
    pub fn around(middle: T, by: T) -> Self {
        Interval { low: middle - by, high: middle + by }
    }

    /// What lies between the two.
    pub fn middle(&self) -> T {
        lerp(self.low, self.high, T::from_f32(HALF))
    }

    /// Moves both, in place.
    pub fn shift(&mut self, by: T) {
        self.low += by;
        self.high += by;
    }
}

#[methods]
impl<T: warp::Float> core::ops::Mul<T> for Interval<T> {
    type Output = Interval<T>;
    fn mul(self, factor: T) -> Interval<T> {
        Interval { low: self.low * factor, high: self.high * factor }
    }
}

/// The last values of some kind.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Window<T, const N: usize> {
    /// All of them.
    pub values: [T; N],
    /// Where the next one goes.
    pub at: u32,
}

#[methods]
impl<T: Copy, const N: usize> Window<T, N> {
    /// Replaces the oldest.
    pub fn push(&mut self, value: T) -> T {
        let old = self.values[self.at as usize];
        self.values[self.at as usize] = value;
        self.at = (self.at + 1) % N as u32;
        old
    }
}

/// An instance that its users need not name.
#[func]
pub fn reach(leg: Leg) -> Interval<f64> {
    Interval::around(leg.spring.rest as f64, leg.number as f64)
}

/// What a cell is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Struct)]
#[repr(u8)]
pub enum Stuff {
    /// Nothing.
    Air = 0,
    /// Flows.
    Water = 4,
    /// Stays.
    Rock,
}

/// How heavy it is.
#[func]
pub fn density(stuff: Stuff) -> f32 {
    match stuff {
        Stuff::Air => 0.0,
        Stuff::Water => 1.0,
        Stuff::Rock => 2.5,
    }
}

/// Functions made by a macro of the crate: equal tokens, different constants.
macro_rules! scaled_by {
    ($name:ident, $factor:expr) => {
        /// A module with a constant of its own.
        pub mod $name {
            use warp::prelude::*;

            const FACTOR: f32 = $factor;

            /// Scales by the module's factor.
            #[func]
            pub fn apply(x: f32) -> f32 {
                x * FACTOR
            }
        }
    };
}

scaled_by!(twice, 2.0);
scaled_by!(thrice, 3.0);
