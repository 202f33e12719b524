//! Arrays, contexts and streams shared with programs on [cust].
//!
//! All of this needs a buffer to lie in the primary context of its device, which [`context`] gives to cust (as
//! `cust::context::Context::new` does).
//!
//! Both libraries queue work and go on. Where [`lend`] is given the stream on which cust works, the device lets the one wait
//! for the other, and the host goes on; else the host waits, for all streams of the context where cust has had its turn.
//!
//! ```no_run
//! use cust::memory::{CopyDestination, DeviceBuffer};
//! use warp::prelude::*;
//!
//! let device = Device::cuda(0)?;
//! let _context = warp::cust::context(&device)?;
//! let ours = Array::from_slice(&device, &[1.0f32, 2.0, 3.0])?;
//! let mut numbers = [0.0; 3];
//! // SAFETY: the buffer is only used inside, and not put elsewhere.
//! let copied = unsafe { warp::cust::lend(&ours, None, |buffer| buffer.copy_to(&mut numbers)) }?;
//! copied.expect("cust copies");
//!
//! let theirs = DeviceBuffer::from_slice(&numbers).expect("cust allocates");
//! let ours = warp::cust::adopt(&device, theirs)?;
//! assert_eq!(ours.to_vec()?, [1.0, 2.0, 3.0]);
//! # Ok::<(), warp::Error>(())
//! ```

use std::mem::ManuallyDrop;

use ::cust::CudaFlags;
use ::cust::context::Context;
use ::cust::memory::{DeviceBuffer, DeviceCopy, DevicePointer};
use ::cust::stream::Stream;
use warp_core::{Array, Device, Element, Error, Refused};
use warp_cuda::Cuda;
use warp_cuda::sys::{CUcontext, CUstream};

use crate::borrows::{self, Theirs, borrowed};
use crate::loans::{self, Knows, Library};
use crate::owned::Owned;
use crate::turns::{cuda, failed};

pub use crate::borrows::Borrow;
pub use crate::loans::Lend;

/// The primary context of a device for cust, which becomes that of this thread; cust is started where it was not.
pub fn context(device: &Device) -> Result<Context, Error> {
    let cuda = cuda(device)?;
    let said = |error| Error::Foreign(format!("cust has no context on {device}: {error:?}"));
    ::cust::init(CudaFlags::empty()).map_err(said)?;
    let index = u32::try_from(cuda.device().index()).unwrap_or(u32::MAX);
    let context = ::cust::device::Device::get_device(index).and_then(Context::new).map_err(said)?;
    let raw = CUcontext(context.as_raw().cast());
    cuda.device().expect_context("the context of cust", raw).map_err(|error| failed(cuda, error))?;
    Ok(context)
}

/// Runs `work` with an array as cust's buffer, for reading.
///
/// # Safety
/// `work` does not write, and neither it nor what it starts uses copies of the buffer's slices and pointers (cust lets safe
/// code copy them) after it has returned. With a stream `on`, all use of the buffer is queued on that stream, and may go on;
/// copies of cust's that wait are not, as they go through the default stream.
pub unsafe fn lend<T: Element + DeviceCopy, const R: usize, A>(
    array: &Array<T, R>,
    on: Option<&Stream>,
    work: impl FnOnce(&DeviceBuffer<T>) -> A,
) -> Result<A, Error> {
    loans::lend::<Cust, _, _>(array, on, work)
}

/// Runs `work` with an array as cust's buffer, for reading and writing.
///
/// # Safety
/// `work` leaves the buffer where it is (it neither drops it nor swaps it for another one) and values of `T` in it, and
/// neither it nor what it starts uses copies of the buffer's slices and pointers after it has returned. With a stream `on`,
/// all use of the buffer is queued on that stream, and may go on; copies of cust's that wait are not, as they go through the
/// default stream.
pub unsafe fn lend_mut<T: Element + DeviceCopy, const R: usize, A>(
    array: &mut Array<T, R>,
    on: Option<&Stream>,
    work: impl FnOnce(&mut DeviceBuffer<T>) -> A,
) -> Result<A, Error> {
    loans::lend::<Cust, _, _>(array, on, work)
}

/// Runs `work` with several arrays as cust's buffers, in one loan: `(&a, &mut b)` as `(&DeviceBuffer, &mut DeviceBuffer)`.
///
/// # Safety
/// For each of them as of [`lend`] and [`lend_mut`].
pub unsafe fn lend_all<V: Lend<Cust>, A>(
    arrays: V,
    on: Option<&Stream>,
    work: impl for<'a> FnOnce(V::Lent<'a>) -> A,
) -> Result<A, Error> {
    loans::lend(arrays, on, work)
}

/// Runs `work` with a buffer of cust's as an array, for reading. A handle that is kept is of no use afterwards:
/// [`Error::LoanEnded`]. The host
/// waits before and after, as cust lets safe code use a buffer on any stream.
pub fn borrow<T: Element + DeviceCopy, A>(
    device: &Device,
    buffer: &DeviceBuffer<T>,
    work: impl FnOnce(&Array<T>) -> A,
) -> Result<A, Error> {
    borrows::borrow::<Cust, _, _>(device, buffer, work)
}

/// As [`borrow`], for reading and writing.
pub fn borrow_mut<T: Element + DeviceCopy, A>(
    device: &Device,
    buffer: &mut DeviceBuffer<T>,
    work: impl FnOnce(&mut Array<T>) -> A,
) -> Result<A, Error> {
    borrows::borrow::<Cust, _, _>(device, buffer, work)
}

/// As [`borrow`] and [`borrow_mut`], of several buffers in one loan: `(&a, &mut b)` as `(&Array, &mut Array)`.
pub fn borrow_all<V: Borrow<Cust>, A>(
    device: &Device,
    buffers: V,
    work: impl for<'a> FnOnce(V::Lent<'a>) -> A,
) -> Result<A, Error> {
    borrows::borrow(device, buffers, work)
}

/// A buffer of cust's becomes an array, which gives the memory back when it goes, once the device is done with it. The host
/// waits for what cust has queued.
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
        let value = unsafe { DeviceBuffer::from_raw_parts(DevicePointer::from_raw(address), len) };
        Refused { error: refused.error, value }
    })
}

/// The buffer that an array was [adopted](adopt) from, with what the array holds now. Memory that did not come from cust
/// cannot become cust's, whose buffers promise to wait for the device when they go; [`lend`] it.
pub fn release<T: Element + DeviceCopy>(array: Array<T>) -> Result<DeviceBuffer<T>, Refused<Array<T>>> {
    let (address, len) = Owned::<DeviceBuffer<T>>::release(array)?;
    // SAFETY: the memory came from such a buffer, and is nobody else's now.
    Ok(unsafe { DeviceBuffer::from_raw_parts(DevicePointer::from_raw(address), len) })
}

/// Where a buffer lies, if that is on the device.
fn place<T: DeviceCopy>(cuda: &Cuda, buffer: &DeviceBuffer<T>) -> Result<u64, Error> {
    let address = buffer.as_device_ptr().as_raw();
    if !buffer.is_empty() {
        cuda.device().expect_memory("the buffer of cust", address).map_err(|error| failed(cuda, error))?;
    }
    Ok(address)
}

/// cust, as arrays are lent to it.
#[doc(hidden)]
pub enum Cust {}

// SAFETY: the stream is borrowed, and looked at.
unsafe impl Library for Cust {
    type On<'a> = Option<&'a Stream>;

    fn stream(cuda: &Cuda, on: Option<&Stream>) -> Result<Option<CUstream>, Error> {
        let Some(stream) = on.map(|stream| CUstream(stream.as_inner().cast())) else { return Ok(None) };
        // SAFETY: the stream is borrowed.
        unsafe { cuda.device().expect_stream("the stream of cust", stream) }.map_err(|error| failed(cuda, error))?;
        Ok(Some(stream))
    }
}

impl<T: Element + DeviceCopy> Knows<T> for Cust {
    /// It never goes by itself.
    type Object<'a> = ManuallyDrop<DeviceBuffer<T>>;
    type Read<'a> = &'a DeviceBuffer<T>;
    type Write<'a> = &'a mut DeviceBuffer<T>;

    unsafe fn object<'a>(_: &Cuda, _: Self::On<'a>, address: u64, len: usize) -> Result<Self::Object<'a>, Error> {
        // SAFETY: the caller's contract.
        Ok(ManuallyDrop::new(unsafe { DeviceBuffer::from_raw_parts(DevicePointer::from_raw(address), len) }))
    }

    fn read<'a>(object: &'a mut Self::Object<'_>) -> &'a DeviceBuffer<T> {
        object
    }

    fn write<'a>(object: &'a mut Self::Object<'_>) -> &'a mut DeviceBuffer<T> {
        object
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

borrowed!(Cust, DeviceBuffer, DeviceCopy);
