//! Kernels that rustc compiles as they stand, beside the front end's reading of the same tokens: the arrays must be
//! equal bit for bit.

use std::cell::Cell;

thread_local! {
    pub(super) static THREAD: Cell<usize> = const { Cell::new(0) };
}

/// The plain function's thread number.
pub(super) fn tid() -> usize {
    THREAD.get()
}

/// The scalars of an element.
pub(super) trait Leaves: Copy {
    fn leaves(self) -> Vec<u64>;
}

macro_rules! leaves {
    ($($t:ty),*) => {$(
        impl Leaves for $t {
            fn leaves(self) -> Vec<u64> {
                vec![super::harness::Bits::bits(self)]
            }
        }
    )*};
}
leaves!(i8, i16, i32, i64, u8, u16, u32, u64, usize, f32, f64, bool);

impl Leaves for half::f16 {
    fn leaves(self) -> Vec<u64> {
        vec![self.to_bits() as u64]
    }
}

impl Leaves for half::bf16 {
    fn leaves(self) -> Vec<u64> {
        vec![self.to_bits() as u64]
    }
}

impl Leaves for glam::Vec3 {
    fn leaves(self) -> Vec<u64> {
        self.to_array().iter().map(|c| c.to_bits() as u64).collect()
    }
}

impl Leaves for glam::Mat3 {
    fn leaves(self) -> Vec<u64> {
        flat(&[self.x_axis, self.y_axis, self.z_axis])
    }
}

impl<T: Leaves, const N: usize> Leaves for [T; N] {
    fn leaves(self) -> Vec<u64> {
        self.into_iter().flat_map(Leaves::leaves).collect()
    }
}

/// The constants of kernels here: whether this is a build with debug assertions, and no others.
pub(super) const SLOTS: &[u64] = &[cfg!(debug_assertions) as u64];

/// All scalars of an array.
pub(super) fn flat<T: Leaves>(values: &[T]) -> Vec<u64> {
    values.iter().flat_map(|v| v.leaves()).collect()
}

/// `agree! { name: { items with a kernel k } threads, (array: type = value, ..), k(&array, ..) }`
macro_rules! agree {
    ($name:ident: { $($items:tt)* } $threads:expr, ($($array:ident: $ty:ty = $value:expr),* $(,)?), k($($arg:expr),* $(,)?)) => {
        #[test]
        #[allow(unused, clippy::all)]
        pub(super) fn $name() {
            use glam::*;
            use half::{bf16, f16};
            use super::agree::tid;
            $($items)*
            $(#[allow(unused_mut)] let mut $array: Vec<$ty> = $value.to_vec();)*
            let data = vec![$(super::harness::raw(super::agree::flat(&$array))),*];
            let report = super::harness::Source::new(stringify!($($items)*)).run_with(&[$threads], &data, &[], super::agree::SLOTS);
            for thread in 0..$threads {
                super::agree::THREAD.set(thread as usize);
                k($($arg),*);
            }
            assert_eq!(report.fault(), None);
            let mut at = 0;
            $(
                assert_eq!(
                    report.get::<u64>(at), super::agree::flat(&$array),
                    "array `{}`: {:?}\n{}", stringify!($array), $array, super::harness::show(&report.kernel),
                );
                at += 1;
            )*
            let _ = at;
        }
    };
}
pub(super) use agree;
