//! Arrays and contexts shared with programs on [rustacuda].
//!
//! rustacuda works in whatever context its thread has, and knows no primary ones: [`context`] makes the primary context of a
//! device that of a thread. A buffer that was allocated in a context of rustacuda's own cannot be used here.
//!
//! rustacuda tells nobody its streams' names, so the host waits: for arrays before rustacuda has its turn, and for all
//! streams of the context after that.
//!
//! ```no_run
//! use rustacuda::memory::{CopyDestination, DeviceBuffer};
//! use warp::prelude::*;
//!
//! let device = Device::cuda(0)?;
//! let _context = warp::rustacuda::context(&device)?;
//! let mut ours = Array::zeros(&device, 3)?;
//! let copied = warp::rustacuda::lend_mut(&mut ours, |slice| slice.copy_from(&[1.0f32, 2.0, 3.0]));
//! copied?.expect("rustacuda copies");
//!
//! let theirs = DeviceBuffer::from_slice(&[4.0f32]).expect("rustacuda allocates");
//! let found = warp::rustacuda::borrow(&device, &theirs, |array| array.to_vec())??;
//! assert_eq!((ours.to_vec()?, found), (vec![1.0, 2.0, 3.0], vec![4.0]));
//! # Ok::<(), warp::Error>(())
//! ```

use std::mem::ManuallyDrop;

use ::rustacuda::CudaFlags;
use ::rustacuda::context::{CurrentContext, UnownedContext};
use ::rustacuda::memory::{DeviceBuffer, DeviceCopy, DevicePointer, DeviceSlice};
use warp_core::{Array, Device, Element, Error, Refused};
use warp_cuda::Cuda;
use warp_cuda::sys::CUstream;

use crate::borrows::{self, Theirs, borrowed};
use crate::loans::{self, Knows, Library};
use crate::owned::Owned;
use crate::turns::{cuda, failed};

pub use crate::borrows::Borrow;
pub use crate::loans::Lend;

/// Makes the primary context of a device that of this thread, for rustacuda, which is started where it was not. The
/// context is alive as long as the device is.
pub fn context(device: &Device) -> Result<UnownedContext, Error> {
    let cuda = cuda(device)?;
    let said = |error| Error::Foreign(format!("rustacuda has no context on {device}: {error:?}"));
    ::rustacuda::init(CudaFlags::empty()).map_err(said)?;
    cuda.device().make_current().map_err(|error| failed(cuda, error))?;
    // Another library of the driver would know nothing of this thread.
    CurrentContext::get_device().map_err(said)?;
    CurrentContext::get_current().map_err(said)
}

/// Runs `work` with an array as rustacuda's slice, for reading.
pub fn lend<T: Element + DeviceCopy, const R: usize, A>(
    array: &Array<T, R>,
    work: impl FnOnce(&DeviceSlice<T>) -> A,
) -> Result<A, Error> {
    loans::lend::<Rustacuda, _, _>(array, (), work)
}

/// Runs `work` with an array as rustacuda's slice, for reading and writing.
pub fn lend_mut<T: Element + DeviceCopy, const R: usize, A>(
    array: &mut Array<T, R>,
    work: impl FnOnce(&mut DeviceSlice<T>) -> A,
) -> Result<A, Error> {
    loans::lend::<Rustacuda, _, _>(array, (), work)
}

/// Runs `work` with several arrays as rustacuda's slices, in one loan: `(&a, &mut b)` as `(&DeviceSlice, &mut DeviceSlice)`.
pub fn lend_all<V: Lend<Rustacuda>, A>(arrays: V, work: impl for<'a> FnOnce(V::Lent<'a>) -> A) -> Result<A, Error> {
    loans::lend(arrays, (), work)
}

/// Runs `work` with a buffer of rustacuda's as an array, for reading. A handle that is kept is of no use afterwards:
/// [`Error::LoanEnded`].
pub fn borrow<T: Element + DeviceCopy, A>(
    device: &Device,
    buffer: &DeviceBuffer<T>,
    work: impl FnOnce(&Array<T>) -> A,
) -> Result<A, Error> {
    borrows::borrow::<Rustacuda, _, _>(device, buffer, work)
}

/// As [`borrow`], for reading and writing.
pub fn borrow_mut<T: Element + DeviceCopy, A>(
    device: &Device,
    buffer: &mut DeviceBuffer<T>,
    work: impl FnOnce(&mut Array<T>) -> A,
) -> Result<A, Error> {
    borrows::borrow::<Rustacuda, _, _>(device, buffer, work)
}

/// As [`borrow`] and [`borrow_mut`], of several buffers in one loan: `(&a, &mut b)` as `(&Array, &mut Array)`.
pub fn borrow_all<V: Borrow<Rustacuda>, A>(
    device: &Device,
    buffers: V,
    work: impl for<'a> FnOnce(V::Lent<'a>) -> A,
) -> Result<A, Error> {
    borrows::borrow(device, buffers, work)
}

/// A buffer of rustacuda's becomes an array, which gives the memory back when it goes, once the device is done with it. The
/// host waits for what rustacuda has queued.
pub fn adopt<T: Element + DeviceCopy>(
    device: &Device,
    buffer: DeviceBuffer<T>,
) -> Result<Array<T>, Refused<DeviceBuffer<T>>> {
    let place = cuda(device).and_then(|cuda| Ok((place(cuda, &buffer)?, cuda)));
    let (address, cuda) = match place {
        Ok(place) => place,
        Err(error) => return Err(Refused { error, value: buffer }),
    };
    if let Err(error) = cuda.device().synchronize() {
        return Err(Refused { error: failed(cuda, error), value: buffer });
    }
    let len = ManuallyDrop::new(buffer).len();
    // SAFETY: the buffer was the only owner, and its memory is what is asked for.
    unsafe { Owned::<DeviceBuffer<T>>::adopt(device, address, len) }.map_err(|refused| {
        let (address, len) = refused.value.into_parts();
        // SAFETY: this is the buffer that was taken apart.
        Refused { error: refused.error, value: unsafe { DeviceBuffer::from_raw_parts(pointer(address), len) } }
    })
}

/// The buffer that an array was [adopted](adopt) from, with what the array holds now. Memory that did not come from
/// rustacuda cannot become rustacuda's, whose buffers promise to wait for the device when they go; [`lend`] it.
pub fn release<T: Element + DeviceCopy>(array: Array<T>) -> Result<DeviceBuffer<T>, Refused<Array<T>>> {
    let (address, len) = Owned::<DeviceBuffer<T>>::release(array)?;
    // SAFETY: the memory came from such a buffer, and is nobody else's now.
    Ok(unsafe { DeviceBuffer::from_raw_parts(pointer(address), len) })
}

/// rustacuda's word for an address of the device.
fn pointer<T>(address: u64) -> DevicePointer<T> {
    // SAFETY: nobody on the host looks there; who makes a slice or a buffer of it says what lies there.
    unsafe { DevicePointer::wrap(std::ptr::with_exposed_provenance_mut(address as usize)) }
}

/// Where a buffer lies, if that is on the device.
fn place<T: DeviceCopy>(cuda: &Cuda, buffer: &DeviceBuffer<T>) -> Result<u64, Error> {
    let address = buffer.as_ptr().addr() as u64;
    if !buffer.is_empty() {
        cuda.device().expect_memory("the buffer of rustacuda", address).map_err(|error| failed(cuda, error))?;
    }
    Ok(address)
}

/// rustacuda, as arrays are lent to it.
#[doc(hidden)]
pub enum Rustacuda {}

// SAFETY: there is no stream.
unsafe impl Library for Rustacuda {
    type On<'a> = ();

    fn stream(_: &Cuda, (): ()) -> Result<Option<CUstream>, Error> {
        Ok(None)
    }
}

/// The elements of an array that is lent.
#[doc(hidden)]
pub struct Elements<T> {
    pointer: DevicePointer<T>,
    len: usize,
}

impl<T: Element + DeviceCopy> Knows<T> for Rustacuda {
    type Object<'a> = Elements<T>;
    type Read<'a> = &'a DeviceSlice<T>;
    type Write<'a> = &'a mut DeviceSlice<T>;

    unsafe fn object<'a>(_: &Cuda, (): Self::On<'a>, address: u64, len: usize) -> Result<Self::Object<'a>, Error> {
        Ok(Elements { pointer: pointer(address), len })
    }

    fn read(object: &mut Elements<T>) -> &DeviceSlice<T> {
        // SAFETY: the contract of `object`.
        unsafe { DeviceSlice::from_raw_parts(object.pointer, object.len) }
    }

    fn write(object: &mut Elements<T>) -> &mut DeviceSlice<T> {
        // SAFETY: the contract of `object`; what is written is nobody else's.
        unsafe { DeviceSlice::from_raw_parts_mut(object.pointer, object.len) }
    }
}

// SAFETY: the buffer says so, it was looked at, and is borrowed.
unsafe impl<T: Element + DeviceCopy> Theirs<T> for &DeviceBuffer<T> {
    fn place(&mut self, cuda: &Cuda) -> Result<(Option<CUstream>, u64, usize), Error> {
        place(cuda, self).map(|address| (None, address, self.len()))
    }
}

// SAFETY: as above.
unsafe impl<T: Element + DeviceCopy> Theirs<T> for &mut DeviceBuffer<T> {
    fn place(&mut self, cuda: &Cuda) -> Result<(Option<CUstream>, u64, usize), Error> {
        place(cuda, self).map(|address| (None, address, self.len()))
    }
}

borrowed!(Rustacuda, DeviceBuffer, DeviceCopy);
