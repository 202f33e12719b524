//! One launch: its threads on one machine thread or in chunks on several.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use warp_ir::planted::{self, Bug};

use crate::context::{Context, Launch};
use crate::float_env::FloatEnv;
use crate::jit::{Code, Compiled};
use crate::pool::{Chunks, Pool};
use crate::sums::{Parts, Spare};
use crate::trial::{Manner, PARTS, RARITY, TRIES, Trial};

/// Chunks that a machine thread gets, if all are equally fast.
const CHUNKS_A_THREAD: u64 = 6;
/// Chunks are multiples of so many threads where they are long enough: a cache line of bytes.
const CHUNK_MULTIPLE: u64 = 64;
/// A multiple of the threads of bundles of up to four groups.
const BUNDLES: u64 = 48;
/// Threads that run one by one where bundles of groups keep giving up, at most.
const LONGEST_STRETCH: u64 = 1024;

/// How the threads of a launch share the machine.
pub(crate) enum Way<'a> {
    /// One after the other, on one machine thread.
    Serial,
    /// In chunks, on up to so many machine threads.
    Shared(usize),
    /// In so many stretches that add into memory of their own, on up to `threads` machine threads.
    Parts { parts: Parts<'a>, stretches: u64, threads: usize },
}

/// A launch of compiled code.
pub(crate) struct Run<'a> {
    /// The code.
    pub compiled: &'a Compiled,
    /// The code for groups of threads, where there is one.
    pub groups: Option<&'a Code>,
    /// The same, with lanes that take up other threads, where a launch may run so.
    pub refilled: Option<&'a Code>,
    /// Where it is measured which of them is the best, if that is to be measured.
    pub trial: Option<&'a Trial>,
    /// The argument block.
    pub words: *const u64,
    /// Extents of the launch.
    pub dims: [u64; 4],
    /// What all machine threads share.
    pub launch: &'a Launch<'a>,
}

// SAFETY: the words are only read, and live as long as the launch, which outlives all participants.
unsafe impl Sync for Run<'_> {}

impl Run<'_> {
    /// Runs all threads, and gives the number of those that ran here.
    ///
    /// # Safety
    /// As [`Executable::launch`](warp_core::backend::Executable::launch), and where it is shared, the variant's atomics are
    /// shared ones.
    pub(crate) unsafe fn all(&self, total: u64, way: Way<'_>, pool: &Pool, spare: &Spare) -> u64 {
        match way {
            // SAFETY: the caller's contract.
            Way::Serial => unsafe { self.serial(total) },
            // SAFETY: the caller's contract.
            Way::Shared(threads) => unsafe { self.parallel(total, threads, pool) },
            Way::Parts { parts, stretches, threads } => {
                // SAFETY: the caller's contract; stretches share no memory to which they add.
                let by_caller = unsafe { self.in_parts(total, &parts, stretches, threads, pool) };
                // SAFETY: as above, and all of them are through.
                unsafe { parts.merge(threads, pool, spare) };
                by_caller
            }
        }
    }

    /// Runs all threads here; gives their number.
    ///
    /// # Safety
    /// As [`Executable::launch`](warp_core::backend::Executable::launch).
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
    /// As [`Executable::launch`](warp_core::backend::Executable::launch), and the variant's atomics are shared ones.
    unsafe fn parallel(&self, total: u64, threads: usize, pool: &Pool) -> u64 {
        let length = whole_lines(total.div_ceil(CHUNKS_A_THREAD * threads as u64));
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

    /// Runs all threads in stretches, each in the order of its threads, on up to `threads` machine threads; gives the number
    /// of those that ran here.
    ///
    /// # Safety
    /// As [`Executable::launch`](warp_core::backend::Executable::launch), but for the memory that `parts` has for the
    /// stretches, which is nobody else's.
    unsafe fn in_parts(&self, total: u64, parts: &Parts<'_>, stretches: u64, threads: usize, pool: &Pool) -> u64 {
        let length = whole_lines(total.div_ceil(stretches));
        let caller = std::thread::current().id();
        let by_caller = AtomicU64::new(0);
        pool.run(stretches, threads, &|mine: Chunks<'_>| {
            for stretch in mine {
                let (lo, hi) = (total.min(stretch * length), total.min((stretch + 1) * length));
                parts.clear(stretch);
                let run = Run { words: parts.words(stretch), ..*self };
                run.with_context(|context| {
                    // SAFETY: the caller's contract; stretches are disjoint.
                    unsafe { run.range(lo, hi, context) };
                });
                if std::thread::current().id() == caller {
                    by_caller.fetch_add(hi - lo, Ordering::Relaxed);
                }
            }
        });
        by_caller.into_inner()
    }

    /// Runs the threads `lo..hi` in lanes where there is code for that and nothing speaks against it.
    ///
    /// # Safety
    /// As [`Executable::launch`](warp_core::backend::Executable::launch).
    unsafe fn range(&self, lo: u64, hi: u64, context: &Context<'_>) {
        match (self.groups.or(self.refilled), self.trial) {
            // SAFETY: the caller's contract.
            (None, _) => unsafe { self.one_by_one(lo, hi, context) },
            // SAFETY: the caller's contract.
            (Some(groups), None) => unsafe { self.in_lanes(groups, lo, hi, context) },
            // SAFETY: the caller's contract.
            (Some(_), Some(trial)) => unsafe { self.tried(trial, lo, hi, context) },
        }
    }

    /// The code for groups of threads that run in a manner.
    fn code(&self, manner: Manner) -> Option<&Code> {
        match manner {
            Manner::OneByOne => None,
            Manner::InLanes => self.groups,
            Manner::Refilled => self.refilled,
        }
    }

    /// Runs the threads `lo..hi`, in order, and measures for a few of them which manner is the best one.
    ///
    /// # Safety
    /// As [`Executable::launch`](warp_core::backend::Executable::launch).
    unsafe fn tried(&self, trial: &Trial, lo: u64, hi: u64, context: &Context<'_>) {
        let run = |manner: Manner, lo: u64, hi: u64| match self.code(manner) {
            // SAFETY: the caller's contract.
            Some(groups) => unsafe { self.in_lanes(groups, lo, hi, context) },
            // SAFETY: the caller's contract.
            None => unsafe { self.one_by_one(lo, hi, context) },
        };
        let part = (hi - lo).div_ceil(PARTS);
        let few = part / (RARITY * TRIES) / BUNDLES * BUNDLES;
        let manners =
            Manner::ALL.into_iter().filter(|manner| *manner == Manner::OneByOne || self.code(*manner).is_some());
        let manners: Vec<Manner> = manners.collect();
        let mut at = lo;
        while at < hi {
            let end = hi.min(at + part);
            if few > 0 && end - at > 2 * few * TRIES * manners.len() as u64 {
                let mut least = vec![f64::INFINITY; manners.len()];
                for _ in 0..TRIES {
                    for (manner, least) in manners.iter().zip(&mut least) {
                        let start = Instant::now();
                        run(*manner, at, at + few);
                        *least = least.min(start.elapsed().as_nanos() as f64);
                        at += few;
                    }
                }
                manners.iter().zip(least).for_each(|(manner, least)| trial.measured(*manner, least, few));
            }
            run(trial.best(|manner| manners.contains(&manner)), at, end);
            at = end;
        }
    }

    /// Runs the threads `lo..hi`: in bundles as long as these go on together, and thread by thread behind that.
    ///
    /// A bundle that gave up has changed nothing. Where one has, the next ones may well do so too, so the stretch of single
    /// threads becomes longer each time, until bundles have come further than that again.
    ///
    /// # Safety
    /// As [`Executable::launch`](warp_core::backend::Executable::launch).
    unsafe fn in_lanes(&self, groups: &Code, lo: u64, hi: u64, context: &Context<'_>) {
        let shortest = groups.threads as u64;
        let (mut at, mut stretch) = (lo, shortest);
        while hi - at >= shortest {
            // SAFETY: the caller's contract.
            let stopped = unsafe { (groups.entry)(self.words, at, hi, std::ptr::from_ref(context).cast()) };
            stretch = if stopped - at > stretch { shortest } else { LONGEST_STRETCH.min(2 * stretch) };
            at = hi.min(stopped + stretch);
            // SAFETY: the caller's contract.
            unsafe { self.one_by_one(stopped, at, context) };
        }
        if planted::is(Bug::CpuGroupsForgetTheTail) {
            return;
        }
        if planted::is(Bug::CpuGroupsSkipOneOfTheTail) {
            at = hi.min(at + 1);
        }
        // SAFETY: the caller's contract.
        unsafe { self.one_by_one(at, hi, context) };
    }

    /// Runs the threads `lo..hi`, each for itself. After a failed check compiled code comes back; it goes on with the next
    /// thread.
    ///
    /// # Safety
    /// As [`Executable::launch`](warp_core::backend::Executable::launch).
    unsafe fn one_by_one(&self, lo: u64, hi: u64, context: &Context<'_>) {
        let mut at = lo;
        while at < hi {
            // SAFETY: the caller's contract.
            at = unsafe { (self.compiled.code.entry)(self.words, at, hi, std::ptr::from_ref(context).cast()) };
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

/// So many threads, or some more.
fn whole_lines(length: u64) -> u64 {
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
        // A thread that is about to end has no place any more; it takes memory of its own.
        let mut memory = SCRATCH.try_with(Cell::take).unwrap_or_default();
        memory.resize(memory.len().max(bytes.div_ceil(size_of::<u128>())), 0);
        Scratch(memory)
    }

    fn address(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    fn give_back(self) {
        if !self.0.is_empty() {
            let memory = self.0;
            let _ = SCRATCH.try_with(|place| place.set(memory));
        }
    }
}
