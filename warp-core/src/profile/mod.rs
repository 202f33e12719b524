//! How long kernels take: [`profile`], and `WARP_PROFILE`.
//!
//! `scope` decides who listens to a launch, `everything` is the listener of the whole process, `trace` writes a file for
//! timeline viewers.

mod everything;
mod scope;
mod trace;

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

pub(crate) use scope::{Label, is_heard, launch};

/// Runs `body`, and measures the launches that this thread makes meanwhile: also those of graphs and of ways back along
/// tapes.
///
/// ```
/// let (sum, profile) = warp_core::profile(|| 2 + 2); // launches
/// assert_eq!((sum, profile.kernels().count()), (4, 0));
/// println!("{profile}");
/// ```
///
/// `WARP_PROFILE=1` in the environment of any program measures all launches of the process, and prints the table on stderr
/// when the process ends; `WARP_PROFILE=trace.json` also writes the file of [`Profile::write_trace`].
pub fn profile<T>(body: impl FnOnce() -> T) -> (T, Profile) {
    scope::listen(body)
}

/// Launches that one profile keeps one by one, for [`Profile::write_trace`]; beyond that they are only counted.
pub const TRACE_LIMIT: usize = 1_000_000;

/// What was measured: by kernel on `Display`, and each launch in [`write_trace`](Profile::write_trace).
#[derive(Clone, Debug)]
pub struct Profile {
    started: Instant,
    kernels: BTreeMap<(String, String), KernelTime>,
    samples: Vec<Sample>,
}

/// The launches of one kernel on one device. The adjoint of a kernel is a kernel of its own, `name adjoint`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelTime {
    /// The kernel.
    pub kernel: String,
    /// Where it ran.
    pub device: String,
    /// How often it was launched.
    pub launches: u64,
    /// Time of all launches together, each from its start until it has ended. On the CPU a kernel's first launch compiles it,
    /// so [`max`](KernelTime::max) is mostly that one.
    pub total: Duration,
    /// The shortest.
    pub min: Duration,
    /// The longest.
    pub max: Duration,
    /// Bytes of the array arguments of all launches, each argument once, of adjoints twice (the arrays and their gradients):
    /// about what goes through memory where a kernel touches all elements once.
    pub bytes: u64,
}

impl KernelTime {
    /// Time of a launch on average.
    pub fn mean(&self) -> Duration {
        self.total.checked_div(u32::try_from(self.launches).unwrap_or(u32::MAX)).unwrap_or_default()
    }

    /// [`bytes`](KernelTime::bytes) by time, in units of 10^9 bytes a second.
    pub fn gigabytes_per_second(&self) -> f64 {
        if self.total.is_zero() { 0.0 } else { self.bytes as f64 / self.total.as_secs_f64() / 1e9 }
    }
}

/// One launch.
#[derive(Clone, Debug)]
struct Sample {
    kernel: String,
    device: String,
    /// Since the profile began.
    start: Duration,
    length: Duration,
    threads: u64,
    /// A number of the host's thread.
    host: u64,
}

impl Profile {
    fn new() -> Profile {
        Profile { started: Instant::now(), kernels: BTreeMap::new(), samples: vec![] }
    }

    /// The kernels, the one that took most time first.
    pub fn kernels(&self) -> impl Iterator<Item = &KernelTime> {
        let mut all: Vec<&KernelTime> = self.kernels.values().collect();
        all.sort_by_key(|kernel| std::cmp::Reverse(kernel.total));
        all.into_iter()
    }

    /// Time of all launches together.
    pub fn total(&self) -> Duration {
        self.kernels.values().map(|kernel| kernel.total).sum()
    }

    fn add(&mut self, label: &Label<'_>, started: Instant, length: Duration, keep: bool) {
        let (kernel, device) = (label.kernel.to_owned(), label.device.to_owned());
        let time = self.kernels.entry((kernel.clone(), device.clone())).or_insert_with(|| KernelTime {
            kernel: kernel.clone(),
            device: device.clone(),
            launches: 0,
            total: Duration::ZERO,
            min: Duration::MAX,
            max: Duration::ZERO,
            bytes: 0,
        });
        time.launches += 1;
        time.total += length;
        time.min = time.min.min(length);
        time.max = time.max.max(length);
        time.bytes += label.bytes;
        if keep && self.samples.len() < TRACE_LIMIT {
            let (start, threads) = (started.saturating_duration_since(self.started), label.threads);
            self.samples.push(Sample { kernel, device, start, length, threads, host: scope::host_thread() });
        }
    }
}

/// A table with a line for each kernel.
impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.kernels.values().map(|k| k.kernel.chars().count()).max().unwrap_or(0).max("kernel".len());
        let device = self.kernels.values().map(|k| k.device.chars().count()).max().unwrap_or(0).max("device".len());
        writeln!(
            f,
            "{:width$}  {:device$}  {:>8}  {:>10}  {:>5}  {:>10}  {:>10}  {:>10}  {:>8}",
            "kernel", "device", "launches", "total", "share", "mean", "min", "max", "GB/s"
        )?;
        let all = self.total().as_secs_f64();
        for kernel in self.kernels() {
            let share = if all == 0.0 { 0.0 } else { 100.0 * kernel.total.as_secs_f64() / all };
            let [total, mean, min, max] = [kernel.total, kernel.mean(), kernel.min, kernel.max].map(spoken);
            writeln!(
                f,
                "{:width$}  {:device$}  {:>8}  {total:>10}  {share:>4.0}%  {mean:>10}  {min:>10}  {max:>10}  {:>8.2}",
                kernel.kernel,
                kernel.device,
                kernel.launches,
                kernel.gigabytes_per_second()
            )?;
        }
        Ok(())
    }
}

/// A time in the unit that suits it.
fn spoken(time: Duration) -> String {
    let nanoseconds = time.as_nanos() as f64;
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| nanoseconds >= *scale).unwrap_or((1.0, "ns"));
    format!("{:.2} {unit}", nanoseconds / scale)
}
