//! What lies below a CUDA device: the driver, and code that is no kernel of this crate.
//!
//! A module of one's own, PTX or machine code, runs on a stream of the device with the device's arrays:
//!
//! ```no_run
//! use warp::cuda::{Grid, JitOptions, Module, backend};
//! use warp::prelude::*;
//!
//! let device = Device::cuda(0)?;
//! let mut numbers = Array::from_slice(&device, &[1u32, 2, 3])?;
//! let cuda = backend(&device).expect("it is a CUDA device");
//! # let text = "";
//! // SAFETY: `increment` takes an address, and adds one to three numbers there.
//! let module = unsafe { Module::load(cuda.device(), text.as_bytes(), &JitOptions::new()) };
//! let stream = cuda.device().stream().expect("the driver makes one");
//! let increment = module.and_then(|module| module.function("increment")).expect("the driver takes it");
//! let done = numbers.with_address_mut(|mut address| {
//!     // SAFETY: as above; the array is ours until the stream has been waited for.
//!     unsafe { increment.launch(&stream, &Grid::linear(1, 3), &mut [(&raw mut address).cast()]) }?;
//!     stream.synchronize()
//! })?;
//! done.expect("no thread fails");
//! # Ok::<(), warp::Error>(())
//! ```

use std::any::Any;

pub use warp_cuda::*;

/// The backend of a CUDA device; `None` for other devices.
pub fn backend(device: &warp_core::Device) -> Option<&Cuda> {
    let backend: &dyn Any = device.backend();
    backend.downcast_ref()
}
