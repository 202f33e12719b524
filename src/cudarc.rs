//! Arrays, contexts and streams shared with programs on [cudarc], and so with cuBLAS, NCCL and the frameworks that
//! use it.
//!
//! The device lets the one library wait for the other, and the host goes on: arrays that are lent to a stream of cudarc's
//! come after it again, whatever streams used them meanwhile (as far as cudarc tracks events, which it does unless it is
//! told otherwise), and the same holds for slices that are borrowed.
//!
//! cudarc panics where it does not find the driver's library ([`context`] looks first). It keeps failures of calls that cannot
//! answer for the next one that can, and so they may be told here.
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

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ::cudarc::driver::{CudaContext, CudaSlice, CudaStream, CudaViewMut, DevicePtr, DevicePtrMut};
use warp_core::{Array, Device, Element, Error, Refused};
use warp_cuda::Cuda;
use warp_cuda::sys::{CUcontext, CUstream};

use crate::borrows::{self, Theirs, borrowed};
use crate::loans::{self, Knows, Library};
use crate::turns::{cuda, failed};

pub use crate::borrows::Borrow;
pub use crate::loans::Lend;

/// The primary context of a device for cudarc: the same one each time, for as long as something of cudarc's uses it. What
/// cudarc keeps there, whether events are tracked and how many streams there are, so is known to all slices of the device.
pub fn context(device: &Device) -> Result<Arc<CudaContext>, Error> {
    let cuda = cuda(device)?;
    // SAFETY: it opens the library and closes it again.
    if !unsafe { ::cudarc::driver::sys::is_culib_present() } {
        return Err(Error::Foreign(format!(
            "cudarc does not find the driver's library, which {device} has as `{}`; let the search path of libraries have it",
            cuda.device().driver().table().library().name()
        )));
    }
    let index = cuda.device().index();
    let mut known = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(context) = known.get(&index).and_then(Weak::upgrade) {
        return Ok(context);
    }
    let context = CudaContext::new(index)
        .map_err(|error| Error::Foreign(format!("cudarc has no context on {device}: {error}")))?;
    expect_context(cuda, &context)?;
    known.insert(index, Arc::downgrade(&context));
    Ok(context)
}

/// The contexts that are in use, by the numbers of their devices.
static CONTEXTS: Mutex<BTreeMap<usize, Weak<CudaContext>>> = Mutex::new(BTreeMap::new());

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
    loans::lend::<Cudarc, _, _>(array, on, work)
}

/// Runs `work` with an array as a view of cudarc's, for reading and writing, whose stream is `on`.
pub fn lend_mut<T: Element, const R: usize, A>(
    array: &mut Array<T, R>,
    on: &Arc<CudaStream>,
    work: impl FnOnce(CudaViewMut<'_, T>) -> A,
) -> Result<A, Error> {
    loans::lend::<Cudarc, _, _>(array, on, work)
}

/// Runs `work` with several arrays as cudarc's, in one loan: `(&a, &mut b)` as `(&CudaSlice, CudaViewMut)`, as a product of
/// matrices by cuBLAS wants them.
pub fn lend_all<V: Lend<Cudarc>, A>(
    arrays: V,
    on: &Arc<CudaStream>,
    work: impl for<'a> FnOnce(V::Lent<'a>) -> A,
) -> Result<A, Error> {
    loans::lend(arrays, on, work)
}

/// Runs `work` with a slice of cudarc's as an array, for reading. A handle that is kept is of no use afterwards:
/// [`Error::LoanEnded`].
pub fn borrow<T: Element, A>(
    device: &Device,
    slice: &CudaSlice<T>,
    work: impl FnOnce(&Array<T>) -> A,
) -> Result<A, Error> {
    borrows::borrow::<Cudarc, _, _>(device, slice, work)
}

/// As [`borrow`], for reading and writing.
pub fn borrow_mut<T: Element, A>(
    device: &Device,
    slice: &mut CudaSlice<T>,
    work: impl FnOnce(&mut Array<T>) -> A,
) -> Result<A, Error> {
    borrows::borrow::<Cudarc, _, _>(device, slice, work)
}

/// As [`borrow`] and [`borrow_mut`], of several slices in one loan: `(&a, &mut b)` as `(&Array, &mut Array)`.
pub fn borrow_all<V: Borrow<Cudarc>, A>(
    device: &Device,
    slices: V,
    work: impl for<'a> FnOnce(V::Lent<'a>) -> A,
) -> Result<A, Error> {
    borrows::borrow(device, slices, work)
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
        settle(cuda, slice.context());
        return Ok(slice);
    }
    let address = match array.lend(|address, _| address) {
        Ok(address) => address,
        Err(error) => return Err(Refused { error, value: array }),
    };
    // SAFETY: the memory has so many elements; it came from a pool in the order of a stream, which `on` follows, or from
    // the driver at once, as cudarc gives it back. The slice is not dropped before it is the memory's owner.
    let slice = match unsafe { slice_over(cuda, on, address, len) } {
        Ok(slice) => slice,
        Err(error) => return Err(Refused { error, value: array }),
    };
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
fn ready<T: Element>(device: &Device, mut slice: &mut CudaSlice<T>) -> Result<u64, Error> {
    let cuda = cuda(device)?;
    let (_, address, _) = slice.place(cuda)?;
    // SAFETY: the stream is of the device's context, and kept by the slice.
    unsafe { cuda.take_back_from(raw(slice.stream())) }.map_err(|error| failed(cuda, error))?;
    Ok(address)
}

/// What went wrong where cudarc had no words for it, and only keeps it: the host waits where a stream may not.
fn told(cuda: &Cuda, context: &CudaContext) -> Result<(), Error> {
    context.check_err().or_else(|kept| {
        cuda.device().synchronize().map_err(|error| failed(cuda, error))?;
        Err(Error::Foreign(format!("a call of cudarc's has failed: {kept}")))
    })
}

/// As [`told`], where there are no words here either: the next call of cudarc's tells.
fn settle(cuda: &Cuda, context: &CudaContext) {
    let Err(kept) = context.check_err() else { return };
    if let Err(error) = cuda.device().synchronize() {
        cuda.keep_untold(error);
    }
    context.record_err(Err::<(), _>(kept));
}

/// Lets other streams of cudarc's that use a slice wait for what its own stream waits for now.
fn written<T>(slice: &mut CudaSlice<T>) {
    let stream = slice.stream().clone();
    drop(slice.device_ptr_mut(&stream));
}

/// A slice over memory, whose stream is `on`.
///
/// # Safety
/// There are so many values of `T` for as long as the slice lives, which gives the memory back when it is dropped.
unsafe fn slice_over<T>(
    cuda: &Cuda,
    on: &Arc<CudaStream>,
    address: u64,
    len: usize,
) -> Result<ManuallyDrop<CudaSlice<T>>, Error> {
    // cudarc panics where the driver has no events for the slice.
    // SAFETY: the caller's contract.
    let made = catch_unwind(AssertUnwindSafe(|| unsafe { on.upgrade_device_ptr(address, len) }));
    let no_events = |_| Error::Foreign("the driver has no events for a slice of cudarc's".into());
    let mut slice = ManuallyDrop::new(made.map_err(no_events)?);
    written(&mut slice);
    told(cuda, on.context()).inspect_err(|_| {
        // SAFETY: it is taken once, and not looked at again.
        let _somebody_elses = unsafe { ManuallyDrop::take(&mut slice) }.leak();
    })?;
    Ok(slice)
}

fn expect_context(cuda: &Cuda, context: &CudaContext) -> Result<(), Error> {
    let raw = CUcontext(context.cu_ctx().cast());
    cuda.device().expect_context("the context of cudarc", raw).map_err(|error| failed(cuda, error))
}

/// Before anything is queued there: it has to be of the device's context, without an old failure, as cudarc lets no stream
/// wait while it keeps one, and not captured.
fn expect_stream(cuda: &Cuda, stream: &CudaStream) -> Result<(), Error> {
    expect_context(cuda, stream.context())?;
    told(cuda, stream.context())?;
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

/// cudarc, as arrays are lent to it.
#[doc(hidden)]
pub enum Cudarc {}

// SAFETY: the stream is borrowed, and looked at.
unsafe impl Library for Cudarc {
    type On<'a> = &'a Arc<CudaStream>;

    fn stream(cuda: &Cuda, on: &Arc<CudaStream>) -> Result<Option<CUstream>, Error> {
        expect_stream(cuda, on).map(|()| Some(raw(on)))
    }

    fn settle(cuda: &Cuda, on: &Arc<CudaStream>) -> Result<(), Error> {
        told(cuda, on.context())
    }
}

impl<T: Element> Knows<T> for Cudarc {
    type Object<'a> = Lent<'a, T>;
    type Read<'a> = &'a CudaSlice<T>;
    type Write<'a> = CudaViewMut<'a, T>;

    unsafe fn object<'a>(cuda: &Cuda, on: Self::On<'a>, address: u64, len: usize) -> Result<Self::Object<'a>, Error> {
        // SAFETY: the caller's contract; it never gives the memory back.
        unsafe { slice_over(cuda, on, address, len) }.map(|slice| Lent { slice, on })
    }

    fn read<'a>(object: &'a mut Lent<'_, T>) -> &'a CudaSlice<T> {
        &object.slice
    }

    fn write<'a>(object: &'a mut Lent<'_, T>) -> CudaViewMut<'a, T> {
        object.slice.as_view_mut()
    }
}

/// A slice over an array's memory, which leaves the memory where it is.
#[doc(hidden)]
pub struct Lent<'a, T> {
    slice: ManuallyDrop<CudaSlice<T>>,
    on: &'a Arc<CudaStream>,
}

/// Other streams that used the slice are waited for by its own.
impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        drop(self.slice.device_ptr_mut(self.on));
        // SAFETY: it is taken once, here.
        let _not_to_be_freed = unsafe { ManuallyDrop::take(&mut self.slice) }.leak();
    }
}

// SAFETY: the slice says so, it was looked at, and is borrowed.
unsafe impl<T: Element> Theirs<T> for &CudaSlice<T> {
    /// The slice's stream waits for what others wrote.
    fn place(&mut self, cuda: &Cuda) -> Result<(Option<CUstream>, u64, usize), Error> {
        expect_stream(cuda, self.stream())?;
        let (address, _) = self.device_ptr(self.stream());
        told(cuda, self.context())?;
        expect_memory(cuda, address, self.len())?;
        Ok((Some(raw(self.stream())), address, self.len()))
    }

    fn passed(&mut self) {
        drop(self.device_ptr(self.stream()));
    }

    fn settle(&self, cuda: &Cuda) -> Result<(), Error> {
        told(cuda, self.context())
    }
}

// SAFETY: as above.
unsafe impl<T: Element> Theirs<T> for &mut CudaSlice<T> {
    /// The slice's stream waits for what others did.
    fn place(&mut self, cuda: &Cuda) -> Result<(Option<CUstream>, u64, usize), Error> {
        let stream = self.stream().clone();
        expect_stream(cuda, &stream)?;
        let (address, _) = self.device_ptr_mut(&stream);
        told(cuda, stream.context())?;
        expect_memory(cuda, address, self.len())?;
        Ok((Some(raw(&stream)), address, self.len()))
    }

    fn passed(&mut self) {
        written(self);
    }

    fn settle(&self, cuda: &Cuda) -> Result<(), Error> {
        told(cuda, self.context())
    }
}

borrowed!(Cudarc, CudaSlice,);

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
        if let Err(error) = ordered {
            // Memory that may be in use is rather lost than given back.
            return cuda.keep_untold(error);
        }
        // SAFETY: it is taken once, here.
        let mut slice = Some(unsafe { ManuallyDrop::take(&mut self.slice) });
        if let Err(error) = cuda.device().within(|| drop(slice.take())) {
            // Without the context cudarc still has its own way into it.
            drop(slice);
            cuda.keep_untold(error);
        }
    }
}
