//! A program on this device, and launches of it.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use warp_core::backend::{BackendError, Call, Executable, LaunchStop, Program};
use warp_ir::abi::ArgWords;
use warp_ir::sums::AtomicUse;

use crate::context::Launch;
use crate::cost::Cost;
use crate::fault::FaultLog;
use crate::form::{Form, Forms};
use crate::jit::{Code, Compiled};
use crate::lower::Atomics;
use crate::lower::lanes::LANES;
use crate::pool::Pool;
use crate::run::{Run, Way};
use crate::sums::{Spare, Sums};
use crate::trial::{LONG, Manner, Trial, Turns};

/// A launch that is estimated to take longer on one core is spread over more.
const PARALLEL_NANOSECONDS: f64 = 10_000.0;
/// Machines with so many threads win by atomic additions of floats, which cost about eight plain ones.
const THREADS_FOR_FLOAT_ATOMICS: usize = 12;
/// Stretches of a deterministic launch: as many on every machine.
const STRETCHES: u64 = 8;
/// Shorter ones of these launches are not cut into stretches.
const DETERMINISTIC_FROM: u64 = 64 * STRETCHES;
/// Launches with fewer threads in the last dimension are not worth code for groups.
const FEWEST_IN_A_ROW: u64 = 16;
/// Nor are shorter rows worth code for lanes that take up other threads.
const FEWEST_REFILLED: u64 = 1024;
/// Groups of threads run together where that is estimated to take at most this part of what the threads take by
/// themselves.
const MOST_OF_SINGLE: f64 = 0.8;
/// Threads of a launch are counted in 63 bits.
const MOST_THREADS: u64 = 1 << 63;

/// A kernel with all that is needed to compile and run it.
pub(crate) struct CpuProgram {
    name: String,
    words: usize,
    rank: usize,
    forms: Forms,
    cost: Cost,
    trial: Trial,
    turns: Turns,
    pool: Arc<Pool>,
    /// Memory for sums in parts.
    spare: Arc<Spare>,
    settings: Settings,
}

/// Choices of the backend.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// The code generator checks its input.
    pub verify: bool,
    /// Each launch takes all machine threads that it may.
    pub eager: bool,
    /// When groups of threads run in the lanes of vectors.
    pub grouping: Grouping,
    /// How many groups run side by side, where that is not left to each kernel.
    pub groups: Option<usize>,
    /// Lanes take up other threads wherever there is code for that.
    pub refills: bool,
}

/// When groups of threads run in the lanes of vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grouping {
    /// Never.
    Never,
    /// Where that is estimated to be faster.
    Faster,
    /// Where there is code for them.
    Possible,
}

impl CpuProgram {
    pub(crate) fn new(
        program: &Program,
        pool: Arc<Pool>,
        spare: Arc<Spare>,
        settings: Settings,
    ) -> Result<CpuProgram, BackendError> {
        let forms = Forms::new(program, settings)?;
        Ok(CpuProgram {
            name: program.kernel.function.name.clone(),
            words: ArgWords::of(&program.kernel.function).total,
            rank: program.kernel.rank as usize,
            cost: Cost::guess(forms.whole()),
            trial: Trial::default(),
            turns: Turns::default(),
            forms,
            pool,
            spare,
            settings,
        })
    }

    /// Why there is no code for groups of threads, if there is none.
    pub(crate) fn no_groups(&self) -> Result<Option<String>, BackendError> {
        let groups = self.forms.groups(self.forms.whole_form(), Atomics::Plain, u64::MAX)?;
        Ok(groups.err().map(str::to_owned))
    }

    /// Why there is no code for lanes that take up other threads, if there is none.
    pub(crate) fn no_refills(&self) -> Result<Option<String>, BackendError> {
        let refilled = self.forms.refilled(self.forms.whole_form(), Atomics::Plain)?;
        Ok(refilled.err().map(str::to_owned))
    }

    /// How the threads of a launch share the machine.
    fn way<'a>(&'a self, call: &Call<'a>, total: u64) -> Result<Way<'a>, BackendError> {
        let float_sums = self.forms.atomics == AtomicUse::FloatSums;
        // Sums have other bits in other numbers of stretches, which measurements must not decide: they differ from run to run.
        let cost = if float_sums { self.cost.guessed() } else { self.cost.per_thread() };
        let threads = self.machine_threads(total, call.how.threads, cost);
        if self.forms.atomics.is_ordered() && call.how.deterministic {
            return match self.sums(call, total, STRETCHES).filter(|_| total >= DETERMINISTIC_FROM) {
                None => Ok(Way::Serial),
                // Another way would have other bits, on this machine alone.
                Some(sums) => match sums.parts(call.words, STRETCHES, &self.spare) {
                    Some(parts) => Ok(Way::Parts { parts, stretches: STRETCHES, threads }),
                    None => Err(BackendError(format!(
                        "kernel `{}`: the host has no memory for the {STRETCHES} partial sums of a deterministic launch; \
                         free arrays, or launch it without `deterministic()` and `WARP_DETERMINISTIC`",
                        self.name
                    ))),
                },
            };
        }
        if threads == 1 {
            return Ok(Way::Serial);
        }
        let stretches = threads as u64;
        let sums = self.sums(call, total, stretches);
        Ok(match sums.and_then(|sums| sums.parts(call.words, stretches, &self.spare)) {
            Some(parts) => Way::Parts { parts, stretches, threads },
            None if float_sums && threads < THREADS_FOR_FLOAT_ATOMICS => Way::Serial,
            None => Way::Shared(threads),
        })
    }

    /// The sums of a launch, if they can be made in so many stretches and that is worthwhile.
    fn sums(&self, call: &Call<'_>, total: u64, stretches: u64) -> Option<&Sums> {
        self.forms.sums.as_ref().filter(|sums| sums.worthwhile(call.words, total, stretches))
    }

    /// Machine threads for a launch of `total` threads, each of which takes so many nanoseconds.
    fn machine_threads(&self, total: u64, limit: Option<usize>, cost: f64) -> usize {
        let threads = self.pool.threads().min(limit.unwrap_or(usize::MAX));
        let small = cost * (total as f64) < PARALLEL_NANOSECONDS && !self.settings.eager;
        let too_small = threads <= 1 || total <= 1 || small;
        if too_small { 1 } else { threads.min(total.min(usize::MAX as u64) as usize) }
    }

    /// The code for groups of threads, where the launch has groups and there is such code.
    fn groups<'a>(
        &'a self,
        form: &'a Form,
        atomics: Atomics,
        single: &Compiled,
        call: &Call<'_>,
    ) -> Result<Option<&'a Code>, BackendError> {
        let row = call.dims.last().copied().unwrap_or(1);
        let fewest = match self.settings.grouping {
            Grouping::Never => return Ok(None),
            Grouping::Faster => FEWEST_IN_A_ROW,
            Grouping::Possible => LANES as u64,
        };
        // What threads find in memory that others change is theirs in order only where each runs by itself.
        let in_turn = call.how.deterministic && self.forms.atomics.is_ordered() && self.forms.sums.is_none();
        if row < fewest || in_turn {
            return Ok(None);
        }
        if self.settings.refills
            && let Ok(code) = self.forms.refilled(form, atomics)?
            && (code.in_order || !call.how.deterministic)
        {
            return Ok(Some(code));
        }
        let code = match self.forms.groups(form, atomics, row) {
            Ok(code) => code.ok(),
            // The code for single threads does all that this would.
            Err(_) if self.settings.grouping == Grouping::Faster => None,
            Err(error) => return Err(error),
        };
        let code = code.filter(|code| code.in_order || !call.how.deterministic);
        let gains = |code: &&Code| code.weight_beside(&single.code) < MOST_OF_SINGLE;
        Ok(code.filter(|code| self.settings.grouping == Grouping::Possible || gains(code)))
    }

    /// The code for lanes that take up other threads, for long rows of a kernel that has such code.
    fn refilled<'a>(&'a self, form: &'a Form, atomics: Atomics, call: &Call<'_>) -> Option<&'a Code> {
        let long = call.dims.last().is_some_and(|row| *row >= FEWEST_REFILLED);
        // The other codes do all that this would.
        let code = || self.forms.refilled(form, atomics).ok()?.ok();
        long.then(code).flatten().filter(|code| code.in_order || !call.how.deterministic)
    }

    /// The number of threads of a launch, and its extents in the form of `Context::dims`.
    fn extents(&self, call: &Call<'_>) -> Result<(u64, [u64; 4]), LaunchStop> {
        let kernel = &self.name;
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
        let way = self.way(call, total).map_err(LaunchStop::Backend)?;
        let atomics = if let Way::Shared(_) = way { Atomics::Shared } else { Atomics::Plain };
        let form = self.forms.choose(call);
        let compiled = self.forms.code(form, atomics).map_err(LaunchStop::Backend)?;
        let groups = self.groups(form, atomics, compiled, call).map_err(LaunchStop::Backend)?;
        let launch = Launch {
            printer: call.printer,
            prints: &form.kernel.function.prints,
            operands: &compiled.operands,
            faults: FaultLog::default(),
            panic: Mutex::new(None),
        };
        let started = self.cost.wants_measurement().then(Instant::now);
        let faster = self.settings.grouping == Grouping::Faster;
        let doubtful = faster && groups.is_some_and(|code| code.apart);
        let close = faster && groups.is_some_and(|code| code.is_close_to(&compiled.code));
        let turn = (close && started.is_some() && total >= LONG).then(|| self.turns.next());
        let groups = groups.filter(|_| !close || turn.unwrap_or_else(|| self.turns.best()) == Manner::InLanes);
        let refilled = if doubtful { self.refilled(form, atomics, call) } else { None };
        let trial = (doubtful && started.is_some()).then_some(&self.trial);
        let possible = |manner: Manner| manner != Manner::Refilled || refilled.is_some();
        let best = (doubtful && trial.is_none()).then(|| self.trial.best(possible));
        let groups = groups.filter(|_| best.is_none_or(|manner| manner == Manner::InLanes));
        let refilled = refilled.filter(|_| best.is_none_or(|manner| manner == Manner::Refilled));
        let run = Run { compiled, groups, refilled, trial, words: call.words.as_ptr(), dims, launch: &launch };
        // SAFETY: the words and the memory they name are valid by the contract of `launch`, their number has been checked;
        // where machine threads share it, the variant with atomic instructions runs.
        let by_caller = unsafe { run.all(total, way, &self.pool, &self.spare) };
        if let Some(started) = started {
            let nanoseconds = started.elapsed().as_nanos() as f64;
            self.cost.measured(nanoseconds, by_caller);
            turn.into_iter().for_each(|manner| self.turns.measured(manner, nanoseconds, by_caller));
        }
        let Launch { faults, panic, .. } = launch;
        if let Some(panic) = panic.into_inner().unwrap_or_else(|poison| poison.into_inner()) {
            resume_unwind(panic);
        }
        faults.report(&compiled.sites)
    }
}
