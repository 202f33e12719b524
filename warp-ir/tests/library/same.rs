//! Comparing values of the library with values of glam, bit for bit, NaN as a class; and samples.

use crate::host::{double, masks, signed, single, unsigned};

/// The same value in both worlds.
pub(crate) trait Same<G> {
    fn same(&self, other: &G) -> bool;
}

macro_rules! plain {
    ($($type:ty),+) => {$(
        impl Same<$type> for $type {
            fn same(&self, other: &$type) -> bool {
                self == other
            }
        }
    )+};
}
plain!(bool, usize, isize, u8, i8, u16, i16, u32, i32, u64, i64);

macro_rules! floats {
    ($($type:ty),+) => {$(
        impl Same<$type> for $type {
            fn same(&self, other: &$type) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    )+};
}
floats!(f32, f64);

impl<G, T: Same<G>> Same<Option<G>> for Option<T> {
    fn same(&self, other: &Option<G>) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl<G, H, T: Same<G>, U: Same<H>> Same<(G, H)> for (T, U) {
    fn same(&self, other: &(G, H)) -> bool {
        self.0.same(&other.0) && self.1.same(&other.1)
    }
}

impl<G, T: Same<G>, const N: usize> Same<[G; N]> for [T; N] {
    fn same(&self, other: &[G; N]) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

macro_rules! vectors {
    ($($module:ident $host:ident $glam:ident),+ $(,)?) => {$(
        impl Same<glam::$glam> for $module::$host {
            fn same(&self, other: &glam::$glam) -> bool {
                self.to_array().same(&other.to_array())
            }
        }
    )+};
}
vectors! {
    single Vec2 Vec2, single Vec3 Vec3, single Vec4 Vec4, single Quat Quat,
    double Vec2 DVec2, double Vec3 DVec3, double Vec4 DVec4, double Quat DQuat,
    signed Vec2 IVec2, signed Vec3 IVec3, signed Vec4 IVec4,
    unsigned Vec2 UVec2, unsigned Vec3 UVec3, unsigned Vec4 UVec4,
}

macro_rules! matrices {
    ($($module:ident $host:ident $glam:ident),+ $(,)?) => {$(
        impl Same<glam::$glam> for $module::$host {
            fn same(&self, other: &glam::$glam) -> bool {
                self.to_cols_array().same(&other.to_cols_array())
            }
        }
    )+};
}
matrices! {
    single Mat2 Mat2, single Mat3 Mat3, single Mat4 Mat4, double Mat2 DMat2, double Mat3 DMat3, double Mat4 DMat4,
}

macro_rules! mask {
    ($($host:ident),+) => {$(
        impl Same<glam::$host> for masks::$host {
            fn same(&self, other: &glam::$host) -> bool {
                self.bitmask() == other.bitmask()
            }
        }
    )+};
}
mask!(BVec2, BVec3, BVec4);

/// A small generator, so that samples are the same on every run.
pub(crate) struct Samples(pub(crate) u64);

impl Samples {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 29)
    }

    /// Between -4 and 4.
    pub(crate) fn number(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 50) as f64 - 4.0
    }

    /// Mostly ordinary, now and then something that breaks things.
    pub(crate) fn f64(&mut self) -> f64 {
        const SPECIAL: [f64; 12] =
            [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e200, 1e-200, 5e-324];
        match self.word() % 64 {
            k @ 0..12 => SPECIAL[k as usize],
            12..24 => (self.word() % 9) as f64 - 4.0,
            _ => self.number(),
        }
    }

    pub(crate) fn f32(&mut self) -> f32 {
        self.f64() as f32
    }

    /// Small, or near the ends of the type, or anything.
    pub(crate) fn i32(&mut self) -> i32 {
        let word = self.word();
        match word % 8 {
            0 => i32::MIN,
            1 => i32::MAX,
            2..6 => (word >> 8) as i32 % 9 - 4,
            _ => (word >> 8) as i32,
        }
    }

    pub(crate) fn u32(&mut self) -> u32 {
        let word = self.word();
        match word % 8 {
            0 => u32::MAX,
            1..5 => (word >> 8) as u32 % 9,
            _ => (word >> 8) as u32,
        }
    }
}

/// Compares one expression in both worlds.
macro_rules! agree {
    ($host:expr, $glam:expr, $($about:expr),+) => {{
        let (found, expected) = ($host, $glam);
        assert!(
            $crate::same::Same::same(&found, &expected),
            "{}: {found:?}, expected {expected:?}, of {:?}",
            stringify!($host),
            ($($about,)+)
        );
    }};
}
pub(crate) use agree;
