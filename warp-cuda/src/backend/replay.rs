//! Graphs of the runtime as graphs of the driver.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use warp_core::backend::{BackendError, LaunchStop, Queue, Replay, Step};

use super::faults::{Area, Part};
use super::later::Left;
use super::program::CudaProgram;
use super::queue::{CudaMark, Pattern};
use super::words::Parameter;
use super::{Shared, failed, own_queue};
use crate::error::Error;
use crate::graph::{Graph, ReadyGraph};
use crate::memory::Memory;
use crate::module::{Function, Grid};
use crate::stream::Stream;

/// A graph that is ready to be launched.
pub(super) struct CudaReplay {
    shared: Arc<Shared>,
    graph: ReadyGraph,
    needs: Needs,
    /// Behind the last launch, and its queue.
    last: Mutex<Option<(u64, CudaMark)>>,
}

/// What a graph uses besides the memory of arrays.
struct Needs {
    area: Arc<Area>,
    /// Each with its module, which stays loaded, and with arguments that lie on the device.
    launches: Vec<(Function, Grid, Parameter)>,
    /// Bytes that came from the host.
    staged: Vec<Memory>,
}

/// A step whose memory is there.
enum Piece {
    /// The launch of that number.
    Launch(usize),
    Copy {
        from: u64,
        to: u64,
        bytes: usize,
    },
    Bytes {
        to: u64,
        value: u8,
        bytes: usize,
    },
    Words {
        to: u64,
        value: u32,
        words: usize,
    },
}

impl CudaReplay {
    /// A graph of these steps; `None` where one of them cannot be a part of one: a kernel that prints has to be listened to.
    pub(super) fn new(shared: &Arc<Shared>, steps: &[Step<'_>]) -> Result<Option<CudaReplay>, BackendError> {
        let Some((graph, needs)) = capture(shared, steps)? else { return Ok(None) };
        let graph = graph.instantiate().map_err(failed)?;
        Ok(Some(CudaReplay { shared: shared.clone(), graph, needs, last: Mutex::default() }))
    }

    fn last(&self) -> MutexGuard<'_, Option<(u64, CudaMark)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the graph uses goes in the order of the device's own stream: behind the last launch.
    fn settle(&self) {
        let device = self.shared.own.stream().device();
        if let Some((queue, mark)) = self.last().take()
            && queue != self.shared.own.id()
            && let Err(error) = self.shared.own.follow(&mark)
        {
            device.keep_untold(error);
            let _waited = device.wait_if_quiet();
        }
    }
}

impl Replay for CudaReplay {
    unsafe fn launch(&self, queue: &Arc<dyn Queue>) -> Result<(), BackendError> {
        let run = || {
            let queue = own_queue(queue)?;
            let mut last = self.last();
            // Launches of a graph share its fault blocks.
            if let Some((_, mark)) = last.as_ref().filter(|(other, _)| *other != queue.id()) {
                queue.follow(mark)?;
            }
            let left = Left::Graph { copy: self.needs.area.copy()?, area: self.needs.area.clone() };
            self.shared.later.queue(queue, left, |stream, left| {
                // SAFETY: the memory of arrays is the caller's contract, what else the graph uses lives as long as it.
                unsafe { self.graph.launch(stream) }?;
                match left {
                    Left::Graph { copy, area } => area.fetch(copy, stream),
                    Left::One { .. } => Ok(()),
                }
            })?;
            // Without a mark the graph could go while it runs.
            let mark = queue.place(false).inspect_err(|_| {
                let _waited = queue.finish();
            })?;
            *last = Some((queue.id(), mark));
            Ok(())
        };
        run().map_err(failed)
    }

    fn update(&mut self, steps: &[Step<'_>]) -> Result<bool, BackendError> {
        let Some((graph, needs)) = capture(&self.shared, steps)? else { return Ok(false) };
        match self.graph.update(&graph) {
            Err(Error::GraphUpdate { .. }) => return Ok(false),
            done => done.map_err(failed)?,
        }
        self.settle();
        self.needs = needs;
        Ok(true)
    }
}

impl Drop for CudaReplay {
    fn drop(&mut self) {
        self.settle();
    }
}

/// Captures steps, with all that they need.
fn capture(shared: &Arc<Shared>, steps: &[Step<'_>]) -> Result<Option<(Graph, Needs)>, BackendError> {
    let Some(area) = area(shared, steps)? else { return Ok(None) };
    let mut needs = Needs { area: Arc::new(area), launches: vec![], staged: vec![] };
    let mut pieces = vec![];
    for step in steps {
        add(shared, step, &mut needs, &mut pieces)?;
    }
    let graph = record(shared, &mut needs, &pieces).map_err(failed)?;
    Ok(Some((graph, needs)))
}

/// The fault blocks of all launches.
fn area(shared: &Arc<Shared>, steps: &[Step<'_>]) -> Result<Option<Area>, BackendError> {
    let mut parts: Vec<Part> = vec![];
    let mut start = 0;
    for step in steps {
        let Step::Launch { executable, origin, .. } = step else { continue };
        let faults = program(*executable)?.landed();
        if !faults.emitted.prints.is_empty() {
            return Ok(None);
        }
        parts.push(Part { faults: faults.clone(), origin: (*origin).clone(), start });
        start += faults.emitted.fault.words();
    }
    Area::new(shared.own.stream(), parts).map(Some).map_err(failed)
}

/// Brings a step into a form that can be captured.
fn add(shared: &Arc<Shared>, step: &Step<'_>, needs: &mut Needs, pieces: &mut Vec<Piece>) -> Result<(), BackendError> {
    let stream = shared.own.stream();
    match *step {
        Step::Launch { executable, words, dims, how, .. } => {
            let program = program(executable)?;
            let (ready, grid) = program.choose(words, dims, how).map_err(|stop| match stop {
                LaunchStop::Backend(error) => error,
                LaunchStop::Fault { .. } => BackendError("a kernel that has not run reported a fault".into()),
            })?;
            let layout = &program.landed().emitted.words;
            let fault = needs.area.address(needs.launches.len());
            let parameter = Parameter::new(stream, layout, words, &layout.fill(dims, fault, 0)).map_err(failed)?;
            pieces.push(Piece::Launch(needs.launches.len()));
            needs.launches.push((ready.function.clone(), grid, parameter));
        }
        Step::Transfer { bytes: 0, .. } => {}
        Step::Transfer { from, to, bytes } => pieces.push(Piece::Copy { from, to, bytes }),
        Step::Upload { bytes: [], .. } => {}
        Step::Upload { to, bytes } => {
            let from = stage(stream, bytes, needs).map_err(failed)?;
            pieces.push(Piece::Copy { from, to, bytes: bytes.len() });
        }
        Step::Fill { to, value, times } => {
            let bytes = value.len() * times;
            match Pattern::of(to, value) {
                _ if bytes == 0 => {}
                Pattern::Byte(value) => pieces.push(Piece::Bytes { to, value, bytes }),
                Pattern::Word(value) => pieces.push(Piece::Words { to, value, words: bytes / 4 }),
                Pattern::Other => {
                    let first = Pattern::first(value, bytes);
                    let from = stage(stream, &first, needs).map_err(failed)?;
                    pieces.push(Piece::Copy { from, to, bytes: first.len() });
                    let doubled = Pattern::doubled(first.len(), bytes);
                    pieces.extend(doubled.map(|(at, bytes)| Piece::Copy { from: to, to: to + at as u64, bytes }));
                }
            }
        }
    }
    Ok(())
}

/// Bytes of the host on the device; their address.
fn stage(stream: &Stream, bytes: &[u8], needs: &mut Needs) -> Result<u64, Error> {
    let mut memory = stream.allocate(bytes.len())?;
    stream.upload(&mut memory, 0, bytes)?;
    let address = memory.address();
    needs.staged.push(memory);
    Ok(address)
}

/// Captures all pieces in order, in a stream that nobody else has.
fn record(shared: &Arc<Shared>, needs: &mut Needs, pieces: &[Piece]) -> Result<Graph, Error> {
    let stream = shared.own.stream().device().stream()?;
    stream.capture_inside(|| {
        needs.area.silence(&stream)?;
        pieces.iter().try_for_each(|piece| {
            // SAFETY (of all): what is captured here does not run. For its launches `Replay::launch` has the contract: arrays are
            // the caller's, and all else is in `needs`.
            match *piece {
                Piece::Launch(k) => {
                    let (function, grid, parameter) = &mut needs.launches[k];
                    unsafe { function.launch(&stream, grid, &mut [parameter.pointer()]) }
                }
                Piece::Copy { from, to, bytes } => unsafe { stream.copy_raw(to, from, bytes) },
                Piece::Bytes { to, value, bytes } => unsafe { stream.fill_raw(to, value, bytes) },
                Piece::Words { to, value, words } => unsafe { stream.fill_words_raw(to, value, words) },
            }
        })
    })
}

fn program(executable: &dyn warp_core::backend::Executable) -> Result<&CudaProgram, BackendError> {
    let executable: &dyn Any = executable;
    let other = || BackendError("a graph of CUDA was given a kernel that another device compiled".into());
    executable.downcast_ref().ok_or_else(other)
}
