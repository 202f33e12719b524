//! Gradients of arrays.

use std::marker::PhantomData;
use std::sync::Arc;

use super::Tape;
use super::error::TapeError;
use super::memory::{Memory, Published};
use super::region::floats;
use crate::array::buffer::Buffer;
use crate::array::{Array, Slice, SliceMut, SoaArray};
use crate::element::{Element, Zeroed};
use crate::error::Error;

impl<T: Element + Zeroed, const R: usize> Array<T, R> {
    /// The gradient that the last backward pass found for this array, by its value **at the start of the recording**:
    /// an array of the same shape, or, for a part of an array, that part. Fields that are no floats are zero in it.
    ///
    /// It is a copy, in memory of its own: later passes leave it as it is, and what is written to it changes nothing else.
    /// Where several tapes share an array, this is of the one that
    /// went back last; [`Tape::grad`] asks a certain tape.
    pub fn grad(&self) -> Result<Array<T, R>, Error> {
        has_floats::<T>()?;
        sealed::Mirrored::copied(self, published(&self.buffer)?)
    }
}

impl<T: Element, const R: usize> Array<T, R> {
    /// The same elements in the memory of a gradient.
    pub(crate) fn on_mirror(&self, buffer: Arc<Buffer>) -> Array<T, R> {
        let (start, extents, strides) = (self.start, self.extents, self.strides);
        Array { buffer, start, extents, strides, detached: false, element: PhantomData }
    }
}

impl<T: Element + Zeroed> SoaArray<T> {
    /// The gradient that the last backward pass found, as of [`Array::grad`].
    pub fn grad(&self) -> Result<SoaArray<T>, Error> {
        has_floats::<T>()?;
        sealed::Mirrored::copied(self, published(&self.buffer)?)
    }
}

use sealed::Mirrored;

/// Arrays that have gradients: [`Array`], parts of one and [`SoaArray`].
pub trait HasGradient {
    /// An array of the same shape.
    type Gradient: sealed::Mirrored;

    /// The array itself.
    fn array(&self) -> &Self::Gradient;
}

impl<T: Element + Zeroed, const R: usize> HasGradient for Array<T, R> {
    type Gradient = Array<T, R>;

    fn array(&self) -> &Array<T, R> {
        self
    }
}

impl<T: Element + Zeroed, const R: usize> HasGradient for Slice<'_, T, R> {
    type Gradient = Array<T, R>;

    fn array(&self) -> &Array<T, R> {
        self
    }
}

impl<T: Element + Zeroed, const R: usize> HasGradient for SliceMut<'_, T, R> {
    type Gradient = Array<T, R>;

    fn array(&self) -> &Array<T, R> {
        self
    }
}

impl<T: Element + Zeroed> HasGradient for SoaArray<T> {
    type Gradient = SoaArray<T>;

    fn array(&self) -> &SoaArray<T> {
        self
    }
}

pub(crate) mod sealed {
    use super::*;

    pub trait Mirrored {
        fn check() -> Result<(), Error>;
        fn memory(&self) -> Memory;
        fn mirrored(&self, gradient: GradientMemory) -> Self;
        /// What a pass has found for it, in memory of its own.
        fn copied(&self, gradient: FoundGradient) -> Result<Self, Error>
        where
            Self: Sized;
    }

    /// What a backward pass found for the memory of an array.
    #[derive(Debug)]
    pub struct FoundGradient(pub(crate) Published);

    /// Memory of the same size as the array's.
    #[derive(Debug)]
    pub struct GradientMemory(pub(crate) Arc<Buffer>);

    impl From<Arc<Buffer>> for GradientMemory {
        fn from(buffer: Arc<Buffer>) -> GradientMemory {
            GradientMemory(buffer)
        }
    }

    impl<T: Element + Zeroed, const R: usize> Mirrored for Array<T, R> {
        fn check() -> Result<(), Error> {
            has_floats::<T>()
        }

        fn memory(&self) -> Memory {
            Memory::of(&self.buffer)
        }

        fn mirrored(&self, gradient: GradientMemory) -> Self {
            self.on_mirror(gradient.0)
        }

        fn copied(&self, gradient: FoundGradient) -> Result<Self, Error> {
            match gradient.0 {
                Published::Zero => Array::zeros(self.device(), self.extents),
                // A tape that records sees where it comes from.
                Published::Found(found) => self.on_mirror(found).try_clone(),
            }
        }
    }

    impl<T: Element + Zeroed> Mirrored for SoaArray<T> {
        fn check() -> Result<(), Error> {
            has_floats::<T>()
        }

        fn memory(&self) -> Memory {
            Memory::of(&self.buffer)
        }

        fn mirrored(&self, gradient: GradientMemory) -> Self {
            self.on_mirror(gradient.0)
        }

        fn copied(&self, gradient: FoundGradient) -> Result<Self, Error> {
            match gradient.0 {
                Published::Zero => SoaArray::zeros(self.device(), self.len()),
                Published::Found(found) => self.on_mirror(found).copied(),
            }
        }
    }
}

impl Tape {
    /// The gradient that this tape's last [`backward`](Tape::backward) found for an array, by its value at the start of
    /// the recording: a copy, as of [`Array::grad`].
    pub fn grad<A: HasGradient>(&self, array: &A) -> Result<A::Gradient, Error> {
        A::Gradient::check()?;
        let array = array.array();
        let missing = |ran| TapeError::NotOnTape { array: "this array", ran };
        let found = match self.found().as_ref() {
            Some(found) => found.gradients.found_for(array.memory().key()).ok_or(missing(true)),
            None => Err(missing(false)),
        };
        array.copied(sealed::FoundGradient(found?))
    }
}

fn has_floats<T: Element>() -> Result<(), Error> {
    match floats(&T::LAYOUT).is_empty() {
        true => Err(TapeError::NoFloats { doing: "`grad`" }.into()),
        false => Ok(()),
    }
}

fn published(buffer: &Arc<Buffer>) -> Result<sealed::FoundGradient, Error> {
    let published = buffer.gradient().lock().unwrap_or_else(|e| e.into_inner());
    Ok(sealed::FoundGradient(published.clone().ok_or(TapeError::NoGradient)?))
}
