//! Documentation tests are programs beside this library: to the macros they look like the same crate.
//!
//! ```
//! use app::docs::{Pair, scaled};
//! use warp::prelude::*;
//!
//! #[func]
//! fn around(x: f32) -> f32 {
//!     scaled(x) + app::orders::siblings::from_left(x)
//! }
//!
//! #[kernel]
//! fn k(out: &mut [f32]) {
//!     let i = tid();
//!     let pair = Pair { low: out[i], high: around(out[i]) };
//!     out[i] = pair.sum() + midlib::march(0.0);
//! }
//!
//! let mut out = Array::from_slice(&Device::cpu(), &[1.0, 2.0]).unwrap();
//! k::launch(2, &mut out).unwrap();
//! let host = |x: f32| x + 7.0 * x + (100.0 * x + 11.0) + 5.5;
//! assert_eq!(out.to_vec().unwrap(), [host(1.0), host(2.0)]);
//!
//! // The library's own kernels as well.
//! app::docs::scale_all::launch(2, &mut out).unwrap();
//! assert_eq!(out.get(0).unwrap(), 7.0 * host(1.0));
//! ```

use warp::prelude::*;

const FACTOR: f32 = 7.0;

/// By a private constant; also called where it is documented:
///
/// ```
/// use app::docs::scaled;
/// use warp::prelude::*;
///
/// #[kernel]
/// fn k(out: &mut [f32]) {
///     out[tid()] = scaled(1.0);
/// }
///
/// let mut out = Array::zeros(&Device::cpu(), 3).unwrap();
/// k::launch(3, &mut out).unwrap();
/// assert_eq!(out.to_vec().unwrap(), [7.0; 3]);
/// ```
#[func]
pub fn scaled(x: f32) -> f32 {
    x * FACTOR
}

/// Two numbers.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
pub struct Pair {
    /// One.
    pub low: f32,
    /// The other.
    pub high: f32,
}

#[methods]
impl Pair {
    /// Both.
    pub fn sum(self) -> f32 {
        self.low + self.high
    }
}

/// A kernel of the library.
#[kernel]
pub fn scale_all(out: &mut [f32]) {
    let i = tid();
    out[i] = scaled(out[i]);
}
