//! The same elements under another type.

use std::marker::PhantomData;

use super::{Array, Slice, SliceMut};
use crate::element::{Element, Validity};

impl<T: Element, const R: usize> Array<T, R> {
    /// The same elements as another type that lies in memory in the same way: a `Vec3` is three `f32`. That it does is
    /// checked when the program is compiled.
    ///
    /// ```
    /// # use warp_core::{Array, Error, math::Vec3};
    /// fn coordinates(points: &Array<Vec3>) -> Result<Vec<[f32; 3]>, Error> {
    ///     points.cast::<[f32; 3]>().to_vec()
    /// }
    /// ```
    pub fn cast<U: Element>(&self) -> Slice<'_, U, R> {
        Slice { part: self.cast_part(), whole: PhantomData }
    }

    /// The same for reading and writing.
    pub fn cast_mut<U: Element>(&mut self) -> SliceMut<'_, U, R> {
        SliceMut { part: self.cast_part(), whole: PhantomData }
    }

    fn cast_part<U: Element>(&self) -> Array<U, R> {
        const { assert!(agree::<T, U>(), "the two types lie in memory in different ways, or not all bits are values") };
        let (buffer, start, detached) = (self.buffer.clone(), self.start, self.detached);
        Array { buffer, start, extents: self.extents, strides: self.strides, detached, element: PhantomData }
    }
}

/// Whether values of one type are values of the other.
const fn agree<T: Element, U: Element>() -> bool {
    let any = matches!(T::VALIDITY, Validity::Any) && matches!(U::VALIDITY, Validity::Any);
    // Memory of arrays is aligned to 16 bytes at least.
    let aligned = align_of::<U>() <= 16 || align_of::<U>() <= align_of::<T>();
    if !any || !aligned || size_of::<T>() != size_of::<U>() || T::LAYOUT.leaves() != U::LAYOUT.leaves() {
        return false;
    }
    let mut k = 0;
    while k < T::LAYOUT.leaves() {
        let ((at, scalar), (other_at, other)) = (T::LAYOUT.leaf(k), U::LAYOUT.leaf(k));
        if at != other_at || scalar as u8 != other as u8 {
            return false;
        }
        k += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::agree;
    use crate::math::{Mat3, Quat, Vec2, Vec3};

    #[test]
    fn types_agree_whose_scalars_lie_alike() {
        assert!(agree::<Vec3, [f32; 3]>() && agree::<[f32; 3], Vec3>() && agree::<Mat3, [Vec3; 3]>());
        assert!(agree::<Quat, [f32; 4]>() && agree::<[[u8; 2]; 3], [u8; 6]>());
        assert!(!agree::<f32, u32>() && !agree::<Vec3, [f32; 4]>() && !agree::<Vec2, f64>());
        // A number is no truth value.
        assert!(!agree::<u8, bool>() && !agree::<bool, bool>());
    }
}
