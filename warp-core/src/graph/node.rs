//! One piece of work of a graph.

use std::fmt;
use std::sync::Arc;

use crate::array::buffer::Buffer;
use crate::array::dims::spoken;
use crate::backend::{Address, Call, How, Origin, Queue, Queued, Step};
use crate::device::Device;
use crate::error::Error;
use crate::kernel::Definition;
use crate::launch::{self, Launched};
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
    pub how: How,
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

    /// Does it: in a queue, behind what is there, or at once. The graph holds the memory, or who records it; in a queue it
    /// is in order, too.
    pub(crate) fn run(&self, device: &Device, queue: Option<&Arc<dyn Queue>>) -> Result<(), Error> {
        let backend = device.backend();
        // SAFETY (of all): ranges are parts of their buffers, were disjoint when they were recorded, and are held.
        match (self, queue) {
            (Node::Launch(launch), _) => launch.run(device, queue),
            (Node::Copy { bytes, .. }, _) => {
                let (from, to) = self.ends();
                let copied = match queue {
                    Some(queue) => unsafe { queue.copy(from, to, *bytes) },
                    None => unsafe { backend.copy(from, to, *bytes) },
                };
                copied.map_err(|source| device.failed("copying an array in a graph", source))
            }
            (Node::Upload { bytes, .. }, _) => {
                let uploaded = match queue {
                    Some(queue) => unsafe { queue.upload(self.ends().1, bytes) },
                    None => unsafe { backend.upload(self.ends().1, bytes) },
                };
                uploaded.map_err(|source| device.failed(WRITING, source))
            }
            (Node::Fill { value, times, .. }, Some(queue)) => {
                let filled = unsafe { queue.fill(self.ends().1, value, *times) };
                filled.map_err(|source| device.failed(WRITING, source))
            }
            (Node::Fill { to, at, value, times }, None) => unsafe { to.fill(*at, value, *times, WRITING) },
        }
    }

    /// The same for a device that does all of a graph by itself; `origin` is that of a launch.
    pub(crate) fn step<'a>(&'a self, origin: &'a Origin) -> Step<'a> {
        let (from, to) = self.ends();
        match self {
            Node::Launch(launch) => Step::Launch {
                executable: &*launch.loaded.executable,
                words: &launch.words,
                dims: &launch.dims,
                how: launch.how,
                origin,
            },
            Node::Copy { bytes, .. } => Step::Transfer { from, to, bytes: *bytes },
            Node::Upload { bytes, .. } => Step::Upload { to, bytes },
            Node::Fill { value, times, .. } => Step::Fill { to, value, times: *times },
        }
    }

    /// What tells later which launch it was.
    pub(crate) fn origin(&self) -> Origin {
        match self {
            Node::Launch(launch) => launch.origin(),
            _ => Arc::new(()),
        }
    }

    /// Where bytes are taken and put.
    fn ends(&self) -> (Address, Address) {
        match self {
            Node::Launch(_) => (0, 0),
            Node::Copy { from, start, to, at, .. } => (from.address() + *start as u64, to.address() + *at as u64),
            Node::Upload { to, at, .. } | Node::Fill { to, at, .. } => (0, to.address() + *at as u64),
        }
    }
}

const WRITING: &str = "writing an array in a graph";

impl Launch {
    fn run(&self, device: &Device, queue: Option<&Arc<dyn Queue>>) -> Result<(), Error> {
        let printer = Collector::new();
        let queued = queue.filter(|_| !self.loaded.prints()).map(|queue| (queue, self.origin()));
        let call = Call {
            words: &self.words,
            dims: &self.dims,
            how: self.how,
            printer: &printer,
            queued: queued.as_ref().map(|(queue, origin)| Queued { queue, origin }),
        };
        // SAFETY: the words are those of a launch that was checked in full; its memory is kept by the graph, and held in the
        // way that its parameters say for as long as the graph runs, or in order where it is queued.
        let label = || Label {
            kernel: &self.loaded.program.kernel.function.name,
            device: device.name(),
            threads: self.dims.iter().product(),
            bytes: self.bytes,
        };
        let done = unsafe { profile::launch(&*self.loaded.executable, &call, label) };
        printer.finish();
        let kernel = &self.loaded.program.kernel;
        let done = done.map_err(|stop| launch::stopped(self.definition, stop, kernel, device, &self.dims));
        let waited = queue.is_some() && (queued.is_none() || profile::is_heard());
        if waited { launch::told_first(device, done) } else { done }
    }

    fn origin(&self) -> Origin {
        Arc::new(Launched { definition: self.definition, loaded: self.loaded, dims: self.dims.clone() })
    }
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
