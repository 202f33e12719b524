//! Arguments that a kernel's signature names by a type of the user's: values, and bundles of arrays.

use crate::element::Element;
use crate::host::arguments::Arguments;
use crate::launch::Launcher;
use crate::layout::Layout;

/// A type that a kernel takes by name: an [`Element`] by value, or a bundle made by `#[derive(Args)]`.
///
/// # Safety
/// `push` adds to the launcher what the IR has for a parameter of this type: its arrays, in order, whose element
/// layouts are `ARRAYS`, and its values, in order.
pub unsafe trait Argument {
    /// What a launch passes for it.
    type Host<'host>;
    /// The same argument for one thread of a plain run.
    type Again<'again>
    where
        Self: 'again;
    /// Element layout of each of its arrays.
    const ARRAYS: &'static [&'static Layout];

    /// Adds it to a launch, which may take its arguments for a shorter time: a bundle that holds another is invariant.
    fn push<'long: 'host, 'host>(host: Self::Host<'long>, launcher: &mut Launcher<'host, '_>);

    /// Lends it to one thread of a plain run.
    fn again(&mut self) -> Self::Again<'_>;

    /// Takes it off a recorded launch, in the order of `push`.
    ///
    /// # Safety
    /// As that of the methods of [`Arguments`]: such an argument is what comes next.
    unsafe fn pull(arguments: &mut Arguments<'_>) -> Self
    where
        Self: Sized;
}

// SAFETY: a value has no arrays, and is one value.
unsafe impl<T: Element> Argument for T {
    type Host<'host> = T;
    type Again<'again>
        = T
    where
        Self: 'again;
    const ARRAYS: &'static [&'static Layout] = &[];

    #[inline]
    fn push<'long: 'host, 'host>(host: T, launcher: &mut Launcher<'host, '_>) {
        launcher.value(&host);
    }

    #[inline]
    fn again(&mut self) -> T {
        *self
    }

    unsafe fn pull(arguments: &mut Arguments<'_>) -> T {
        // SAFETY: the same contract.
        unsafe { arguments.value() }
    }
}
