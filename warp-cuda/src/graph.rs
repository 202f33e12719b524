//! Graphs: captured work that is launched at once.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::device::{Dead, Device};
use crate::error::Error;
use crate::result;
use crate::stream::Stream;
use crate::sys::{CUgraph, CUgraphExec};

/// Work that [`Stream::capture`] has captured.
pub struct Graph {
    device: Device,
    /// The driver lets one thread at a time use a graph.
    handle: Mutex<CUgraph>,
}

impl Graph {
    pub(crate) fn new(device: Device, handle: CUgraph) -> Graph {
        Graph { device, handle: Mutex::new(handle) }
    }

    /// How many pieces of work it has.
    pub fn len(&self) -> Result<usize, Error> {
        let _current = self.device.enter()?;
        // SAFETY: the graph is alive.
        unsafe { result::graph::count(self.device.cuda(), *lock(&self.handle)) }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.len()? == 0)
    }

    /// Makes something that can be launched, again and again.
    pub fn instantiate(&self) -> Result<ReadyGraph, Error> {
        let _current = self.device.enter()?;
        // SAFETY: the graph is alive.
        let handle = unsafe { result::graph::instantiate(self.device.cuda(), *lock(&self.handle)) }?;
        Ok(ReadyGraph { device: self.device.clone(), handle: Mutex::new(handle) })
    }

    /// The driver's handle.
    pub fn raw(&self) -> CUgraph {
        *lock(&self.handle)
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        self.device.dispose(Dead::Graph(self.raw()));
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} of {})", self.raw().0.addr(), self.device.label())
    }
}

/// A graph that can be launched.
pub struct ReadyGraph {
    device: Device,
    handle: Mutex<CUgraphExec>,
}

impl ReadyGraph {
    /// Queues all its work, as often as it is called.
    ///
    /// # Safety
    /// All that the captured calls needed is still so, until the work is done: memory is alive, modules are loaded, and
    /// nothing else uses what it writes.
    pub unsafe fn launch(&self, stream: &Stream) -> Result<(), Error> {
        self.device.same("the graph", "the stream", stream.device())?;
        let _current = self.device.enter()?;
        // SAFETY: graph and stream are alive; the rest is the caller's contract.
        unsafe { self.device.cuda().cuGraphLaunch(*lock(&self.handle), stream.raw()) }
    }

    /// Takes the parameters of another graph of the same form: the same work in the same order, with other arguments,
    /// sizes and addresses. Far cheaper than making it anew. If the form differs, nothing changes.
    pub fn update(&mut self, graph: &Graph) -> Result<(), Error> {
        self.device.same("the graph", "the new graph", &graph.device)?;
        let _current = self.device.enter()?;
        let (handle, new) = (lock(&self.handle), lock(&graph.handle));
        // SAFETY: both are alive.
        unsafe { result::graph::update(self.device.cuda(), *handle, *new) }.map_err(
            |(error, differs)| match difference(differs) {
                Some(why) => Error::GraphUpdate { why: why.into() },
                None => error,
            },
        )
    }

    /// The driver's handle.
    pub fn raw(&self) -> CUgraphExec {
        *lock(&self.handle)
    }
}

impl Drop for ReadyGraph {
    fn drop(&mut self) {
        self.device.dispose(Dead::Exec(self.raw()));
    }
}

impl fmt::Debug for ReadyGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadyGraph({} of {})", self.raw().0.addr(), self.device.label())
    }
}

fn lock<T>(handle: &Mutex<T>) -> MutexGuard<'_, T> {
    handle.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What an update found different.
fn difference(result: i32) -> Option<&'static str> {
    Some(match result {
        1 => "the driver does not say how it differs",
        2 => "it has other work, or its work waits for each other differently",
        3 => "a piece of its work is of another kind",
        4 => "a launch is of another function",
        5 => "a parameter changed that cannot be changed",
        6 => "it holds work that cannot be updated",
        7 => "a launch is of a function that cannot take the place of the other",
        8 => "an attribute of a launch changed",
        _ => return None,
    })
}
