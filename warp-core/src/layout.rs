//! How a type lies in memory, as rustc laid it out: sizes, offsets and the scalars inside.

use half::{bf16, f16};
use warp_ir::ir::Scalar;

use crate::backend::ElementLayout;

/// The memory layout of a type that kernels know, evaluated by rustc.
///
/// A layout is a tree whose ends are scalars, its *leaves*. Leaves are numbered in declaration order, depth first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bytes from one element to the next in an array.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// What is inside.
    pub kind: LayoutKind,
}

/// What a [`Layout`] is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutKind {
    /// One scalar; also a fieldless enum, which is its discriminant.
    Scalar(Scalar),
    /// Fields with their byte offsets, in declaration order.
    Fields(&'static [(usize, &'static Layout)]),
    /// Equal parts one after another: fixed arrays, vectors, matrices.
    Repeat(&'static Layout, usize),
}

impl Layout {
    /// The number of the field that each leaf is a part of; vectors, matrices and arrays are one field.
    pub(crate) fn fields(&self) -> Vec<usize> {
        fn visit(layout: &Layout, next: &mut usize, fields: &mut Vec<usize>) {
            match layout.kind {
                LayoutKind::Scalar(_) => fields.push(*next),
                LayoutKind::Fields(inner) => {
                    for (_, field) in inner {
                        visit(field, next, fields);
                        *next += 1;
                    }
                }
                LayoutKind::Repeat(part, count) => {
                    let first = *next;
                    for _ in 0..count {
                        *next = first;
                        visit(part, next, fields);
                    }
                }
            }
        }
        let mut fields = Vec::new();
        visit(self, &mut 0, &mut fields);
        fields
    }

    /// The layout of `T`, made of `kind`.
    pub const fn of<T>(kind: LayoutKind) -> Layout {
        Layout { size: size_of::<T>(), align: align_of::<T>(), kind }
    }

    /// Number of leaves.
    pub const fn leaves(&self) -> usize {
        match self.kind {
            LayoutKind::Scalar(_) => 1,
            LayoutKind::Repeat(part, n) => part.leaves() * n,
            LayoutKind::Fields(fields) => {
                let (mut k, mut sum) = (0, 0);
                while k < fields.len() {
                    sum += fields[k].1.leaves();
                    k += 1;
                }
                sum
            }
        }
    }

    /// Byte offset and type of one leaf.
    ///
    /// # Panics
    /// When there are not that many leaves.
    pub const fn leaf(&self, leaf: usize) -> (usize, Scalar) {
        match self.kind {
            LayoutKind::Scalar(scalar) => {
                assert!(leaf == 0, "a scalar has one leaf");
                (0, scalar)
            }
            LayoutKind::Repeat(part, n) => {
                let each = part.leaves();
                assert!(leaf < each * n, "leaf beyond the parts of a repeated layout");
                let (offset, scalar) = part.leaf(leaf % each);
                (leaf / each * part.size + offset, scalar)
            }
            LayoutKind::Fields(fields) => {
                let (mut k, mut rest) = (0, leaf);
                while k < fields.len() {
                    let here = fields[k].1.leaves();
                    if rest < here {
                        let (offset, scalar) = fields[k].1.leaf(rest);
                        return (fields[k].0 + offset, scalar);
                    }
                    rest -= here;
                    k += 1;
                }
                panic!("leaf beyond the fields of a struct")
            }
        }
    }

    /// Whether some bytes belong to no leaf, so that their contents are unknown.
    pub const fn has_padding(&self) -> bool {
        self.leaf_bytes() != self.size
    }

    const fn leaf_bytes(&self) -> usize {
        match self.kind {
            LayoutKind::Scalar(scalar) => scalar.size(),
            LayoutKind::Repeat(part, n) => part.leaf_bytes() * n,
            LayoutKind::Fields(fields) => {
                let (mut k, mut sum) = (0, 0);
                while k < fields.len() {
                    sum += fields[k].1.leaf_bytes();
                    k += 1;
                }
                sum
            }
        }
    }

    /// Calls `f` with byte offset and type of each leaf, in order.
    #[inline]
    pub fn for_each_leaf(&self, base: usize, f: &mut impl FnMut(usize, Scalar)) {
        match self.kind {
            LayoutKind::Scalar(scalar) => f(base, scalar),
            LayoutKind::Repeat(part, n) => (0..n).for_each(|k| part.for_each_leaf(base + k * part.size, f)),
            LayoutKind::Fields(fields) => fields.iter().for_each(|(at, field)| field.for_each_leaf(base + at, f)),
        }
    }

    /// The layout as backends take it, and the types of the leaves.
    pub fn flatten(&self) -> (ElementLayout, Vec<Scalar>) {
        let (mut offsets, mut scalars) = (Vec::new(), Vec::new());
        self.for_each_leaf(0, &mut |offset, scalar| {
            offsets.push(offset);
            scalars.push(scalar);
        });
        (ElementLayout { size: self.size, align: self.align, offsets }, scalars)
    }
}

/// The bits of a scalar in memory, zero-extended.
///
/// # Safety
/// `from` is readable for the scalar's size, and holds a value of its type.
#[inline]
pub(crate) const unsafe fn read_scalar(from: *const u8, scalar: Scalar) -> u64 {
    // SAFETY: the caller vouches for the bytes; no alignment is asked for.
    unsafe {
        match scalar.size() {
            1 => from.read() as u64,
            2 => from.cast::<u16>().read_unaligned() as u64,
            4 => from.cast::<u32>().read_unaligned() as u64,
            _ => from.cast::<u64>().read_unaligned(),
        }
    }
}

/// Writes the low bits of `bits` as a scalar.
///
/// # Safety
/// `to` is writable for the scalar's size.
#[inline]
pub(crate) unsafe fn write_scalar(to: *mut u8, scalar: Scalar, bits: u64) {
    // SAFETY: the caller vouches for the bytes; no alignment is asked for.
    unsafe {
        match scalar.size() {
            1 => to.write(bits as u8),
            2 => to.cast::<u16>().write_unaligned(bits as u16),
            4 => to.cast::<u32>().write_unaligned(bits as u32),
            _ => to.cast::<u64>().write_unaligned(bits),
        }
    }
}

/// The float that bytes begin with.
pub(crate) fn read_float(scalar: Scalar, bytes: &[u8]) -> f64 {
    match scalar {
        Scalar::F16 => f16::from_le_bytes([bytes[0], bytes[1]]).to_f64(),
        Scalar::BF16 => bf16::from_le_bytes([bytes[0], bytes[1]]).to_f64(),
        Scalar::F32 => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        _ => f64::from_le_bytes(std::array::from_fn(|k| bytes[k])),
    }
}

/// Writes a float over the bytes at the front.
pub(crate) fn write_float(scalar: Scalar, value: f64, bytes: &mut [u8]) {
    match scalar {
        Scalar::F16 => bytes[..2].copy_from_slice(&f16::from_f64(value).to_le_bytes()),
        Scalar::BF16 => bytes[..2].copy_from_slice(&bf16::from_f64(value).to_le_bytes()),
        Scalar::F32 => bytes[..4].copy_from_slice(&(value as f32).to_le_bytes()),
        _ => bytes[..8].copy_from_slice(&value.to_le_bytes()),
    }
}
