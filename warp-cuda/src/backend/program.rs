//! A program on this device, and launches of it.

use std::sync::{Arc, OnceLock};

use warp_core::backend::{BackendError, Call, Executable, How, LaunchStop, Origin, Program, Queued};
use warp_core::dump;
use warp_ir::abi::ArgWords;
use warp_ir::emit::ptx::abi::{Entry, LaunchWords};
use warp_ir::emit::ptx::{self, Input};
use warp_ir::ir::Kernel;
use warp_ir::sums::AtomicUse;
use warp_ir::validate::Valid;

use super::faults::Landed;
use super::later::Left;
use super::prints::Ring;
use super::queue::CudaQueue;
use super::scratch::Block;
use super::words::Parameter;
use super::{Shared, failed, own_queue};
use crate::error::Error;
use crate::module::{Function, Grid, Module};
use crate::stream::Stream;

/// Threads of a block, where nobody says: more rarely help kernels that wait for memory, and cost the ends of launches.
const BLOCK: u32 = 256;

/// A kernel in the device's code.
pub(super) struct CudaProgram {
    /// Its name and text, which launches that are told later keep.
    landed: Arc<Landed>,
    /// Words of its arguments.
    arguments: usize,
    module: Module,
    /// One for each entry, once it has been launched.
    entries: Vec<OnceLock<Ready>>,
    /// Threads of a block, where the kernel says.
    block: Option<u32>,
    /// Whether its results depend on the order of threads.
    ordered: bool,
    shared: Arc<Shared>,
}

/// An entry with the block size that fills the device best.
pub(super) struct Ready {
    pub function: Function,
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
            ordered: AtomicUse::of(&kernel).is_ordered(),
            landed: Arc::new(Landed { name, emitted }),
            module,
            shared,
        })
    }

    fn fail(&self, what: impl std::fmt::Display) -> LaunchStop {
        LaunchStop::Backend(BackendError(format!("kernel `{}`: {what}", self.landed.name)))
    }

    pub(super) fn landed(&self) -> &Arc<Landed> {
        &self.landed
    }

    /// An entry, looked up at its first launch.
    fn ready(&self, at: usize) -> Result<&Ready, Error> {
        if let Some(ready) = self.entries[at].get() {
            return Ok(ready);
        }
        let function = self.module.function(&self.landed.emitted.entries[at].name)?;
        let most = function.attributes()?.block_threads;
        let block = match self.block {
            Some(block) => block.min(most),
            None => function.best_block(0, BLOCK)?.0,
        };
        Ok(self.entries[at].get_or_init(|| Ready { function, block, most }))
    }

    /// The best entry for a launch, and its grid.
    pub(super) fn choose(&self, words: &[u64], dims: &[u64], how: How) -> Result<(&Ready, Grid), LaunchStop> {
        let rank = self.landed.emitted.words.rank;
        if words.len() != self.arguments || dims.len() != rank {
            return Err(self.fail(format!(
                "the launch passed {} argument words and {} extents, the kernel takes {} and {rank}",
                words.len(),
                dims.len(),
                self.arguments
            )));
        }
        if LaunchWords::threads(dims).is_none() {
            return Err(self.fail(format!("a launch over {dims:?} has 2^48 threads or more; make it smaller")));
        }
        if how.deterministic && self.ordered {
            return Err(self.fail(
                "it adds floats by atomics, or takes what others left there, in an order that differs from run to run on a \
                 GPU, and the launch is to be deterministic; launch it on the CPU, or without `deterministic()` and \
                 `WARP_DETERMINISTIC`",
            ));
        }
        for (at, entry) in self.landed.emitted.entries.iter().enumerate() {
            if !may_fit(entry, words, dims) {
                continue;
            }
            let ready = self.ready(at).map_err(|error| self.fail(error))?;
            let block = how.block.unwrap_or(ready.block).min(ready.most);
            if let Some(shape) = entry.fits(dims, words, short(block, dims)) {
                return Ok((ready, Grid { blocks: shape.grid, threads: shape.block, shared: 0 }));
            }
        }
        Err(self.fail(format!("no grid carries a launch over {dims:?}; make it smaller")))
    }

    /// The parameter of a launch, with a block to leave a fault in, and a ring to print into. Where it lies on the device it
    /// goes in the order of the stream.
    fn parameter(&self, stream: &Stream, call: &Call<'_>, block: &Block, ring: u64) -> Result<Parameter, Error> {
        let words = &self.landed.emitted.words;
        Parameter::new(stream, words, call.words, &words.fill(call.dims, block.address(), ring))
    }

    /// Queues the launch; how it ended is told later.
    ///
    /// # Safety
    /// As [`Executable::launch`].
    unsafe fn run_later(
        &self,
        call: &Call<'_>,
        (ready, grid): (&Ready, &Grid),
        queue: &CudaQueue,
        origin: &Origin,
    ) -> Result<(), Error> {
        let later = &self.shared.later;
        let block = later.scratch.block(self.shared.own.stream(), self.landed.emitted.fault.words())?;
        let mut parameter = match self.parameter(queue.stream(), call, &block, 0) {
            Ok(parameter) => parameter,
            Err(error) => {
                later.scratch.give_back(block, None);
                return Err(error);
            }
        };
        let left = Left::One { block, faults: self.landed.clone(), origin: origin.clone() };
        later.queue(queue, left, |stream, left| {
            // SAFETY: the entry takes this one parameter; the arguments are valid by contract, and the block is kept until
            // somebody has waited for the launch.
            unsafe { ready.function.launch(stream, grid, &mut [parameter.pointer()]) }?;
            match left {
                Left::One { block, .. } => block.fetch(stream),
                Left::Graph { .. } => Ok(()),
            }
        })
    }

    /// Queues the launch behind all that is queued anywhere, waits for it, and reads what it left.
    ///
    /// # Safety
    /// As [`Executable::launch`].
    unsafe fn run(&self, call: &Call<'_>, (ready, grid): (&Ready, &Grid)) -> Result<Option<LaunchStop>, Error> {
        let queue = self.shared.settle()?;
        let (stream, scratch) = (queue.stream(), &self.shared.later.scratch);
        let prints = &self.landed.emitted.prints;
        let mut block = scratch.block(stream, self.landed.emitted.fault.words())?;
        let mut ring = if prints.is_empty() { None } else { Some(scratch.ring(stream, prints)?) };
        let mut parameter = match self.parameter(stream, call, &block, ring.as_ref().map_or(0, Ring::address)) {
            Ok(parameter) => parameter,
            Err(error) => {
                scratch.give_back(block, ring);
                return Err(error);
            }
        };
        // SAFETY: the entry takes this one parameter; the arguments are valid by contract, and everything that the launch
        // uses beside them lives until the stream has been waited for.
        let launched = unsafe { ready.function.launch(stream, grid, &mut [parameter.pointer()]) }
            .and_then(|()| block.fetch(stream));
        // What was queued uses this memory, also where queueing what follows failed.
        let waited = queue.finish();
        if let (Err(error), Ok(())) = (&launched, &waited) {
            self.shared.later.silence(block);
            return Err(error.clone());
        }
        launched.and(waited)?;
        let stop = block.read().map(|found| self.landed.stop(&found));
        let delivered = ring.as_mut().map_or(Ok(()), |ring| ring.deliver(stream, prints, call.printer));
        let silenced = if stop.is_some() { block.silence() } else { Ok(()) };
        match (delivered.and(silenced), &stop) {
            (Ok(()), _) => scratch.give_back(block, ring),
            // The fault comes first; block and ring are not used again.
            (Err(error), Some(_)) => stream.device().keep_untold(error),
            (Err(error), None) => return Err(error),
        }
        Ok(stop)
    }
}

impl Executable for CudaProgram {
    unsafe fn launch(&self, call: &Call<'_>) -> Result<(), LaunchStop> {
        if call.dims.contains(&0) {
            return Ok(());
        }
        let (ready, grid) = self.choose(call.words, call.dims, call.how)?;
        let how = (ready, &grid);
        // SAFETY (of both): by contract; the numbers of words and extents have been compared.
        let ended = match call.queued.filter(|_| self.landed.emitted.prints.is_empty()) {
            None => unsafe { self.run(call, how) },
            Some(Queued { queue, origin }) => {
                own_queue(queue).and_then(|queue| unsafe { self.run_later(call, how, queue, origin) }).map(|()| None)
            }
        };
        match ended {
            Ok(None) => Ok(()),
            Ok(Some(stop)) => Err(stop),
            Err(error) => Err(LaunchStop::Backend(failed(error))),
        }
    }
}

/// Whether an entry is worth looking up: its conditions do not depend on the block's size.
fn may_fit(entry: &Entry, words: &[u64], dims: &[u64]) -> bool {
    entry.conditions.iter().all(|condition| condition.holds(dims, words))
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
