//! glam's types, by value.
//!
//! Their size is always that of their scalars; their alignment depends on features of glam that any crate in the graph
//! may switch on, so rustc is asked for it.

use glam::*;
use warp_ir::ir::Scalar;
use warp_ir::library::EULER_ORDERS;

use super::{Element, Validity, Zeroed};
use crate::layout::{Layout, LayoutKind};

macro_rules! glam_types {
    ($($ty:ty => [$scalar:ty; $n:literal];)*) => { $(
        // SAFETY: glam casts each of these types to an array of its scalars (bytemuck's `Pod`), in this order: vectors
        // x, y, z, w; quaternions x, y, z, w; matrices column by column. The sizes are asserted.
        unsafe impl Element for $ty {
            const LAYOUT: Layout = Layout::of::<$ty>(LayoutKind::Repeat(&<$scalar as Element>::LAYOUT, $n));
            const VALIDITY: Validity = Validity::Any;
        }
        // SAFETY: all bits are numbers.
        unsafe impl Zeroed for $ty {}
        const _: () = assert!(size_of::<$ty>() == $n * size_of::<$scalar>());
    )* };
}

glam_types! {
    Vec2 => [f32; 2];
    Vec3 => [f32; 3];
    Vec4 => [f32; 4];
    Quat => [f32; 4];
    Mat2 => [f32; 4];
    Mat3 => [f32; 9];
    Mat4 => [f32; 16];
    DVec2 => [f64; 2];
    DVec3 => [f64; 3];
    DVec4 => [f64; 4];
    DQuat => [f64; 4];
    DMat2 => [f64; 4];
    DMat3 => [f64; 9];
    DMat4 => [f64; 16];
    IVec2 => [i32; 2];
    IVec3 => [i32; 3];
    IVec4 => [i32; 4];
    UVec2 => [u32; 2];
    UVec3 => [u32; 3];
    UVec4 => [u32; 4];
    I64Vec2 => [i64; 2];
    I64Vec3 => [i64; 3];
    I64Vec4 => [i64; 4];
    U64Vec2 => [u64; 2];
    U64Vec3 => [u64; 3];
    U64Vec4 => [u64; 4];
}

// SAFETY: one byte, and each variant is the number that kernels know it by, as is asserted below.
unsafe impl Element for EulerRot {
    const LAYOUT: Layout = Layout::of::<EulerRot>(LayoutKind::Scalar(Scalar::U8));
    const VALIDITY: Validity = Validity::Zero;
}
// SAFETY: 0 is a variant.
unsafe impl Zeroed for EulerRot {}

/// The orders that kernels know, in their order: glam's enum says nothing of its representation, so rustc is asked for
/// that of each variant.
macro_rules! orders {
    ($($order:ident)*) => {
        /// The number by which kernels know an order. A variant that glam adds does not compile here.
        const fn number(order: EulerRot) -> usize {
            const NAMES: &[&str] = &[$(stringify!($order)),*];
            let name = match order { $(EulerRot::$order => stringify!($order),)* };
            let mut k = 0;
            while !same(NAMES[k], name) {
                k += 1;
            }
            assert!(same(EULER_ORDERS[k], name), "the orders stand here as kernels know them");
            k
        }
        $(
            // SAFETY: a value of one byte is a byte, and the sizes are the same, else it does not compile.
            const _: () =
                assert!(unsafe { core::mem::transmute::<EulerRot, u8>(EulerRot::$order) } as usize == number(EulerRot::$order));
        )*
    };
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

orders! {
    ZYX ZXY YXZ YZX XYZ XZY ZYZ ZXZ YXY YZY XYX XZX ZYXEx ZXYEx YXZEx YZXEx XYZEx XZYEx ZYZEx ZXZEx YXYEx YZYEx XYXEx
    XZXEx
}
