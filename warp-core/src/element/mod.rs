//! Types that arrays hold and kernels take by value.

mod glam;

use half::{bf16, f16};
use warp_ir::ir::Scalar;

use crate::layout::{Layout, LayoutKind};

/// A type that arrays hold and kernels take by value.
///
/// Implemented for `bool`, the integers, `f16`, `bf16`, `f32`, `f64`, the vectors, matrices and quaternions of the
/// [`math`](crate::math) module, and fixed arrays of these; `#[derive(Struct)]` implements it for your own structs and
/// fieldless enums.
///
/// ```
/// # use warp_core::{Element, math::Vec3};
/// assert_eq!(<[Vec3; 2]>::LAYOUT.leaves(), 6);
/// assert_eq!(<[Vec3; 2]>::LAYOUT.leaf(4).0, 16); // the y of the second, 16 bytes in
/// ```
///
/// # Safety
///
/// `LAYOUT` tells the truth: size and alignment are the type's, each leaf lies inside it, holds a scalar of that type,
/// and all of the type's value is in its leaves. `VALIDITY` promises no more than the type keeps.
#[diagnostic::on_unimplemented(
    message = "kernels and arrays do not know the type `{Self}`",
    label = "not a type of kernels",
    note = "put `#[derive(Struct, Clone, Copy)]` and `#[repr(C)]` on a struct of yours, `#[derive(Struct, Clone, Copy)]` and `#[repr(u8)]` on an enum without fields"
)]
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// Where the scalars of a value lie.
    const LAYOUT: Layout;
    /// Which bits are values of the type.
    const VALIDITY: Validity;
}

/// A type of which all-zero bits are a value, so that fresh memory holds values of it.
///
/// `#[derive(Struct)]` implements it for enums with a variant of value 0, and for structs whose fields all have it.
///
/// # Safety
///
/// [`Element::VALIDITY`] of the type is not [`Validity::Some`].
#[diagnostic::on_unimplemented(
    message = "an array of zeros cannot hold `{Self}`: all-zero bits are no value of that type",
    label = "has no value of zeros",
    note = "an enum has one if one of its variants is 0, a struct if all its fields have one; else use `Array::full` or `Array::from_fn`"
)]
pub unsafe trait Zeroed {}

/// Which bit patterns of its leaves are values of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Validity {
    /// Some are, but not all zeros: an enum without a variant of value 0.
    Some,
    /// All zeros is a value, others may not be: `bool`.
    Zero,
    /// All are.
    Any,
}

impl Validity {
    /// The validity of a type made of parts.
    pub const fn all(parts: &[Validity]) -> Validity {
        let (mut k, mut least) = (0, Validity::Any);
        while k < parts.len() {
            if (parts[k] as u8) < (least as u8) {
                least = parts[k];
            }
            k += 1;
        }
        least
    }
}

macro_rules! scalars {
    ($($ty:ty => $scalar:ident, $validity:ident;)*) => { $(
        // SAFETY: the type is that scalar, and a `bool` is 0 or 1.
        unsafe impl Element for $ty {
            const LAYOUT: Layout = Layout::of::<$ty>(LayoutKind::Scalar(Scalar::$scalar));
            const VALIDITY: Validity = Validity::$validity;
        }
        // SAFETY: zero is a number, and `false`.
        unsafe impl Zeroed for $ty {}
        const _: () = assert!(size_of::<$ty>() == Scalar::$scalar.size(), "kernels need 64-bit pointers");
    )* };
}

scalars! {
    bool => Bool, Zero;
    i8 => I8, Any;
    i16 => I16, Any;
    i32 => I32, Any;
    i64 => I64, Any;
    isize => I64, Any;
    u8 => U8, Any;
    u16 => U16, Any;
    u32 => U32, Any;
    u64 => U64, Any;
    usize => U64, Any;
    f16 => F16, Any;
    bf16 => BF16, Any;
    f32 => F32, Any;
    f64 => F64, Any;
}

// SAFETY: a fixed array is its elements one after another.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const LAYOUT: Layout = Layout::of::<[T; N]>(LayoutKind::Repeat(&T::LAYOUT, N));
    const VALIDITY: Validity = T::VALIDITY;
}

// SAFETY: as its elements.
unsafe impl<T: Zeroed, const N: usize> Zeroed for [T; N] {}
