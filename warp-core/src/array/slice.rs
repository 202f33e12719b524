//! Handles on a part of an array: ranges, rows, columns, steps, other shapes.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, Deref, DerefMut, RangeBounds};

use super::Array;
use super::dims::{Dims, dense_strides, spoken, volume};
use crate::element::Element;
use crate::error::Error;

/// A part of an array, for reading. It goes where `&Array<T, R>` goes.
pub struct Slice<'a, T: Element, const R: usize = 1> {
    pub(super) part: Array<T, R>,
    pub(super) whole: PhantomData<&'a T>,
}

/// A part of an array, for reading and writing. It goes where `&mut Array<T, R>` goes.
pub struct SliceMut<'a, T: Element, const R: usize = 1> {
    pub(super) part: Array<T, R>,
    pub(super) whole: PhantomData<&'a mut T>,
}

impl<T: Element, const R: usize> Deref for Slice<'_, T, R> {
    type Target = Array<T, R>;

    #[inline]
    fn deref(&self) -> &Array<T, R> {
        &self.part
    }
}

impl<T: Element, const R: usize> Deref for SliceMut<'_, T, R> {
    type Target = Array<T, R>;

    #[inline]
    fn deref(&self) -> &Array<T, R> {
        &self.part
    }
}

impl<T: Element, const R: usize> DerefMut for SliceMut<'_, T, R> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Array<T, R> {
        &mut self.part
    }
}

impl<T: Element + fmt::Debug, const R: usize> fmt::Debug for Slice<'_, T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.part.fmt(f)
    }
}

impl<T: Element + fmt::Debug, const R: usize> fmt::Debug for SliceMut<'_, T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.part.fmt(f)
    }
}

/// A part that borrows for reading and its twin that borrows for writing, from one description of the part.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident, $name_mut:ident<$out:tt>($($arg:ident: $ty:ty),*) $(where [$($g:tt)*])?
        = $private:ident;)*) => { $(
        $(#[$doc])*
        pub fn $name $(<$($g)*>)? (&self $(, $arg: $ty)*) -> Result<Slice<'_, T, $out>, Error> {
            Ok(Slice { part: self.$private($($arg),*)?, whole: PhantomData })
        }

        $(#[$doc])*
        ///
        /// For reading and writing.
        pub fn $name_mut $(<$($g)*>)? (&mut self $(, $arg: $ty)*) -> Result<SliceMut<'_, T, $out>, Error> {
            Ok(SliceMut { part: self.$private($($arg),*)?, whole: PhantomData })
        }
    )* };
}

impl<T: Element, const R: usize> Array<T, R> {
    parts! {
        /// The elements with indices in `range` along the first dimension.
        slice, slice_mut<R>(range: impl RangeBounds<usize>) = cut;
        /// The elements with indices in `range` along dimension `dim`.
        slice_along, slice_along_mut<R>(dim: usize, range: impl RangeBounds<usize>) = cut_along;
        /// Every `step`-th element along dimension `dim`, from the first on.
        step_along, step_along_mut<R>(dim: usize, step: usize) = stepped;
        /// The same elements with the order of the dimensions reversed: rows become columns.
        transpose, transpose_mut<R>() = turned;
        /// The same elements in row-major order under other extents, of which there may be more or fewer. The elements
        /// must lie one after another.
        reshape, reshape_mut<Q>(dims: impl Dims<Q>) where [const Q: usize] = shaped;
    }

    fn cut(&self, range: impl RangeBounds<usize>) -> Result<Array<T, R>, Error> {
        self.cut_along(0, range)
    }

    fn cut_along(&self, dim: usize, range: impl RangeBounds<usize>) -> Result<Array<T, R>, Error> {
        let extent = self.extent(dim)?;
        let start = match range.start_bound() {
            Bound::Included(&n) => Some(n),
            Bound::Excluded(&n) => n.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match range.end_bound() {
            Bound::Included(&n) => n.checked_add(1),
            Bound::Excluded(&n) => Some(n),
            Bound::Unbounded => Some(extent),
        };
        match (start, end) {
            (Some(start), Some(end)) if start <= end && end <= extent => Ok(self.range(dim, start, end)),
            _ => {
                let what = format!("the range {}", spoken_range(range.start_bound(), range.end_bound()));
                Err(Error::Range { what, dim, extent })
            }
        }
    }

    fn range(&self, dim: usize, start: usize, end: usize) -> Array<T, R> {
        let mut extents = self.extents;
        extents[dim] = end - start;
        // An empty part stays at the start, so that its address is inside the buffer.
        let skip = if start == end || self.is_empty() { 0 } else { start * self.strides[dim] };
        self.with(skip, extents, self.strides)
    }

    fn stepped(&self, dim: usize, step: usize) -> Result<Array<T, R>, Error> {
        let extent = self.extent(dim)?;
        if step == 0 {
            return Err(Error::Range { what: "a step of 0".into(), dim, extent });
        }
        let (mut extents, mut strides) = (self.extents, self.strides);
        extents[dim] = extent.div_ceil(step);
        // With at most one element the stride is of no use, and may overflow.
        strides[dim] = if extents[dim] > 1 { strides[dim].wrapping_mul(step) } else { 1 };
        Ok(self.with(0, extents, strides))
    }

    fn turned(&self) -> Result<Array<T, R>, Error> {
        let (mut extents, mut strides) = (self.extents, self.strides);
        extents.reverse();
        strides.reverse();
        Ok(self.with(0, extents, strides))
    }

    fn shaped<const Q: usize>(&self, dims: impl Dims<Q>) -> Result<Array<T, Q>, Error> {
        const { assert!(Q >= 1 && Q <= 4, "arrays have 1 to 4 dimensions") };
        let extents = dims.extents();
        if !self.is_contiguous() {
            return Err(Error::Strided { doing: "another shape".into() });
        }
        if volume(&extents) != Some(self.len()) {
            return Err(Error::Shape {
                doing: "giving an array another shape".into(),
                expected: format!("extents with {} elements in all", self.len()),
                found: spoken(&extents),
            });
        }
        Ok(self.with(0, extents, dense_strides(&extents)))
    }

    /// The same elements, with no gradient: launches and copies take the handle as they take the array, and no gradient
    /// flows back through it. What is read there counts as constant.
    ///
    /// ```
    /// # use warp_core::{Array, Error};
    /// fn copy_of_now(a: &Array<f32>, b: &mut Array<f32>) -> Result<(), Error> {
    ///     b.copy_from(&a.detach())
    /// }
    /// ```
    pub fn detach(&self) -> Slice<'_, T, R> {
        let mut part = self.with(0, self.extents, self.strides);
        part.detached = true;
        Slice { part, whole: PhantomData }
    }

    /// Two parts along the first dimension: before `at`, and from there on. Both may be written at the same time.
    pub fn split_at_mut(&mut self, at: usize) -> Result<(SliceMut<'_, T, R>, SliceMut<'_, T, R>), Error> {
        let (low, high) = (self.cut(..at)?, self.cut(at..)?);
        Ok((SliceMut { part: low, whole: PhantomData }, SliceMut { part: high, whole: PhantomData }))
    }

    fn extent(&self, dim: usize) -> Result<usize, Error> {
        self.extents.get(dim).copied().ok_or_else(|| Error::Shape {
            doing: "taking a part of an array".into(),
            expected: format!("a dimension below {R}"),
            found: format!("dimension {dim}"),
        })
    }

    fn without<const Q: usize>(&self, dim: usize, index: usize) -> Result<Array<T, Q>, Error> {
        let extent = self.extent(dim)?;
        if index >= extent {
            return Err(Error::Range { what: format!("index {index}"), dim, extent });
        }
        let rest = |all: &[usize; R]| std::array::from_fn(|d| all[d + usize::from(d >= dim)]);
        let (extents, strides): ([usize; Q], [usize; Q]) = (rest(&self.extents), rest(&self.strides));
        let skip = if self.is_empty() { 0 } else { index * self.strides[dim] };
        Ok(self.with(skip, extents, strides))
    }
}

macro_rules! drop_one_dimension {
    ($($from:literal => $to:literal),*) => { $(
        impl<T: Element> Array<T, $from> {
            parts! {
                /// The elements with index `index` in dimension `dim`: one dimension fewer.
                pick, pick_mut<$to>(dim: usize, index: usize) = without;
            }
        }
    )* };
}

drop_one_dimension!(2 => 1, 3 => 2, 4 => 3);

impl<T: Element> Array<T, 2> {
    parts! {
        /// One row.
        row, row_mut<1>(index: usize) = row_part;
        /// One column; its elements lie apart, so it goes where a kernel takes a view, not a slice.
        column, column_mut<1>(index: usize) = column_part;
    }

    fn row_part(&self, index: usize) -> Result<Array<T>, Error> {
        self.without(0, index)
    }

    fn column_part(&self, index: usize) -> Result<Array<T>, Error> {
        self.without(1, index)
    }
}

fn spoken_range(start: Bound<&usize>, end: Bound<&usize>) -> String {
    let start = match start {
        Bound::Included(n) => n.to_string(),
        Bound::Excluded(n) => format!("{}", n.wrapping_add(1)),
        Bound::Unbounded => String::new(),
    };
    match end {
        Bound::Included(n) => format!("{start}..={n}"),
        Bound::Excluded(n) => format!("{start}..{n}"),
        Bound::Unbounded => format!("{start}.."),
    }
}
