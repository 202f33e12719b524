//! What generated code finds out late, and what it reads until then.

use crate::__private::Link;
use crate::layout::Layout;
use crate::ptx::Text;

/// What a kernel's type gets once its whole call tree is known.
#[derive(Clone, Copy, Debug)]
pub struct LateKernel {
    /// The encoded IR; empty where the kernel failed to lower, which is an error of its own.
    pub ir: &'static [u8],
    /// Its encoded reverse.
    pub adjoint: &'static [u8],
    /// Bits of the constants it uses.
    pub slots: &'static [u64],
    /// Element layout of each array parameter.
    pub arrays: &'static [&'static Layout],
}

/// What hidden types have before, or without, a constant of their own.
///
/// The true values are inherent constants of the same names, which win where they exist. So an item that failed to
/// lower causes no second error at those who use it.
pub trait Late {
    /// The constants of a function.
    const __WARP_EXP: Link = Link::NOTHING;
    /// The address of a function.
    const __WARP_FN: *const () = std::ptr::null();
    /// Whether the item was refused for its name.
    const __WARP_REFUSED: bool = false;
    /// A kernel.
    const __WARP_KERNEL: LateKernel = LateKernel { ir: &[], adjoint: &[], slots: &[], arrays: &[] };
    /// A kernel's text for NVIDIA's driver.
    const __WARP_TEXT: Text = Text::Known("");
    /// That of its adjoint.
    const __WARP_BACK: Text = Text::Known("");
}

impl<T: ?Sized> Late for T {}

/// A way from a type or function to the types that it names, for code that cannot name them.
///
/// `T` is that type once more: so the implementation is as private as the type is, which rustc asks for. Code writes
/// `_` in its place.
pub trait Part<const NUMBER: u64, T> {
    /// The type.
    type Type;
}

/// A way from one instance of a generic struct to the others, for code that cannot name them: types, and [`Len`] for
/// lengths.
pub trait Family<Arguments> {
    /// The instance with these arguments.
    type With;
}

/// A length as an argument of [`Family`].
#[derive(Debug)]
pub struct Len<const N: usize>;
