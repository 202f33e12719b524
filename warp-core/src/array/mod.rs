//! Typed arrays in device memory.

mod access;
pub(crate) mod borrow;
pub(crate) mod buffer;
mod cast;
mod copy;
pub(crate) mod dims;
mod foreign;
pub(crate) mod intervals;
mod npy;
mod planes;
mod slice;
mod transfer;
pub(crate) mod watch;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

pub use access::{ReadGuard, WriteGuard};
pub use dims::Dims;
pub use foreign::{Loan, Refused};
pub use planes::SoaArray;
pub use slice::{Slice, SliceMut};

use crate::backend::BackendError;
use crate::device::Device;
use crate::element::{Element, Zeroed};
use crate::error::Error;
use crate::forward;
use crate::graph::capture;
use crate::tape::recorder;
use borrow::Span;
use buffer::Buffer;
use dims::{EXTENT_LIMIT, dense_strides, spoken, volume};

/// An array on a device, with 1 to 4 dimensions, the last one fastest.
///
/// Kernels take `&Array<T>` for a parameter `&[T]`, `&mut Array<T>` for `&mut [T]`, and `Array<T, 2>` to `Array<T, 4>`
/// for views. [`slice`](Array::slice), [`row`](Array::row), [`transpose`](Array::transpose) and their relatives give
/// handles on a part, which go where a whole array goes.
///
/// ```
/// # use warp_core::{Array, Device, Error};
/// fn halves(device: &Device) -> Result<(), Error> {
///     let mut a = Array::from_fn(device, (4, 6), |[row, column]| (10 * row + column) as f32)?;
///     assert_eq!(a.row(2)?.to_vec()?, [20.0, 21.0, 22.0, 23.0, 24.0, 25.0]);
///     a.column_mut(0)?.fill(-1.0)?;
///     let (mut top, mut bottom) = a.split_at_mut(2)?; // both go into one launch, or to two threads
///     top.fill(0.0)?;
///     bottom.fill(1.0)
/// }
/// ```
pub struct Array<T: Element, const R: usize = 1> {
    pub(crate) buffer: Arc<Buffer>,
    /// Byte offset of the first element.
    pub(crate) start: usize,
    pub(crate) extents: [usize; R],
    /// In elements.
    pub(crate) strides: [usize; R],
    /// Whether no gradient flows through this handle.
    pub(crate) detached: bool,
    pub(crate) element: PhantomData<T>,
}

impl<T: Element, const R: usize> Array<T, R> {
    /// An array of zeros.
    pub fn zeros(device: &Device, dims: impl Dims<R>) -> Result<Self, Error>
    where
        T: Zeroed,
    {
        Self::allocate(device, dims.extents())
    }

    /// An array of equal elements.
    pub fn full(device: &Device, dims: impl Dims<R>, value: T) -> Result<Self, Error> {
        let mut array = Self::allocate(device, dims.extents())?;
        array.fill_elements(value)?;
        Ok(array)
    }

    /// An array whose elements `f` makes from their indices, one index a dimension.
    pub fn from_fn(device: &Device, dims: impl Dims<R>, mut f: impl FnMut([usize; R]) -> T) -> Result<Self, Error> {
        let extents = dims.extents();
        let n = Self::checked_len(&extents)?;
        let mut values = Vec::new();
        values.try_reserve_exact(n).map_err(|source| Error::Memory {
            device: "host".into(),
            bytes: n * size_of::<T>(),
            source: BackendError(source.to_string()),
        })?;
        let mut index = [0; R];
        for _ in 0..n {
            values.push(f(index));
            advance(&mut index, &extents);
        }
        Self::from_shaped(device, extents, &values)
    }

    /// An array from elements in row-major order; there must be as many as the extents say.
    pub fn from_shaped(device: &Device, dims: impl Dims<R>, values: &[T]) -> Result<Self, Error> {
        let extents = dims.extents();
        let n = Self::checked_len(&extents)?;
        if n != values.len() {
            return Err(Error::Shape {
                doing: "making an array".into(),
                expected: format!("{n} elements ({})", spoken(&extents)),
                found: format!("{} elements", values.len()),
            });
        }
        let mut array = Self::allocate(device, extents)?;
        array.store(values)?;
        Ok(array)
    }

    /// Zeroed memory. All of it is overwritten before anyone reads it when zeros are no value of `T`.
    fn allocate(device: &Device, extents: [usize; R]) -> Result<Self, Error> {
        const { assert!(R >= 1 && R <= 4, "arrays have 1 to 4 dimensions") };
        const { assert!(size_of::<T>() > 0, "an element of an array has a size") };
        const { assert!(align_of::<T>() <= 64, "arrays are aligned to 64 bytes") };
        let n = Self::checked_len(&extents)?;
        let buffer = Buffer::zeroed(device, n * size_of::<T>())?;
        Ok(Array { buffer, start: 0, extents, strides: dense_strides(&extents), detached: false, element: PhantomData })
    }

    fn checked_len(extents: &[usize; R]) -> Result<usize, Error> {
        volume(extents)
            .filter(|n| n.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes < EXTENT_LIMIT))
            .ok_or_else(|| Error::TooLarge { what: format!("an array of {} elements", spoken(extents)) })
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        // Exact, or some extent is 0.
        self.extents.iter().fold(1, |all: usize, &extent| all.wrapping_mul(extent))
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Extent of each dimension, slowest first.
    #[inline]
    pub fn shape(&self) -> [usize; R] {
        self.extents
    }

    /// Distance between neighbours in each dimension, in elements.
    #[inline]
    pub fn strides(&self) -> [usize; R] {
        self.strides
    }

    /// Where it lives.
    #[inline]
    pub fn device(&self) -> &Device {
        self.buffer.device()
    }

    /// Whether the elements lie one after another in row-major order. Views of columns and the like do not.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        if R == 1 {
            return self.strides[0] == 1 || self.extents[0] <= 1;
        }
        self.is_empty()
            || self
                .extents
                .iter()
                .zip(&self.strides)
                .zip(dense_strides(&self.extents))
                .all(|((&n, &stride), dense)| n == 1 || stride == dense)
    }

    /// The bytes from the first to the end of the last element.
    #[inline]
    pub(crate) fn span(&self) -> Span {
        if self.is_empty() {
            return Span { start: self.start, end: self.start };
        }
        let last: usize = (0..R).map(|d| (self.extents[d] - 1) * self.strides[d]).sum();
        Span { start: self.start, end: self.start + (last + 1) * size_of::<T>() }
    }

    /// Hands the address of the first element to code that is no kernel of this crate and only reads: of the host where
    /// [`Device::host_memory`] says so, else of the device. What the device has to do is done by then; the array is
    /// in use until `work` returns, and what `work` starts must have ended by then.
    pub fn with_address<A>(&self, work: impl FnOnce(u64) -> A) -> Result<A, Error> {
        capture::refuse("handing an address out")?;
        let _in_use = self.buffer.hold(self.span(), false)?;
        self.device().check()?;
        Ok(work(self.address()))
    }

    /// The same for code that also writes. It must leave values of the elements' type. Not while a
    /// [`Tape`](crate::Tape) records on this thread or [`Tangents`](crate::Tangents) run, which could not follow what is
    /// written.
    pub fn with_address_mut<A>(&mut self, work: impl FnOnce(u64) -> A) -> Result<A, Error> {
        recorder::refuse_guard()?;
        forward::refuse_guard()?;
        capture::refuse("handing an address out")?;
        let _in_use = self.buffer.hold(self.span(), true)?;
        self.device().check()?;
        Ok(work(self.address()))
    }

    /// Address of the first element.
    #[inline]
    pub(crate) fn address(&self) -> u64 {
        self.buffer.address() + self.start as u64
    }

    /// A handle on the same memory as `n` scalars one after another.
    ///
    /// # Safety
    /// The array is contiguous, and its elements are `n` scalars of type `S` in all and nothing else. Writes through the
    /// handle are the caller's, as if it had borrowed the array.
    pub(crate) unsafe fn scalars<S: Element>(&self, n: usize) -> Array<S> {
        let (buffer, start, detached) = (self.buffer.clone(), self.start, self.detached);
        Array { buffer, start, extents: [n], strides: [1], detached, element: PhantomData }
    }

    /// Another handle on the same memory. Private: users get it wrapped in a borrow.
    pub(crate) fn with<const Q: usize>(&self, skip: usize, extents: [usize; Q], strides: [usize; Q]) -> Array<T, Q> {
        let start = self.start + skip * size_of::<T>();
        let (buffer, detached) = (self.buffer.clone(), self.detached);
        Array { buffer, start, extents, strides, detached, element: PhantomData }
    }
}

impl<T: Element> Array<T> {
    /// An array with the elements of a slice.
    pub fn from_slice(device: &Device, values: &[T]) -> Result<Self, Error> {
        Self::from_shaped(device, values.len(), values)
    }

    /// An array with the elements of a vector.
    pub fn from_vec(device: &Device, values: Vec<T>) -> Result<Self, Error> {
        Self::from_slice(device, &values)
    }
}

/// Steps to the next index in row-major order.
pub(crate) fn advance(index: &mut [usize], extents: &[usize]) {
    for d in (0..index.len()).rev() {
        index[d] += 1;
        if index[d] < extents[d] {
            return;
        }
        index[d] = 0;
    }
}

impl<T: Element + fmt::Debug, const R: usize> fmt::Debug for Array<T, R> {
    /// Shape, device and the first elements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        write!(f, "Array({} on {}) ", spoken(&self.extents), self.device())?;
        match self.first(SHOWN) {
            Ok(values) => {
                let mut list = f.debug_list();
                list.entries(&values);
                if self.len() > SHOWN { list.finish_non_exhaustive() } else { list.finish() }
            }
            Err(why) => write!(f, "({why})"),
        }
    }
}
