//! Vectors, matrices, quaternions and half-precision numbers: glam's and half's types.

pub use glam::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, I64Vec2, I64Vec3, I64Vec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4,
    Quat, U64Vec2, U64Vec3, U64Vec4, UVec2, UVec3, UVec4, Vec2, Vec3, Vec4,
};
pub use half::{bf16, f16};
