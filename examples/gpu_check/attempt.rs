//! Running a check that panics where it finds a difference.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use warp_examples_support::check::{Row, Verdict};

/// What the first panic of a check said, and where. Checks have threads, and run one after another.
static SAID: Mutex<String> = Mutex::new(String::new());

fn said() -> MutexGuard<'static, String> {
    SAID.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs checks one after another, without their panics on standard error; each gives a line of the table.
pub fn all<T>(checks: impl IntoIterator<Item = (String, T)>, run: impl Fn(&T)) -> Vec<Row> {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let mut said = said();
        if said.is_empty() {
            *said = info.to_string();
        }
    }));
    let rows = checks.into_iter().map(|(name, check)| row(name, || run(&check))).collect();
    panic::set_hook(usual);
    rows
}

fn row(name: String, check: impl FnOnce()) -> Row {
    said().clear();
    let start = Instant::now();
    let verdict = match panic::catch_unwind(AssertUnwindSafe(check)) {
        Ok(()) => Verdict::Same,
        Err(_) => Verdict::Differs(said().clone()),
    };
    Row { name, verdict, time: start.elapsed(), bytes: None, operations: None }
}
