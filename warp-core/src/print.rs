//! What threads print, put in order and shown at the end of a launch.

use std::cell::RefCell;
use std::fmt::Write;
use std::sync::Mutex;

use warp_ir::ir::{PrintPiece, PrintSite};

use crate::backend::Printer;
use crate::format;

/// Collects the lines of one launch.
pub(crate) struct Collector(Mutex<Lines>);

#[derive(Default)]
struct Lines {
    text: String,
    /// Thread, and where its line lies in `text`; in order of arrival.
    records: Vec<(u64, usize, usize)>,
}

impl Collector {
    #[inline]
    pub(crate) const fn new() -> Collector {
        Collector(Mutex::new(Lines { text: String::new(), records: Vec::new() }))
    }

    /// Shows all lines: by thread, and within a thread in its order.
    #[inline]
    pub(crate) fn finish(self) {
        let lines = self.0.into_inner().unwrap_or_else(|e| e.into_inner());
        if !lines.records.is_empty() {
            show(&lines.in_order());
        }
    }
}

impl Lines {
    fn in_order(mut self) -> String {
        self.records.sort_by_key(|record| record.0);
        let mut all = String::with_capacity(self.text.len());
        self.records.iter().for_each(|&(_, start, end)| all.push_str(&self.text[start..end]));
        all
    }
}

impl Printer for Collector {
    fn print(&self, thread: u64, site: &PrintSite, args: &[u64]) {
        let mut lines = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let start = lines.text.len();
        write_site(&mut lines.text, site, args);
        let end = lines.text.len();
        lines.records.push((thread, start, end));
    }
}

fn write_site(text: &mut String, site: &PrintSite, args: &[u64]) {
    let mut args = args.iter().copied();
    for piece in &site.pieces {
        match piece {
            PrintPiece::Text(words) => text.push_str(words),
            PrintPiece::Arg { scalar, spec } => {
                let bits = args.next().unwrap_or(0);
                let _ = write!(text, "{}", format::scalar(*scalar, bits, spec));
            }
        }
    }
    if site.newline {
        text.push('\n');
    }
}

thread_local! {
    static CAPTURED: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn show(text: &str) {
    let captured = CAPTURED.with_borrow_mut(|to| to.as_mut().map(|to| to.push_str(text)).is_some());
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
