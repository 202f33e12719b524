//! What generated code names. Not for use by hand: nothing here is stable.

pub use warp_ir::ir::Scalar;
pub use warp_macros::step;

pub use crate::argument::Argument;
pub use crate::array::Dims;
pub use crate::element::{Element, Validity, Zeroed};
pub use crate::host::arguments::{Arguments, Plain};
pub use crate::host::plain::run as plain;
pub use crate::kernel::{Definition, Kernel, Spec};
pub use crate::late::{Family, Late, LateKernel, Len, Part};
pub use crate::launch::{Launcher, Options};
pub use crate::layout::{Layout, LayoutKind};
/// How the text of a kernel gets what only rustc knows.
pub mod ptx {
    pub use crate::ptx::{Filled, Text, bits, dense};
}
/// The traits whose methods kernels know. A trait of the user's with a method of the same name is ambiguous beside them.
pub mod methods {
    pub use crate::math::{
        DMat2Ext as _, DMat3Ext as _, DMat4Ext as _, DQuatExt as _, DVec2Ext as _, DVec3Ext as _, DVec4Ext as _,
        FloatExt as _, Mat2Ext as _, Mat3Ext as _, Mat4Ext as _, QuatExt as _, Vec2Ext as _, Vec2Swizzles as _,
        Vec3Ext as _, Vec3Swizzles as _, Vec4Ext as _, Vec4Swizzles as _,
    };
}
pub use crate::meaning::{
    Anything, Instance, Is, Itself, Literal, Same, copy, float, inferred, instance, int, is, literal, same,
    same_builtin, scalar, the_function_of_this_name_is_another_one_to_rustc_than_to_kernels,
};

pub use crate::recursion::refuse_recursion;

use crate::layout::read_scalar;

/// The bits of one leaf of a constant, zero-extended.
///
/// # Panics
/// When `T` has not that many leaves; in a constant that is a compile error.
pub const fn slot<T: Element>(value: T, leaf: usize) -> u64 {
    let (offset, scalar) = T::LAYOUT.leaf(leaf);
    // SAFETY: `Element` promises that the leaf lies inside the value and holds such a scalar.
    unsafe { read_scalar((&raw const value).cast::<u8>().add(offset), scalar) }
}

/// How many layouts there are in all parts together.
pub const fn count(parts: &[&[&'static Layout]]) -> usize {
    let (mut k, mut sum) = (0, 0);
    while k < parts.len() {
        sum += parts[k].len();
        k += 1;
    }
    sum
}

/// The layouts of all parts, one behind the other; there are `N`.
pub const fn joined<const N: usize>(parts: &[&[&'static Layout]]) -> [&'static Layout; N] {
    const NONE: &Layout = &Layout { size: 0, align: 1, kind: LayoutKind::Fields(&[]) };
    let mut all = [NONE; N];
    let (mut k, mut at) = (0, 0);
    while k < parts.len() {
        let mut j = 0;
        while j < parts[k].len() {
            all[at] = parts[k][j];
            at += 1;
            j += 1;
        }
        k += 1;
    }
    all
}

/// The constants of a function and the way to those of all it names.
#[derive(Debug)]
pub struct Exp {
    /// The function's name.
    pub name: &'static str,
    /// Its identity; 0 for what failed to lower.
    pub id: u64,
    /// Where it stands in its file.
    pub line: u32,
    /// Bits of the function's own constants, in the order of its slots.
    pub slots: &'static [u64],
    /// The constants of its callees, in the order of its list of callees.
    pub calls: &'static [Link],
    /// How many of the calls, the last ones, are those of the function's own derivative, which may call the function.
    pub derivatives: usize,
}

impl Exp {
    /// Nothing at all.
    pub const EMPTY: Exp = Exp { name: "", id: 0, line: 0, slots: &[], calls: &[], derivatives: 0 };
}

/// A way to an [`Exp`].
///
/// It is a raw pointer to a `static` and not a reference, since rustc follows references while it checks a constant,
/// and reports a recursion of functions as a query cycle.
#[derive(Clone, Copy, Debug)]
pub struct Link(*const Exp);

// SAFETY: it points to an immutable static, or nowhere.
unsafe impl Send for Link {}
// SAFETY: as above.
unsafe impl Sync for Link {}

impl Link {
    /// A way to nothing: what stands where an item failed to lower.
    pub const NOTHING: Link = Link(std::ptr::null());

    /// The way to `exp`.
    pub const fn to(exp: &'static Exp) -> Link {
        Link(exp)
    }

    /// Whether the item failed to lower.
    pub const fn is_nothing(self) -> bool {
        self.0.is_null()
    }

    /// What it leads to; empty for [`Link::NOTHING`].
    pub const fn exp(self) -> &'static Exp {
        const EMPTY: &Exp = &Exp::EMPTY;
        if self.0.is_null() {
            return EMPTY;
        }
        // SAFETY: made from a `&'static Exp` by the only constructor.
        unsafe { &*self.0 }
    }

    /// The constants of callee `k`.
    pub const fn call(self, k: usize) -> Link {
        Link::at(self.exp().calls, k)
    }

    /// The bits of slot `k`; 0 where the item failed to lower, which is reported elsewhere.
    pub const fn slot(self, k: usize) -> u64 {
        let slots = self.exp().slots;
        if k < slots.len() { slots[k] } else { 0 }
    }

    const fn at(links: &'static [Link], k: usize) -> Link {
        if k < links.len() { links[k] } else { Link::NOTHING }
    }
}
