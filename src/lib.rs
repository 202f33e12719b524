//! Write simulation kernels as ordinary Rust functions; run them on every core.
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

mod devices;
pub mod prelude;

pub use devices::Devices;
pub use warp_core::*;
