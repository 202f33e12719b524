//! `View2` to `View4`: what a kernel's parameter with several dimensions is on the host.

use std::ops::{Index, IndexMut};

use crate::array::dims::{dense_strides, spoken, volume};

macro_rules! views {
    ($($view:ident, $view_mut:ident, $rank:literal, ($($i:ident: $ty:ty),*);)*) => { $(
        /// Elements that are read, indexed by a tuple: `a[(i, j)]` and so on, the last index fastest.
        ///
        /// A kernel takes it by value; a launch passes an `&Array<T, R>` or a part of one.
        #[derive(Clone, Copy, Debug)]
        pub struct $view<'a, T> {
            elements: &'a [T],
            extents: [usize; $rank],
            strides: [usize; $rank],
        }

        /// Elements that are read and written, indexed by a tuple: `a[(i, j)]` and so on, the last index fastest.
        ///
        /// A kernel takes it by value; a launch passes an `&mut Array<T, R>` or a part of one.
        #[derive(Debug)]
        pub struct $view_mut<'a, T> {
            elements: &'a mut [T],
            extents: [usize; $rank],
            strides: [usize; $rank],
        }

        impl<'a, T> $view<'a, T> {
            /// A view of elements in row-major order.
            ///
            /// # Panics
            /// When the extents do not cover the slice exactly.
            #[track_caller]
            pub fn new(elements: &'a [T], extents: [usize; $rank]) -> Self {
                covers(elements.len(), &extents);
                Self { elements, extents, strides: dense_strides(&extents) }
            }

            /// For generated code: elements, extents, and strides in elements.
            #[doc(hidden)]
            pub fn of_parts((elements, extents, strides): (&'a [T], [usize; $rank], [usize; $rank])) -> Self {
                Self { elements, extents, strides }
            }
        }

        impl<'a, T> $view_mut<'a, T> {
            /// A view of elements in row-major order.
            ///
            /// # Panics
            /// When the extents do not cover the slice exactly.
            #[track_caller]
            pub fn new(elements: &'a mut [T], extents: [usize; $rank]) -> Self {
                covers(elements.len(), &extents);
                Self { elements, extents, strides: dense_strides(&extents) }
            }

            /// For generated code: elements, extents, and strides in elements.
            #[doc(hidden)]
            pub fn of_parts((elements, extents, strides): (&'a mut [T], [usize; $rank], [usize; $rank])) -> Self {
                Self { elements, extents, strides }
            }

            /// The same view for a shorter time.
            pub fn reborrow(&mut self) -> $view_mut<'_, T> {
                $view_mut { elements: &mut *self.elements, extents: self.extents, strides: self.strides }
            }

            /// The same elements, for reading.
            pub fn as_view(&self) -> $view<'_, T> {
                $view { elements: self.elements, extents: self.extents, strides: self.strides }
            }
        }

        impl<T> Index<($($ty),*)> for $view<'_, T> {
            type Output = T;

            #[track_caller]
            fn index(&self, ($($i),*): ($($ty),*)) -> &T {
                &self.elements[flat([$($i),*], &self.extents, &self.strides)]
            }
        }

        impl<T> Index<($($ty),*)> for $view_mut<'_, T> {
            type Output = T;

            #[track_caller]
            fn index(&self, ($($i),*): ($($ty),*)) -> &T {
                &self.elements[flat([$($i),*], &self.extents, &self.strides)]
            }
        }

        impl<T> IndexMut<($($ty),*)> for $view_mut<'_, T> {
            #[track_caller]
            fn index_mut(&mut self, ($($i),*): ($($ty),*)) -> &mut T {
                &mut self.elements[flat([$($i),*], &self.extents, &self.strides)]
            }
        }

        impl<T> $view_mut<'_, T> {
            /// Exchanges two elements.
            #[track_caller]
            pub fn swap(&mut self, ($($i),*): ($($ty),*), b: ($($ty),*)) {
                let a = flat([$($i),*], &self.extents, &self.strides);
                let ($($i),*) = b;
                let b = flat([$($i),*], &self.extents, &self.strides);
                self.elements.swap(a, b);
            }
        }

        impl<T: Copy> $view_mut<'_, T> {
            /// Overwrites one element.
            #[track_caller]
            pub fn set(&mut self, index: ($($ty),*), value: T) {
                self[index] = value;
            }
        }

        views!(@both $view, $rank, ($($ty),*));
        views!(@both $view_mut, $rank, ($($ty),*));
    )* };
    (@both $name:ident, $rank:literal, $index:ty) => {
        impl<T: Copy> $name<'_, T> {
            /// One element.
            #[track_caller]
            pub fn get(&self, index: $index) -> T {
                self[index]
            }
        }

        impl<T> $name<'_, T> {
            /// Extent of dimension `k`; 0 is the slowest.
            #[track_caller]
            pub fn dim(&self, k: usize) -> usize {
                self.extents[k]
            }

            /// The same as [`dim`](Self::dim), by the word that arrays use.
            #[track_caller]
            pub fn extent(&self, k: usize) -> usize {
                self.dim(k)
            }

            /// Extents of all dimensions, slowest first.
            pub fn shape(&self) -> [usize; $rank] {
                self.extents
            }

            /// Extent of the first dimension.
            pub fn rows(&self) -> usize {
                self.extents[0]
            }

            /// Extent of the second dimension.
            pub fn cols(&self) -> usize {
                self.extents[1]
            }

            /// Number of elements.
            pub fn len(&self) -> usize {
                // Exact, or some extent is 0.
        self.extents.iter().fold(1, |all: usize, &extent| all.wrapping_mul(extent))
            }

            /// Whether there are no elements.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }
    };
}

views! {
    View2, ViewMut2, 2, (i: usize, j: usize);
    View3, ViewMut3, 3, (i: usize, j: usize, k: usize);
    View4, ViewMut4, 4, (i: usize, j: usize, k: usize, l: usize);
}

#[track_caller]
fn covers(len: usize, extents: &[usize]) {
    assert!(volume(extents) == Some(len), "a view of {} does not fit {len} elements", spoken(extents));
}

/// Position of an element; each index is checked against its own dimension.
#[track_caller]
fn flat<const R: usize>(index: [usize; R], extents: &[usize; R], strides: &[usize; R]) -> usize {
    let mut at = 0;
    for d in 0..R {
        assert!(
            index[d] < extents[d],
            "index {} is out of range for dimension {d}, which is {} long",
            index[d],
            extents[d]
        );
        at += index[d] * strides[d];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_go_row_by_row() {
        let mut all: Vec<usize> = (0..24).collect();
        let mut view = ViewMut3::new(&mut all, [2, 3, 4]);
        assert_eq!((view[(1, 2, 3)], view.get((1, 0, 1)), view.len(), view.shape()), (23, 13, 24, [2, 3, 4]));
        view.reborrow().set((0, 1, 0), 99);
        assert_eq!((view.as_view()[(0, 1, 0)], view.dim(2), view.rows(), view.cols()), (99, 4, 2, 3));
        view.swap((0, 0, 0), (1, 2, 3));
        assert_eq!((view[(0, 0, 0)], view[(1, 2, 3)], view.extent(2)), (23, 0, 4));
        assert!(View4::<u8>::new(&[], [1, 0, 2, 3]).is_empty());
    }

    #[test]
    #[should_panic = "index 3 is out of range for dimension 1, which is 3 long"]
    fn each_index_has_its_own_limit() {
        let all = [0; 6];
        let _ = View2::new(&all, [2, 3])[(0, 3)];
    }

    #[test]
    #[should_panic = "a view of 2 x 4 does not fit 6 elements"]
    fn extents_cover_the_slice() {
        View2::new(&[0; 6], [2, 4]);
    }
}
