//! Memory of a device with guards around it.

use std::marker::PhantomData;
use std::sync::Arc;

use bytemuck::{AnyBitPattern, NoUninit, Zeroable};
use warp::backend::{Address, Backend};

/// Bytes before and after what kernels may touch; a multiple of the alignment of blocks.
const GUARD: usize = 64;
/// What the guards hold.
const MARK: u8 = 0xa5;

/// Elements in the memory of a device. Reading them back also sees that nothing was written around them.
pub struct Buffer<T> {
    backend: Arc<dyn Backend>,
    block: Address,
    len: usize,
    elements: PhantomData<T>,
}

impl<T: NoUninit + AnyBitPattern + Zeroable> Buffer<T> {
    /// A copy of host memory.
    pub fn new(backend: &Arc<dyn Backend>, values: &[T]) -> Buffer<T> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let guarded = [&[MARK; GUARD][..], bytes, &[MARK; GUARD]].concat();
        let block = backend.allocate(guarded.len()).unwrap_or_else(|error| panic!("{error}"));
        // SAFETY: the block has just been allocated with this length, and nobody else knows it.
        unsafe { backend.upload(block, &guarded) }.unwrap_or_else(|error| panic!("{error}"));
        Buffer { backend: backend.clone(), block, len: values.len(), elements: PhantomData }
    }

    /// What lies there now.
    pub fn read(&self) -> Vec<T> {
        let mut guarded = vec![0; self.bytes() + 2 * GUARD];
        // SAFETY: the block is valid for this length until `drop`, and launches have ended when they return.
        unsafe { self.backend.download(self.block, &mut guarded) }.unwrap_or_else(|error| panic!("{error}"));
        let (before, rest) = guarded.split_at(GUARD);
        let (bytes, after) = rest.split_at(self.bytes());
        assert!(before.iter().chain(after).all(|byte| *byte == MARK), "memory around an array was written");
        let mut values = vec![T::zeroed(); self.len];
        bytemuck::try_cast_slice_mut(&mut values).expect("bytes are of any alignment").copy_from_slice(bytes);
        values
    }
}

impl<T> Buffer<T> {
    /// The address of the first element.
    pub fn address(&self) -> Address {
        self.block + GUARD as Address
    }

    /// The argument words of a slice: address and length.
    pub fn words(&self) -> [u64; 2] {
        [self.address(), self.len as u64]
    }

    fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        // SAFETY: the block came from `allocate` with this length, and launches have ended when they return.
        unsafe { self.backend.free(self.block, self.bytes() + 2 * GUARD) };
    }
}
