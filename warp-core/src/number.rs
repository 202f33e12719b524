//! Traits that bound the type parameters of generic kernels and functions.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

use crate::element::Element;
use crate::math::SafeFloat;

mod sealed {
    pub trait Sealed {}
}

macro_rules! conversions {
    (declare $($name:ident $from:ty;)*) => { $(
        #[doc = concat!("The value of `x` in this type, as `x as T` gives it.")]
        fn $name(x: $from) -> Self;
    )* };
    (define $own:ty; $($name:ident $from:ty;)*) => { $(
        #[inline]
        fn $name(x: $from) -> Self {
            x as $own
        }
    )* };
}

/// Methods that Rust's floats have themselves.
macro_rules! inherent {
    (declare $($name:ident($($arg:ident: $ty:ty),*) -> $result:ty, $about:literal;)*) => { $(
        #[doc = $about]
        fn $name(self $(, $arg: $ty)*) -> $result;
    )* };
    (define $own:ident; $($name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*) => { $(
        #[inline]
        fn $name(self $(, $arg: $ty)*) -> $result {
            $own::$name(self $(, $arg)*)
        }
    )* };
}

/// Numbers: `i32`, `u32`, `i64`, `u64`, `usize`, `isize`, the small integers, `f32` and `f64`.
///
/// Operators on integers in a generic plain function panic or wrap as the build says; in kernels they wrap.
pub trait Scalar:
    Element
    + sealed::Sealed
    + Debug
    + Default
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
{
    conversions! { declare
        from_f32 f32; from_f64 f64; from_i32 i32; from_u32 u32; from_i64 i64; from_u64 u64; from_usize usize;
    }
}

/// Integers. Their `min` and `max` are those of [`Ord`].
pub trait Int: Scalar + Eq + Ord {}

/// `f32` and `f64`.
///
/// The transcendental functions come from [`SafeFloat`]. In a generic plain function they are those of
/// [`math`](crate::math), with the bits of kernels.
///
/// `min` and `max` stand here and not in [`Scalar`], where they would make `3i32.min(4)` ambiguous.
pub trait Float: Scalar + Neg<Output = Self> + SafeFloat {
    inherent! { declare
        min(other: Self) -> Self, "The smaller one; a NaN counts as missing.";
        max(other: Self) -> Self, "The larger one; a NaN counts as missing.";
        clamp(min: Self, max: Self) -> Self, "Into `min..=max`; bounds that cross or are NaN are a fault.";
        abs() -> Self, "The absolute value.";
        signum() -> Self, "1 with the sign of this number; NaN for a NaN.";
        copysign(sign: Self) -> Self, "This magnitude with the sign of another number.";
        sqrt() -> Self, "The square root.";
        recip() -> Self, "One over this number.";
        powi(n: i32) -> Self, "This number to a whole power.";
        floor() -> Self, "The largest integer not above.";
        ceil() -> Self, "The smallest integer not below.";
        trunc() -> Self, "The integer next to it toward zero.";
        round() -> Self, "The nearest integer; halves away from zero.";
        round_ties_even() -> Self, "The nearest integer; halves to the even one.";
        fract() -> Self, "What `trunc` drops.";
        rem_euclid(rhs: Self) -> Self, "The remainder that is not negative.";
        div_euclid(rhs: Self) -> Self, "The whole quotient such that the remainder is not negative.";
        mul_add(a: Self, b: Self) -> Self, "`self * a + b`, rounded once.";
        to_degrees() -> Self, "Radians to degrees.";
        to_radians() -> Self, "Degrees to radians.";
        is_nan() -> bool, "Whether it is NaN.";
        is_infinite() -> bool, "Whether it is an infinity.";
        is_finite() -> bool, "Whether it is a number and not infinite.";
        is_sign_negative() -> bool, "Whether the sign bit is set.";
        is_sign_positive() -> bool, "Whether the sign bit is not set.";
    }
}

macro_rules! numbers {
    ($($ty:ident)*) => { $(
        impl sealed::Sealed for $ty {}

        impl Scalar for $ty {
            conversions! { define $ty;
                from_f32 f32; from_f64 f64; from_i32 i32; from_u32 u32; from_i64 i64; from_u64 u64; from_usize usize;
            }
        }
    )* };
}

macro_rules! integers {
    ($($ty:ty)*) => { $( impl Int for $ty {} )* };
}

macro_rules! floats {
    ($($ty:ident)*) => { $(
        impl Float for $ty {
            inherent! { define $ty;
                min(other: Self) -> Self;
                max(other: Self) -> Self;
                clamp(min: Self, max: Self) -> Self;
                abs() -> Self;
                signum() -> Self;
                copysign(sign: Self) -> Self;
                sqrt() -> Self;
                recip() -> Self;
                powi(n: i32) -> Self;
                floor() -> Self;
                ceil() -> Self;
                trunc() -> Self;
                round() -> Self;
                round_ties_even() -> Self;
                fract() -> Self;
                rem_euclid(rhs: Self) -> Self;
                div_euclid(rhs: Self) -> Self;
                mul_add(a: Self, b: Self) -> Self;
                to_degrees() -> Self;
                to_radians() -> Self;
                is_nan() -> bool;
                is_infinite() -> bool;
                is_finite() -> bool;
                is_sign_negative() -> bool;
                is_sign_positive() -> bool;
            }
        }
    )* };
}

numbers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }
integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
floats! { f32 f64 }
