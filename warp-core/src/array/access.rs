//! Guards that show an array's memory to the host without a copy.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use super::Array;
use super::buffer::Hold;
use crate::element::Element;
use crate::error::Error;
use crate::forward;
use crate::graph::capture;
use crate::tape::recorder;

impl<T: Element, const R: usize> Array<T, R> {
    /// The elements in row-major order, in place. For devices whose memory the host shares, and arrays whose elements
    /// lie one after another.
    pub fn read(&self) -> Result<ReadGuard<'_, T>, Error> {
        let from = self.host_elements("reading in place")?;
        let hold = self.buffer.hold(self.span(), false)?;
        Ok(ReadGuard { from, len: self.len(), _hold: hold, borrow: PhantomData })
    }

    /// The elements in row-major order, in place and writable; as [`read`](Array::read). Not while a
    /// [`Tape`](crate::Tape) records on this thread or [`Tangents`](crate::Tangents) run, which could not follow what is written.
    pub fn write(&mut self) -> Result<WriteGuard<'_, T>, Error> {
        recorder::refuse_guard()?;
        forward::refuse_guard()?;
        let to = self.host_elements("writing in place")?;
        let hold = self.buffer.hold(self.span(), true)?;
        Ok(WriteGuard { to, len: self.len(), _hold: hold, borrow: PhantomData })
    }

    fn host_elements(&self, doing: &str) -> Result<*mut T, Error> {
        capture::refuse(doing)?;
        if !self.device().host_memory() {
            return Err(Error::NotHostMemory { device: self.device().name().into() });
        }
        if !self.is_contiguous() {
            return Err(Error::Strided { doing: doing.into() });
        }
        // SAFETY: the start is inside the buffer, or at its end when there are no elements.
        Ok(unsafe { self.buffer.host().add(self.start) }.cast())
    }
}

/// An array's elements, for reading; the array is not written while it lasts.
#[derive(Debug)]
pub struct ReadGuard<'a, T: Element> {
    from: *const T,
    len: usize,
    _hold: Hold,
    borrow: PhantomData<&'a [T]>,
}

impl<T: Element> Deref for ReadGuard<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the elements are initialised, aligned, and held for reading; the hold keeps the buffer alive.
        unsafe { std::slice::from_raw_parts(self.from, self.len) }
    }
}

// SAFETY: it is a shared slice of elements, which are `Sync`.
unsafe impl<T: Element> Send for ReadGuard<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for ReadGuard<'_, T> {}

/// An array's elements, for reading and writing; nothing else uses the array while it lasts.
#[derive(Debug)]
pub struct WriteGuard<'a, T: Element> {
    to: *mut T,
    len: usize,
    _hold: Hold,
    borrow: PhantomData<&'a mut [T]>,
}

impl<T: Element> Deref for WriteGuard<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the elements are initialised, aligned, and held for this guard alone.
        unsafe { std::slice::from_raw_parts(self.to, self.len) }
    }
}

impl<T: Element> DerefMut for WriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the guard is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.to, self.len) }
    }
}

// SAFETY: it is an exclusive slice of elements, which are `Send` and `Sync`.
unsafe impl<T: Element> Send for WriteGuard<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for WriteGuard<'_, T> {}
