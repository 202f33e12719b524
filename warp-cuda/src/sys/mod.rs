//! The driver's functions and types as they are: [`Table`] resolves each function at its first call, [`library`] finds
//! the driver, [`types`] has handles and constants.
//!
//! Names are those that the driver exports, with the version that the newest headers call (`cuMemAlloc_v2`). A missing
//! library, a missing function and a result code that nobody knows are values of [`Error`](crate::Error), never panics.

mod codes;
pub mod library;
mod secure;
mod table;
pub mod types;

pub(crate) use codes::advice;
pub use library::Library;
pub use table::{FUNCTIONS, Table};
pub use types::*;
