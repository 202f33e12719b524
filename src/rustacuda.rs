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

use crate::owned::Owned;
use crate::turns::{self, Turn, Whose, cuda, failed};

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
    let cuda = cuda(array.device())?;
    array.lend(|address, len| {
        // SAFETY: there is no stream.
        let turn = unsafe { Turn::begin(cuda, Whose::Theirs, None) }?;
        // SAFETY: the memory has so many elements, and lasts as long as `work` may have the slice.
        let slice = unsafe { DeviceSlice::from_raw_parts(pointer(address), len) };
        let done = cuda.device().within(|| work(slice)).map_err(|error| failed(cuda, error))?;
        turn.end().map(|()| done)
    })?
}

/// Runs `work` with an array as rustacuda's slice, for reading and writing.
pub fn lend_mut<T: Element + DeviceCopy, const R: usize, A>(
    array: &mut Array<T, R>,
    work: impl FnOnce(&mut DeviceSlice<T>) -> A,
) -> Result<A, Error> {
    let device = array.device().clone();
    let cuda = cuda(&device)?;
    array.lend_mut(|address, len| {
        // SAFETY: there is no stream.
        let turn = unsafe { Turn::begin(cuda, Whose::Theirs, None) }?;
        // SAFETY: the memory has so many elements, and lasts as long as `work` may have the slice, which is alone.
        let slice = unsafe { DeviceSlice::from_raw_parts_mut(pointer(address), len) };
        let done = cuda.device().within(|| work(slice)).map_err(|error| failed(cuda, error))?;
        turn.end().map(|()| done)
    })?
}

/// Runs `work` with a buffer of rustacuda's as an array, for reading. A handle that is kept is of no use afterwards:
/// [`Error::LoanEnded`].
pub fn borrow<T: Element + DeviceCopy, A>(
    device: &Device,
    buffer: &DeviceBuffer<T>,
    work: impl FnOnce(&Array<T>) -> A,
) -> Result<A, Error> {
    let (address, _) = place(device, buffer)?;
    // SAFETY: the buffer has so many values, lies on this device, and is borrowed until the device is done.
    unsafe { turns::borrow(device, None, (address, buffer.len()), work) }
}

/// As [`borrow`], for reading and writing.
pub fn borrow_mut<T: Element + DeviceCopy, A>(
    device: &Device,
    buffer: &mut DeviceBuffer<T>,
    work: impl FnOnce(&mut Array<T>) -> A,
) -> Result<A, Error> {
    let (address, _) = place(device, buffer)?;
    // SAFETY: the buffer has so many values, lies on this device, and is borrowed until the device is done.
    unsafe { turns::borrow_mut(device, None, (address, buffer.len()), work) }
}

/// A buffer of rustacuda's becomes an array, which gives the memory back when it goes, once the device is done with it. The
/// host waits for what rustacuda has queued.
pub fn adopt<T: Element + DeviceCopy>(
    device: &Device,
    buffer: DeviceBuffer<T>,
) -> Result<Array<T>, Refused<DeviceBuffer<T>>> {
    let (address, cuda) = match place(device, &buffer) {
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
fn place<'a, T: DeviceCopy>(device: &'a Device, buffer: &DeviceBuffer<T>) -> Result<(u64, &'a Cuda), Error> {
    let (cuda, address) = (cuda(device)?, buffer.as_ptr().addr() as u64);
    if !buffer.is_empty() {
        cuda.device().expect_memory("the buffer of rustacuda", address).map_err(|error| failed(cuda, error))?;
    }
    Ok((address, cuda))
}
