//! Arrays with each scalar of the element in a plane of its own.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::borrow::Span;
use super::buffer::Buffer;
use super::dims::{EXTENT_LIMIT, volume};
use crate::device::Device;
use crate::element::{Element, Zeroed};
use crate::error::Error;
use crate::forward;
use crate::graph::capture;
use crate::layout::{read_scalar, write_scalar};
use crate::tape::{Copied, Overwritten, Region, Step, recorder};

/// A structure of arrays: `T`'s first scalar for all elements, then the second for all, and so on. Kernels take it for
/// a parameter `&Soa<T>` or `&mut Soa<T>`, and index it like a slice.
///
/// Kernels that use few fields of a large struct, or run in vector lanes, read less memory this way.
pub struct SoaArray<T: Element> {
    pub(crate) buffer: Arc<Buffer>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Element> SoaArray<T> {
    /// An array of zeros. It does not compile for types of which all-zero bits are no value.
    pub fn zeros(device: &Device, len: usize) -> Result<Self, Error>
    where
        T: Zeroed,
    {
        Self::allocate(device, len)
    }

    /// An array with the elements of a slice.
    pub fn from_slice(device: &Device, values: &[T]) -> Result<Self, Error> {
        let mut array = Self::allocate(device, values.len())?;
        array.store(values)?;
        Ok(array)
    }

    fn allocate(device: &Device, len: usize) -> Result<Self, Error> {
        const { assert!(T::LAYOUT.leaves() > 0, "an element of an array has a size") };
        let bytes = volume(&[len])
            .and_then(|_| plane_start::<T>(len, T::LAYOUT.leaves()))
            .filter(|bytes| *bytes < EXTENT_LIMIT)
            .ok_or_else(|| Error::TooLarge { what: format!("an array of {len} elements") })?;
        Ok(SoaArray { buffer: Buffer::zeroed(device, bytes)?, len, element: PhantomData })
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where it lives.
    #[inline]
    pub fn device(&self) -> &Device {
        self.buffer.device()
    }

    /// All elements.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let _hold = self.buffer.hold(self.span(), false)?;
        let planes = self.planes()?;
        let mut values: Vec<T> = Vec::with_capacity(self.len);
        let to = values.as_mut_ptr().cast::<u8>();
        self.for_each_scalar(|plane, at, scalar| {
            // SAFETY: `at` is inside the vector's capacity, and the bytes are one scalar long.
            unsafe { write_scalar(to.add(at), scalar, read_scalar(planes.as_ptr().add(plane), scalar)) }
        });
        // SAFETY: all leaves of all elements were written, and a value is all in its leaves.
        unsafe { values.set_len(self.len) };
        Ok(values)
    }

    /// Overwrites all elements.
    pub fn copy_from_slice(&mut self, values: &[T]) -> Result<(), Error> {
        if values.len() != self.len {
            return Err(Error::Shape {
                doing: "copying into an array".into(),
                expected: format!("{} elements", self.len),
                found: format!("{} elements", values.len()),
            });
        }
        let by = "copy_from_slice";
        let hold = self.buffer.claim(self.span(), true)?;
        match recorder::recording() {
            false => self.store_held(values)?,
            true => {
                let step = Step::Overwrite(Overwritten { region: Region::of_planes(self), by, fill: None });
                recorder::host(step, &[(&self.buffer.clone(), self.span(), true)], true, || self.store_held(values))?;
            }
        }
        drop(hold);
        if !forward::running() {
            return Ok(());
        }
        forward::overwritten(&self.buffer, self.span(), by, |twin| Region::of_planes(&self.on_mirror(twin)))
    }

    /// Overwrites all elements, of which there are as many; tapes take no notice.
    fn store(&mut self, values: &[T]) -> Result<(), Error> {
        let _hold = self.buffer.claim(self.span(), true)?;
        self.store_held(values)
    }

    /// As [`store`](SoaArray::store), of an array that is held.
    fn store_held(&mut self, values: &[T]) -> Result<(), Error> {
        let mut planes = vec![0u8; self.span().end];
        let from = values.as_ptr().cast::<u8>();
        self.for_each_scalar(|plane, at, scalar| {
            // SAFETY: `at` is inside the values, `plane` inside the planes.
            unsafe { write_scalar(planes.as_mut_ptr().add(plane), scalar, read_scalar(from.add(at), scalar)) }
        });
        if capture::capturing() {
            return self.buffer.capture_upload(0, &planes);
        }
        self.buffer.writes().note(self.span());
        // SAFETY: the buffer has these bytes and is held for writing.
        unsafe { self.buffer.upload(0, &planes, "writing an array") }
    }

    /// Calls `f` with a scalar's byte offset among the planes, its byte offset among elements, and its type.
    fn for_each_scalar(&self, mut f: impl FnMut(usize, usize, warp_ir::ir::Scalar)) {
        for leaf in 0..T::LAYOUT.leaves() {
            let (offset, scalar) = T::LAYOUT.leaf(leaf);
            let plane = self.plane(leaf);
            for k in 0..self.len {
                f(plane + k * scalar.size(), k * size_of::<T>() + offset, scalar);
            }
        }
    }

    fn planes(&self) -> Result<Vec<u8>, Error> {
        capture::refuse("reading an array")?;
        let mut planes = vec![0u8; self.span().end];
        // SAFETY: the buffer has these bytes, and the caller holds it for reading.
        unsafe { self.buffer.download(0, &mut planes, "reading an array") }?;
        Ok(planes)
    }

    /// A copy in fresh memory, in sight of the tapes of this thread.
    pub(crate) fn copied(&self) -> Result<SoaArray<T>, Error> {
        let copy = Self::allocate(self.device(), self.len)?;
        let (from, to) = (&self.buffer, &copy.buffer);
        let (span, bytes) = (self.span(), self.span().end);
        if capture::capturing() {
            let _holds = (from.claim(span, false)?, to.claim(span, true)?);
            to.capture_copy(0, from, 0, bytes)?;
            return Ok(copy);
        }
        let run = || {
            let _holds = (from.hold(span, false)?, to.hold(span, true)?);
            // SAFETY: both have these bytes, are held, and are not the same.
            unsafe { to.copy(0, from, 0, bytes, "copying an array") }
        };
        if !recorder::recording() {
            run()?;
        } else {
            let (from, to) = (Region::of_planes(self), Region::of_planes(&copy));
            let step = Step::Copy(Copied { from, to, detached: false });
            recorder::host(step, &[(&self.buffer, span, false), (&copy.buffer, span, true)], false, run)?;
        }
        Ok(copy)
    }

    /// The same elements in the memory of a gradient.
    pub(crate) fn on_mirror(&self, buffer: Arc<Buffer>) -> SoaArray<T> {
        SoaArray::on(buffer, self.len)
    }

    /// Elements in a buffer that has room for them.
    pub(crate) fn on(buffer: Arc<Buffer>, len: usize) -> SoaArray<T> {
        SoaArray { buffer, len, element: PhantomData }
    }

    /// Byte offset of a leaf's plane.
    #[inline]
    pub(crate) fn plane(&self, leaf: usize) -> usize {
        plane_start::<T>(self.len, leaf).unwrap_or(0)
    }

    #[inline]
    pub(crate) fn span(&self) -> Span {
        Span { start: 0, end: self.plane(T::LAYOUT.leaves()) }
    }
}

/// Where a plane starts: each one at a cache line. `None` when that is more than memory can hold.
fn plane_start<T: Element>(len: usize, leaf: usize) -> Option<usize> {
    (0..leaf).try_fold(0usize, |at, k| {
        let bytes = len.checked_mul(T::LAYOUT.leaf(k).1.size())?;
        at.checked_add(bytes.checked_next_multiple_of(64)?)
    })
}

impl<T: Element + fmt::Debug> fmt::Debug for SoaArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SoaArray({} on {})", self.len, self.device())
    }
}
