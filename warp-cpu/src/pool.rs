//! A small thread pool. The caller of a job takes part in it; workers that come late find nothing left and are not
//! waited for.
//!
//! A job is cut into numbered chunks that participants draw as they get through them: the caller from the first on, helpers
//! from the last one back, so that a core mostly finds in its cache what it had in the launch before. A participant that starts a job inside
//! another one (a nested launch) publishes it like any caller and waits only for those who have entered it. Who waits
//! is waited for only by participants of jobs that enclose its own, so waiting cannot go round in a circle.
//!
//! Callers may be many: threads of another pool, say, one for each core. Workers stay out, and leave between two chunks,
//! as long as there are as many participants as the pool has threads, so that callers get the cores.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long an idle worker looks out for the next job, and a caller for the last helper, before sleeping.
const SPIN: Duration = Duration::from_micros(20);

/// Threads of the machine that help callers with their jobs.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    started: AtomicBool,
}

/// The chunks of a job, as one participant sees them.
pub(crate) struct Chunks<'a> {
    job: &'a Job<'a>,
    side: Side<'a>,
}

/// From which end a participant draws.
enum Side<'a> {
    /// From the first chunk on; so many so far.
    Caller { drawn: u64 },
    /// From the last one back. Helpers leave a job where participants are too many.
    Helper(&'a Crowd),
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    /// Raised when a job is published, so that idle workers can look out without the lock.
    published: AtomicU64,
    crowd: Crowd,
}

/// Participants of all jobs.
struct Crowd {
    /// Callers that are in no other job, and helpers.
    now: AtomicUsize,
    /// How many there may be for helpers to take part: the workers and one caller.
    limit: usize,
}

thread_local! {
    /// Whether this thread takes part in a job, and counts.
    static COUNTS: Cell<bool> = const { Cell::new(false) };
}

#[derive(Default)]
struct State {
    /// Jobs that still take helpers. Each entry is valid as long as it is in the list, and after that as long as a
    /// helper counts as inside.
    open: Vec<Published>,
    sleepers: usize,
    closing: bool,
}

#[derive(Clone, Copy, PartialEq)]
struct Published(*const Job<'static>);

// SAFETY: `Job` is `Sync`; how long the pointer is valid is the pool's protocol, see `State::open`.
unsafe impl Send for Published {}

struct Job<'a> {
    participate: &'a (dyn Fn(Chunks<'_>) + Sync),
    chunks: u64,
    /// How many chunks have been drawn, by all, and by helpers.
    next: AtomicU64,
    by_helpers: AtomicU64,
    /// Helpers that may still enter; lowered under the pool's lock.
    wanted: AtomicUsize,
    /// Helpers that have entered and not left.
    inside: AtomicUsize,
    caller: Thread,
}

impl Iterator for Chunks<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if let Side::Helper(crowd) = &self.side
            && crowd.is_too_large()
        {
            // Another one may come in its place when there is room again.
            self.job.wanted.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        if self.job.next.fetch_add(1, Ordering::Relaxed) >= self.job.chunks {
            return None;
        }
        // Together both sides draw no more than there are, so they do not meet.
        Some(match &mut self.side {
            Side::Caller { drawn } => {
                *drawn += 1;
                *drawn - 1
            }
            Side::Helper(_) => self.job.chunks - 1 - self.job.by_helpers.fetch_add(1, Ordering::Relaxed),
        })
    }
}

impl Pool {
    /// A pool whose jobs can have `threads` participants. Its workers start with the first job.
    pub(crate) fn new(threads: usize) -> Pool {
        let crowd = Crowd { now: AtomicUsize::new(0), limit: threads.max(1) };
        let shared = Shared { state: Mutex::default(), wake: Condvar::new(), published: AtomicU64::new(0), crowd };
        Pool { shared: Arc::new(shared), started: AtomicBool::new(false) }
    }

    /// Participants that a job can have.
    pub(crate) fn threads(&self) -> usize {
        self.shared.crowd.limit
    }

    /// Calls `participate` on this thread and on up to `threads - 1` others, and returns when all chunks are done.
    /// `participate` must draw chunks until there are none, and must not unwind: that ends the process.
    pub(crate) fn run(&self, chunks: u64, threads: usize, participate: &(dyn Fn(Chunks<'_>) + Sync)) {
        let helpers = threads.min(self.threads()).saturating_sub(1).min(chunks.saturating_sub(1) as usize);
        let job = Job {
            participate,
            chunks,
            next: AtomicU64::new(0),
            by_helpers: AtomicU64::new(0),
            wanted: AtomicUsize::new(helpers),
            inside: AtomicUsize::new(0),
            caller: thread::current(),
        };
        if helpers == 0 {
            return (job.participate)(Chunks { job: &job, side: Side::Caller { drawn: 0 } });
        }
        self.start();
        let guard = AbortOnUnwind;
        let published = Published((&raw const job).cast());
        // A nested job's caller counts already.
        let outermost = !COUNTS.replace(true);
        self.publish(published, helpers, outermost);
        (job.participate)(Chunks { job: &job, side: Side::Caller { drawn: 0 } });
        self.withdraw(published, outermost);
        job.wait_for_helpers();
        COUNTS.set(!outermost);
        std::mem::forget(guard);
    }

    /// Closes a job to more helpers. Where its caller leaves with it, there may be room for a helper at another one.
    fn withdraw(&self, job: Published, outermost: bool) {
        let room = {
            let mut state = self.shared.lock();
            state.open.retain(|open| *open != job);
            if outermost {
                self.shared.crowd.leave();
            }
            let room = outermost && self.shared.crowd.has_room() && !state.open.is_empty();
            if room {
                // A worker that is about to sleep sees that, too.
                self.shared.published.fetch_add(1, Ordering::Release);
            }
            room && state.sleepers > 0
        };
        if room {
            self.shared.wake.notify_one();
        }
    }

    fn publish(&self, job: Published, helpers: usize, outermost: bool) {
        let sleepers = {
            let mut state = self.shared.lock();
            state.open.push(job);
            if outermost {
                self.shared.crowd.enter();
            }
            self.shared.published.fetch_add(1, Ordering::Release);
            state.sleepers
        };
        for _ in 0..sleepers.min(helpers) {
            self.shared.wake.notify_one();
        }
    }

    /// Starts the workers, once. Where the system refuses a thread, jobs run with fewer participants.
    fn start(&self) {
        if self.started.swap(true, Ordering::Relaxed) {
            return;
        }
        for number in 1..self.threads() {
            let shared = self.shared.clone();
            let builder = thread::Builder::new().name(format!("warp-cpu-{number}"));
            if builder.spawn(move || shared.work()).is_err() {
                break;
            }
        }
    }
}

impl Crowd {
    fn enter(&self) {
        self.now.fetch_add(1, Ordering::Relaxed);
    }

    fn leave(&self) {
        self.now.fetch_sub(1, Ordering::Relaxed);
    }

    fn has_room(&self) -> bool {
        self.now.load(Ordering::Relaxed) < self.limit
    }

    fn is_too_large(&self) -> bool {
        self.now.load(Ordering::Relaxed) > self.limit
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closing = true;
        self.shared.published.fetch_add(1, Ordering::Release);
        drop(state);
        self.shared.wake.notify_all();
    }
}

impl Job<'_> {
    /// Whether a helper could still find something to do. Called under the pool's lock.
    fn takes_helpers(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0 && self.next.load(Ordering::Relaxed) < self.chunks
    }

    fn wait_for_helpers(&self) {
        let mut spin = Spin::new();
        while self.inside.load(Ordering::Acquire) != 0 {
            if !spin.again() {
                // A helper that leaves last unparks the caller; a stale token only makes this loop turn once more.
                thread::park();
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    /// The life of a worker.
    fn work(&self) {
        while let Some(job) = self.next_job() {
            let guard = AbortOnUnwind;
            // SAFETY: this worker counts as inside, so the caller of the job has not returned.
            let job = unsafe { &*job.0 };
            let caller = job.caller.clone();
            COUNTS.set(true);
            (job.participate)(Chunks { job, side: Side::Helper(&self.crowd) });
            COUNTS.set(false);
            self.crowd.leave();
            // The job may be gone as soon as the count is lowered.
            if job.inside.fetch_sub(1, Ordering::Release) == 1 {
                caller.unpark();
            }
            std::mem::forget(guard);
        }
    }

    /// Enters a job; `None` when the pool closes.
    fn next_job(&self) -> Option<Published> {
        loop {
            let seen = self.published.load(Ordering::Acquire);
            let mut state = self.lock();
            if state.closing {
                return None;
            }
            if let Some(job) = state.enter(&self.crowd) {
                return Some(job);
            }
            drop(state);
            let mut spin = Spin::new();
            while self.published.load(Ordering::Acquire) == seen {
                if !spin.again() {
                    self.sleep(seen);
                }
            }
        }
    }

    /// Sleeps until something is published after `seen`.
    fn sleep(&self, seen: u64) {
        let mut state = self.lock();
        state.sleepers += 1;
        while self.published.load(Ordering::Acquire) == seen {
            state = self.wake.wait(state).unwrap_or_else(|poison| poison.into_inner());
        }
        state.sleepers -= 1;
    }
}

impl State {
    fn enter(&mut self, crowd: &Crowd) -> Option<Published> {
        if !crowd.has_room() {
            return None;
        }
        // SAFETY: jobs in the list have not been withdrawn, so their callers are still in `run`; the lock is held.
        let job = self.open.iter().copied().find(|open| unsafe { (*open.0).takes_helpers() })?;
        // SAFETY: as above.
        let entered = unsafe { &*job.0 };
        entered.wanted.fetch_sub(1, Ordering::Relaxed);
        entered.inside.fetch_add(1, Ordering::Relaxed);
        crowd.enter();
        Some(job)
    }
}

/// Busy waiting for a short while.
struct Spin {
    turns: u32,
    since: Option<Instant>,
}

impl Spin {
    fn new() -> Spin {
        Spin { turns: 0, since: None }
    }

    /// Waits a moment; `false` once the while is over.
    fn again(&mut self) -> bool {
        std::hint::spin_loop();
        self.turns += 1;
        if !self.turns.is_multiple_of(16) {
            return true;
        }
        self.since.get_or_insert_with(Instant::now).elapsed() < SPIN
    }
}

/// Ends the process when dropped: a participant that unwound would leave others with a job that is gone.
struct AbortOnUnwind;

impl Drop for AbortOnUnwind {
    fn drop(&mut self) {
        std::process::abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    fn sum(pool: &Pool, chunks: u64, inner: &(dyn Fn(u64) -> u64 + Sync)) -> u64 {
        let total = AtomicU64::new(0);
        pool.run(chunks, usize::MAX, &|chunks| {
            for chunk in chunks {
                total.fetch_add(inner(chunk), Ordering::Relaxed);
            }
        });
        total.into_inner()
    }

    /// What a core did in one job it does again in the next one of the same size, and finds its memory near.
    #[test]
    fn callers_begin_at_the_start_and_helpers_at_the_end() {
        let pool = Pool::new(3);
        let caller = thread::current().id();
        for _ in 0..50 {
            let drawn = Mutex::new((vec![], vec![]));
            pool.run(200, usize::MAX, &|chunks| {
                for chunk in chunks {
                    thread::yield_now();
                    let (mine, others) = &mut *drawn.lock().unwrap();
                    if thread::current().id() == caller { mine.push(chunk) } else { others.push(chunk) }
                }
            });
            let (mine, mut others) = drawn.into_inner().unwrap();
            assert!(mine.iter().copied().eq(0..mine.len() as u64), "{mine:?}");
            others.sort_unstable();
            assert!(others.iter().copied().eq(mine.len() as u64..200), "{others:?}");
        }
    }

    #[test]
    fn each_chunk_runs_once() {
        let pool = Pool::new(4);
        for chunks in [0, 1, 2, 7, 1000] {
            let seen: Vec<AtomicU64> = (0..chunks).map(|_| AtomicU64::new(0)).collect();
            pool.run(chunks, usize::MAX, &|mine| {
                for chunk in mine {
                    seen[chunk as usize].fetch_add(1, Ordering::Relaxed);
                }
            });
            assert!(seen.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{chunks} chunks");
        }
    }

    #[test]
    fn nested_jobs_end() {
        let pool = Pool::new(4);
        for _ in 0..200 {
            let total = sum(&pool, 8, &|a| sum(&pool, 8, &|b| sum(&pool, 4, &|c| a + b + c)));
            assert_eq!(total, 8 * 8 * 4 * (7 + 7 + 3) / 2);
        }
    }

    #[test]
    fn many_callers_at_a_cold_start() {
        let pool = Pool::new(3);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        assert_eq!(sum(&pool, 10, &|chunk| chunk), 45);
                    }
                });
            }
        });
    }

    /// How many chunks of a job of two hundred the one worker takes, while `callers` publish such jobs and are in them.
    fn taken_by_the_worker(callers: usize) -> u64 {
        let pool = Pool::new(2);
        let (all_there, taken) = (AtomicBool::new(false), AtomicU64::new(0));
        let arrivals = AtomicUsize::new(0);
        let is_worker = || thread::current().name().is_some_and(|name| name.starts_with("warp-cpu"));
        let participate = |chunks: Chunks<'_>| {
            for (number, _) in chunks.enumerate() {
                if is_worker() {
                    taken.fetch_add(u64::from(all_there.load(Ordering::SeqCst)), Ordering::SeqCst);
                } else if number == 0 {
                    arrivals.fetch_add(1, Ordering::SeqCst);
                    while arrivals.load(Ordering::SeqCst) < callers {
                        thread::yield_now();
                    }
                    all_there.store(true, Ordering::SeqCst);
                }
                thread::sleep(Duration::from_micros(100));
            }
            if !is_worker() {
                all_there.store(false, Ordering::SeqCst);
            }
        };
        thread::scope(|scope| {
            for _ in 0..callers {
                scope.spawn(|| pool.run(200, usize::MAX, &participate));
            }
        });
        taken.into_inner()
    }

    #[test]
    fn workers_leave_the_cores_to_callers() {
        assert!(taken_by_the_worker(1) > 10, "it helps one caller");
        let taken = taken_by_the_worker(2);
        assert!(taken <= 2, "two callers have the cores of two threads, and the worker took {taken} chunks");
    }

    #[test]
    fn the_limit_of_threads_holds() {
        let pool = Pool::new(8);
        let (inside, most) = (AtomicU64::new(0), AtomicU64::new(0));
        for _ in 0..100 {
            pool.run(64, 2, &|chunks| {
                most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                chunks.for_each(|_| thread::yield_now());
                inside.fetch_sub(1, Ordering::SeqCst);
            });
        }
        assert!(most.into_inner() <= 2);
    }
}
