//! Which thread of a launch this is.

use std::cell::Cell;

thread_local! {
    static INDEX: Cell<[usize; 4]> = const { Cell::new([0; 4]) };
}

/// The number of this thread in a launch with one dimension.
///
/// In a kernel it is the thread's; in the kernel's plain function it is what `plain` counts, and 0 when the function is
/// called directly.
pub fn tid() -> usize {
    INDEX.get()[0]
}

/// The coordinates of this thread in a launch with two dimensions; the last one runs fastest. See [`tid`].
pub fn tid2() -> (usize, usize) {
    let [i, j, ..] = INDEX.get();
    (i, j)
}

/// The coordinates of this thread in a launch with three dimensions. See [`tid`].
pub fn tid3() -> (usize, usize, usize) {
    let [i, j, k, _] = INDEX.get();
    (i, j, k)
}

/// The coordinates of this thread in a launch with four dimensions. See [`tid`].
pub fn tid4() -> (usize, usize, usize, usize) {
    let [i, j, k, l] = INDEX.get();
    (i, j, k, l)
}

/// Sets the coordinates until the guard goes.
pub(crate) struct Index([usize; 4]);

impl Index {
    /// Remembers the coordinates of an outer plain run.
    pub(crate) fn enter() -> Index {
        Index(INDEX.get())
    }

    pub(crate) fn set(&self, index: &[usize]) {
        let mut all = [0; 4];
        all[..index.len()].copy_from_slice(index);
        INDEX.set(all);
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        INDEX.set(self.0);
    }
}
