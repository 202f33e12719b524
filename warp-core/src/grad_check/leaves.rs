//! The memory of a recording, scalar by scalar, in its own precision and in doubles.

use std::sync::Arc;

use warp_ir::ir::Scalar;

use super::Places;
use crate::adjoint::{ArrayPlace, places};
use crate::array::buffer::Buffer;
use crate::backend::ElementLayout;
use crate::error::Error;
use crate::layout::{Layout, read_float, write_float};
use crate::program::{self, Form};
use crate::tape::{Launch, Memory, Step, Tape, TapeError, Value};

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

/// A buffer of the recording.
#[derive(Debug)]
pub(super) struct Known {
    pub memory: Memory,
    /// The first launch that takes it, and its name there.
    pub kernel: String,
    pub array: String,
    pub layout: &'static Layout,
    pub leaves: Vec<Leaf>,
    /// Whether each scalar lies in a plane of its own; byte offsets of the planes in the run.
    pub planes: Option<Vec<usize>>,
    /// What it held at first, as the run has it.
    pub first: Vec<u8>,
    /// Whether a launch writes it.
    pub written: bool,
    /// Whether some launch takes it detached, so that its gradient is not all of its differences.
    pub detached: bool,
    /// The memory of the run.
    pub buffer: Arc<Buffer>,
    /// What it holds in the end, where somebody still has it.
    pub last: Option<Vec<u8>>,
}

/// All buffers that launches take.
#[derive(Debug)]
pub(super) struct Memories {
    pub list: Vec<Known>,
    pub places: Places,
    pub precision: Precision,
}

impl Memories {
    pub fn new(tape: &Tape, first: Vec<(Memory, Arc<Value>)>, precision: Precision) -> Result<Memories, Error> {
        let mut memories = Memories { list: Vec::new(), places: Places::new(), precision };
        for entry in tape.entries() {
            let Step::Launch(launch) = &*entry.step else { continue };
            for (k, arg) in launch.args.iter().enumerate() {
                let key = arg.memory.key();
                if let Some(&known) = memories.places.get(&key) {
                    memories.list[known].written |= arg.kind.write;
                    memories.list[known].detached |= arg.detached;
                    continue;
                }
                let Some((_, value)) = first.iter().find(|(memory, _)| memory.key() == key) else { continue };
                memories.places.insert(key, memories.list.len());
                memories.list.push(Known::new(launch, k, value, precision)?);
            }
        }
        Ok(memories)
    }

    /// Those that launches write, and that hold floats.
    pub fn outputs(&self) -> impl Iterator<Item = &Known> {
        self.list.iter().filter(|known| known.is_output())
    }

    /// What is allowed by the numbers that there are.
    pub fn tolerance(&self) -> f64 {
        let narrow = |known: &Known| known.leaves.iter().any(|l| l.scalar == Scalar::F32 || l.scalar.is_half());
        match (self.precision, self.list.iter().any(narrow)) {
            (Precision::Double, false) => 1e-6,
            (Precision::Double, true) => 1e-3,
            (Precision::Own, false) => 1e-5,
            (Precision::Own, true) => 5e-2,
        }
    }

    /// How far results of the run are off the recorded ones, relative to the largest of their array.
    pub fn difference_of_results(&self, results: &[Vec<u8>]) -> f64 {
        let mut most = 0.0;
        for (known, result) in self.list.iter().zip(results).filter(|(known, _)| known.is_output()) {
            let Some(last) = &known.last else { continue };
            let (recorded, again) = (known.floats_in(last), known.floats_there(result));
            let size = again.iter().fold(f64::MIN_POSITIVE, |size: f64, v| size.max(v.abs()));
            for (a, b) in recorded.iter().zip(&again).filter(|(a, b)| a != b && !(a.is_nan() && b.is_nan())) {
                let off = (a - b).abs() / size;
                if off > most || off.is_nan() {
                    most = off;
                }
            }
        }
        most
    }
}

impl Known {
    fn new(launch: &Launch, k: usize, value: &Value, precision: Precision) -> Result<Known, Error> {
        let arg = &launch.args[k];
        let (memory, layout) = (arg.memory.clone(), arg.kind.layout);
        let (leaves, planes, bytes) = match arg.kind.form {
            Form::Planes => {
                let function = program::program(&launch.definition.spec)?.kernel.function;
                planes_of(launch, k, &places(&function)[k], layout, precision)
            }
            Form::Slice | Form::View(_) => {
                let (leaves, bytes) = elements_of(memory.bytes, layout, precision);
                (leaves, None, bytes)
            }
        };
        let Some(own) = value.bytes(&memory.device)? else {
            return Err(TapeError::Gone {
                argument: launch.name_of(k),
                kernel: launch.definition.name().into(),
                position: "1st".into(),
            }
            .into());
        };
        let mut first = vec![0; bytes];
        leaves.iter().for_each(|leaf| leaf.carry(&own, 0, &mut first));
        let last = match memory.buffer() {
            Some(buffer) => Some(download(&buffer)?),
            None => None,
        };
        let buffer = Buffer::zeroed(&memory.device, bytes)?;
        let (kernel, array) = (launch.definition.name().into(), launch.name_of(k));
        let (written, detached) = (arg.kind.write, arg.detached);
        Ok(Known { memory, kernel, array, layout, leaves, planes, first, written, detached, buffer, last })
    }

    /// The scalars of the element at a recorded byte offset; in planes, the scalar there.
    pub fn element_at(&self, offset: usize) -> &[Leaf] {
        let (first, count) = match self.planes {
            None => (offset / self.layout.size * self.layout.leaves(), self.layout.leaves()),
            Some(_) => (self.leaves.partition_point(|leaf| leaf.at < offset), 1),
        };
        self.leaves.get(first..first + count).unwrap_or_default()
    }

    fn floats(&self) -> impl Iterator<Item = &Leaf> {
        self.leaves.iter().filter(|leaf| is_float(leaf.scalar))
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
        self.floats().next().is_some() && !self.detached
    }

    pub fn is_output(&self) -> bool {
        self.written && self.floats().next().is_some()
    }

    /// The floats of recorded bytes.
    pub fn floats_in(&self, bytes: &[u8]) -> Vec<f64> {
        self.floats().map(|leaf| read_float(leaf.scalar, &bytes[leaf.at..])).collect()
    }

    /// The floats of bytes of the run.
    pub fn floats_there(&self, bytes: &[u8]) -> Vec<f64> {
        self.floats().map(|leaf| read_float(leaf.scalar_there, &bytes[leaf.there..])).collect()
    }

    /// The gradient to start from: the weight of each float.
    pub fn seed(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.memory.bytes];
        for (k, leaf) in self.floats().enumerate() {
            write_float(leaf.scalar, weight(k), &mut bytes[leaf.at..]);
        }
        bytes
    }

    /// How an element lies in the memory of the run.
    pub fn layout_there(&self, precision: Precision) -> ElementLayout {
        let (layout, leaves) = self.layout.flatten();
        match precision {
            Precision::Own => layout,
            Precision::Double => {
                let n = leaves.len();
                ElementLayout { size: 8 * n, align: 8, offsets: (0..n).map(|leaf| 8 * leaf).collect() }
            }
        }
    }

    /// Where a byte address of the recording lies in the run; `plane` says of which plane it is the start.
    pub fn address(&self, recorded: u64, plane: usize, precision: Precision) -> u64 {
        let away = recorded.wrapping_sub(self.memory.address) as usize;
        let away = match (&self.planes, precision) {
            (_, Precision::Own) => away,
            (Some(planes), _) => planes[plane],
            (None, Precision::Double) => away / self.layout.size * 8 * self.layout.leaves(),
        };
        self.buffer.address() + away as u64
    }
}

/// The weight of a float with this number in the sum: between -1 and 1, and exact in every type.
pub(super) fn weight(number: usize) -> f64 {
    let mixed = (number as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
    (mixed as f64 - 31.5) / 32.0
}

impl Leaf {
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

fn is_float(scalar: Scalar) -> bool {
    scalar.is_float() || scalar.is_half()
}

fn elements_of(bytes: usize, layout: &Layout, precision: Precision) -> (Vec<Leaf>, usize) {
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
    (leaves, bytes)
}

fn planes_of(
    launch: &Launch,
    k: usize,
    place: &ArrayPlace,
    layout: &Layout,
    precision: Precision,
) -> (Vec<Leaf>, Option<Vec<usize>>, usize) {
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
    (leaves, Some(planes), bytes)
}

/// All bytes of a buffer, while nobody writes it.
pub(super) fn download(buffer: &Arc<Buffer>) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; buffer.bytes()];
    if !bytes.is_empty() {
        let _hold = buffer.hold(crate::array::borrow::Span { start: 0, end: bytes.len() }, false)?;
        // SAFETY: the buffer has these bytes, and is held for reading.
        unsafe { buffer.device().backend().download(buffer.address(), &mut bytes) }
            .map_err(|source| buffer.device().failed("reading an array", source))?;
    }
    Ok(bytes)
}
