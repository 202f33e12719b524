//! The library's files compiled as host functions. An alias named like the type that a file is written for makes the
//! other instances of it.

#![allow(unused_imports, unused_comparisons, non_camel_case_types, dead_code, unexpected_cfgs)]
#![allow(clippy::all)]

/// What the front end lowers to a check.
fn clamp_bounds<T: PartialOrd>(min: T, max: T) {
    assert!(min <= max, "crossed or NaN bounds");
}

macro_rules! library {
    ($($file:literal)+) => { $(include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/library/", $file, ".rs"));)+ };
}

pub(crate) mod masks {
    use std::ops::*;
    library! { "bvec2" "bvec3" "bvec4" }
}

/// glam's orders of Euler angles, whose methods stand in a text.
pub(crate) mod orders {
    #[derive(Clone, Copy, Debug)]
    pub enum EulerRot {
        ZYX,
        ZXY,
        YXZ,
        YZX,
        XYZ,
        XZY,
        ZYZ,
        ZXZ,
        YXY,
        YZY,
        XYX,
        XZX,
        ZYXEx,
        ZXYEx,
        YXZEx,
        YZXEx,
        XYZEx,
        XZYEx,
        ZYZEx,
        ZXZEx,
        YXYEx,
        YZYEx,
        XYXEx,
        XZXEx,
    }
    library! { "euler" }
}

pub(crate) mod single {
    use super::masks::*;
    use super::orders::EulerRot;
    use std::ops::*;
    type f32 = ::core::primitive::f32;
    library! { "vec2" "vec2_signed" "vec2_float" "vec3" "vec3_with" "vec3_signed" "vec3_float" "vec4" "vec4_with" "vec4_signed" "vec4_float" }
    library! { "mat2" "mat3" "mat3_maps" "mat4" "mat4_maps" "quat" }
}

pub(crate) mod double {
    use super::masks::*;
    use super::orders::EulerRot;
    use std::ops::*;
    type f32 = ::core::primitive::f64;
    library! { "vec2" "vec2_signed" "vec2_float" "vec3" "vec3_with" "vec3_signed" "vec3_float" "vec4" "vec4_with" "vec4_signed" "vec4_float" }
    library! { "mat2" "mat3" "mat3_maps" "mat4" "mat4_maps" "quat" }
}

pub(crate) mod signed {
    use super::masks::*;
    use std::ops::*;
    type f32 = ::core::primitive::i32;
    type IVec2 = Vec2;
    type IVec3 = Vec3;
    type IVec4 = Vec4;
    library! { "vec2" "vec2_signed" "vec2_int" "vec3" "vec3_with" "vec3_signed" "vec3_int" "vec4" "vec4_with" "vec4_signed" "vec4_int" }
}

pub(crate) mod unsigned {
    use super::masks::*;
    use std::ops::*;
    type f32 = ::core::primitive::u32;
    type i32 = ::core::primitive::u32;
    type IVec2 = Vec2;
    type IVec3 = Vec3;
    type IVec4 = Vec4;
    library! { "vec2" "vec2_int" "vec3" "vec3_with" "vec3_int" "vec4" "vec4_with" "vec4_int" }
}

mod casts {
    use super::masks::*;
    use super::{double, signed, single, unsigned};
    use double::{Mat2 as DMat2, Mat3 as DMat3, Mat4 as DMat4, Quat as DQuat};
    use double::{Vec2 as DVec2, Vec3 as DVec3, Vec4 as DVec4};
    use signed::{Vec2 as IVec2, Vec3 as IVec3, Vec4 as IVec4};
    use single::{Mat2, Mat3, Mat4, Quat, Vec2, Vec3, Vec4};
    use unsigned::{Vec2 as UVec2, Vec3 as UVec3, Vec4 as UVec4};
    library! { "casts" "mixed" }
}

macro_rules! floats {
    ($($name:ident $type:ident)+) => {$(
        pub(crate) mod $name {
            use super::clamp_bounds;
            type f32 = ::core::primitive::$type;
            library! { "float" "float_ours" }
        }
    )+};
}
floats! { f32s f32 f64s f64 }

macro_rules! integers {
    ($($module:ident $file:literal $own:ident $other_name:ident $other:ident)+) => {$(
        pub(crate) mod $module {
            /// Methods of all integers.
            pub(crate) mod any {
                use super::super::clamp_bounds;
                type i32 = ::core::primitive::$own;
                library! { "int" }
            }
            pub(crate) use any::*;
            pub(crate) mod own {
                type i32 = ::core::primitive::$other_name;
                type u32 = ::core::primitive::$other;
                library! { $file }
            }
            pub(crate) use own::*;
        }
    )+};
}
integers! {
    i8s "signed" i8 i8 u8
    i16s "signed" i16 i16 u16
    i32s "signed" i32 i32 u32
    i64s "signed" i64 i64 u64
    isizes "signed" isize isize usize
    u8s "unsigned" u8 i8 u8
    u16s "unsigned" u16 i16 u16
    u32s "unsigned" u32 i32 u32
    u64s "unsigned" u64 i64 u64
    usizes "unsigned" usize isize usize
}
