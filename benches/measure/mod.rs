//! What the benches on criterion share: the clock, and how times are printed.

use std::time::{Duration, Instant};

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{Criterion, Throughput};
use warp_examples_support::timing::processor_seconds;

/// Where the time is read.
#[allow(dead_code, reason = "each bench reads one of them")]
#[derive(Clone, Copy)]
pub enum Clock {
    /// The time that all threads of this process have worked. It hardly moves when other programs share the machine.
    Processor,
    /// The time on the wall: for work that several threads share.
    Wall,
}

/// A bench's settings, as long as the command line does not say otherwise: a second for each figure.
pub fn criterion(clock: Clock) -> Criterion<Clock> {
    let settings = Criterion::default().with_measurement(clock).sample_size(20).without_plots();
    settings.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).configure_from_args()
}

/// Seconds so far.
fn seconds(clock: Clock, start: Instant) -> f64 {
    match clock {
        Clock::Processor => processor_seconds().expect("this system tells the time that a process has worked"),
        Clock::Wall => start.elapsed().as_secs_f64(),
    }
}

impl Measurement for Clock {
    type Intermediate = (Instant, f64);
    /// Nanoseconds.
    type Value = f64;

    fn start(&self) -> (Instant, f64) {
        let start = Instant::now();
        (start, seconds(*self, start))
    }

    fn end(&self, (start, before): (Instant, f64)) -> f64 {
        // Criterion divides by it: work below the clock's resolution takes a nanosecond.
        (1e9 * (seconds(*self, start) - before)).max(1.0)
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }
}

/// Times, and times of one element: criterion's own prints elements a second.
struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        let (unit, name) = match typical {
            ..1e3 => (1.0, "ns"),
            ..1e6 => (1e3, "µs"),
            _ => (1e6, "ms"),
        };
        values.iter_mut().for_each(|value| *value /= unit);
        name
    }

    fn scale_throughputs(&self, _: f64, throughput: &Throughput, values: &mut [f64]) -> &'static str {
        let of = |count: u64, values: &mut [f64]| values.iter_mut().for_each(|value| *value /= count as f64);
        match *throughput {
            Throughput::Elements(count) | Throughput::ElementsAndBytes { elements: count, .. } => {
                of(count, values);
                "ns each"
            }
            Throughput::Bytes(count) | Throughput::BytesDecimal(count) => {
                values.iter_mut().for_each(|value| *value = count as f64 / *value);
                "GB/s"
            }
            Throughput::Bits(count) => {
                of(count, values);
                "ns a bit"
            }
        }
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "ns"
    }
}
