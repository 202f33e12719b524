//! What threads print, put in order and shown at the end of a launch.

use std::cell::RefCell;
use std::sync::Mutex;

use warp_ir::ir::PrintSite;

use crate::backend::Printer;
use crate::format;

/// How many bytes of lines a launch prints at most, 16 MiB; each line counts with 32 bytes besides its text.
///
/// What is beyond is not shown, whichever thread came first: of all lines in their order the first are kept, and a last
/// line says how many were not.
pub const PRINT_LIMIT: usize = 16 << 20;

/// What a line costs besides its text.
const RECORD: usize = 32;

/// Shows nothing: for launches that run again.
pub(crate) struct Silent;

impl Printer for Silent {
    fn print(&self, _: u64, _: &PrintSite, _: &[u64]) {}
}

/// Collects the lines of one launch.
pub(crate) struct Collector(Mutex<Lines>);

#[derive(Default)]
struct Lines {
    /// In order of arrival; a thread's own are in its order.
    records: Vec<Record>,
    /// What all records cost.
    size: usize,
    /// From this thread on nothing is kept any more, as there is no room.
    full_from: Option<u64>,
    /// Lines that were not kept.
    lost: u64,
    /// Whether a device lost some of them, which may be any.
    any_lost: bool,
}

struct Record {
    thread: u64,
    text: String,
}

impl Record {
    fn cost(&self) -> usize {
        RECORD + self.text.len()
    }
}

impl Collector {
    #[inline]
    pub(crate) const fn new() -> Collector {
        Collector(Mutex::new(Lines { records: Vec::new(), size: 0, full_from: None, lost: 0, any_lost: false }))
    }

    /// Shows all lines: by thread, and within a thread in its order.
    #[inline]
    pub(crate) fn finish(self) {
        let lines = self.0.into_inner().unwrap_or_else(|e| e.into_inner());
        if !lines.records.is_empty() || lines.lost > 0 {
            show(&lines.in_order(PRINT_LIMIT));
        }
    }
}

impl Lines {
    fn add(&mut self, record: Record, limit: usize) {
        if self.full_from.is_some_and(|thread| record.thread >= thread) {
            self.lost += 1;
            return;
        }
        self.size += record.cost();
        self.records.push(record);
        // Twice the limit, so that sorting is rare.
        if self.size > 2 * limit {
            self.cut(limit);
        }
    }

    /// Sorts, and keeps the first lines that fit.
    fn cut(&mut self, limit: usize) {
        self.records.sort_by_key(|record| record.thread);
        let mut size = 0;
        let fits = self.records.iter().take_while(|record| {
            size += record.cost();
            size <= limit
        });
        let kept = fits.count();
        if let Some(first) = self.records.get(kept) {
            self.full_from = Some(first.thread);
            self.lost += (self.records.len() - kept) as u64;
            self.records.truncate(kept);
        }
        self.size = self.records.iter().map(Record::cost).sum();
    }

    fn in_order(mut self, limit: usize) -> String {
        self.cut(limit);
        let mut all: String = self.records.iter().map(|record| &*record.text).collect();
        if self.lost > 0 {
            if !all.is_empty() && !all.ends_with('\n') {
                all.push('\n');
            }
            let (mib, s) = (limit >> 20, if self.lost == 1 { "" } else { "s" });
            let between = if self.any_lost { ", also from between these" } else { "" };
            all.push_str(&format!("... and {} line{s} more{between}: a launch prints {mib} MiB at most\n", self.lost));
        }
        all
    }
}

impl Printer for Collector {
    fn print(&self, thread: u64, site: &PrintSite, args: &[u64]) {
        let mut text = String::new();
        format::pieces(&mut text, &site.pieces, args);
        if site.newline {
            text.push('\n');
        }
        self.0.lock().unwrap_or_else(|e| e.into_inner()).add(Record { thread, text }, PRINT_LIMIT);
    }

    fn lost(&self, count: u64) {
        let mut lines = self.0.lock().unwrap_or_else(|e| e.into_inner());
        lines.lost += count;
        lines.any_lost = true;
    }
}

thread_local! {
    static CAPTURED: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn show(text: &str) {
    let keep = |to: &RefCell<Option<String>>| to.borrow_mut().as_mut().map(|to| to.push_str(text)).is_some();
    // In the last destructors of a thread nobody captures.
    let captured = CAPTURED.try_with(keep).unwrap_or_default();
    if !captured {
        print!("{text}");
    }
}

/// Runs `f`, and gives back what kernels launched by this thread meanwhile printed, instead of showing it.
///
/// ```
/// let (result, text) = warp_core::capture_output(|| 2 + 2); // launches of kernels with `println!`
/// assert_eq!((result, &text[..]), (4, ""));
/// ```
pub fn capture_output<R>(f: impl FnOnce() -> R) -> (R, String) {
    /// Puts the outer capture back, also when `f` panics.
    struct Outer(Option<String>);
    impl Drop for Outer {
        fn drop(&mut self) {
            CAPTURED.set(self.0.take());
        }
    }
    let outer = Outer(CAPTURED.replace(Some(String::new())));
    let result = f();
    let text = CAPTURED.take().unwrap_or_default();
    drop(outer);
    (result, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(order: &[(u64, &str)], limit: usize) -> String {
        let mut lines = Lines { records: vec![], size: 0, full_from: None, lost: 0, any_lost: false };
        order.iter().for_each(|&(thread, text)| lines.add(Record { thread, text: text.into() }, limit));
        lines.in_order(limit)
    }

    #[test]
    fn lines_come_by_thread_and_in_the_order_of_each() {
        assert_eq!(shown(&[(2, "c"), (0, "a"), (2, "d"), (1, "b")], 1 << 20), "abcd");
    }

    /// A device may lack the room before the limit is reached.
    #[test]
    fn what_a_device_lost_is_told() {
        let collector = Collector::new();
        let site = PrintSite { pieces: vec![], newline: true };
        collector.print(0, &site, &[]);
        collector.lost(3);
        let ((), text) = capture_output(|| collector.finish());
        assert_eq!(text, "\n... and 3 lines more, also from between these: a launch prints 16 MiB at most\n");
    }

    #[test]
    fn beyond_the_limit_the_first_lines_stay_whatever_the_order() {
        let mut lines: Vec<(u64, String)> = (0..100).map(|k| (k / 2, format!("line {k}\n"))).collect();
        let limit = 10 * (RECORD + 7);
        let expected: String = (0..10).map(|k| format!("line {k}\n")).collect();
        let expected = expected + "... and 90 lines more: a launch prints 0 MiB at most\n";
        for turn in [0, 2, 50, 98] {
            lines.rotate_left(turn);
            let order: Vec<(u64, &str)> = lines.iter().map(|(thread, text)| (*thread, &text[..])).collect();
            assert_eq!(shown(&order, limit), expected, "rotated by {turn}");
        }
    }
}
