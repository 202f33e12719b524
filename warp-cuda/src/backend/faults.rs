//! Faults of launches in the runtime's words, and the fault blocks of a graph.

use std::sync::{Arc, Mutex, PoisonError};

use warp_core::backend::{BackendError, LaunchStop, Origin, Stopped};
use warp_ir::emit::ptx::abi::{Fault, FaultBlock};
use warp_ir::emit::ptx::{self};

use crate::error::Error;
use crate::memory::Memory;
use crate::pinned::Pinned;
use crate::stream::Stream;

/// What is needed to tell of a fault of a kernel.
pub(super) struct Landed {
    pub name: String,
    pub emitted: ptx::Module,
}

impl Landed {
    /// The report of a fault.
    pub(super) fn stop(&self, found: &Fault) -> LaunchStop {
        let Some(site) = self.emitted.sites.get(found.site) else {
            return LaunchStop::Backend(BackendError(format!(
                "kernel `{}`: it reported check {}, which it does not have",
                self.name, found.site
            )));
        };
        LaunchStop::Fault {
            thread: found.thread,
            kind: site.kind.clone(),
            source: site.source.clone(),
            operands: site.operands.iter().copied().zip(found.operands.iter().copied()).collect(),
            count: found.count,
        }
    }
}

/// The fault blocks of a graph, one for each launch, one behind the other.
pub(super) struct Area {
    parts: Vec<Part>,
    memory: Memory,
    /// What the memory holds before a launch.
    quiet: Memory,
    /// Copies on the host that nobody uses.
    free: Mutex<Vec<Pinned>>,
}

/// The block of a launch of a graph.
pub(super) struct Part {
    pub faults: Arc<Landed>,
    pub origin: Origin,
    /// Where it starts, in words.
    pub start: usize,
}

impl Area {
    pub(super) fn new(stream: &Stream, parts: Vec<Part>) -> Result<Area, Error> {
        let quiet: Vec<u64> = parts.iter().flat_map(|part| part.faults.emitted.fault.quiet()).collect();
        let bytes: Vec<u8> = quiet.iter().flat_map(|word| word.to_le_bytes()).collect();
        let memory = stream.allocate(bytes.len())?;
        let mut source = stream.allocate(bytes.len())?;
        stream.upload(&mut source, 0, &bytes)?;
        Ok(Area { parts, memory, quiet: source, free: Mutex::default() })
    }

    /// How many launches the graph has.
    pub(super) fn launches(&self) -> usize {
        self.parts.len()
    }

    /// The block of a launch on the device.
    pub(super) fn address(&self, launch: usize) -> u64 {
        self.memory.address() + 8 * self.parts[launch].start as u64
    }

    /// Queues making all blocks quiet.
    pub(super) fn silence(&self, stream: &Stream) -> Result<(), Error> {
        if self.memory.is_empty() {
            return Ok(());
        }
        // SAFETY: both have so many bytes, and live as long as the graph that does this.
        unsafe { stream.copy_raw(self.memory.address(), self.quiet.address(), self.memory.len()) }
    }

    /// Room on the host for a copy of all blocks.
    pub(super) fn copy(&self) -> Result<Pinned, Error> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.map_or_else(|| self.memory.device().pinned(self.memory.len()), Ok)
    }

    /// Queues a copy of all blocks to the host.
    pub(super) fn fetch(&self, copy: &mut Pinned, stream: &Stream) -> Result<(), Error> {
        if copy.is_empty() {
            return Ok(());
        }
        // SAFETY: both have so many bytes, and the copy is kept until the stream has been waited for.
        unsafe { stream.download_raw(copy.as_mut_ptr(), self.memory.address(), self.memory.len()) }
    }

    /// What a copy that is done tells: the fault of the first launch that has one.
    pub(super) fn read(&self, copy: &Pinned) -> Option<Stopped> {
        let words: Vec<u64> = copy.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        self.parts.iter().find_map(|part| {
            let end = part.start + part.faults.emitted.fault.words();
            let fault = FaultBlock::read(words.get(part.start..end)?)?;
            Some(Stopped { origin: part.origin.clone(), stop: part.faults.stop(&fault) })
        })
    }

    pub(super) fn give_back(&self, copy: Pinned) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(copy);
    }
}
