//! The CUDA backend of warp-kernel: the NVIDIA driver by its library alone, without a toolkit at build or run time.
//!
//! Three layers, each usable by itself:
//!
//! * [`sys`]: the driver's functions as they are, each looked up at its first call; a missing library or function is a
//!   value of [`Error`].
//! * [`result`]: the same with results returned.
//! * this page: [`Driver`], [`Device`], [`Stream`], [`Event`], [`Memory`], [`Pinned`], [`Module`], [`Function`],
//!   [`Graph`]. They own what they stand for, give it back when they go, never panic there, and go to any thread.
//!
//! ```no_run
//! use warp_cuda::{Driver, Grid, JitOptions, Module};
//!
//! let device = Driver::get()?.device(0)?;
//! let stream = device.stream()?;
//! let mut numbers = stream.allocate(4 * 1024)?;
//! stream.upload(&mut numbers, 0, &[0; 4 * 1024])?;
//! # let text = "";
//! // SAFETY: the PTX takes an address of 1024 numbers, and uses them alone.
//! unsafe {
//!     let module = Module::load(&device, text.as_bytes(), &JitOptions::new())?;
//!     let mut address = numbers.address();
//!     module.function("increment")?.launch(&stream, &Grid::linear(4, 256), &mut [(&raw mut address).cast()])?;
//! }
//! stream.synchronize()?;
//! # Ok::<(), warp_cuda::Error>(())
//! ```
#![deny(missing_docs)]

mod backend;
mod callback;
mod capture;
mod device;
mod driver;
mod error;
mod event;
mod foreign;
mod graph;
mod memory;
mod module;
mod pinned;
pub mod result;
mod stream;
pub mod sys;

pub use backend::Cuda;
pub use device::{Device, MemoryUse, Properties};
pub use driver::Driver;
pub use error::{DriverError, Error};
pub use event::Event;
pub use graph::{Graph, ReadyGraph};
pub use memory::Memory;
pub use module::{Attributes, Function, Grid, JitOptions, Module, Optimization};
pub use pinned::Pinned;
pub use stream::Stream;
pub use warp_core::backend::Priority;
