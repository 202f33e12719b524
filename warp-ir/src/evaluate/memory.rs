//! Array arguments: bytes, and where elements lie in them.

use crate::ir::{ArrayParam, Scalar, Storage};

/// How an element lies in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Layout {
    /// Bytes from one element to the next.
    pub size: usize,
    /// Byte offset of each leaf.
    pub offsets: Vec<usize>,
}

/// An array argument.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Array {
    /// One buffer, or for planes one for each leaf.
    pub buffers: Vec<Vec<u8>>,
    /// Byte position of flat index 0 in the buffer.
    pub start: usize,
    /// Extent of each dimension.
    pub extents: Vec<u64>,
    /// Stride of each dimension in elements, wrapping; empty where the array is not strided.
    pub strides: Vec<u64>,
    /// How elements lie; not used for planes.
    pub layout: Layout,
}

impl Array {
    /// Whether the numbers of buffers, dimensions and leaves are those of the parameter.
    pub(super) fn suits(&self, param: &ArrayParam) -> Result<(), String> {
        let planes = param.storage == Storage::Planes;
        let buffers = if planes { param.leaves.len() } else { 1 };
        let strides = if param.strided { param.rank as usize } else { 0 };
        let leaves = if planes { self.layout.offsets.len() } else { param.leaves.len() };
        let counts = [
            ("buffers", self.buffers.len(), buffers),
            ("extents", self.extents.len(), param.rank as usize),
            ("strides", self.strides.len(), strides),
            ("offsets of leaves", self.layout.offsets.len(), leaves),
        ];
        match counts.into_iter().find(|(_, found, expected)| found != expected) {
            Some((what, found, expected)) => Err(format!("{what}: expected {expected}, found {found}")),
            None => Ok(()),
        }
    }

    /// The stride of a dimension, in elements; without strides of its own, elements lie row-major.
    pub(super) fn stride(&self, dim: usize) -> u64 {
        match self.strides.get(dim) {
            Some(&stride) => stride,
            None => self.extents[dim + 1..].iter().fold(1, |product, &extent| product.wrapping_mul(extent)),
        }
    }

    /// The buffer and byte position of a leaf; `None` where the index leaves the address space.
    fn place(&self, param: &ArrayParam, index: u64, leaf: u16) -> Option<(usize, usize)> {
        let leaf = leaf as usize;
        match param.storage {
            Storage::Planes => {
                let at = usize::try_from(index).ok()?.checked_mul(param.leaves[leaf].size())?;
                Some((leaf, at.checked_add(self.start)?))
            }
            Storage::Elements => {
                // Flat indices wrap, as strides may be negative.
                let at = index.wrapping_mul(self.layout.size as u64).wrapping_add(self.start as u64);
                Some((0, usize::try_from(at).ok()?.checked_add(self.layout.offsets[leaf])?))
            }
        }
    }

    /// The bits of a leaf, or `None` outside the buffer.
    pub fn get(&self, param: &ArrayParam, index: u64, leaf: u16) -> Option<u64> {
        let (buffer, at) = self.place(param, index, leaf)?;
        let scalar = param.leaves[leaf as usize];
        let bytes = self.buffers[buffer].get(at..at.checked_add(scalar.size())?)?;
        Some(read(scalar, bytes))
    }

    /// Sets a leaf; `None` outside the buffer.
    #[must_use]
    pub fn set(&mut self, param: &ArrayParam, index: u64, leaf: u16, bits: u64) -> Option<()> {
        let (buffer, at) = self.place(param, index, leaf)?;
        let size = param.leaves[leaf as usize].size();
        let bytes = self.buffers[buffer].get_mut(at..at.checked_add(size)?)?;
        bytes.copy_from_slice(&bits.to_le_bytes()[..size]);
        Some(())
    }
}

/// The bits of a scalar in memory.
fn read(scalar: Scalar, bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word) & scalar.mask()
}
