//! The memory of a buffer, scalar by scalar, in its own precision and in doubles.

use std::sync::Arc;

use warp_ir::ir::Scalar;

use crate::adjoint::{ArrayPlace, places};
use crate::array::buffer::Buffer;
use crate::backend::ElementLayout;
use crate::error::Error;
use crate::layout::{Layout, read_float, write_float};
use crate::program::Form;
use crate::tape::{Launch, Memory, Region, TapeError, Value, is_float};

/// In what numbers a recording is run again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Precision {
    /// Every float is an `f64`.
    Double,
    /// As it was recorded.
    Own,
}

/// A scalar of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Its byte offset in the recorded buffer.
    pub at: usize,
    /// Its byte offset in the memory of the run.
    pub there: usize,
    pub scalar: Scalar,
    /// Its type in the run.
    pub scalar_there: Scalar,
    /// Number of its element, and its own in the element.
    pub element: usize,
    pub leaf: usize,
}

/// What a report calls a buffer.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// The first kernel that takes it, and its name there; else `copy_from`, and whether it is `from` or `to` there.
    pub kernel: String,
    pub array: String,
    /// Whether copies alone meet it.
    pub copied: bool,
}

/// A buffer of the recording.
#[derive(Debug)]
pub(super) struct Known {
    pub memory: Memory,
    pub name: Name,
    pub layout: &'static Layout,
    pub leaves: Vec<Leaf>,
    /// Whether each scalar lies in a plane of its own; byte offsets of the planes in the run.
    pub planes: Option<Vec<usize>>,
    /// What it held at first, as the run has it.
    pub first: Vec<u8>,
    /// Whether a launch or a copy writes it.
    pub written: bool,
    /// The kernel that wrote it last, where that is marked `no_adjoint`: no gradient comes from what it holds then.
    pub constant: Option<String>,
    /// The memory of the run.
    pub buffer: Arc<Buffer>,
    /// What it holds in the end, where somebody still has it.
    pub last: Option<Vec<u8>>,
    precision: Precision,
}

impl Known {
    /// What a launch takes.
    pub fn of_argument(launch: &Launch, k: usize, value: &Value, precision: Precision) -> Result<Known, Error> {
        let arg = &launch.args[k];
        let (memory, layout) = (&arg.memory, arg.kind.layout);
        let shape = match arg.kind.form {
            Form::Planes => {
                let function = &launch.definition.load(&memory.device)?.program.kernel.function;
                planes_of(launch, k, &places(function)[k], layout, precision)
            }
            Form::Slice | Form::View(_) => elements_of(memory.bytes, layout, precision),
        };
        let name = Name { kernel: launch.definition.name().into(), array: launch.name_of(k), copied: false };
        Known::new(memory, name, layout, shape, value, precision)
    }

    /// What a copy reads or writes, and no launch takes; none where nothing says what it holds.
    pub fn of_copy(region: &Region, end: &str, value: &Value, precision: Precision) -> Result<Option<Known>, Error> {
        let Some(layout) = region.layout else { return Ok(None) };
        let shape = elements_of(region.memory.bytes, layout, precision);
        let name = Name { kernel: "copy_from".into(), array: end.into(), copied: true };
        Known::new(&region.memory, name, layout, shape, value, precision).map(Some)
    }

    fn new(
        memory: &Memory,
        name: Name,
        layout: &'static Layout,
        shape: Shape,
        value: &Value,
        precision: Precision,
    ) -> Result<Known, Error> {
        let Shape { leaves, planes, bytes } = shape;
        let Some(own) = value.bytes(&memory.device)? else {
            let Name { kernel, array: argument, .. } = name;
            return Err(TapeError::Gone { argument, kernel, position: "1st".into() }.into());
        };
        let mut first = vec![0; bytes];
        leaves.iter().for_each(|leaf| leaf.carry(&own, 0, &mut first));
        let last = match memory.buffer() {
            Some(buffer) => Some(download(&buffer)?),
            None => None,
        };
        let (buffer, memory) = (Buffer::zeroed(&memory.device, bytes)?, memory.clone());
        Ok(Known {
            memory,
            name,
            layout,
            leaves,
            planes,
            first,
            written: false,
            constant: None,
            buffer,
            last,
            precision,
        })
    }

    /// The scalars of the element that a recorded byte offset lies in; in planes, the scalar there.
    pub fn element_at(&self, offset: usize) -> &[Leaf] {
        let (first, count) = match self.planes {
            None => (offset / self.layout.size * self.layout.leaves(), self.layout.leaves()),
            Some(_) => (self.leaves.partition_point(|leaf| leaf.at + leaf.scalar.size() <= offset), 1),
        };
        self.leaves.get(first..first + count).unwrap_or_default()
    }

    fn floats(&self) -> impl Iterator<Item = &Leaf> {
        self.leaves.iter().filter(|leaf| leaf.is_float())
    }

    /// The float with this number.
    pub fn float(&self, number: usize) -> Option<&Leaf> {
        self.floats().nth(number)
    }

    /// The offsets in the run of its floats, and their types there.
    pub fn places_of_floats(&self) -> Vec<(usize, Scalar)> {
        self.floats().map(|leaf| (leaf.there, leaf.scalar_there)).collect()
    }

    pub fn is_input(&self) -> bool {
        self.floats().next().is_some()
    }

    pub fn is_output(&self) -> bool {
        self.written && self.floats().next().is_some()
    }

    /// Whether what it holds in the end has a gradient.
    pub fn counts(&self) -> bool {
        self.is_output() && self.constant.is_none()
    }

    /// The floats of recorded bytes.
    pub fn floats_in(&self, bytes: &[u8]) -> Vec<f64> {
        self.floats().map(|leaf| read_float(leaf.scalar, &bytes[leaf.at..])).collect()
    }

    /// The floats of bytes of the run.
    pub fn floats_there(&self, bytes: &[u8]) -> Vec<f64> {
        self.floats().map(|leaf| read_float(leaf.scalar_there, &bytes[leaf.there..])).collect()
    }

    /// The weight of each float in the sum; `number` is that of the buffer.
    pub fn weights(&self, number: usize) -> impl Iterator<Item = f64> + '_ {
        self.floats().enumerate().map(move |(k, leaf)| weight(number, k, leaf.scalar))
    }

    /// The gradient to start from: the weight of each float.
    pub fn seed(&self, number: usize) -> Vec<u8> {
        let mut bytes = vec![0; self.memory.bytes];
        for (leaf, weight) in self.floats().zip(self.weights(number)) {
            write_float(leaf.scalar, weight, &mut bytes[leaf.at..]);
        }
        bytes
    }

    /// How an element lies in the memory of the run.
    pub fn layout_there(&self) -> ElementLayout {
        let (layout, leaves) = self.layout.flatten();
        match self.precision {
            Precision::Own => layout,
            Precision::Double => {
                let n = leaves.len();
                ElementLayout { size: 8 * n, align: 8, offsets: (0..n).map(|leaf| 8 * leaf).collect() }
            }
        }
    }

    /// How far from the start of the memory of the run a byte address of the recording lies; `plane` says of which plane
    /// it is the start.
    pub fn away(&self, recorded: u64, plane: usize) -> usize {
        let away = recorded.wrapping_sub(self.memory.address) as usize;
        match (&self.planes, self.precision) {
            (_, Precision::Own) => away,
            (Some(planes), _) => planes[plane],
            (None, Precision::Double) => away / self.layout.size * 8 * self.layout.leaves(),
        }
    }
}

/// The weight of a float of a buffer in the sum: between -1 and 1, and exact in its type. Any two floats have weights of
/// their own, or else what they do might cancel.
fn weight(buffer: usize, float: usize, scalar: Scalar) -> f64 {
    let mixed = mix((buffer as u64) << 40 ^ float as u64);
    let steps = if scalar.is_half() { 1u64 << 6 } else { 1 << 22 };
    ((mixed >> 40) % steps) as f64 * 2.0 / steps as f64 - 1.0 + 1.0 / steps as f64
}

/// Bits of which each depends on all of a number.
pub(super) fn mix(number: u64) -> u64 {
    let once = (number.wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let twice = (once ^ once >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    twice ^ twice >> 32
}

impl Leaf {
    pub fn is_float(&self) -> bool {
        is_float(self.scalar)
    }

    /// Copies the scalar from recorded bytes, the first of which has this offset, to bytes of the run.
    pub fn carry(&self, from: &[u8], start: usize, to: &mut [u8]) {
        let from = &from[self.at - start..];
        if self.scalar == self.scalar_there {
            let size = self.scalar.size();
            to[self.there..self.there + size].copy_from_slice(&from[..size]);
        } else {
            write_float(self.scalar_there, read_float(self.scalar, from), &mut to[self.there..]);
        }
    }
}

fn there(scalar: Scalar, precision: Precision) -> Scalar {
    if precision == Precision::Double && is_float(scalar) { Scalar::F64 } else { scalar }
}

/// How the scalars of a buffer lie in the run.
struct Shape {
    leaves: Vec<Leaf>,
    /// Byte offsets of planes in the run.
    planes: Option<Vec<usize>>,
    /// Bytes of the memory of the run.
    bytes: usize,
}

fn elements_of(bytes: usize, layout: &Layout, precision: Precision) -> Shape {
    let (count, each) = (bytes / layout.size, layout.leaves());
    let mut leaves = Vec::with_capacity(count * each);
    for element in 0..count {
        for leaf in 0..each {
            let (offset, scalar) = layout.leaf(leaf);
            let at = element * layout.size + offset;
            let place = if precision == Precision::Own { at } else { 8 * (element * each + leaf) };
            leaves.push(Leaf { at, there: place, scalar, scalar_there: there(scalar, precision), element, leaf });
        }
    }
    let bytes = if precision == Precision::Own { bytes } else { 8 * count * each };
    Shape { leaves, planes: None, bytes }
}

fn planes_of(launch: &Launch, k: usize, place: &ArrayPlace, layout: &Layout, precision: Precision) -> Shape {
    let words = &launch.words[place.words.clone()];
    let (addresses, rest) = words.split_at(layout.leaves().min(words.len()));
    let len = rest.first().map_or(0, |&len| len as usize);
    let bytes = launch.args[k].memory.bytes;
    let (mut leaves, mut planes) = (Vec::new(), Vec::new());
    for (leaf, &address) in addresses.iter().enumerate() {
        let (_, scalar) = layout.leaf(leaf);
        let start = (address - launch.args[k].memory.address) as usize;
        let plane = if precision == Precision::Own { start } else { 8 * len * leaf };
        planes.push(plane);
        let wide = there(scalar, precision);
        for element in 0..len {
            let (at, place) = (start + element * scalar.size(), plane + element * wide.size());
            leaves.push(Leaf { at, there: place, scalar, scalar_there: wide, element, leaf });
        }
    }
    let bytes = if precision == Precision::Own { bytes } else { 8 * len * addresses.len() };
    Shape { leaves, planes: Some(planes), bytes }
}

/// All bytes of a buffer, while nobody writes it.
pub(super) fn download(buffer: &Arc<Buffer>) -> Result<Vec<u8>, Error> {
    if buffer.bytes() == 0 {
        return Ok(vec![]);
    }
    let _hold = buffer.hold(buffer.span(), false)?;
    // SAFETY: it is held for reading.
    unsafe { buffer.bytes_of(buffer.span(), "reading an array") }
}

/// Overwrites a buffer that only a comparison has.
pub(super) fn upload(buffer: &Arc<Buffer>, bytes: &[u8]) -> Result<(), Error> {
    if bytes.is_empty() {
        return Ok(());
    }
    // SAFETY: the buffer is the check's own, and has these bytes.
    unsafe { buffer.device().backend().upload(buffer.address(), bytes) }
        .map_err(|source| buffer.device().failed("writing an array", source))
}
