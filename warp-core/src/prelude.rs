//! What most programs need: `use warp::prelude::*`.
//!
//! Free functions are few on purpose: a function of yours cannot have the name of one that comes in by a glob import,
//! if a kernel calls it. Other functions are methods, or in [`math`](crate::math).

pub use crate::array::{Array, SoaArray};
pub use crate::device::Device;
pub use crate::element::{Element, Zeroed};
pub use crate::error::Error;
#[doc(hidden)]
pub use crate::faces::*;
pub use crate::fault::Fault;
pub use crate::host::atomic::{
    atomic_add, atomic_and, atomic_compare_exchange, atomic_exchange, atomic_max, atomic_min, atomic_or, atomic_sub,
    atomic_xor,
};
pub use crate::host::detach::detach;
pub use crate::host::planes::Soa;
pub use crate::host::thread::{tid, tid2, tid3, tid4};
pub use crate::host::view::{View2, View3, View4, ViewMut2, ViewMut3, ViewMut4};
pub use crate::kernel::Kernel;
pub use crate::math::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, Quat, UVec2, UVec3, UVec4,
    Vec2, Vec3, Vec4, bf16, f16,
};
#[doc(hidden)]
pub use crate::math::{
    DMat2Ext as _, DMat3Ext as _, DMat4Ext as _, DQuatExt as _, DVec2Ext as _, DVec3Ext as _, DVec4Ext as _,
    FloatExt as _, Mat2Ext as _, Mat3Ext as _, Mat4Ext as _, QuatExt as _, SafeFloat as _, Vec2Ext as _,
    Vec2Swizzles as _, Vec3Ext as _, Vec3Swizzles as _, Vec4Ext as _, Vec4Swizzles as _,
};
// Methods that Rust's own floats do not have: `x.erf()`.
pub use crate::forward::Tangents;
pub use crate::number::Float as _;
pub use crate::stream::Stream;
pub use crate::tape::Tape;
pub use warp_macros::{Args, Struct, func, kernel, methods};
