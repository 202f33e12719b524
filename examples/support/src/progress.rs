//! A progress bar that stays silent where nobody watches.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar over `steps` steps. It draws on standard error, at most 15 times a second, and only on a terminal.
pub struct Progress {
    bar: ProgressBar,
    done: u64,
    told: Instant,
}

/// Between two looks at the bar: asking it costs more than a launch.
const PAUSE: Duration = Duration::from_millis(50);

impl Progress {
    /// A bar with a word in front.
    pub fn new(what: impl Into<Cow<'static, str>>, steps: usize) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr_with_hz(15));
        let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} ({per_sec}, {eta} left)");
        bar.set_style(style.expect("the template is well formed").progress_chars("=> "));
        bar.set_message(what);
        Progress { bar, done: 0, told: Instant::now() }
    }

    /// One step is done.
    pub fn step(&mut self) {
        self.done += 1;
        if self.told.elapsed() > PAUSE {
            self.bar.set_position(self.done);
            self.told = Instant::now();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
