//! Arrays, contexts and streams shared with programs on [cudarc], and so with cuBLAS, NCCL and the frameworks that
//! use it.
//!
//! The device lets the one library wait for the other, and the host goes on: arrays that are lent to a stream of cudarc's
//! come after it again, whatever streams used them meanwhile (as far as cudarc tracks events, which it does unless it is
//! told otherwise), and the same holds for slices that are borrowed.
//!
//! cudarc panics where it does not find the driver's library, and where the driver has no event to spare for a slice.
//!
//! ```no_run
//! use warp::prelude::*;
//!
//! #[kernel]
//! fn double(numbers: &mut [f32]) {
//!     numbers[tid()] *= 2.0;
//! }
//!
//! let device = Device::cuda(0)?;
//! let stream = warp::cudarc::context(&device)?.new_stream().expect("cudarc makes a stream");
//! let mut ours = Array::zeros(&device, 3)?;
//! let copied = warp::cudarc::lend_mut(&mut ours, &stream, |mut view| stream.memcpy_htod(&[1.0f32, 2.0, 3.0], &mut view));
//! copied?.expect("cudarc copies");
//! double::launch(3, &mut ours)?;
//!
//! let theirs = warp::cudarc::release(ours, &stream)?;
//! assert_eq!(stream.clone_dtoh(&theirs).expect("cudarc copies"), [2.0, 4.0, 6.0]);
//! # Ok::<(), warp::Error>(())
//! ```

use std::mem::ManuallyDrop;
use std::sync::Arc;

use ::cudarc::driver::{CudaContext, CudaSlice, CudaStream, CudaViewMut, DevicePtr, DevicePtrMut};
use warp_core::{Array, Device, Element, Error, Refused};
use warp_cuda::Cuda;
use warp_cuda::sys::{CUcontext, CUstream};

use crate::turns::{self, Turn, Whose, cuda, failed};

/// The primary context of a device for cudarc.
pub fn context(device: &Device) -> Result<Arc<CudaContext>, Error> {
    let cuda = cuda(device)?;
    // SAFETY: it opens the library and closes it again.
    if !unsafe { ::cudarc::driver::sys::is_culib_present() } {
        return Err(Error::Foreign(format!(
            "cudarc does not find the driver's library, which {device} has as `{}`; let the search path of libraries have it",
            cuda.device().driver().table().library().name()
        )));
    }
    let context = CudaContext::new(cuda.device().index())
        .map_err(|error| Error::Foreign(format!("cudarc has no context on {device}: {error}")))?;
    expect_context(cuda, &context)?;
    Ok(context)
}

/// A stream of this library for cudarc.
///
/// # Safety
/// `stream` lives at least as long as every handle of what is returned, and the order between it and other streams of cudarc's
/// is the caller's business, unless the context has made a stream of its own.
pub unsafe fn stream(context: &Arc<CudaContext>, stream: &warp_cuda::Stream) -> Result<Arc<CudaStream>, Error> {
    let raw = CUcontext(context.cu_ctx().cast());
    stream.device().expect_context("the context of cudarc", raw).map_err(|error| Error::Foreign(error.to_string()))?;
    // SAFETY: the stream is of this context; the rest is the caller's contract.
    Ok(unsafe { context.wrap_borrowed_stream(stream.raw().0.cast()) })
}

/// Runs `work` with an array as a slice of cudarc's, for reading, whose stream is `on`.
pub fn lend<T: Element, const R: usize, A>(
    array: &Array<T, R>,
    on: &Arc<CudaStream>,
    work: impl FnOnce(&CudaSlice<T>) -> A,
) -> Result<A, Error> {
    let cuda = cuda(array.device())?;
    expect_stream(cuda, on)?;
    array.lend(|address, len| {
        // SAFETY: the stream is of the device's context, and borrowed.
        let turn = unsafe { Turn::begin(cuda, Whose::Theirs, Some(raw(on))) }?;
        // SAFETY: the memory has so many elements.
        let lent = unsafe { Lent::new(on, address, len) };
        let done = cuda.device().within(|| work(&lent.slice)).map_err(|error| failed(cuda, error))?;
        drop(lent);
        turn.end().map(|()| done)
    })?
}

/// Runs `work` with an array as a view of cudarc's, for reading and writing, whose stream is `on`.
pub fn lend_mut<T: Element, const R: usize, A>(
    array: &mut Array<T, R>,
    on: &Arc<CudaStream>,
    work: impl FnOnce(CudaViewMut<'_, T>) -> A,
) -> Result<A, Error> {
    let device = array.device().clone();
    let cuda = cuda(&device)?;
    expect_stream(cuda, on)?;
    array.lend_mut(|address, len| {
        // SAFETY: the stream is of the device's context, and borrowed.
        let turn = unsafe { Turn::begin(cuda, Whose::Theirs, Some(raw(on))) }?;
        // SAFETY: the memory has so many elements.
        let mut lent = unsafe { Lent::new(on, address, len) };
        let done = cuda.device().within(|| work(lent.slice.as_view_mut())).map_err(|error| failed(cuda, error))?;
        drop(lent);
        turn.end().map(|()| done)
    })?
}

/// Runs `work` with a slice of cudarc's as an array, for reading. A handle that is kept is of no use afterwards:
/// [`Error::LoanEnded`].
pub fn borrow<T: Element, A>(
    device: &Device,
    slice: &CudaSlice<T>,
    work: impl FnOnce(&Array<T>) -> A,
) -> Result<A, Error> {
    let cuda = cuda(device)?;
    expect_stream(cuda, slice.stream())?;
    // The slice's stream waits for what others wrote, and others wait for what it has to do now.
    let (address, _used) = slice.device_ptr(slice.stream());
    settled(cuda, slice.context())?;
    expect_memory(cuda, address, slice.len())?;
    // SAFETY: the stream is of the device's context, and kept by the slice; that has so many values, lies on this device,
    // and is borrowed until its stream waits for the device.
    unsafe { turns::borrow(device, Some(raw(slice.stream())), (address, slice.len()), work) }
}

/// As [`borrow`], for reading and writing.
pub fn borrow_mut<T: Element, A>(
    device: &Device,
    slice: &mut CudaSlice<T>,
    work: impl FnOnce(&mut Array<T>) -> A,
) -> Result<A, Error> {
    let cuda = cuda(device)?;
    let (stream, len) = (slice.stream().clone(), slice.len());
    expect_stream(cuda, &stream)?;
    // The slice's stream waits for what others did, and others wait for what it has to do now.
    let (address, _used) = slice.device_ptr_mut(&stream);
    settled(cuda, stream.context())?;
    expect_memory(cuda, address, len)?;
    // SAFETY: the stream is of the device's context, and kept; the slice has so many values, lies on this device, and is
    // borrowed until its stream waits for the device.
    unsafe { turns::borrow_mut(device, Some(raw(&stream)), (address, len), work) }
}

/// A slice of cudarc's becomes an array. When the array goes the slice does, whose stream waits for the device then.
pub fn adopt<T: Element>(device: &Device, mut slice: CudaSlice<T>) -> Result<Array<T>, Refused<CudaSlice<T>>> {
    let address = match ready(device, &mut slice) {
        Ok(address) => address,
        Err(error) => return Err(Refused { error, value: slice }),
    };
    let (len, kept) = (slice.len(), Kept { slice: ManuallyDrop::new(slice), device: device.clone() });
    // SAFETY: the slice has so many values, is nobody else's, and its memory goes after what the device has to do.
    let adopted = unsafe { Array::adopt(device, address, len, kept) };
    adopted.map_err(|refused| Refused { error: refused.error, value: refused.value.into_slice() })
}

/// The slice that an array was [adopted](adopt) from; of other arrays the memory itself as a slice, whose stream is `on`.
/// What the device has to do for the array comes before what the stream does from now on.
pub fn release<T: Element>(array: Array<T>, on: &Arc<CudaStream>) -> Result<CudaSlice<T>, Refused<Array<T>>> {
    let (device, len) = (array.device().clone(), array.len());
    let own = array.with_owner(|kept: &Kept<T>| kept.slice.stream().clone());
    let cuda = match cuda(&device).and_then(|cuda| follow(cuda, own.as_ref().unwrap_or(on)).map(|()| cuda)) {
        Ok(cuda) => cuda,
        Err(error) => return Err(Refused { error, value: array }),
    };
    if own.is_some() {
        let mut slice = array.into_owner().map(Kept::into_slice)?;
        written(&mut slice);
        return Ok(slice);
    }
    let address = match array.lend(|address, _| address) {
        Ok(address) => address,
        Err(error) => return Err(Refused { error, value: array }),
    };
    // First, as cudarc may panic there.
    // SAFETY: the memory has so many elements; it came from a pool in the order of a stream, which `on` follows, or from
    // the driver at once, as cudarc gives it back. The slice is not dropped before it is the memory's owner.
    let mut slice = ManuallyDrop::new(unsafe { on.upgrade_device_ptr(address, len) });
    written(&mut slice);
    match array.into_memory() {
        Ok((_, bytes)) => {
            cuda.hand_over(bytes);
            Ok(ManuallyDrop::into_inner(slice))
        }
        Err(refused) => {
            let _still_the_arrays = ManuallyDrop::into_inner(slice).leak();
            Err(refused)
        }
    }
}

/// Lets a stream wait for what the device has to do.
fn follow(cuda: &Cuda, stream: &CudaStream) -> Result<(), Error> {
    expect_stream(cuda, stream)?;
    // SAFETY: the stream is borrowed, and of the device's context.
    unsafe { cuda.lend_to(raw(stream)) }.or_else(|_| cuda.wait()).map_err(|error| failed(cuda, error))
}

/// Lets the device wait for what cudarc has queued for a slice, and tells where it lies.
fn ready<T>(device: &Device, slice: &mut CudaSlice<T>) -> Result<u64, Error> {
    let cuda = cuda(device)?;
    expect_stream(cuda, slice.stream())?;
    let (stream, len) = (slice.stream().clone(), slice.len());
    let (address, _used) = slice.device_ptr_mut(&stream);
    settled(cuda, stream.context())?;
    expect_memory(cuda, address, len)?;
    // SAFETY: the stream is of the device's context, and kept by the slice.
    unsafe { cuda.take_back_from(raw(&stream)) }.map_err(|error| failed(cuda, error))?;
    Ok(address)
}

/// Where cudarc could not let a stream wait, which it only tells later, the host waits.
fn settled(cuda: &Cuda, context: &CudaContext) -> Result<(), Error> {
    match context.check_err() {
        Ok(()) => Ok(()),
        Err(_) => cuda.device().synchronize().map_err(|error| failed(cuda, error)),
    }
}

/// Lets other streams of cudarc's that use a slice wait for what its own stream waits for now.
fn written<T>(slice: &mut CudaSlice<T>) {
    let stream = slice.stream().clone();
    drop(slice.device_ptr_mut(&stream));
}

fn expect_context(cuda: &Cuda, context: &CudaContext) -> Result<(), Error> {
    let raw = CUcontext(context.cu_ctx().cast());
    cuda.device().expect_context("the context of cudarc", raw).map_err(|error| failed(cuda, error))
}

/// Before anything is queued there: it has to be of the device's context, and not captured.
fn expect_stream(cuda: &Cuda, stream: &CudaStream) -> Result<(), Error> {
    expect_context(cuda, stream.context())?;
    // SAFETY: the stream is borrowed.
    unsafe { cuda.device().refuse_captured(raw(stream)) }.map_err(|error| failed(cuda, error))
}

fn expect_memory(cuda: &Cuda, address: u64, len: usize) -> Result<(), Error> {
    if len == 0 {
        return Ok(());
    }
    cuda.device().expect_memory("the slice of cudarc", address).map_err(|error| failed(cuda, error))
}

/// The driver's name of a stream.
fn raw(stream: &CudaStream) -> CUstream {
    CUstream(stream.cu_stream().cast())
}

/// A slice over an array's memory, which leaves the memory where it is.
struct Lent<'a, T> {
    slice: ManuallyDrop<CudaSlice<T>>,
    on: &'a Arc<CudaStream>,
}

impl<'a, T> Lent<'a, T> {
    /// # Safety
    /// There are so many values of `T` for as long as this lives.
    unsafe fn new(on: &'a Arc<CudaStream>, address: u64, len: usize) -> Lent<'a, T> {
        // SAFETY: the caller's contract; the slice never goes by itself.
        let mut slice = ManuallyDrop::new(unsafe { on.upgrade_device_ptr(address, len) });
        written(&mut slice);
        Lent { slice, on }
    }
}

/// Other streams that used the slice are waited for by its own.
impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        drop(self.slice.device_ptr_mut(self.on));
        // SAFETY: it is taken once, here.
        let _not_to_be_freed = unsafe { ManuallyDrop::take(&mut self.slice) }.leak();
    }
}

/// A slice that an array was adopted from.
struct Kept<T> {
    slice: ManuallyDrop<CudaSlice<T>>,
    device: Device,
}

impl<T> Kept<T> {
    fn into_slice(self) -> CudaSlice<T> {
        let mut kept = ManuallyDrop::new(self);
        // SAFETY: neither is looked at again.
        unsafe {
            std::ptr::drop_in_place(&raw mut kept.device);
            ManuallyDrop::take(&mut kept.slice)
        }
    }
}

impl<T> Drop for Kept<T> {
    fn drop(&mut self) {
        let Ok(cuda) = cuda(&self.device) else { return };
        // SAFETY: the stream is kept by the slice, and was looked at.
        let ordered = unsafe { cuda.lend_to(raw(self.slice.stream())) }.or_else(|_| cuda.wait());
        let gone = ordered.and_then(|()| {
            // SAFETY: it is dropped once, here.
            cuda.device().within(|| unsafe { ManuallyDrop::drop(&mut self.slice) })
        });
        if let Err(error) = gone {
            // Memory that may be in use is rather lost than given back.
            cuda.keep_untold(error);
        }
    }
}
