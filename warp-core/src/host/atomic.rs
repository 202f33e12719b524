//! Atomics on places. In a kernel they are one step for all threads; the plain functions here run one thread at a time.
//!
//! Each gives the old value. On vectors only [`atomic_add`] and [`atomic_sub`] exist; they work one component at a time,
//! and what they give is then of no use.

use glam::*;

mod sealed {
    pub trait Sealed {}
}

/// Numbers that add and subtract atomically: `i32`, `u32`, `i64`, `u64`, `isize`, `usize`, `f32`, `f64`, and vectors.
pub trait AtomicAdd: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn plus(self, other: Self) -> Self;
    #[doc(hidden)]
    fn minus(self, other: Self) -> Self;
}

/// Numbers that compare and are exchanged atomically: those of [`AtomicAdd`] but the vectors.
pub trait AtomicNumber: AtomicAdd {
    #[doc(hidden)]
    fn lower(self, other: Self) -> Self;
    #[doc(hidden)]
    fn upper(self, other: Self) -> Self;
    #[doc(hidden)]
    fn same(self, other: Self) -> bool;
}

/// Integers, which have atomic bits.
pub trait AtomicBits: AtomicNumber {
    #[doc(hidden)]
    fn and(self, other: Self) -> Self;
    #[doc(hidden)]
    fn or(self, other: Self) -> Self;
    #[doc(hidden)]
    fn xor(self, other: Self) -> Self;
}

/// Replaces the place's value; gives the old one.
fn replace<T: Copy>(place: &mut T, new: impl FnOnce(T) -> T) -> T {
    let old = *place;
    *place = new(old);
    old
}

/// Adds `value` to the place and gives the old value. Integers wrap.
pub fn atomic_add<T: AtomicAdd>(place: &mut T, value: T) -> T {
    replace(place, |old| old.plus(value))
}

/// Subtracts `value` from the place and gives the old value. Integers wrap.
pub fn atomic_sub<T: AtomicAdd>(place: &mut T, value: T) -> T {
    replace(place, |old| old.minus(value))
}

/// Lowers the place to `value` if that is less, and gives the old value. A NaN loses against a number, and -0 is below 0.
pub fn atomic_min<T: AtomicNumber>(place: &mut T, value: T) -> T {
    replace(place, |old| old.lower(value))
}

/// Raises the place to `value` if that is more, and gives the old value. A NaN loses against a number, and -0 is below 0.
pub fn atomic_max<T: AtomicNumber>(place: &mut T, value: T) -> T {
    replace(place, |old| old.upper(value))
}

/// Combines the place with `value` by bitwise and; gives the old value.
pub fn atomic_and<T: AtomicBits>(place: &mut T, value: T) -> T {
    replace(place, |old| old.and(value))
}

/// Combines the place with `value` by bitwise or; gives the old value.
pub fn atomic_or<T: AtomicBits>(place: &mut T, value: T) -> T {
    replace(place, |old| old.or(value))
}

/// Combines the place with `value` by bitwise exclusive or; gives the old value.
pub fn atomic_xor<T: AtomicBits>(place: &mut T, value: T) -> T {
    replace(place, |old| old.xor(value))
}

/// Puts `value` in the place and gives the old value.
pub fn atomic_exchange<T: AtomicNumber>(place: &mut T, value: T) -> T {
    replace(place, |_| value)
}

/// Puts `value` in the place if it holds `compare`, bit for bit, and gives the old value either way.
pub fn atomic_compare_exchange<T: AtomicNumber>(place: &mut T, compare: T, value: T) -> T {
    replace(place, |old| if old.same(compare) { value } else { old })
}

macro_rules! integers {
    ($($ty:ty)*) => { $(
        impl sealed::Sealed for $ty {}
        impl AtomicAdd for $ty {
            fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
            fn minus(self, other: Self) -> Self { self.wrapping_sub(other) }
        }
        impl AtomicNumber for $ty {
            fn lower(self, other: Self) -> Self { self.min(other) }
            fn upper(self, other: Self) -> Self { self.max(other) }
            fn same(self, other: Self) -> bool { self == other }
        }
        impl AtomicBits for $ty {
            fn and(self, other: Self) -> Self { self & other }
            fn or(self, other: Self) -> Self { self | other }
            fn xor(self, other: Self) -> Self { self ^ other }
        }
    )* };
}

macro_rules! floats {
    ($($ty:ty)*) => { $(
        impl sealed::Sealed for $ty {}
        impl AtomicAdd for $ty {
            fn plus(self, other: Self) -> Self { self + other }
            fn minus(self, other: Self) -> Self { self - other }
        }
        impl AtomicNumber for $ty {
            fn lower(self, other: Self) -> Self {
                if other.is_nan() || self.total_cmp(&other).is_le() && !self.is_nan() { self } else { other }
            }
            fn upper(self, other: Self) -> Self {
                if other.is_nan() || self.total_cmp(&other).is_ge() && !self.is_nan() { self } else { other }
            }
            fn same(self, other: Self) -> bool { self.to_bits() == other.to_bits() }
        }
    )* };
}

macro_rules! vectors {
    ($($ty:ty)*) => { $(
        impl sealed::Sealed for $ty {}
        impl AtomicAdd for $ty {
            fn plus(self, other: Self) -> Self { self + other }
            fn minus(self, other: Self) -> Self { self - other }
        }
    )* };
}

macro_rules! integer_vectors {
    ($($ty:ty)*) => { $(
        impl sealed::Sealed for $ty {}
        impl AtomicAdd for $ty {
            fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
            fn minus(self, other: Self) -> Self { self.wrapping_sub(other) }
        }
    )* };
}

integers!(i32 u32 i64 u64 isize usize);
floats!(f32 f64);
vectors!(Vec2 Vec3 Vec4 Mat2 Mat3 Mat4 Quat DVec2 DVec3 DVec4 DMat2 DMat3 DMat4 DQuat);
integer_vectors!(IVec2 IVec3 IVec4 UVec2 UVec3 UVec4 I64Vec2 I64Vec3 I64Vec4 U64Vec2 U64Vec3 U64Vec4);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gives_the_old_value() {
        let mut x = 5i32;
        assert_eq!((atomic_add(&mut x, 3), x), (5, 8));
        assert_eq!((atomic_sub(&mut x, 10), x), (8, -2));
        assert_eq!((atomic_max(&mut x, 4), x), (-2, 4));
        assert_eq!((atomic_min(&mut x, 7), x), (4, 4));
        assert_eq!((atomic_or(&mut x, 3), x), (4, 7));
        assert_eq!((atomic_and(&mut x, 6), x), (7, 6));
        assert_eq!((atomic_xor(&mut x, 5), x), (6, 3));
        assert_eq!((atomic_exchange(&mut x, 9), x), (3, 9));
        assert_eq!((atomic_compare_exchange(&mut x, 1, 2), x), (9, 9));
        assert_eq!((atomic_compare_exchange(&mut x, 9, 2), x), (9, 2));
        let mut y = i32::MAX;
        atomic_add(&mut y, 1);
        assert_eq!(y, i32::MIN);
    }

    #[test]
    fn float_bounds_follow_ieee_minimum_number() {
        let mut x = f32::NAN;
        assert!(atomic_min(&mut x, 2.0).is_nan());
        assert_eq!(x, 2.0);
        atomic_max(&mut x, f32::NAN);
        assert_eq!(x, 2.0);
        let mut zero = 0.0f32;
        atomic_min(&mut zero, -0.0);
        assert_eq!(zero.to_bits(), (-0.0f32).to_bits());
        atomic_max(&mut zero, 0.0);
        assert_eq!(zero.to_bits(), 0);
        let mut negative = -f64::NAN;
        atomic_max(&mut negative, -1.0);
        assert_eq!(negative, -1.0);
    }

    #[test]
    fn vectors_add_by_component() {
        let mut v = Vec3::new(1.0, 2.0, 3.0);
        atomic_add(&mut v, Vec3::ONE);
        atomic_sub(&mut v, Vec3::X);
        assert_eq!(v, Vec3::new(1.0, 3.0, 4.0));
    }
}
