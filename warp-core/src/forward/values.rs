//! Tangents of scalar arguments.

use half::{bf16, f16};
use warp_ir::ir::Scalar;

use super::{Forward, Tangents, VALUES};
use crate::element::Element;
use crate::error::Error;
use crate::kernel::{Definition, Kernel};
use crate::layout::read_scalar;
use crate::program;
use crate::tape::{TapeError, parts};

/// The tangents of a kernel's scalars: which kernel, which of its scalars, and the bits.
pub(super) type Values = Vec<(&'static Definition, usize, u64)>;

impl Tangents {
    /// Says how a value changes that kernel `K` takes as an argument, in all its launches: `along.seed_value::<step,
    /// f32>("dt", 1.0)`. `T` is the parameter's type; of a struct, what is no float has no tangent. A later seed takes
    /// the place of an earlier one.
    ///
    /// ```
    /// # extern crate warp_core as warp;
    /// use warp_core::{Tangents, prelude::*};
    ///
    /// #[kernel]
    /// fn fall(height: &mut [f32], speed: &mut [f32], dt: f32) {
    ///     let i = tid();
    ///     speed[i] -= 9.81 * dt;
    ///     height[i] += speed[i] * dt;
    /// }
    ///
    /// /// How heights change with the length of all steps.
    /// fn by_step(height: &mut Array<f32>, speed: &mut Array<f32>) -> Result<Array<f32>, Error> {
    ///     let mut along = Tangents::new();
    ///     along.seed_value::<fall, f32>("dt", 1.0)?;
    ///     along.run(|| (0..100).try_for_each(|_| fall::launch(height.len(), height, speed, 0.01)))?;
    ///     along.of(height)
    /// }
    /// # fn main() {}
    /// ```
    pub fn seed_value<K: Kernel, T: Element>(&mut self, parameter: &str, direction: T) -> Result<(), Error> {
        let definition = K::definition();
        let kernel = || definition.name().into();
        let no = |reason: String| TapeError::NoValueTangent { kernel: kernel(), parameter: parameter.into(), reason };
        let known = match definition.forward()? {
            Forward::Known(known) => known,
            Forward::Refused { place, reason } => {
                let (place, reason) = (place.clone(), reason.clone());
                return Err(TapeError::NoTangent { kernel: kernel(), place, reason }.into());
            }
        };
        let function = program::program(&definition.spec)?.kernel.function;
        let mut parts = parts::<T>(&function, parameter).map_err(no)?.into_iter();
        let mut seeded = false;
        let from = (&direction as *const T).cast::<u8>();
        T::LAYOUT.for_each_leaf(0, &mut |offset, scalar| {
            let Some(part) = parts.next().filter(|part| known.scalars.contains(part)) else { return };
            // SAFETY: `Element` promises that the leaf lies inside the value and holds such a scalar.
            let bits = tangent_bits(scalar, unsafe { read_scalar(from.add(offset), scalar) });
            self.values.retain(|(of, k, _)| !(std::ptr::eq(*of, definition) && *k == part));
            self.values.push((definition, part, bits));
            seeded = true;
        });
        match seeded {
            true => Ok(()),
            false => Err(no("it holds no floats, so that it cannot change a little".into()).into()),
        }
    }
}

/// The tangent of a half is a float.
fn tangent_bits(scalar: Scalar, bits: u64) -> u64 {
    match scalar {
        Scalar::F16 => f16::from_bits(bits as u16).to_f32().to_bits().into(),
        Scalar::BF16 => bf16::from_bits(bits as u16).to_f32().to_bits().into(),
        _ => bits,
    }
}

/// The tangents of some scalars of a kernel in the run that is going on.
pub(crate) fn seeded_values(definition: &Definition, scalars: &[usize]) -> Vec<u64> {
    VALUES.with_borrow(|values| {
        let of = |k: &usize| values.iter().find(|(of, part, _)| std::ptr::eq(*of, definition) && part == k);
        scalars.iter().map(|k| of(k).map_or(0, |(_, _, bits)| *bits)).collect()
    })
}
