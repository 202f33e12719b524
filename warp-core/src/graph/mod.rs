//! Work that is recorded once and run again and again: graphs.
//!
//! `capture` holds what this thread records, `node` is one piece of work, `uses` the memory that all of them need,
//! `native` the same as one object of the device.

pub(crate) mod capture;
mod native;
pub(crate) mod node;
mod uses;

use std::fmt;
use std::sync::Arc;

use crate::array::buffer::Hold;
use crate::device::Device;
use crate::error::Error;
use crate::forward;
use crate::stream::{self, Stream, order};
use crate::tape::recorder;
use capture::Captured;
use native::Native;
use node::Node;

/// A sequence of launches, copies and fills that runs as one: what `device.capture(..)` recorded.
///
/// [`launch`](Graph::launch) does all of it in order, on the arrays that were recorded, with what they hold then. Arguments
/// were checked when they were recorded, so that a launch of a graph costs little more than its kernels: use it for steps of
/// few threads that repeat. Values (numbers, vectors, structs) are those of the recording; to change them, let kernels read
/// them from an array, or [`update`](Graph::update) the graph.
///
/// A graph keeps the memory that it works on. While it runs it uses all of it: an array that a guard or another launch has
/// is [`Error::Busy`].
///
/// ```
/// use warp_core::Graph; // `warp::Graph` where the facade is used
/// # fn show(graph: &Graph) -> Result<(), warp_core::Error> {
/// for _ in 0..1000 {
///     graph.launch()?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct Graph {
    device: Device,
    work: Captured,
    native: Native,
    /// Where it is launched, where nobody says.
    stream: Option<Stream>,
}

impl Device {
    /// Records what `body` asks this device for on this thread, launches, copies and fills, in place of doing it; and gives
    /// it as a [`Graph`] beside what `body` gives.
    ///
    /// Arrays that `body` makes are there at once, and become zeros, or what they are made from, each time the graph runs.
    /// The host cannot read arrays inside `body`, since nothing has run: that is an error, as are work on another device,
    /// copies of elements that lie apart (columns of a matrix), tapes and tangents. When `body` fails, so does the recording.
    pub fn capture<T, E: From<Error>>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<(Graph, T), E> {
        let (work, value) = capture::record(self, body)?;
        Ok((Graph { device: self.clone(), work, native: Native::default(), stream: None }, value))
    }
}

impl Graph {
    /// Does all that was recorded, in order, in the [`Stream`] of this thread, or that of [`Stream::capture`]. On the CPU it waits for the end, and a launch
    /// that faults ends it. On a GPU it queues all of it, the driver's own graph where the work allows, and a fault is told
    /// by the next call that waits, as those of launches are.
    ///
    /// Inside a recording the work becomes a part of the graph that is recorded. A [`Tape`](crate::Tape) and
    /// [`Tangents`](crate::Tangents) cannot follow a graph: there it is an error.
    pub fn launch(&self) -> Result<(), Error> {
        self.launch_in(self.stream.as_ref())
    }

    /// As [`launch`](Graph::launch), in a stream of the graph's device.
    pub fn launch_on(&self, stream: &Stream) -> Result<(), Error> {
        if *stream.device() != self.device {
            return Err(Error::OtherDevice {
                what: "the launch of a graph in a stream".into(),
                found: stream.device().name().into(),
                device: self.device.name().into(),
            });
        }
        self.launch_in(Some(stream))
    }

    fn launch_in(&self, stream: Option<&Stream>) -> Result<(), Error> {
        if recorder::recording() || forward::running() {
            return Err(Error::GraphUnderTape { tape: recorder::recording() });
        }
        if capture::capturing() {
            return capture::again(&self.device, &self.work);
        }
        let _holds: Vec<Hold> = self.work.uses.hold()?;
        let Some(queue) = stream::chosen(&self.device, stream) else {
            return self.work.nodes.iter().try_for_each(|node| node.run(&self.device, None));
        };
        order::ordered(&self.device, &queue, self.work.uses.iter(), || {
            // SAFETY: all memory of the graph is held, and in order.
            match unsafe { self.native.launch(&self.device, &self.work, &queue) }? {
                true => Ok(()),
                false => self.work.nodes.iter().try_for_each(|node| node.run(&self.device, Some(&queue))),
            }
        })
    }

    /// Records again, and takes the place of what was recorded, for instance with other values. When `body` fails the graph
    /// stays as it is.
    pub fn update<T, E: From<Error>>(&mut self, body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let (work, value) = capture::record(&self.device, body)?;
        self.work = work;
        self.native.is_old();
        Ok(value)
    }

    /// Launches without a word go into this stream.
    pub(crate) fn set_stream(&mut self, stream: &Stream) {
        self.stream = Some(stream.clone());
    }

    /// Where it runs.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many launches, copies and fills it has.
    pub fn len(&self) -> usize {
        self.work.nodes.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.work.nodes.is_empty()
    }
}

/// The work in order, one line each.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.work.nodes.iter().try_for_each(|node| writeln!(f, "{node}"))
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} on {})", self.len(), self.device)
    }
}

/// Work that graphs share.
pub(crate) type Shared = Arc<Node>;
