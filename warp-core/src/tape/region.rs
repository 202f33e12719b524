//! The elements of a handle, whatever their type, and sums over their floats.

use half::{bf16, f16};
use warp_ir::ir::Scalar;

use super::memory::Memory;
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::array::{Array, SoaArray};
use crate::element::Element;
use crate::error::Error;
use crate::layout::Layout;

/// The elements of an array, a part of one, or an array of planes.
#[derive(Clone, Debug)]
pub struct Region {
    pub(crate) memory: Memory,
    pub(crate) span: Span,
    pub(crate) extents: Vec<usize>,
    /// How an element lies in memory; none of bytes, whatever they are.
    pub(crate) layout: Option<&'static Layout>,
    parts: Vec<Part>,
}

/// Elements at regular distances.
#[derive(Clone, Debug)]
struct Part {
    /// Byte offset of the first.
    start: usize,
    /// Extent and stride in bytes of each dimension, slowest first.
    dims: Vec<(usize, usize)>,
    /// Bytes of an element.
    size: usize,
    /// The floats in an element, with their byte offsets.
    floats: Vec<(usize, Scalar)>,
}

/// What is told of where the bytes of a gradient cannot be had.
pub(super) const READING: &str = "reading a gradient";

/// Whether a type of scalars has derivatives.
pub(crate) fn is_float(scalar: Scalar) -> bool {
    scalar.is_float() || scalar.is_half()
}

/// The floats of an element, with their byte offsets.
pub(crate) fn floats(layout: &Layout) -> Vec<(usize, Scalar)> {
    let mut floats = Vec::new();
    layout.for_each_leaf(0, &mut |offset, scalar| {
        if is_float(scalar) {
            floats.push((offset, scalar));
        }
    });
    floats
}

impl Region {
    pub(crate) fn of<T: Element, const R: usize>(array: &Array<T, R>) -> Region {
        let size = size_of::<T>();
        let strides = array.strides.iter().map(|stride| stride * size);
        let dims = array.extents.iter().copied().zip(strides).collect();
        Region {
            memory: Memory::of(&array.buffer),
            span: array.span(),
            extents: array.extents.to_vec(),
            layout: Some(&T::LAYOUT),
            parts: vec![Part { start: array.start, dims, size, floats: floats(&T::LAYOUT) }],
        }
    }

    pub(crate) fn of_planes<T: Element>(array: &SoaArray<T>) -> Region {
        let starts = (0..T::LAYOUT.leaves()).map(|leaf| array.plane(leaf)).collect();
        Region::planes(&Memory::of(&array.buffer), array.span(), &T::LAYOUT, starts, array.len())
    }

    /// Elements whose scalars lie in planes that start at these bytes.
    pub(crate) fn planes(
        memory: &Memory,
        span: Span,
        layout: &'static Layout,
        starts: Vec<usize>,
        len: usize,
    ) -> Region {
        let plane = |(leaf, start)| {
            let (_, scalar) = layout.leaf(leaf);
            let size = scalar.size();
            let floats = if is_float(scalar) { vec![(0, scalar)] } else { vec![] };
            Part { start, dims: vec![(len, size)], size, floats }
        };
        let parts = starts.into_iter().enumerate().map(plane).collect();
        Region { memory: memory.clone(), span, extents: vec![len], layout: Some(layout), parts }
    }

    /// The elements of a span, one after another.
    pub(crate) fn elements(memory: &Memory, span: Span, layout: &'static Layout) -> Region {
        let size = layout.size;
        let count = (span.end - span.start).checked_div(size).unwrap_or(0);
        let part = Part { start: span.start, dims: vec![(count, size)], size, floats: floats(layout) };
        Region { memory: memory.clone(), span, extents: vec![count], layout: Some(layout), parts: vec![part] }
    }

    /// Bytes, whatever they are.
    pub(crate) fn bytes(memory: Memory, span: Span) -> Region {
        let bytes = span.end - span.start;
        let part = Part { start: span.start, dims: vec![(bytes, 1)], size: 1, floats: vec![] };
        Region { memory, span, extents: vec![bytes], layout: None, parts: vec![part] }
    }

    /// Byte offsets of its elements in the buffer, in row-major order.
    pub(crate) fn offsets(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().flat_map(Part::offsets)
    }

    /// Whether its elements hold floats.
    pub(crate) fn has_floats(&self) -> bool {
        self.parts.iter().any(|part| !part.floats.is_empty())
    }

    /// Whether all bytes of its span are its own elements, or nobody's.
    pub(crate) fn is_dense(&self) -> bool {
        self.parts.iter().all(|part| part.dense().is_some())
    }

    /// Sets all elements of the region in `memory` to zero.
    pub(crate) fn zero(&self, memory: &Buffer) -> Result<(), Error> {
        self.on(memory, |bytes| {
            for part in &self.parts {
                for (offset, bytes_in_row) in part.rows() {
                    // SAFETY: rows of a part lie inside the region's span.
                    unsafe { bytes.add(offset).write_bytes(0, bytes_in_row) }
                }
            }
        })
    }

    /// Sets all elements of the region in `memory` to the bytes of one.
    pub(crate) fn fill(&self, memory: &Buffer, element: &[u8]) -> Result<(), Error> {
        self.on(memory, |bytes| {
            for part in self.parts.iter().filter(|part| part.size == element.len()) {
                for offset in part.offsets() {
                    // SAFETY: elements of a part lie inside the region's span.
                    unsafe { bytes.add(offset).copy_from_nonoverlapping(element.as_ptr(), element.len()) }
                }
            }
        })
    }

    /// Copies the elements of `from`, a region of the same elements in `source`, to this one in `memory`. The two may
    /// share elements.
    pub(crate) fn copy(&self, memory: &Buffer, from: &Region, source: &Buffer) -> Result<(), Error> {
        if std::ptr::eq(memory, source) && self.span.overlaps(from.span) {
            let gathered = Buffer::zeroed(memory.device(), from.span.end - from.span.start)?;
            let there = from.shifted(from.span.start);
            there.copy(&gathered, from, source)?;
            return self.copy(memory, &there, &gathered);
        }
        self.both(memory, from, source, |part, to, other, bytes| {
            for (offset, source) in part.offsets().zip(other.offsets()) {
                // SAFETY: elements of a part lie inside its region's span, and no element is in both.
                unsafe { to.add(offset).copy_from_nonoverlapping(bytes.add(source), part.size) }
            }
        })
    }

    /// The same elements in memory that starts `by` bytes later.
    pub(crate) fn shifted(&self, by: usize) -> Region {
        let mut region = self.clone();
        region.span = Span { start: self.span.start - by, end: self.span.end - by };
        region.parts.iter_mut().for_each(|part| part.start -= by);
        region
    }

    /// Adds the floats of `from`, a region of the same elements in `source`, to those of this one in `memory`; with
    /// `take`, it leaves zeros there.
    pub(crate) fn add(&self, memory: &Buffer, from: &Region, source: &Buffer, take: bool) -> Result<(), Error> {
        self.both(memory, from, source, |part, to, other, bytes| {
            // SAFETY: elements of a part lie inside its region's span.
            unsafe { part.add(to, other, bytes, take) }
        })
    }

    /// Calls `f` for each part of this region in `memory` and that of `from` in `source`.
    fn both(
        &self,
        memory: &Buffer,
        from: &Region,
        source: &Buffer,
        f: impl Fn(&Part, *mut u8, &Part, *mut u8),
    ) -> Result<(), Error> {
        let all = |to: *mut u8, bytes: *mut u8| {
            self.parts.iter().zip(&from.parts).for_each(|(part, other)| f(part, to, other, bytes));
        };
        if std::ptr::eq(memory, source) {
            let (start, end) = (self.span.start.min(from.span.start), self.span.end.max(from.span.end));
            return window(memory, Span { start, end }, |bytes| all(bytes, bytes));
        }
        self.on(memory, |to| from.on(source, |bytes| all(to, bytes)))?
    }

    /// Adds one to each float.
    pub(crate) fn add_one(&self, memory: &Buffer) -> Result<(), Error> {
        self.on(memory, |bytes| {
            for part in &self.parts {
                for offset in part.offsets() {
                    for &(at, scalar) in &part.floats {
                        // SAFETY: elements of a part lie inside the region's span.
                        unsafe { add_to(bytes.add(offset + at), scalar, 1.0) }
                    }
                }
            }
        })
    }

    /// Whether a float of the region in `memory` is NaN.
    pub(crate) fn has_nan(&self, memory: &Buffer) -> Result<bool, Error> {
        // SAFETY: elements of a part lie inside the region's span.
        let any = |bytes: *const u8| self.parts.iter().any(|part| unsafe { part.has_nan(bytes) });
        if memory.device().host_memory() {
            return Ok(any(memory.host()));
        }
        // SAFETY: a pass has its gradients for itself.
        let copy = unsafe { memory.bytes_of(self.span, READING)? };
        Ok(any(copy.as_ptr().wrapping_sub(self.span.start)))
    }

    /// Calls `f` with a pointer from which the region's bytes are found by their offsets in the buffer.
    fn on<X>(&self, memory: &Buffer, f: impl FnOnce(*mut u8) -> X) -> Result<X, Error> {
        window(memory, self.span, f)
    }
}

/// Calls `f` with a pointer from which the bytes of `span` are found by their offsets in the buffer.
fn window<X>(memory: &Buffer, span: Span, f: impl FnOnce(*mut u8) -> X) -> Result<X, Error> {
    if memory.device().host_memory() {
        return Ok(f(memory.host()));
    }
    let device = memory.device();
    // SAFETY: the buffer has these bytes, and the caller has them for itself.
    let mut copy = unsafe { memory.bytes_of(span, READING)? };
    let address = memory.address() + span.start as u64;
    let done = f(copy.as_mut_ptr().wrapping_sub(span.start));
    // SAFETY: as above.
    unsafe { device.backend().upload(address, &copy) }.map_err(|source| device.failed("writing a gradient", source))?;
    Ok(done)
}

impl Part {
    fn is_empty(&self) -> bool {
        self.dims.iter().any(|(extent, _)| *extent == 0)
    }

    /// Byte offsets of the elements, in row-major order.
    fn offsets(&self) -> impl Iterator<Item = usize> {
        let dims = &self.dims;
        let mut index = vec![0; dims.len()];
        let mut next = (!self.is_empty()).then_some(self.start);
        std::iter::from_fn(move || {
            let now = next?;
            let mut at = now;
            let mut d = dims.len();
            loop {
                if d == 0 {
                    next = None;
                    break;
                }
                d -= 1;
                index[d] += 1;
                at += dims[d].1;
                if index[d] < dims[d].0 {
                    next = Some(at);
                    break;
                }
                at -= index[d] * dims[d].1;
                index[d] = 0;
            }
            Some(now)
        })
    }

    /// Byte offset and length of each run of bytes that are all elements.
    fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let dense = self.dense();
        let all = dense.filter(|_| !self.is_empty()).map(|n| (self.start, n * self.size));
        let apart = dense.is_none().then(|| self.offsets().map(|offset| (offset, self.size)));
        all.into_iter().chain(apart.into_iter().flatten())
    }

    /// The number of elements, if they lie one after another.
    fn dense(&self) -> Option<usize> {
        let mut bytes = self.size;
        for &(extent, stride) in self.dims.iter().rev() {
            if extent != 1 && stride != bytes {
                return None;
            }
            bytes *= extent;
        }
        Some(bytes / self.size)
    }

    /// The scalar type, if there is nothing but scalars of that type one after another; and their number.
    fn flat(&self) -> Option<(Scalar, usize)> {
        let n = self.dense()?;
        let &(_, scalar) = self.floats.first()?;
        let whole = self.floats.len() * scalar.size() == self.size;
        let same = self.floats.iter().enumerate().all(|(k, leaf)| *leaf == (k * scalar.size(), scalar));
        (whole && same).then_some((scalar, n * self.floats.len()))
    }

    /// # Safety
    /// `bytes` leads to the bytes of the elements.
    unsafe fn has_nan(&self, bytes: *const u8) -> bool {
        match self.flat() {
            // SAFETY: as the caller says; there are `n` floats.
            Some((Scalar::F32, n)) => return unsafe { any_nan::<f32>(bytes.add(self.start), n) },
            // SAFETY: as above.
            Some((Scalar::F64, n)) => return unsafe { any_nan::<f64>(bytes.add(self.start), n) },
            _ => {}
        }
        self.offsets().any(|offset| {
            // SAFETY: as the caller says.
            self.floats.iter().any(|&(at, scalar)| unsafe { value_at(bytes.add(offset + at), scalar) }.is_nan())
        })
    }

    /// # Safety
    /// `to` and `from` lead to the bytes of the elements of both parts.
    unsafe fn add(&self, to: *mut u8, other: &Part, from: *mut u8, take: bool) {
        if let (Some((Scalar::F32, n)), Some((Scalar::F32, m))) = (self.flat(), other.flat()) {
            // SAFETY: as the caller says; there are `n` floats on one side and `m` on the other.
            return unsafe { add_flat::<f32>(to.add(self.start), from.add(other.start), n.min(m), take) };
        }
        if let (Some((Scalar::F64, n)), Some((Scalar::F64, m))) = (self.flat(), other.flat()) {
            // SAFETY: as above.
            return unsafe { add_flat::<f64>(to.add(self.start), from.add(other.start), n.min(m), take) };
        }
        for (offset, source) in self.offsets().zip(other.offsets()) {
            for &(at, scalar) in &self.floats {
                // SAFETY: as the caller says.
                unsafe {
                    let from = from.add(source + at);
                    add_to(to.add(offset + at), scalar, value_at(from, scalar));
                    if take {
                        from.write_bytes(0, scalar.size());
                    }
                }
            }
        }
    }
}

/// # Safety
/// It is valid for `n` scalars.
unsafe fn any_nan<F: Copy + PartialEq>(from: *const u8, n: usize) -> bool {
    let from = from.cast::<F>();
    // A few at a time without a branch, which takes several numbers in one instruction.
    (0..n.div_ceil(BLOCK)).any(|block| {
        let within = block * BLOCK..n.min((block + 1) * BLOCK);
        within.fold(false, |any, k| {
            // SAFETY: as the caller says.
            let number = unsafe { from.add(k).read_unaligned() };
            #[allow(clippy::eq_op)]
            let is_nan = number != number;
            any | is_nan
        })
    })
}

/// Numbers that are looked through before the first answer.
const BLOCK: usize = 4096;

/// # Safety
/// Both are valid for `n` scalars, and no scalar is in both.
unsafe fn add_flat<F: Copy + Default + std::ops::Add<Output = F>>(to: *mut u8, from: *mut u8, n: usize, take: bool) {
    let (to, from) = (to.cast::<F>(), from.cast::<F>());
    for k in 0..n {
        // SAFETY: as the caller says.
        unsafe {
            let sum = to.add(k).read_unaligned() + from.add(k).read_unaligned();
            to.add(k).write_unaligned(sum);
            if take {
                from.add(k).write_unaligned(F::default());
            }
        }
    }
}

/// # Safety
/// `at` is valid for a float of that type.
unsafe fn value_at(at: *const u8, scalar: Scalar) -> f64 {
    // SAFETY: as the caller says.
    unsafe {
        match scalar {
            Scalar::F16 => at.cast::<f16>().read_unaligned().to_f64(),
            Scalar::BF16 => at.cast::<bf16>().read_unaligned().to_f64(),
            Scalar::F32 => at.cast::<f32>().read_unaligned() as f64,
            _ => at.cast::<f64>().read_unaligned(),
        }
    }
}

/// Adds, with one rounding: the sum of two short floats is exact in `f64`, or rounds to the same.
///
/// # Safety
/// `at` is valid for a float of that type.
unsafe fn add_to(at: *mut u8, scalar: Scalar, more: f64) {
    // SAFETY: as the caller says.
    unsafe {
        let sum = value_at(at, scalar) + more;
        match scalar {
            Scalar::F16 => at.cast::<f16>().write_unaligned(f16::from_f64(sum)),
            Scalar::BF16 => at.cast::<bf16>().write_unaligned(bf16::from_f64(sum)),
            Scalar::F32 => at.cast::<f32>().write_unaligned(sum as f32),
            _ => at.cast::<f64>().write_unaligned(sum),
        }
    }
}
