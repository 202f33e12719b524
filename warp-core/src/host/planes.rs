//! `Soa<T>`: what a kernel's parameter `&Soa<T>` is on the host.

use std::ops::{Index, IndexMut};

/// Elements whose scalars lie in planes of their own on a device. As plain Rust it is a vector.
///
/// A kernel takes `&Soa<T>` or `&mut Soa<T>` and indexes it like a slice; a launch passes a
/// [`SoaArray`](crate::array::SoaArray).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Soa<T>(Vec<T>);

impl<T: Copy> Soa<T> {
    /// The elements of a slice.
    pub fn from_slice(values: &[T]) -> Soa<T> {
        Soa(values.to_vec())
    }

    /// The elements as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One element.
    #[track_caller]
    pub fn get(&self, index: usize) -> T {
        self.0[index]
    }

    /// Exchanges two elements.
    #[track_caller]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.0.swap(a, b);
    }

    /// Overwrites one element.
    #[track_caller]
    pub fn set(&mut self, index: usize, value: T) {
        self.0[index] = value;
    }
}

impl<T> Index<usize> for Soa<T> {
    type Output = T;

    #[track_caller]
    fn index(&self, index: usize) -> &T {
        &self.0[index]
    }
}

impl<T> IndexMut<usize> for Soa<T> {
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.0[index]
    }
}
