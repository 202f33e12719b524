//! A program on this device, and launches of it.

use std::sync::{Arc, OnceLock};

use warp_core::backend::{BackendError, Call, Executable, LaunchStop, Program};
use warp_core::dump;
use warp_ir::abi::ArgWords;
use warp_ir::emit::ptx::abi::{Entry, Grid as Shape, LaunchWords};
use warp_ir::emit::ptx::{self, Input};
use warp_ir::ir::Kernel;
use warp_ir::validate::Valid;

use super::prints::Ring;
use super::words::Parameter;
use super::{Shared, failed};
use crate::error::Error;
use crate::module::{Function, Grid, Module};

/// Threads of a block, where nobody says: more rarely help kernels that wait for memory, and cost the ends of launches.
const BLOCK: u32 = 256;

/// A kernel in the device's code.
pub(super) struct CudaProgram {
    name: String,
    emitted: ptx::Module,
    /// Words of its arguments.
    arguments: usize,
    module: Module,
    /// One for each entry, once it has been launched.
    entries: Vec<OnceLock<Ready>>,
    /// Threads of a block, where the kernel says.
    block: Option<u32>,
    shared: Arc<Shared>,
}

/// An entry with the block size that fills the device best.
struct Ready {
    function: Function,
    block: u32,
    /// Most threads of a block that its registers allow.
    most: u32,
}

impl CudaProgram {
    pub(super) fn new(program: &Program, shared: Arc<Shared>) -> Result<CudaProgram, BackendError> {
        let name = program.kernel.function.name.clone();
        let kernel = Valid::<Kernel>::new(program.kernel.clone()).map_err(|error| BackendError(error.to_string()))?;
        let input = Input { kernel: &kernel, layouts: &program.layouts, slots: Some(&program.slots) };
        let emitted = ptx::emit(&input).map_err(|error| BackendError(error.to_string()))?;
        dump::file(&name, "ptx", || emitted.text.clone());
        // SAFETY: the text comes from a kernel whose accesses stand under their checks.
        let module = unsafe { shared.module(&emitted.text) }.map_err(|error| refused(&name, &emitted, error))?;
        Ok(CudaProgram {
            arguments: ArgWords::of(&kernel.function).total,
            entries: emitted.entries.iter().map(|_| OnceLock::new()).collect(),
            block: kernel.attributes.block,
            name,
            emitted,
            module,
            shared,
        })
    }

    fn fail(&self, what: impl std::fmt::Display) -> LaunchStop {
        LaunchStop::Backend(BackendError(format!("kernel `{}`: {what}", self.name)))
    }

    /// An entry, looked up at its first launch.
    fn ready(&self, at: usize) -> Result<&Ready, Error> {
        if let Some(ready) = self.entries[at].get() {
            return Ok(ready);
        }
        let function = self.module.function(&self.emitted.entries[at].name)?;
        let most = function.attributes()?.block_threads;
        let block = match self.block {
            Some(block) => block.min(most),
            None => function.best_block(0, BLOCK)?.0,
        };
        Ok(self.entries[at].get_or_init(|| Ready { function, block, most }))
    }

    /// The best entry for a launch, and its grid.
    fn choose(&self, call: &Call<'_>) -> Result<(&Ready, Shape), LaunchStop> {
        for (at, entry) in self.emitted.entries.iter().enumerate() {
            if !self.may_fit(entry, call) {
                continue;
            }
            let ready = self.ready(at).map_err(|error| self.fail(error))?;
            let block = call.block.unwrap_or(ready.block).min(ready.most);
            if let Some(shape) = entry.fits(call.dims, call.words, short(block, call.dims)) {
                return Ok((ready, shape));
            }
        }
        Err(self.fail(format!("no grid carries a launch over {:?}; make it smaller", call.dims)))
    }

    /// Whether an entry is worth looking up: its conditions do not depend on the block's size.
    fn may_fit(&self, entry: &Entry, call: &Call<'_>) -> bool {
        entry.conditions.iter().all(|condition| condition.holds(call.dims, call.words))
    }

    /// Queues the launch, waits for it, and reads what it left.
    ///
    /// # Safety
    /// As [`Executable::launch`].
    unsafe fn run(&self, call: &Call<'_>, ready: &Ready, shape: Shape) -> Result<Option<LaunchStop>, Error> {
        let stream = &self.shared.stream;
        let mut fault = self.shared.scratch.block(stream, self.emitted.fault.words())?;
        let mut ring = match self.emitted.prints.is_empty() {
            true => None,
            false => Some(self.shared.scratch.ring(stream, &self.emitted.prints)?),
        };
        let ring_address = ring.as_ref().map_or(0, Ring::address);
        let launch_words = self.emitted.words.fill(call.dims, fault.address(), ring_address);
        let mut parameter = Parameter::new(stream, &self.emitted.words, call.words, &launch_words)?;
        let grid = Grid { blocks: shape.grid, threads: shape.block, shared: 0 };
        // SAFETY: the entry takes this one parameter; the arguments are valid by contract, and everything that the launch
        // uses beside them lives until the stream has been waited for.
        let launched = unsafe { ready.function.launch(stream, &grid, &mut [parameter.pointer()]) }
            .and_then(|()| fault.fetch(stream));
        // What was queued uses this memory, also where queueing what follows failed.
        let waited = stream.synchronize();
        launched.and(waited)?;
        if let Some(ring) = &mut ring {
            ring.deliver(stream, &self.emitted.prints, call.printer)?;
        }
        let found = fault.read();
        let stop = found.map(|found| self.stop(found));
        if stop.is_some() {
            fault.silence(stream, &self.emitted.fault)?;
        }
        self.shared.scratch.give_back(fault, ring);
        Ok(stop)
    }

    /// The report of a fault.
    fn stop(&self, found: ptx::abi::Fault) -> LaunchStop {
        let Some(site) = self.emitted.sites.get(found.site) else {
            return self.fail(format!("it reported check {}, which it does not have", found.site));
        };
        LaunchStop::Fault {
            thread: found.thread,
            kind: site.kind.clone(),
            source: site.source.clone(),
            operands: site.operands.iter().copied().zip(found.operands).collect(),
            count: found.count,
        }
    }
}

impl Executable for CudaProgram {
    unsafe fn launch(&self, call: &Call<'_>) -> Result<(), LaunchStop> {
        let rank = self.emitted.words.rank;
        if call.words.len() != self.arguments || call.dims.len() != rank {
            return Err(self.fail(format!(
                "the launch passed {} argument words and {} extents, the kernel takes {} and {rank}",
                call.words.len(),
                call.dims.len(),
                self.arguments
            )));
        }
        if call.dims.contains(&0) {
            return Ok(());
        }
        if LaunchWords::threads(call.dims).is_none() {
            return Err(self.fail(format!("a launch over {:?} has 2^48 threads or more; make it smaller", call.dims)));
        }
        let (ready, shape) = self.choose(call)?;
        // SAFETY: by contract; the numbers of words and extents have been compared.
        match unsafe { self.run(call, ready, shape) } {
            Ok(None) => Ok(()),
            Ok(Some(stop)) => Err(stop),
            Err(error) => Err(LaunchStop::Backend(failed(error))),
        }
    }
}

/// A launch of few threads needs no block of many.
fn short(block: u32, dims: &[u64]) -> u32 {
    let threads = dims.iter().product::<u64>().next_multiple_of(32);
    u32::try_from(threads).map_or(block, |threads| threads.min(block)).max(1)
}

/// The driver refused the text. Each line that it names gets the place in the user's source.
fn refused(kernel: &str, emitted: &ptx::Module, error: Error) -> BackendError {
    let mut words = format!("the driver refused the code of kernel `{kernel}`: {error}");
    let Error::Module { log, .. } = &error else { return BackendError(words) };
    let lines = log
        .split("line ")
        .skip(1)
        .filter_map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<usize>().ok());
    for source in lines.filter_map(|line| emitted.lines.get(line.checked_sub(1)?)?.as_ref()).take(3) {
        words.push_str(&format!("\n  that line is `{}` ({}:{})", source.text, source.file, source.line));
    }
    BackendError(words)
}
