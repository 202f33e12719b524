//! What most programs need: `use warp::prelude::*`.

pub use crate::devices::Devices;
pub use warp_core::prelude::*;
