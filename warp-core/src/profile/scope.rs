//! Who listens to launches.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use super::{Profile, everything};
use crate::backend::{Call, Executable, LaunchStop};

/// Threads that listen, and one more where the process does; at first it is not known whether that does.
static LISTENERS: AtomicUsize = AtomicUsize::new(UNKNOWN);
const UNKNOWN: usize = usize::MAX / 2;

thread_local! {
    /// The profiles that this thread takes, the outermost first.
    static PROFILES: RefCell<Vec<Profile>> = const { RefCell::new(Vec::new()) };
}

/// What a launch is called.
pub(crate) struct Label<'a> {
    pub kernel: &'a str,
    pub device: &'a str,
    pub threads: u64,
    pub bytes: u64,
}

/// Launches, and tells those who listen how long it took; `label` is asked for only then.
///
/// # Safety
/// As [`Executable::launch`].
#[inline]
pub(crate) unsafe fn launch<'a>(
    executable: &dyn Executable,
    call: &Call<'_>,
    label: impl FnOnce() -> Label<'a>,
) -> Result<(), LaunchStop> {
    if LISTENERS.load(Ordering::Relaxed) != 0 {
        // SAFETY: as the caller says.
        return unsafe { heard(executable, call, label()) };
    }
    // SAFETY: as the caller says.
    unsafe { executable.launch(call) }
}

/// Whether somebody listens to the launches of this thread.
pub(crate) fn is_heard() -> bool {
    learn();
    LISTENERS.load(Ordering::Relaxed) != 0
        && (everything::is_wanted() || PROFILES.try_with(|profiles| !profiles.borrow().is_empty()).unwrap_or_default())
}

/// # Safety
/// As [`Executable::launch`].
#[cold]
unsafe fn heard(executable: &dyn Executable, call: &Call<'_>, label: Label<'_>) -> Result<(), LaunchStop> {
    if !is_heard() {
        // SAFETY: as the caller says.
        return unsafe { executable.launch(call) };
    }
    // The time until its end counts, so it is waited for.
    let call = &Call { queued: None, ..*call };
    let started = Instant::now();
    // SAFETY: as the caller says.
    let done = unsafe { executable.launch(call) };
    let length = started.elapsed();
    let add =
        |all: &RefCell<Vec<Profile>>| all.borrow_mut().iter_mut().for_each(|p| p.add(&label, started, length, true));
    // In the last destructors of a thread it listens no more.
    let _heard = PROFILES.try_with(add);
    everything::add(&label, started, length);
    done
}

/// Finds out whether the process listens.
fn learn() {
    if LISTENERS.load(Ordering::Relaxed) >= UNKNOWN {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            let listens = usize::from(everything::is_wanted());
            LISTENERS.fetch_sub(UNKNOWN - listens, Ordering::Relaxed);
        });
    }
}

/// Runs `body` and listens.
pub(super) fn listen<T>(body: impl FnOnce() -> T) -> (T, Profile) {
    /// Stops listening, also when `body` panics.
    struct Stop(usize);
    impl Drop for Stop {
        fn drop(&mut self) {
            LISTENERS.fetch_sub(1, Ordering::Relaxed);
            PROFILES.with_borrow_mut(|all| all.truncate(self.0));
        }
    }
    let stop = PROFILES.with_borrow_mut(|all| {
        all.push(Profile::new());
        Stop(all.len() - 1)
    });
    LISTENERS.fetch_add(1, Ordering::Relaxed);
    let value = body();
    let profile = PROFILES.with_borrow_mut(|all| all.pop()).unwrap_or_else(Profile::new);
    drop(stop);
    (value, profile)
}

/// A small number for this thread of the host.
pub(super) fn host_thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|number| *number)
}
