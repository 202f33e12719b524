//! Extents: of arrays, and of launches.

/// The extents of an array or a launch with `R` dimensions, slowest first: `n`, `(rows, columns)`, `[z, y, x]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the size of {R} dimension(s)",
    label = "expected the size of {R} dimension(s)",
    note = "sizes are `usize`: `n` for one dimension, `(rows, columns)` for two, and so on",
    note = "a launch has as many dimensions as the kernel's `tid()`, `tid2()`, `tid3()` or `tid4()`"
)]
pub trait Dims<const R: usize> {
    /// One extent a dimension.
    fn extents(self) -> [usize; R];
}

impl<const R: usize> Dims<R> for [usize; R] {
    #[inline]
    fn extents(self) -> [usize; R] {
        self
    }
}

impl Dims<1> for usize {
    #[inline]
    fn extents(self) -> [usize; 1] {
        [self]
    }
}

impl Dims<2> for (usize, usize) {
    #[inline]
    fn extents(self) -> [usize; 2] {
        [self.0, self.1]
    }
}

impl Dims<3> for (usize, usize, usize) {
    #[inline]
    fn extents(self) -> [usize; 3] {
        [self.0, self.1, self.2]
    }
}

impl Dims<4> for (usize, usize, usize, usize) {
    #[inline]
    fn extents(self) -> [usize; 4] {
        [self.0, self.1, self.2, self.3]
    }
}

/// Every extent is below this, so that index arithmetic in kernels cannot overflow.
pub(crate) const EXTENT_LIMIT: usize = 1 << 48;

/// The number of points, unless it or an extent is beyond the limit.
#[inline]
pub(crate) fn volume(extents: &[usize]) -> Option<usize> {
    if extents.contains(&0) {
        return extents.iter().all(|&n| n < EXTENT_LIMIT).then_some(0);
    }
    extents.iter().try_fold(1usize, |all, &n| all.checked_mul(n).filter(|&v| n < EXTENT_LIMIT && v < EXTENT_LIMIT))
}

/// Strides, in elements, of a dense array with the last dimension fastest.
#[inline]
pub(crate) fn dense_strides<const R: usize>(extents: &[usize; R]) -> [usize; R] {
    let mut strides = [1usize; R];
    for d in (1..R).rev() {
        strides[d - 1] = strides[d].wrapping_mul(extents[d]);
    }
    strides
}

/// The extents in words: `8 x 16`.
pub(crate) fn spoken(extents: &[usize]) -> String {
    extents.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}
