//! Running a check that panics where it finds a difference.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;

use warp_examples_support::check::{Row, Verdict};

thread_local! {
    /// What the last panic of this thread said, and where.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs checks one after another, without their panics on standard error; each gives a line of the table.
pub fn all<T>(checks: impl IntoIterator<Item = (String, T)>, run: impl Fn(&T)) -> Vec<Row> {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|info| SAID.set(info.to_string())));
    let rows = checks.into_iter().map(|(name, check)| row(name, || run(&check))).collect();
    panic::set_hook(usual);
    rows
}

fn row(name: String, check: impl FnOnce()) -> Row {
    let start = Instant::now();
    let verdict = match panic::catch_unwind(AssertUnwindSafe(check)) {
        Ok(()) => Verdict::Same,
        Err(_) => Verdict::Differs(SAID.take()),
    };
    Row { name, verdict, time: start.elapsed(), bytes: None, operations: None }
}
