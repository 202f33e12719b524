//! Elements in and out: whole arrays, single elements, fills.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::sync::Arc;

use super::dims::{Dims, spoken};
use super::{Array, advance};
use crate::element::Element;
use crate::error::Error;
use crate::forward;
use crate::graph::capture;
use crate::layout::{read_scalar, write_scalar};
use crate::tape::{Copied, Overwritten, Region, Step, recorder};

impl<T: Element, const R: usize> Array<T, R> {
    /// All elements in row-major order.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        self.first(self.len())
    }

    /// The first `n` elements in row-major order, or all if there are fewer.
    pub(crate) fn first(&self, n: usize) -> Result<Vec<T>, Error> {
        let _hold = self.buffer.hold(self.span(), false)?;
        self.first_held(n)
    }

    /// As [`first`](Array::first), of an array that is held.
    fn first_held(&self, n: usize) -> Result<Vec<T>, Error> {
        let n = n.min(self.len());
        let mut values: Vec<T> = Vec::with_capacity(n);
        if n == 0 {
            return Ok(values);
        }
        if self.is_contiguous() {
            // SAFETY: the span is held for reading, has `n` elements, and the vector has room for them.
            unsafe { self.read_bytes(0, values.as_mut_ptr(), n)? };
        } else {
            let (window, from) = self.window()?;
            for (k, offset) in self.offsets().take(n).enumerate() {
                // SAFETY: offsets of elements lie inside the window, and `k` is below the capacity.
                unsafe { values.as_mut_ptr().add(k).write(from.add(offset).read()) };
            }
            drop(window);
        }
        // SAFETY: `n` elements were written.
        unsafe { values.set_len(n) };
        Ok(values)
    }

    /// Overwrites all elements, given in row-major order.
    pub fn copy_from_slice(&mut self, values: &[T]) -> Result<(), Error> {
        if values.len() != self.len() {
            return Err(Error::Shape {
                doing: "copying into an array".into(),
                expected: format!("{} elements", self.len()),
                found: format!("{} elements", values.len()),
            });
        }
        self.overwritten("copy_from_slice", None, |array| array.store_held(values))
    }

    /// Overwrites all elements, of which there are as many; tapes take no notice.
    pub(crate) fn store(&mut self, values: &[T]) -> Result<(), Error> {
        let _hold = self.buffer.hold(self.span(), true)?;
        self.store_held(values)
    }

    /// As [`store`](Array::store), of an array that is held.
    fn store_held(&mut self, values: &[T]) -> Result<(), Error> {
        if values.is_empty() {
            return Ok(());
        }
        if self.is_contiguous() {
            return self.write_values(0, values);
        }
        for (offset, value) in self.offsets().zip(values) {
            self.write_values(offset, std::slice::from_ref(value))?;
        }
        Ok(())
    }

    /// Overwrites all elements with those of another array of the same shape, on any device.
    pub fn copy_from(&mut self, from: &Array<T, R>) -> Result<(), Error> {
        if self.extents != from.extents {
            return Err(Error::Shape {
                doing: "copying an array".into(),
                expected: format!("shape {}", spoken(&self.extents)),
                found: format!("shape {}", spoken(&from.extents)),
            });
        }
        // A copy between parts of one array may have elements in both, and takes all that lies between.
        let (from_span, to_span) = (from.span(), self.span());
        let shared = Arc::ptr_eq(&from.buffer, &self.buffer) && from_span.overlaps(to_span);
        let shared = shared && !(self.is_contiguous() && from.is_contiguous());
        let holds = match shared {
            true => [Some(self.buffer.claim(from_span.around(to_span), true)?), None],
            false => [from.buffer.claim(from_span, false)?, self.buffer.claim(to_span, true)?].map(Some),
        };
        if forward::running() {
            forward::notice(&from.buffer, from_span)?;
            forward::notice(&self.buffer, to_span)?;
        }
        match recorder::recording() {
            true => self.copy_recorded(from)?,
            false => self.copy_held(from)?,
        }
        drop(holds);
        if forward::running() { forward::copied(self, from) } else { Ok(()) }
    }

    #[cold]
    fn copy_recorded(&mut self, from: &Array<T, R>) -> Result<(), Error> {
        let step = Step::Copy(Copied { from: Region::of(from), to: Region::of(self), detached: from.detached });
        let uses = [(&from.buffer.clone(), from.span(), false), (&self.buffer.clone(), self.span(), true)];
        recorder::host(step, &uses, true, || self.copy_held(from))
    }

    /// Copies the elements of an array of the same shape; both are held.
    fn copy_held(&mut self, from: &Array<T, R>) -> Result<(), Error> {
        if self.is_empty() {
            return Ok(());
        }
        if capture::capturing() && self.device() == from.device() && self.is_contiguous() && from.is_contiguous() {
            return self.buffer.capture_copy(self.start, &from.buffer, from.start, self.len() * size_of::<T>());
        }
        capture::refuse("copying elements that lie apart, or on another device,")?;
        self.buffer.writes().note(self.span());
        if self.device() != from.device() || !self.is_contiguous() || !from.is_contiguous() {
            return self.store_held(&from.first_held(from.len())?);
        }
        let bytes = self.len() * size_of::<T>();
        // SAFETY: both spans have `bytes` bytes and are held apart, so that they do not overlap.
        unsafe { self.buffer.copy(self.start, &from.buffer, from.start, bytes, "copying an array") }
    }

    /// A copy in fresh memory on the same device.
    pub fn try_clone(&self) -> Result<Array<T, R>, Error> {
        let mut copy = Array::allocate(self.device(), self.extents)?;
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// Sets all elements to one value.
    pub fn fill(&mut self, value: T) -> Result<(), Error> {
        self.overwritten("fill", Some(value), |array| array.fill_held(value))
    }

    /// Sets all elements; tapes take no notice.
    pub(crate) fn fill_elements(&mut self, value: T) -> Result<(), Error> {
        let _hold = self.buffer.hold(self.span(), true)?;
        self.fill_held(value)
    }

    /// As [`fill_elements`](Array::fill_elements), of an array that is held.
    fn fill_held(&mut self, value: T) -> Result<(), Error> {
        if self.is_empty() {
            return Ok(());
        }
        if self.is_contiguous() && capture::capturing() {
            return self.buffer.capture_fill(self.start, &bytes_of(&[value]), self.len());
        }
        if self.is_contiguous() && self.device().host_memory() {
            // SAFETY: the span is held for writing, aligned, and has `len` elements of host memory.
            unsafe {
                let to: *mut MaybeUninit<T> = self.buffer.host().add(self.start).cast();
                std::slice::from_raw_parts_mut(to, self.len()).fill(MaybeUninit::new(value));
            }
            return Ok(());
        }
        if self.is_contiguous() {
            // SAFETY: the span is held for writing, and has `len` elements.
            return unsafe { self.buffer.fill(self.start, &bytes_of(&[value]), self.len(), "filling an array") };
        }
        self.store_held(&vec![value; self.len()])
    }

    /// Lets the host write elements, in sight of the tapes of this thread. They are held from before the tapes look at
    /// them: nobody else writes there meanwhile.
    #[inline]
    fn overwritten(
        &mut self,
        by: &'static str,
        fill: Option<T>,
        write: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let hold = self.buffer.claim(self.span(), true)?;
        if forward::running() {
            forward::notice(&self.buffer, self.span())?;
        }
        let write = |array: &mut Self| {
            if !capture::capturing() {
                array.buffer.writes().note(array.span());
            }
            write(array)
        };
        match recorder::recording() {
            false => write(self)?,
            true => {
                let fill = fill.map(|value| bytes_of(&[value]).into_owned());
                let step = Step::Overwrite(Overwritten { region: Region::of(self), by, fill });
                recorder::host(step, &[(&self.buffer.clone(), self.span(), true)], true, || write(self))?;
            }
        }
        drop(hold);
        if !forward::running() {
            return Ok(());
        }
        forward::overwritten(&self.buffer, self.span(), by, |twin| Region::of(&self.on_mirror(twin)))
    }

    /// One element.
    pub fn get(&self, index: impl Dims<R>) -> Result<T, Error> {
        let element = self.element_at(index.extents())?;
        let mut value = MaybeUninit::uninit();
        let _hold = element.buffer.hold(element.span(), false)?;
        // SAFETY: one element is held and read; then it is initialised.
        unsafe {
            element.read_bytes(0, value.as_mut_ptr(), 1)?;
            Ok(value.assume_init())
        }
    }

    /// Overwrites one element.
    pub fn set(&mut self, index: impl Dims<R>, value: T) -> Result<(), Error> {
        self.element_at(index.extents())?.overwritten("set", None, |element| element.store_held(&[value]))
    }

    fn element_at(&self, index: [usize; R]) -> Result<Array<T, 1>, Error> {
        if let Some(dim) = (0..R).find(|&d| index[d] >= self.extents[d]) {
            return Err(Error::Range { what: format!("index {}", index[dim]), dim, extent: self.extents[dim] });
        }
        let skip = (0..R).map(|d| index[d] * self.strides[d]).sum();
        Ok(self.with(skip, [1], [1]))
    }

    /// Offsets of the elements from the first, in elements, in row-major order.
    fn offsets(&self) -> impl Iterator<Item = usize> {
        let (extents, strides) = (self.extents, self.strides);
        let mut index = [0; R];
        (0..self.len()).map(move |_| {
            let offset = (0..R).map(|d| index[d] * strides[d]).sum();
            advance(&mut index, &extents);
            offset
        })
    }

    /// Copies `n` elements, from `skip` elements after the first.
    ///
    /// # Safety
    /// They lie one after another inside the array, which is held for reading, and `to` has room for them.
    unsafe fn read_bytes(&self, skip: usize, to: *mut T, n: usize) -> Result<(), Error> {
        capture::refuse("reading an array")?;
        let bytes = n * size_of::<T>();
        let at = self.start + skip * size_of::<T>();
        if self.device().host_memory() {
            // SAFETY: as the caller says; fresh memory of the vector is elsewhere.
            unsafe { std::ptr::copy_nonoverlapping(self.buffer.host().add(at).cast::<T>(), to, n) };
            return Ok(());
        }
        // SAFETY: `to` has room for the bytes, and they are initialised before they are seen as a slice.
        let bytes = unsafe {
            to.cast::<u8>().write_bytes(0, bytes);
            std::slice::from_raw_parts_mut(to.cast::<u8>(), bytes)
        };
        // SAFETY: the range is inside the buffer and held for reading.
        unsafe { self.buffer.download(at, bytes, "reading an array") }
    }

    /// Writes values one after another, from `skip` elements after the first; the array is held for writing.
    fn write_values(&self, skip: usize, values: &[T]) -> Result<(), Error> {
        let at = self.start + skip * size_of::<T>();
        if capture::capturing() {
            return self.buffer.capture_upload(at, &bytes_of(values));
        }
        if self.device().host_memory() {
            // SAFETY: the range is inside the buffer, held for writing, and aligned; a host slice is never inside it,
            // as guards hold the buffer.
            unsafe {
                let to = self.buffer.host().add(at).cast::<T>();
                std::ptr::copy_nonoverlapping(values.as_ptr(), to, values.len());
            }
            return Ok(());
        }
        // SAFETY: the range is inside the buffer and held for writing.
        unsafe { self.buffer.upload(at, &bytes_of(values), "writing an array") }
    }

    /// The memory between the first and the last element, for reading while the array is held; and its start.
    fn window(&self) -> Result<(Vec<MaybeUninit<T>>, *const T), Error> {
        capture::refuse("reading an array")?;
        if self.device().host_memory() {
            // SAFETY: the start is inside the buffer.
            return Ok((Vec::new(), unsafe { self.buffer.host().add(self.start) }.cast()));
        }
        let span = self.span();
        let n = (span.end - span.start) / size_of::<T>();
        let mut copy: Vec<MaybeUninit<T>> = Vec::with_capacity(n);
        // SAFETY: the span has `n` elements, and the vector has room for them.
        unsafe {
            self.read_bytes(0, copy.as_mut_ptr().cast(), n)?;
            copy.set_len(n);
        }
        let from = copy.as_ptr().cast();
        Ok((copy, from))
    }
}

/// The bytes of values, with zeros where a type has padding.
pub(crate) fn bytes_of<T: Element>(values: &[T]) -> Cow<'_, [u8]> {
    let from = values.as_ptr().cast::<u8>();
    let size = size_of_val(values);
    if !T::LAYOUT.has_padding() {
        // SAFETY: without padding all bytes of the values are initialised.
        return Cow::Borrowed(unsafe { std::slice::from_raw_parts(from, size) });
    }
    let mut bytes = vec![0u8; size];
    for k in 0..values.len() {
        T::LAYOUT.for_each_leaf(k * size_of::<T>(), &mut |at, scalar| {
            // SAFETY: `Element` promises that the leaf lies inside value `k`, in both.
            unsafe { write_scalar(bytes.as_mut_ptr().add(at), scalar, read_scalar(from.add(at), scalar)) }
        });
    }
    Cow::Owned(bytes)
}
