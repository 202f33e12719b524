//! Write simulation kernels as ordinary Rust functions; run them on every core, or on a GPU.
//!
//! A kernel is a function under `#[kernel]`. Its body is plain Rust, and it runs once for each thread of a launch;
//! [`tid`] says which thread that is. Arrays live on a [`Device`].
//!
//! ```
//! use warp::prelude::*;
//!
//! let device = Device::cpu();
//! let mut heights = Array::from_slice(&device, &[3.0f32, 1.0, 2.0])?;
//! heights.set(1, 5.0)?;
//! assert_eq!(heights.to_vec()?, [3.0, 5.0, 2.0]);
//! # Ok::<(), warp::Error>(())
//! ```
//!
//! A [`Tape`] records launches, and brings gradients back through them:
//!
//! ```
//! use warp::prelude::*;
//!
//! #[kernel]
//! fn square(a: &[f32], out: &mut [f32]) {
//!     let i = tid();
//!     out[i] = a[i] * a[i];
//! }
//!
//! #[kernel]
//! fn sum(a: &[f32], out: &mut [f32]) {
//!     atomic_add(&mut out[0], a[tid()]);
//! }
//!
//! let device = Device::cpu();
//! let a = Array::from_slice(&device, &[1.0, 2.0, 3.0])?;
//! let (mut squares, mut loss) = (Array::zeros(&device, 3)?, Array::zeros(&device, 1)?);
//! let tape = Tape::record(|| {
//!     square::launch(3, &a, &mut squares)?;
//!     sum::launch(3, &squares, &mut loss)
//! })?;
//! tape.backward(&loss)?;
//! assert_eq!(a.grad()?.to_vec()?, [2.0, 4.0, 6.0]);
//! # Ok::<(), warp::Error>(())
//! ```

#[cfg(any(feature = "cust", feature = "rustacuda", feature = "cudarc"))]
mod borrows;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(feature = "cudarc")]
pub mod cudarc;
#[cfg(feature = "cust")]
pub mod cust;
mod devices;
#[cfg(any(feature = "cust", feature = "rustacuda", feature = "cudarc"))]
mod loans;
#[cfg(any(feature = "cust", feature = "rustacuda"))]
mod owned;
pub mod prelude;
#[cfg(feature = "rustacuda")]
pub mod rustacuda;
#[cfg(any(feature = "cust", feature = "rustacuda", feature = "cudarc"))]
mod turns;

pub use devices::Devices;
pub use warp_core::*;
#[cfg(feature = "sim")]
#[doc(inline)]
pub use warp_sim as sim;
