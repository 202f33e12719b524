//! One piece of work of a graph.

use std::fmt;
use std::sync::Arc;

use crate::array::buffer::Buffer;
use crate::array::dims::spoken;
use crate::backend::Call;
use crate::device::Device;
use crate::error::Error;
use crate::kernel::Definition;
use crate::launch;
use crate::print::Collector;
use crate::profile::{self, Label};
use crate::program::Loaded;

/// What is done.
pub(crate) enum Node {
    Launch(Launch),
    /// Bytes of one buffer into another.
    Copy {
        from: Arc<Buffer>,
        start: usize,
        to: Arc<Buffer>,
        at: usize,
        bytes: usize,
    },
    /// Bytes of the host.
    Upload {
        to: Arc<Buffer>,
        at: usize,
        bytes: Vec<u8>,
    },
    /// The same bytes, so many times.
    Fill {
        to: Arc<Buffer>,
        at: usize,
        value: Vec<u8>,
        times: usize,
    },
}

/// A launch whose arguments have been checked.
pub(crate) struct Launch {
    pub definition: &'static Definition,
    pub loaded: &'static Loaded,
    pub words: Vec<u64>,
    pub dims: Vec<u64>,
    pub threads: Option<usize>,
    pub block: Option<u32>,
    /// Of the array arguments.
    pub bytes: u64,
}

impl Node {
    /// The memory that the host puts something into.
    pub(crate) fn target(&self) -> Option<&Arc<Buffer>> {
        match self {
            Node::Launch(_) => None,
            Node::Copy { to, .. } | Node::Upload { to, .. } | Node::Fill { to, .. } => Some(to),
        }
    }

    /// Does it. The graph holds the memory, or who records it.
    pub(crate) fn run(&self, device: &Device) -> Result<(), Error> {
        match self {
            Node::Launch(launch) => launch.run(device),
            Node::Copy { from, start, to, at, bytes } => {
                // SAFETY: both ranges are parts of their buffers, were disjoint when they were recorded, and are held.
                unsafe { device.backend().copy(from.address() + *start as u64, to.address() + *at as u64, *bytes) }
                    .map_err(|source| device.failed("copying an array in a graph", source))
            }
            Node::Upload { to, at, bytes } => upload(device, to, *at, bytes),
            Node::Fill { to, at, value, times } => fill(device, to, *at, value, *times),
        }
    }
}

impl Launch {
    fn run(&self, device: &Device) -> Result<(), Error> {
        let printer = Collector::new();
        let call =
            Call { words: &self.words, dims: &self.dims, threads: self.threads, block: self.block, printer: &printer };
        // SAFETY: the words are those of a launch that was checked in full; its memory is kept by the graph, and held in the
        // way that its parameters say for as long as the graph runs.
        let label = || Label {
            kernel: &self.loaded.program.kernel.function.name,
            device: device.name(),
            threads: self.dims.iter().product(),
            bytes: self.bytes,
        };
        let done = unsafe { profile::launch(&*self.loaded.executable, &call, label) };
        printer.finish();
        done.map_err(|stop| launch::stopped(self.definition, stop, &self.loaded.program.kernel, device, &self.dims))
    }
}

fn upload(device: &Device, to: &Buffer, at: usize, bytes: &[u8]) -> Result<(), Error> {
    // SAFETY: the range is a part of the buffer, which the graph holds for writing.
    unsafe { device.backend().upload(to.address() + at as u64, bytes) }
        .map_err(|source| device.failed("writing an array in a graph", source))
}

/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

fn fill(device: &Device, to: &Buffer, at: usize, value: &[u8], times: usize) -> Result<(), Error> {
    let at_once = (CHUNK / value.len().max(1)).clamp(1, times.max(1));
    let chunk = value.repeat(at_once);
    for first in (0..times).step_by(at_once) {
        let n = at_once.min(times - first);
        upload(device, to, at + first * value.len(), &chunk[..n * value.len()])?;
    }
    Ok(())
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Launch(launch) => {
                let dims: Vec<usize> = launch.dims.iter().map(|&n| n as usize).collect();
                write!(f, "kernel `{}` over {} threads", launch.definition.name(), spoken(&dims))
            }
            Node::Copy { bytes, .. } => write!(f, "a copy of {bytes} bytes"),
            Node::Upload { bytes, .. } => write!(f, "{} bytes from the host", bytes.len()),
            Node::Fill { value, times, .. } => write!(f, "a fill of {} bytes", value.len() * times),
        }
    }
}
