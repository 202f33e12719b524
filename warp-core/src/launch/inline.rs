//! Arguments in place: launches allocate nothing for a few of them.

use std::mem::MaybeUninit;

/// A growing list that allocates only beyond `N` items.
pub(super) struct Inline<T: Copy, const N: usize> {
    len: usize,
    few: [MaybeUninit<T>; N],
    /// All items, once there are more than `N`.
    many: Vec<T>,
}

impl<T: Copy, const N: usize> Inline<T, N> {
    #[inline]
    pub(super) fn new() -> Self {
        Inline { len: 0, few: [const { MaybeUninit::uninit() }; N], many: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        if self.len < N {
            self.few[self.len].write(item);
        } else {
            self.push_far(item);
        }
        self.len += 1;
    }

    #[cold]
    fn push_far(&mut self, item: T) {
        if self.len == N {
            // SAFETY: the first `N` items were written.
            self.many.extend(self.few.iter().map(|slot| unsafe { slot.assume_init() }));
        }
        self.many.push(item);
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        if self.len > N {
            return &self.many;
        }
        // SAFETY: the first `len` items were written, and `len <= N`.
        unsafe { std::slice::from_raw_parts(self.few.as_ptr().cast(), self.len) }
    }
}
