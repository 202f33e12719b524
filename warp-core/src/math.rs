//! Vectors, matrices, quaternions and half-precision numbers: glam's and half's types, and what glam lacks.
//!
//! glam's names come with the prelude. The others are imported from here, so that a type of yours may have the same
//! name: `use warp::math::Transform;`. The methods that the library adds to glam's types are traits (`QuatExt`), and
//! these come with the prelude, as do glam's swizzles, `v.zyx()`. The form of a type for f64 has a `D` before its name.
//!
//! The functions of `f32` and `f64` here have the bits of kernels on every device. In a kernel they are methods,
//! `x.sin()`. Where Rust has the method too, a kernel's plain function calls Rust's, which may differ in the last places
//! from one platform to another; `warp::math::sin(x)` does not.

use core::ops::{Add, Div, Mul, Neg, Sub};

pub use glam::{
    BVec2, BVec3, BVec4, DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, EulerRot, I64Vec2, I64Vec3, I64Vec4, IVec2,
    IVec3, IVec4, Mat2, Mat3, Mat4, Quat, U64Vec2, U64Vec3, U64Vec4, UVec2, UVec3, UVec4, Vec2, Vec3, Vec4,
};
pub use glam::{FloatExt, Vec2Swizzles, Vec3Swizzles, Vec4Swizzles};
pub use glam::{
    bvec2, bvec3, bvec4, dmat2, dmat3, dmat4, dquat, dvec2, dvec3, dvec4, ivec2, ivec3, ivec4, mat2, mat3, mat4, quat,
    uvec2, uvec3, uvec4, vec2, vec3, vec4,
};
pub use half::{bf16, f16};
pub use warp_ir::builtins::math::*;

warp_macros::library_items! {}
