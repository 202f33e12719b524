//! Arguments that a kernel's signature names by a type of the user's: values, and bundles of arrays.

use crate::element::Element;
use crate::launch::Launcher;
use crate::layout::Layout;

/// A type that a kernel takes by name: an [`Element`] by value, or a bundle made by `#[derive(Args)]`.
///
/// # Safety
/// `push` adds to the launcher what the IR has for a parameter of this type: its arrays, in order, whose element
/// layouts are `LAYOUTS`, and its values, in order.
pub unsafe trait Argument {
    /// What a launch passes for it.
    type Host<'a>;
    /// The same argument for one thread of a plain run.
    type Lent<'b>
    where
        Self: 'b;
    /// Element layout of each of its arrays.
    const LAYOUTS: &'static [&'static Layout];

    /// Adds it to a launch.
    fn push<'a>(host: Self::Host<'a>, launcher: &mut Launcher<'a>);

    /// Lends it to one thread of a plain run.
    fn lend(&mut self) -> Self::Lent<'_>;
}

// SAFETY: a value has no arrays, and is one value.
unsafe impl<T: Element> Argument for T {
    type Host<'a> = T;
    type Lent<'b> = T;
    const LAYOUTS: &'static [&'static Layout] = &[];

    #[inline]
    fn push<'a>(host: T, launcher: &mut Launcher<'a>) {
        launcher.value(&host);
    }

    #[inline]
    fn lend(&mut self) -> T {
        *self
    }
}

/// Number of layouts in all lists, for [`joined`].
pub const fn count(lists: &[&[&'static Layout]]) -> usize {
    let (mut k, mut n) = (0, 0);
    while k < lists.len() {
        n += lists[k].len();
        k += 1;
    }
    n
}

/// All lists as one.
///
/// # Panics
/// When `N` is not what [`count`] says.
pub const fn joined<const N: usize>(lists: &[&[&'static Layout]]) -> [&'static Layout; N] {
    const NONE: &Layout = &<u8 as Element>::LAYOUT;
    let (mut all, mut n, mut k) = ([NONE; N], 0, 0);
    while k < lists.len() {
        let mut i = 0;
        while i < lists[k].len() {
            all[n] = lists[k][i];
            (n, i) = (n + 1, i + 1);
        }
        k += 1;
    }
    assert!(n == N, "there are more layouts than said");
    all
}
