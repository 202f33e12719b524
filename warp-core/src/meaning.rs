//! What generated code asks of rustc about names: that they mean to rustc what they mean to the macros.
//!
//! The macros find a type or function by a hidden macro of its name, rustc by the type or value itself. An alias or an
//! import of one of them alone can lead the two apart, and a kernel would then be lowered for one type and launched with
//! another. So each definition says who it is, and each use asks.

use crate::element::{Element, Validity};
use crate::layout::Layout;
use crate::math::*;
use crate::number::{Float, Int, Scalar};

/// A type of the user's, or the hidden type of a function, with its identity.
///
/// # Safety
/// The identity is the one under which the macros know the definition of this very type.
#[diagnostic::on_unimplemented(
    message = "this name means one thing to rustc and another to kernels",
    label = "to rustc this is `{Self}`; the hidden macro of this name belongs to another item",
    note = "a kernel finds an item by a macro that comes with it: `use` the item itself under this name, in place of `type .. = ..` or a glob import of another item of the same name",
    note = "or the item belongs to a library that was made for another copy of this one: `cargo tree --duplicates` shows whether there are two"
)]
pub unsafe trait Is<const IDENTITY: u64> {}

/// Compiles where `T` is the type that the macros took it for.
pub const fn is<const IDENTITY: u64, T: Is<IDENTITY> + ?Sized>() {}

/// A generic struct of the user's, with its identity and the arguments of the instance: types, and [`Len`] for lengths.
///
/// [`Len`]: crate::late::Len
///
/// # Safety
/// The identity is the one under which the macros know the definition, and the arguments are in its order.
#[diagnostic::on_unimplemented(
    message = "this name means one thing to rustc and another to kernels",
    label = "to rustc this is `{Self}`; the hidden macro of this name belongs to another item",
    note = "a kernel finds an item by a macro that comes with it: `use` the item itself under this name, in place of `type .. = ..` or a glob import of another item of the same name"
)]
pub unsafe trait Instance<const IDENTITY: u64, Arguments> {}

/// Compiles where `T` is the instance that the macros took it for.
pub const fn instance<const IDENTITY: u64, Arguments, T: Instance<IDENTITY, Arguments> + ?Sized>() {}

/// Every type is the same as itself.
///
/// # Safety
/// It is implemented for no other types.
#[diagnostic::on_unimplemented(
    message = "kernels take this name for `{Ours}`, and here it is another type",
    label = "to rustc this is `{Self}`",
    note = "give that type another name, or import `{Ours}` where kernels use it"
)]
pub unsafe trait Same<Ours: ?Sized> {}

// SAFETY: both are the same.
#[diagnostic::do_not_recommend]
unsafe impl<T: ?Sized> Same<T> for T {}

/// Compiles where both types are one.
pub const fn same<Ours: ?Sized, T: Same<Ours> + ?Sized>() {}

/// Compiles where both functions are one: each function has a type of its own.
pub const fn same_builtin<F: Copy>(_ours: F, _named: F) {}

/// Compiles where both addresses are those of one function, evaluated by rustc.
///
/// Addresses are not known while a crate compiles, on no target: rustc has the distance of a function from itself, which
/// is 0, and cannot have that of two functions, so it refuses. The types of functions say the same and are no help here,
/// as nothing on stable Rust lets a definition name the type of its own function. A rustc that took two mentions of one
/// function for two places would refuse good programs, and accept no bad ones.
///
/// # Safety
/// Both are addresses of functions, and the call is in a constant. Where they differ, rustc refuses to evaluate it.
///
/// # Panics
/// Where there is a distance, which two functions have only in a compiler that places functions inside each other.
pub const unsafe fn the_function_of_this_name_is_another_one_to_rustc_than_to_kernels(
    face: *const (),
    named: *const (),
) {
    // SAFETY: in a constant this is defined for equal addresses, and an error for others; it is called in constants only.
    let distance = unsafe { face.cast::<u8>().offset_from(named.cast::<u8>()) };
    assert!(distance == 0, "this name means one function to rustc and another to kernels");
}

/// Compiles where the trait that bounds `T` is this one.
pub const fn float<T: Float>() {}

/// Compiles where the trait that bounds `T` is this one.
pub const fn int<T: Int>() {}

/// Compiles where the trait that bounds `T` is this one.
pub const fn scalar<T: Scalar>() {}

/// Compiles where the trait that bounds `T` is Rust's.
pub const fn copy<T: Copy>() {}

/// What a type parameter that only `Copy` bounds is, where a generic function is compared with what the macros found: a
/// type without methods and operators.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default, Debug)]
#[repr(transparent)]
pub struct Anything(f32);

// SAFETY: it is an `f32`.
unsafe impl Element for Anything {
    const LAYOUT: Layout = f32::LAYOUT;
    const VALIDITY: Validity = f32::VALIDITY;
}

/// Every type of values once more, as an associated type: rustc compares it with another without letting that decide
/// what the type is.
#[diagnostic::on_unimplemented(
    message = "rustc and the kernel macros find different types here",
    label = "to rustc this is `{Self}`, which is no type of kernels"
)]
pub trait Itself {
    /// The type; without references, which kernels see through.
    type It: ?Sized;
}

/// Compiles where rustc found the type `T` for a variable, as the macros did.
///
/// The comparison waits until rustc knows the variable's type by other means, its defaults for literals included.
pub const fn inferred<T: ?Sized>(_variable: &impl Itself<It = T>) {}

macro_rules! itself {
    ($($ty:ty)*) => { $(
        impl Itself for $ty {
            type It = $ty;
        }
    )* };
}

itself! { () bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f16 bf16 f32 f64 Anything }
itself! { Vec2 Vec3 Vec4 DVec2 DVec3 DVec4 IVec2 IVec3 IVec4 UVec2 UVec3 UVec4 I64Vec2 I64Vec3 I64Vec4 U64Vec2 U64Vec3 U64Vec4 }
itself! { Mat2 Mat3 Mat4 DMat2 DMat3 DMat4 Quat DQuat }
itself! { BVec2 BVec3 BVec4 EulerRot }

impl<T: Itself + ?Sized> Itself for &T {
    type It = T::It;
}

impl<T: Itself + ?Sized> Itself for &mut T {
    type It = T::It;
}

impl<T: Itself<It: Sized>> Itself for Option<T> {
    type It = Option<T::It>;
}

impl<T: Itself<It: Sized>, const N: usize> Itself for [T; N] {
    type It = [T::It; N];
}

macro_rules! tuples {
    ($(($($part:ident)*))*) => { $(
        impl<$($part: Itself<It: Sized>),*> Itself for ($($part,)*) {
            type It = ($($part::It,)*);
        }
    )* };
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }
tuples! { (A B C D E F G H I) (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L) }

/// A type that a number without a suffix may have.
pub trait Literal {
    /// Tells these types apart.
    const NUMBER: u32;
}

macro_rules! literals {
    ($($number:literal $ty:ty),*) => {$(
        impl Literal for $ty {
            const NUMBER: u32 = $number;
        }
    )*};
}
literals!(0 f32, 1 f64, 2 i8, 3 i16, 4 i32, 5 i64, 6 u8, 7 u16, 8 u32, 9 u64, 10 usize, 11 isize, 12 i128, 13 u128);

/// Compiles where rustc takes the literal that a closure gives for `Taken`.
///
/// # Panics
/// In a constant, which makes it a compile error, where rustc takes it for another type.
pub const fn literal<Taken: Literal, S, L: Literal>(_meeting: fn(S) -> L) {
    assert!(
        Taken::NUMBER == L::NUMBER,
        "kernels take the literal at this operator for another type than Rust does: write its type, as in `2.0f32`"
    );
}
