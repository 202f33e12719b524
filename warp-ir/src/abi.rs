//! Argument layout: one truth for launches and for every emitter.
//!
//! A launch passes its arguments as a block of 64-bit words: first each array parameter, in order, then each scalar
//! parameter, one word each, the value's bits zero-extended. An array takes
//!
//! | kind | words |
//! |---|---|
//! | elements | address, then one extent a dimension |
//! | elements, strided | address, extents, then one stride (in elements) a dimension |
//! | planes | one address a leaf, then the extent |

use crate::ir::{ArrayParam, Function, Storage};

/// Where the words of an array parameter lie in the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArrayWords {
    /// First address word; for planes, leaf `k` is at `address + k`.
    pub address: usize,
    /// Word of the extent of dimension 0.
    pub extents: usize,
    /// Word of the stride of dimension 0, for strided arrays.
    pub strides: Option<usize>,
}

/// Where all arguments of a function lie in the block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgWords {
    /// One entry for each array parameter.
    pub arrays: Vec<ArrayWords>,
    /// Word of the first scalar parameter.
    pub scalars: usize,
    /// Words in all.
    pub total: usize,
}

/// How an element of an array parameter lies in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ElementLayout {
    /// Bytes from one element to the next.
    pub size: usize,
    /// Alignment of an element in bytes.
    pub align: usize,
    /// Byte offset of each leaf, in the order of `ArrayParam::leaves`.
    pub offsets: Vec<usize>,
}

impl ArgWords {
    /// The layout of a function's arguments.
    pub fn of(function: &Function) -> ArgWords {
        let mut next = 0;
        let arrays = function.arrays.iter().map(|a| ArrayWords::place(a, &mut next)).collect();
        ArgWords { arrays, scalars: next, total: next + function.params.len() }
    }
}

impl ArrayWords {
    fn place(array: &ArrayParam, next: &mut usize) -> ArrayWords {
        let mut take = |n: usize| {
            let at = *next;
            *next += n;
            at
        };
        let rank = array.rank as usize;
        let address = take(match array.storage {
            Storage::Elements => 1,
            Storage::Planes => array.leaves.len(),
        });
        let extents = take(rank);
        let strides = array.strided.then(|| take(rank));
        ArrayWords { address, extents, strides }
    }
}
