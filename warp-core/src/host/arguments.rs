//! The arguments of a recorded launch once more, for the kernel's plain function.

use std::mem::MaybeUninit;
use std::slice;

use super::planes::Soa;
use crate::element::Element;
use crate::fault::Fault;
use crate::layout::{read_scalar, write_scalar};

/// Runs a kernel's plain function over all threads of a launch.
///
/// # Safety
/// The arguments are those of a launch of that kernel.
pub type Plain = unsafe fn(&mut Arguments<'_>) -> Result<(), Box<Fault>>;

/// The words of a launch whose addresses are the host's own, taken off one by one in the order in which a launch adds
/// them. Used by generated code.
///
/// What it gives may live as long as the caller likes: the contract of each method is that the words are of such an
/// argument, that the memory stays while the plain function runs, and that what is written is lent to nobody else.
pub struct Arguments<'words> {
    dims: &'words [u64],
    arrays: slice::Iter<'words, u64>,
    values: slice::Iter<'words, u64>,
    /// Planes as vectors, which is what a plain function has of them.
    planes: Vec<Box<dyn Gathered>>,
}

impl<'words> Arguments<'words> {
    pub(crate) fn new(dims: &'words [u64], arrays: &'words [u64], values: &'words [u64]) -> Arguments<'words> {
        Arguments { dims, arrays: arrays.iter(), values: values.iter(), planes: vec![] }
    }

    /// The extents of the launch.
    pub fn dims<const R: usize>(&self) -> [usize; R] {
        std::array::from_fn(|d| self.dims.get(d).map_or(0, |&n| n as usize))
    }

    /// `&[T]`.
    ///
    /// # Safety
    /// See the type.
    pub unsafe fn slice<'a, T>(&mut self) -> &'a [T] {
        let (address, len) = (self.word(), self.word() as usize);
        // SAFETY: the caller vouches for the words, and so for the memory behind them.
        if len == 0 { &[] } else { unsafe { slice::from_raw_parts(address as *const T, len) } }
    }

    /// `&mut [T]`.
    ///
    /// # Safety
    /// See the type.
    pub unsafe fn slice_mut<'a, T>(&mut self) -> &'a mut [T] {
        let (address, len) = (self.word(), self.word() as usize);
        // SAFETY: as above, and nobody else has what is written.
        if len == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(address as *mut T, len) } }
    }

    /// A view that is read: its elements, extents and strides.
    ///
    /// # Safety
    /// See the type.
    pub unsafe fn view<'a, T, const R: usize>(&mut self) -> (&'a [T], [usize; R], [usize; R]) {
        let (address, extents, strides) = self.view_words();
        let len = reach(&extents, &strides);
        // SAFETY: as above; the last element that indices reach is inside the memory.
        (if len == 0 { &[] } else { unsafe { slice::from_raw_parts(address as *const T, len) } }, extents, strides)
    }

    /// A view that is written.
    ///
    /// # Safety
    /// See the type.
    pub unsafe fn view_mut<'a, T, const R: usize>(&mut self) -> (&'a mut [T], [usize; R], [usize; R]) {
        let (address, extents, strides) = self.view_words();
        let len = reach(&extents, &strides);
        // SAFETY: as above; launches that write overlapping stretches of memory are refused.
        (
            if len == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(address as *mut T, len) } },
            extents,
            strides,
        )
    }

    /// `&Soa<T>`.
    ///
    /// # Safety
    /// See the type; the vector lives as long as these arguments do.
    pub unsafe fn planes<'a, T: Element>(&mut self) -> &'a Soa<T> {
        // SAFETY: the same contract.
        unsafe { self.gather(false) }
    }

    /// `&mut Soa<T>`.
    ///
    /// # Safety
    /// See the type; the vector lives as long as these arguments do.
    pub unsafe fn planes_mut<'a, T: Element>(&mut self) -> &'a mut Soa<T> {
        // SAFETY: the same contract.
        unsafe { self.gather(true) }
    }

    /// A value.
    ///
    /// # Safety
    /// See the type.
    pub unsafe fn value<T: Element>(&mut self) -> T {
        let mut value = MaybeUninit::<T>::zeroed();
        let to = value.as_mut_ptr().cast::<u8>();
        T::LAYOUT.for_each_leaf(0, &mut |offset, scalar| {
            let bits = self.values.next().copied().unwrap_or(0);
            // SAFETY: `Element` promises that the leaf lies inside the value.
            unsafe { write_scalar(to.add(offset), scalar, bits) };
        });
        // SAFETY: all leaves have the bits of a value that a launch took, and between them is padding.
        unsafe { value.assume_init() }
    }

    /// Puts what was written to vectors back into planes.
    ///
    /// # Safety
    /// The plain function is over, and the memory is still there.
    pub(crate) unsafe fn finish(self) {
        debug_assert!(self.arrays.len() + self.values.len() == 0, "a plain function takes all words of its launch");
        for planes in self.planes {
            // SAFETY: the same contract.
            unsafe { planes.scatter() };
        }
    }

    fn word(&mut self) -> u64 {
        self.arrays.next().copied().unwrap_or(0)
    }

    fn view_words<const R: usize>(&mut self) -> (u64, [usize; R], [usize; R]) {
        let address = self.word();
        let extents = std::array::from_fn(|_| self.word() as usize);
        (address, extents, std::array::from_fn(|_| self.word() as usize))
    }

    unsafe fn gather<'a, T: Element>(&mut self, write: bool) -> &'a mut Soa<T> {
        let addresses: Vec<u64> = (0..T::LAYOUT.leaves()).map(|_| self.word()).collect();
        let len = self.word() as usize;
        let element = |k: usize| {
            let mut value = MaybeUninit::<T>::zeroed();
            let to = value.as_mut_ptr().cast::<u8>();
            let mut planes = addresses.iter();
            T::LAYOUT.for_each_leaf(0, &mut |offset, scalar| {
                let Some(&plane) = planes.next() else { return };
                let from = (plane as *const u8).wrapping_add(k * scalar.size());
                // SAFETY: the caller vouches for planes of this length, and `Element` for the place in the value.
                unsafe { write_scalar(to.add(offset), scalar, read_scalar(from, scalar)) };
            });
            // SAFETY: all leaves have the bits of an element, and between them is padding.
            unsafe { value.assume_init() }
        };
        let elements: Vec<T> = (0..len).map(element).collect();
        let soa = Box::into_raw(Box::new(Soa::from_slice(&elements)));
        self.planes.push(Box::new(Vector { soa, addresses, written: write }));
        // SAFETY: the box goes with these arguments, which the caller says outlive its use.
        unsafe { &mut *soa }
    }
}

/// A vector in the place of planes.
trait Gathered {
    /// Puts the elements back where they came from.
    ///
    /// # Safety
    /// The planes are still there, and nobody has the vector any more.
    unsafe fn scatter(&self);
}

struct Vector<T> {
    /// A box of its own. A reference to it is out while the plain function runs, so it is no `Box` here.
    soa: *mut Soa<T>,
    addresses: Vec<u64>,
    written: bool,
}

impl<T: Element> Gathered for Vector<T> {
    unsafe fn scatter(&self) {
        // SAFETY: the box lives until this value goes, and nobody else has it now.
        let soa = unsafe { &*self.soa };
        for (k, value) in soa.as_slice().iter().enumerate().filter(|_| self.written) {
            let from = (value as *const T).cast::<u8>();
            let mut planes = self.addresses.iter();
            T::LAYOUT.for_each_leaf(0, &mut |offset, scalar| {
                let Some(&plane) = planes.next() else { return };
                let to = (plane as *mut u8).wrapping_add(k * scalar.size());
                // SAFETY: `Element` vouches for the leaf, the caller for the plane.
                unsafe { write_scalar(to, scalar, read_scalar(from.add(offset), scalar)) };
            });
        }
    }
}

impl<T> Drop for Vector<T> {
    fn drop(&mut self) {
        // SAFETY: it was made by a box, and goes once.
        drop(unsafe { Box::from_raw(self.soa) });
    }
}

/// The number of elements from the first to the last that indices reach.
fn reach(extents: &[usize], strides: &[usize]) -> usize {
    match extents.contains(&0) {
        true => 0,
        false => 1 + extents.iter().zip(strides).map(|(extent, stride)| (extent - 1) * stride).sum::<usize>(),
    }
}
