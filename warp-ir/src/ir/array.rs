//! Memory: array parameters and arrays local to a thread.

use serde::{Deserialize, Serialize};

use super::Scalar;

/// An array parameter of a function, by position in [`Function::arrays`](super::Function::arrays).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ArrayId(pub u32);

/// A local array of a function, by position in [`Function::locals`](super::Function::locals).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct LocalId(pub u32);

/// The memory that an access touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Mem {
    /// An array parameter, shared by all threads.
    Array(ArrayId),
    /// A local array, one a thread.
    Local(LocalId),
}

/// What a function may do with an array parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Access {
    /// `&[T]`: loads only, and no other parameter of the launch writes the same memory.
    Read,
    /// `&mut [T]`: loads, stores and atomics.
    Write,
}

/// How the leaves of an element lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Storage {
    /// Whole elements one after another, in Rust's layout of the element type.
    Elements,
    /// Each leaf in a plane of its own (`Soa<T>`).
    Planes,
}

/// An array parameter: elements made of scalar leaves, in 1 to 4 dimensions.
///
/// Accesses name a **flat element index** and a leaf. For `rank == 1 && !strided` the flat index is the index itself;
/// otherwise lowering computes it with `Stride` ops. Byte offsets of leaves and the size of an element are not part of
/// the IR: rustc knows them, and they arrive when the function is compiled.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ArrayParam {
    /// The user's name, for reports: `pos`, or `mesh.points` for a field of a bundle.
    pub name: String,
    /// The element's scalars, in declaration order, depth first.
    pub leaves: Vec<Scalar>,
    /// Number of dimensions, 1 to 4.
    pub rank: u8,
    /// Whether elements may lie apart (views): then strides are part of the arguments.
    pub strided: bool,
    /// What the function does with it.
    pub access: Access,
    /// How leaves lie in memory.
    pub storage: Storage,
}

/// An array that each thread has for itself. It has no contents before its first `Fill` or `Store`; the front end
/// fills it where it is declared.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LocalArray {
    /// The user's name, for reports.
    pub name: String,
    /// The element's scalars.
    pub leaves: Vec<Scalar>,
    /// Number of elements.
    pub len: u32,
}
