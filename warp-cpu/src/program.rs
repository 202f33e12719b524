//! A program on this device: variants of its code, and launches of them.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use warp_core::backend::{BackendError, Call, ElementLayout, Executable, LaunchStop, Program};
use warp_ir::abi::ArgWords;
use warp_ir::ir::{AtomicKind, Kernel, Mem, Op, Region};
use warp_ir::validate::Valid;

use crate::context::{Context, Launch};
use crate::cost::Cost;
use crate::fault::FaultLog;
use crate::float_env::FloatEnv;
use crate::jit::{self, Compiled};
use crate::lower::{Atomics, Input};
use crate::pool::{Chunks, Pool};

/// A launch that is estimated to take longer on one core is spread over more.
const PARALLEL_NANOSECONDS: f64 = 10_000.0;
/// Chunks that a machine thread gets, if all are equally fast.
const CHUNKS_A_THREAD: u64 = 6;
/// Chunks are multiples of so many threads where they are long enough: a cache line of bytes.
const CHUNK_MULTIPLE: u64 = 64;
/// Machines with so many threads win by atomic additions of floats, which cost about eight plain ones.
const THREADS_FOR_FLOAT_ATOMICS: usize = 12;
/// Threads of a launch are counted in 63 bits.
const MOST_THREADS: u64 = 1 << 63;

/// A kernel with all that is needed to compile and run it.
pub(crate) struct CpuProgram {
    kernel: Valid<Kernel>,
    slots: Vec<u64>,
    layouts: Vec<ElementLayout>,
    words: usize,
    rank: usize,
    atomics: AtomicUse,
    cost: Cost,
    pool: Arc<Pool>,
    settings: Settings,
    /// For launches on one machine thread, and on more.
    plain: Variant,
    shared: Variant,
}

/// Choices of the backend.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// The code generator checks its input.
    pub verify: bool,
    /// Each launch takes all machine threads that it may.
    pub eager: bool,
}

type Variant = OnceLock<Result<Compiled, BackendError>>;

/// What atomics on shared arrays a kernel has.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum AtomicUse {
    None,
    /// Their outcome does not depend on the order of threads.
    OrderFree,
    /// Sums of floats.
    FloatSums,
}

impl CpuProgram {
    pub(crate) fn new(program: &Program, pool: Arc<Pool>, settings: Settings) -> Result<CpuProgram, BackendError> {
        check_shape(program)?;
        let kernel = Valid::<Kernel>::new(program.kernel.clone()).map_err(|error| BackendError(error.to_string()))?;
        let function = &kernel.function;
        Ok(CpuProgram {
            words: ArgWords::of(function).total,
            rank: kernel.rank.max(1) as usize,
            atomics: atomic_use(&kernel, &function.body),
            cost: Cost::guess(&function.body),
            slots: program.slots.clone(),
            layouts: program.layouts.clone(),
            kernel,
            pool,
            settings,
            plain: OnceLock::new(),
            shared: OnceLock::new(),
        })
    }

    /// Machine threads for a launch of `total` threads.
    fn machine_threads(&self, total: u64, limit: Option<usize>) -> usize {
        let threads = self.pool.threads().min(limit.unwrap_or(usize::MAX));
        let small = self.cost.per_thread() * (total as f64) < PARALLEL_NANOSECONDS && !self.settings.eager;
        let too_small = threads <= 1 || total <= 1 || small;
        let serial_sums = self.atomics == AtomicUse::FloatSums && threads < THREADS_FOR_FLOAT_ATOMICS;
        if too_small || serial_sums { 1 } else { threads.min(total.min(usize::MAX as u64) as usize) }
    }

    fn variant(&self, atomics: Atomics) -> Result<&Compiled, BackendError> {
        let place =
            if atomics == Atomics::Shared && self.atomics != AtomicUse::None { &self.shared } else { &self.plain };
        if let Some(compiled) = place.get() {
            return compiled.as_ref().map_err(BackendError::clone);
        }
        place.get_or_init(|| self.compile(atomics)).as_ref().map_err(BackendError::clone)
    }

    fn compile(&self, atomics: Atomics) -> Result<Compiled, BackendError> {
        let input = Input { kernel: &self.kernel, slots: &self.slots, layouts: &self.layouts, atomics };
        let variant = if atomics == Atomics::Plain { "plain" } else { "shared" };
        jit::compile(&input, variant, self.settings.verify)
    }

    /// The number of threads of a launch, and its extents in the form of `Context::dims`.
    fn extents(&self, call: &Call<'_>) -> Result<(u64, [u64; 4]), LaunchStop> {
        let kernel = &self.kernel.function.name;
        let fail = |what: String| LaunchStop::Backend(BackendError(format!("kernel `{kernel}`: {what}")));
        if call.words.len() != self.words || call.dims.len() != self.rank {
            return Err(fail(format!(
                "the launch passed {} argument words and {} extents, the kernel takes {} and {}",
                call.words.len(),
                call.dims.len(),
                self.words,
                self.rank
            )));
        }
        let mut dims = [1; 4];
        dims[..self.rank].copy_from_slice(call.dims);
        let total = call.dims.iter().try_fold(1u64, |total, dim| total.checked_mul(*dim));
        match total {
            Some(total) if total <= MOST_THREADS => Ok((total, dims)),
            _ => Err(fail(format!("a launch over {:?} has more than 2^63 threads; make it smaller", call.dims))),
        }
    }
}

impl Executable for CpuProgram {
    unsafe fn launch(&self, call: &Call<'_>) -> Result<(), LaunchStop> {
        let (total, dims) = self.extents(call)?;
        if total == 0 {
            return Ok(());
        }
        let threads = self.machine_threads(total, call.threads);
        let atomics = if threads > 1 { Atomics::Shared } else { Atomics::Plain };
        let compiled = self.variant(atomics).map_err(LaunchStop::Backend)?;
        let launch = Launch {
            printer: call.printer,
            prints: &self.kernel.function.prints,
            operands: &compiled.operands,
            faults: FaultLog::default(),
            panic: Mutex::new(None),
        };
        let run = Run { compiled, words: call.words.as_ptr(), dims, launch: &launch };
        let started = self.cost.wants_measurement().then(Instant::now);
        // SAFETY: the words and the memory they name are valid by the contract of `launch`, their number has been checked;
        // on more than one machine thread the variant with atomic instructions runs.
        let by_caller =
            unsafe { if threads == 1 { run.serial(total) } else { run.parallel(total, threads, &self.pool) } };
        if let Some(started) = started {
            self.cost.measured(started.elapsed().as_nanos() as f64, by_caller);
        }
        let Launch { faults, panic, .. } = launch;
        if let Some(panic) = panic.into_inner().unwrap_or_else(|poison| poison.into_inner()) {
            resume_unwind(panic);
        }
        faults.report(&compiled.sites)
    }
}

/// One launch of one variant.
struct Run<'a> {
    compiled: &'a Compiled,
    words: *const u64,
    dims: [u64; 4],
    launch: &'a Launch<'a>,
}

// SAFETY: the words are only read, and live as long as the launch, which outlives all participants.
unsafe impl Sync for Run<'_> {}

impl Run<'_> {
    /// Runs all threads here; gives their number.
    ///
    /// # Safety
    /// As [`Executable::launch`].
    unsafe fn serial(&self, total: u64) -> u64 {
        self.with_context(|context| {
            // SAFETY: the caller's contract.
            unsafe { self.range(0, total, context) }
        });
        total
    }

    /// Runs all threads on up to `threads` machine threads; gives the number of those that ran here.
    ///
    /// # Safety
    /// As [`Executable::launch`], and the variant's atomics are shared ones.
    unsafe fn parallel(&self, total: u64, threads: usize, pool: &Pool) -> u64 {
        let length = chunk_length(total, threads);
        let chunks = total.div_ceil(length);
        let caller = std::thread::current().id();
        let by_caller = AtomicU64::new(0);
        pool.run(chunks, threads, &|chunks: Chunks<'_>| {
            let mut done = 0;
            self.with_context(|context| {
                for chunk in chunks {
                    let lo = chunk * length;
                    let hi = total.min(lo.saturating_add(length));
                    // SAFETY: the caller's contract; chunks are disjoint.
                    unsafe { self.range(lo, hi, context) };
                    done += hi - lo;
                }
            });
            if std::thread::current().id() == caller {
                by_caller.store(done, Ordering::Relaxed);
            }
        });
        by_caller.into_inner()
    }

    /// Runs the threads `lo..hi`. After a failed check compiled code comes back; it goes on with the next thread.
    ///
    /// # Safety
    /// As [`Executable::launch`].
    unsafe fn range(&self, lo: u64, hi: u64, context: &Context<'_>) {
        let mut at = lo;
        while at < hi {
            // SAFETY: the caller's contract.
            at = unsafe { (self.compiled.entry)(self.words, at, hi, std::ptr::from_ref(context).cast()) };
        }
    }

    /// What a machine thread needs to take part: the default float environment, and scratch memory.
    fn with_context(&self, body: impl FnOnce(&Context<'_>)) {
        let _env = FloatEnv::enter();
        let mut scratch = Scratch::take(self.compiled.scratch);
        body(&Context { dims: self.dims, scratch: scratch.address(), launch: self.launch });
        scratch.give_back();
    }
}

/// Threads in a chunk.
fn chunk_length(total: u64, threads: usize) -> u64 {
    let length = total.div_ceil(CHUNKS_A_THREAD * threads as u64);
    if length >= CHUNK_MULTIPLE { length.next_multiple_of(CHUNK_MULTIPLE) } else { length }
}

/// Memory of a machine thread for local arrays, kept from launch to launch. A nested launch on the same machine thread
/// finds the place empty and takes memory of its own.
struct Scratch(Vec<u128>);

thread_local! {
    static SCRATCH: Cell<Vec<u128>> = const { Cell::new(Vec::new()) };
}

impl Scratch {
    fn take(bytes: usize) -> Scratch {
        if bytes == 0 {
            return Scratch(Vec::new());
        }
        let mut memory = SCRATCH.take();
        memory.resize(memory.len().max(bytes.div_ceil(size_of::<u128>())), 0);
        Scratch(memory)
    }

    fn address(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    fn give_back(self) {
        if !self.0.is_empty() {
            SCRATCH.set(self.0);
        }
    }
}

/// The parts of a program that lie outside the IR fit it.
fn check_shape(program: &Program) -> Result<(), BackendError> {
    let function = &program.kernel.function;
    let name = &function.name;
    let slots = program.slots.len();
    if slots < function.slots as usize {
        return Err(BackendError(format!(
            "kernel `{name}` reads {} user constants, {slots} were given",
            function.slots
        )));
    }
    if program.layouts.len() != function.arrays.len() {
        let (wanted, given) = (function.arrays.len(), program.layouts.len());
        return Err(BackendError(format!("kernel `{name}` has {wanted} array parameters, {given} layouts were given")));
    }
    for (array, layout) in function.arrays.iter().zip(&program.layouts) {
        let fits = layout.offsets.len() == array.leaves.len()
            && array.leaves.iter().zip(&layout.offsets).all(|(leaf, offset)| offset + leaf.size() <= layout.size);
        if !fits || layout.size > i32::MAX as usize {
            return Err(BackendError(format!(
                "kernel `{name}`: the layout of `{}` does not hold its {} scalars",
                array.name,
                array.leaves.len()
            )));
        }
    }
    Ok(())
}

fn atomic_use(kernel: &Kernel, region: &Region) -> AtomicUse {
    let of_op = |op: &Op| match op {
        Op::Atomic { kind, mem: Mem::Array(array), leaf, .. } => {
            let scalar = kernel.function.arrays[array.0 as usize].leaves[*leaf as usize];
            match kind {
                AtomicKind::Add | AtomicKind::Sub if scalar.is_float() => AtomicUse::FloatSums,
                _ => AtomicUse::OrderFree,
            }
        }
        _ => {
            let inner = op.shape().regions.into_iter().map(|region| atomic_use(kernel, region));
            inner.fold(AtomicUse::None, |most, one| if one > most { one } else { most })
        }
    };
    region.ops.iter().map(of_op).fold(AtomicUse::None, |most, one| if one > most { one } else { most })
}
