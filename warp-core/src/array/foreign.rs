//! Arrays in memory that another library allocated, and memory of arrays that another library takes over.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError};

use super::Array;
use super::buffer::{Buffer, Hold, Keeper};
use super::dims::{Dims, dense_strides};
use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::forward;
use crate::graph::capture;
use crate::tape::recorder;

/// What could not go where it was to go: why, and the thing itself.
pub struct Refused<V> {
    /// Why.
    pub error: Error,
    /// What was handed over, as it was.
    pub value: V,
}

impl<V> fmt::Display for Refused<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<V> fmt::Debug for Refused<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.error, f)
    }
}

impl<V> std::error::Error for Refused<V> {}

/// Lets go of the thing.
impl<V> From<Refused<V>> for Error {
    fn from(refused: Refused<V>) -> Error {
        refused.error
    }
}

impl<T: Element, const R: usize> Array<T, R> {
    /// An array in memory that somebody else allocated. It keeps `owner`, which goes when neither the array nor a tape or
    /// graph needs the memory any more; [`into_owner`](Array::into_owner) gives it back.
    ///
    /// # Safety
    /// For as long as `owner` lives, `address` is the address of memory of the device (of the host, where
    /// [`Device::host_memory`] says so) with as many elements as the extents say one after another, each a value of `T`,
    /// which nobody else uses; on the host 16 bytes past the end can be read, too. To drop `owner` is right while
    /// work that the device was given before is not done yet, on any thread.
    pub unsafe fn adopt<O: Any + Send>(
        device: &Device,
        address: u64,
        dims: impl Dims<R>,
        owner: O,
    ) -> Result<Self, Refused<O>> {
        let extents = dims.extents();
        match Self::foreign_bytes(address, &extents, "adopting memory") {
            // SAFETY: the caller's contract.
            Ok((address, bytes)) => {
                Ok(Self::over(unsafe { Buffer::foreign(device, address, bytes, Some(Box::new(owner))) }, extents))
            }
            Err(error) => Err(Refused { error, value: owner }),
        }
    }

    /// Runs `work` with an array in memory that somebody else lends, for reading. When `work` has returned no handle uses
    /// the memory any more: one that was kept, also by a [`Tape`](crate::Tape) or a [`Graph`](crate::Graph), is
    /// [`Error::LoanEnded`] then. Uses of other threads are waited for.
    ///
    /// # Safety
    /// As of [`adopt`](Array::adopt), while `work` runs, and until the device has done what `work` asked of it
    /// ([`Device::check`] waits for it); others may read the memory, too.
    pub unsafe fn borrow_memory<A>(
        device: &Device,
        address: u64,
        dims: impl Dims<R>,
        work: impl FnOnce(&Self) -> A,
    ) -> Result<A, Error> {
        // SAFETY: the caller's contract; the loan ends here.
        let loan = unsafe { Self::loan(device, address, dims, false) }?;
        Ok(work(loan.array()))
    }

    /// As [`borrow_memory`](Array::borrow_memory), for reading and writing.
    ///
    /// # Safety
    /// As of [`adopt`](Array::adopt), while `work` runs, and until the device has done what `work` asked of it
    /// ([`Device::check`] waits for it).
    pub unsafe fn borrow_memory_mut<A>(
        device: &Device,
        address: u64,
        dims: impl Dims<R>,
        work: impl FnOnce(&mut Self) -> A,
    ) -> Result<A, Error> {
        // SAFETY: the caller's contract; the loan ends here.
        let mut loan = unsafe { Self::loan(device, address, dims, true) }?;
        Ok(work(loan.array_mut()))
    }

    /// As [`borrow_memory`](Array::borrow_memory) and [`borrow_memory_mut`](Array::borrow_memory_mut), until the loan goes:
    /// where closures would stand in closures.
    ///
    /// # Safety
    /// As of these two for as long as the loan lives, which is not forgotten.
    pub unsafe fn loan(device: &Device, address: u64, dims: impl Dims<R>, write: bool) -> Result<Loan<T, R>, Error> {
        if write {
            refuse_recordings()?;
        }
        let extents = dims.extents();
        let (address, bytes) = Self::foreign_bytes(address, &extents, "borrowing memory")?;
        // SAFETY: the caller's contract, and the loan ends it.
        let buffer = unsafe { Buffer::foreign(device, address, bytes, None) };
        // Read by this one, it is written by nobody.
        let reading = if write { None } else { Some(buffer.hold(buffer.span(), false)?) };
        Ok(Loan { buffer: buffer.clone(), reading, array: Self::over(buffer, extents) })
    }

    /// Hands the address and number of the elements, which lie one after another, to code of another library that reads
    /// them, without waiting: what the device was asked for before may still be under way, and so may be what `work` starts
    /// when the array is used next. Who calls this orders one after the other, or waits. The array is in use until `work`
    /// returns.
    pub fn lend<A>(&self, work: impl FnOnce(u64, usize) -> A) -> Result<A, Error> {
        let place = self.lendable()?;
        let _in_use = self.buffer.hold(self.span(), false)?;
        Ok(work(place.0, place.1))
    }

    /// The same for code that also writes. Not while a [`Tape`](crate::Tape) records on this thread or
    /// [`Tangents`](crate::Tangents) run, which could not follow what is written.
    pub fn lend_mut<A>(&mut self, work: impl FnOnce(u64, usize) -> A) -> Result<A, Error> {
        refuse_recordings()?;
        let place = self.lendable()?;
        let _in_use = self.buffer.hold(self.span(), true)?;
        Ok(work(place.0, place.1))
    }

    fn lendable(&self) -> Result<(u64, usize), Error> {
        capture::refuse("lending an array")?;
        match self.is_contiguous() {
            true => Ok((self.address(), self.len())),
            false => Err(Error::Strided { doing: "lending an array".into() }),
        }
    }

    /// Shows the owner of the memory, that [`adopt`](Array::adopt) was given, where there is one of this type.
    pub fn with_owner<O: Any, A>(&self, look: impl FnOnce(&O) -> A) -> Option<A> {
        let Keeper::Owner(owner) = self.buffer.keeper() else { return None };
        let owner = owner.lock().unwrap_or_else(PoisonError::into_inner);
        (**owner).downcast_ref().map(look)
    }

    /// The owner of the memory, that [`adopt`](Array::adopt) was given; the array has to be all of the memory, and the
    /// only one that needs it.
    pub fn into_owner<O: Any>(self) -> Result<O, Refused<Self>> {
        if self.with_owner::<O, _>(|_| ()).is_none() {
            let error = Error::Foreign("the array's memory did not come from there; lend the array".into());
            return Err(Refused { error, value: self });
        }
        match self.give_up()? {
            Keeper::Owner(owner) => match owner.into_inner().unwrap_or_else(PoisonError::into_inner).downcast() {
                Ok(owner) => Ok(*owner),
                Err(_) => unreachable!("the type was compared"),
            },
            _ => unreachable!("it has an owner"),
        }
    }

    /// The address of memory and the bytes that the device's backend was asked for, for somebody who gives it back in the
    /// backend's way: it counts as the device's no more. The array has to be all of the memory, and the only one that needs it.
    pub fn into_memory(self) -> Result<(u64, usize), Refused<Self>> {
        if !matches!(self.buffer.keeper(), Keeper::Device) {
            let error = Error::Foreign(
                "the array's memory belongs to another library already; give it back to that one, or copy the array"
                    .into(),
            );
            return Err(Refused { error, value: self });
        }
        let place = (self.buffer.address(), self.buffer.bytes().max(1));
        self.give_up().map(|_| place)
    }

    /// Takes the memory apart from the array.
    fn give_up(mut self) -> Result<Keeper, Refused<Self>> {
        if let Err(error) = capture::refuse("handing an array over").and_then(|()| refuse_recordings()) {
            return Err(Refused { error, value: self });
        }
        if self.span() != self.buffer.span() || !self.is_contiguous() {
            let error = Error::Foreign("only a whole array can be handed over, and this is a part of one".into());
            return Err(Refused { error, value: self });
        }
        match Arc::try_unwrap(self.buffer) {
            Ok(buffer) => Ok(buffer.give_up()),
            Err(buffer) => {
                self.buffer = buffer;
                let error = Error::Foreign(
                    "the array cannot be handed over: a tape, a graph or a launch still needs its memory; drop that first"
                        .into(),
                );
                Err(Refused { error, value: self })
            }
        }
    }

    /// Address and size of somebody else's memory.
    fn foreign_bytes(address: u64, extents: &[usize; R], doing: &str) -> Result<(u64, usize), Error> {
        const { assert!(R >= 1 && R <= 4, "arrays have 1 to 4 dimensions") };
        const { assert!(size_of::<T>() > 0, "an element of an array has a size") };
        capture::refuse(doing)?;
        let n = Self::checked_len(extents)?;
        // Vectors are aligned to 16 bytes, and `cast` shows one type as another.
        let align = align_of::<T>().max(16);
        match n {
            // No elements lie nowhere, so their address may be anything.
            0 => Ok((align as u64, 0)),
            _ if address.is_multiple_of(align as u64) => Ok((address, n * size_of::<T>())),
            _ => Err(Error::Foreign(format!(
                "the memory at {address:#x} is not aligned to {align} bytes, as arrays are; copy it"
            ))),
        }
    }

    /// A handle on all of a buffer.
    fn over(buffer: Arc<Buffer>, extents: [usize; R]) -> Self {
        Array { buffer, start: 0, extents, strides: dense_strides(&extents), detached: false, element: PhantomData }
    }
}

/// A tape and tangents know memory by the array that it is: as another array, or written by others, they would not know it.
fn refuse_recordings() -> Result<(), Error> {
    match recorder::refuse_guard().and_then(|()| forward::refuse_guard()) {
        Ok(()) => Ok(()),
        Err(_) => Err(Error::Foreign(
            "memory cannot be lent or borrowed for writing, or handed over, while a tape records or tangents run on this \
             thread, which could not follow it: do it before or after, or record inside of the loan"
                .into(),
        )),
    }
}

/// Memory of somebody else's as an array, until this goes.
pub struct Loan<T: Element, const R: usize = 1> {
    buffer: Arc<Buffer>,
    reading: Option<Hold>,
    /// Another one, where somebody has swapped it.
    array: Array<T, R>,
}

impl<T: Element, const R: usize> Loan<T, R> {
    /// The array.
    pub fn array(&self) -> &Array<T, R> {
        &self.array
    }

    /// The array, for writing; where the loan is for reading, writes are refused.
    pub fn array_mut(&mut self) -> &mut Array<T, R> {
        &mut self.array
    }
}

impl<T: Element, const R: usize> Drop for Loan<T, R> {
    fn drop(&mut self) {
        self.reading = None;
        self.buffer.end();
    }
}
