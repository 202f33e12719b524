//! Traits that bound the type parameters of generic kernels and functions.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

use crate::element::Element;

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

/// The functions of [`math`](crate::math) as methods.
macro_rules! functions {
    (declare $($name:ident $(($other:ident))?)*) => { $(
        #[doc = concat!("[`", stringify!($name), "`](crate::math::", stringify!($name), ") of this number.")]
        fn $name(self $(, $other: Self)?) -> Self;
    )* };
    (define $($name:ident $(($other:ident))?)*) => { $(
        #[inline]
        fn $name(self $(, $other: Self)?) -> Self {
            crate::math::$name(self $(, $other)?)
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
/// In a generic plain function the transcendental ones are those of [`math`](crate::math), with the bits of kernels.
///
/// `min` and `max` stand here and not in [`Scalar`], where they would make `3i32.min(4)` ambiguous.
pub trait Float: Scalar + Neg<Output = Self> {
    /// The smaller one; a NaN counts as missing.
    fn min(self, other: Self) -> Self;

    /// The larger one; a NaN counts as missing.
    fn max(self, other: Self) -> Self;

    /// The absolute value.
    fn abs(self) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// The largest integer not above.
    fn floor(self) -> Self;

    /// The smallest integer not below.
    fn ceil(self) -> Self;

    /// `self * a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;

    functions! { declare
        sin cos tan asin acos atan atan2(x) sinh cosh tanh asinh acosh atanh exp exp2 exp_m1 ln log2 log10 ln_1p
        powf(exponent) cbrt hypot(other) erf erfc erf_inv erfc_inv
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
            #[inline]
            fn min(self, other: Self) -> Self {
                $ty::min(self, other)
            }

            #[inline]
            fn max(self, other: Self) -> Self {
                $ty::max(self, other)
            }

            #[inline]
            fn abs(self) -> Self {
                $ty::abs(self)
            }

            #[inline]
            fn sqrt(self) -> Self {
                $ty::sqrt(self)
            }

            #[inline]
            fn floor(self) -> Self {
                $ty::floor(self)
            }

            #[inline]
            fn ceil(self) -> Self {
                $ty::ceil(self)
            }

            #[inline]
            fn mul_add(self, a: Self, b: Self) -> Self {
                $ty::mul_add(self, a, b)
            }

            functions! { define
                sin cos tan asin acos atan atan2(x) sinh cosh tanh asinh acosh atanh exp exp2 exp_m1 ln log2 log10 ln_1p
                powf(exponent) cbrt hypot(other) erf erfc erf_inv erfc_inv
            }
        }
    )* };
}

numbers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }
integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
floats! { f32 f64 }
