//! The numbers that are optimised.

use super::arrays;
use crate::array::Array;
use crate::error::Error;
use crate::number::Float;

/// `f32` or `f64`. Steps are computed in the type itself, sums over many entries in `f64`.
pub trait Real: Float + Into<f64> + sealed::Launch {
    /// The distance from 1 to the next number.
    const EPSILON: f64;
}

pub(super) mod sealed {
    use super::{Array, Error};

    /// The kernels of one type, for code that is generic over it.
    pub trait Launch: Sized + crate::element::Element {
        fn sgd(
            x: &mut Array<Self>,
            g: &Array<Self>,
            b: &mut Array<Self>,
            by: [Self; 4],
            kind: u32,
        ) -> Result<(), Error>;
        fn adam(
            x: &mut Array<Self>,
            g: &Array<Self>,
            moments: (&mut Array<Self>, &mut Array<Self>),
            by: [Self; 9],
        ) -> Result<(), Error>;
    }
}

macro_rules! real {
    ($($ty:ident)*) => { $(
        impl Real for $ty {
            const EPSILON: f64 = $ty::EPSILON as f64;
        }

        impl sealed::Launch for $ty {
            fn sgd(x: &mut Array<$ty>, g: &Array<$ty>, b: &mut Array<$ty>, by: [$ty; 4], kind: u32) -> Result<(), Error> {
                let [rate, momentum, dampening, decay] = by;
                arrays::sgd::launch(x.len(), x, g, b, rate, momentum, dampening, decay, kind)
            }

            fn adam(
                x: &mut Array<$ty>,
                g: &Array<$ty>,
                (m, v): (&mut Array<$ty>, &mut Array<$ty>),
                by: [$ty; 9],
            ) -> Result<(), Error> {
                arrays::adam::launch(x.len(), x, g, m, v, by)
            }
        }
    )* };
}

real! { f32 f64 }

/// The largest magnitude; NaN where an entry is no number.
pub(super) fn largest<T: Real>(values: &[T]) -> f64 {
    values.iter().map(|v| (*v).into().abs()).fold(0.0, |most, v: f64| if v > most || v.is_nan() { v } else { most })
}

/// The inner product, in `f64`.
pub(super) fn dot<T: Real>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a).into() * (*b).into()).sum()
}

/// Each entry plus `by` times an entry of a direction, rounded once.
pub(super) fn moved<T: Real>(x: &[T], by: f64, along: &[f64]) -> Vec<T> {
    x.iter().zip(along).map(|(x, d)| T::from_f64((*x).into() + by * d)).collect()
}
