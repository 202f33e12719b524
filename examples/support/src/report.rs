//! The line that a measured run prints, and the values that it is held against.

use serde::Serialize;

use crate::timing::{Times, median};

/// One measured run, printed as one JSON line.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Name of the workload: `w2`.
    pub workload: String,
    /// Who ran it.
    pub peer: &'static str,
    /// Version of who ran it.
    pub version: &'static str,
    /// Size.
    pub n: usize,
    /// Launches, or rounds of launches, in one repetition.
    pub steps: usize,
    /// Variant of the workload; empty is the plain one.
    pub mode: String,
    /// Median of `times`.
    pub seconds_median: f64,
    /// Smallest of `times`.
    pub seconds_min: f64,
    /// Timed repetitions.
    pub reps: usize,
    /// Seconds that making native code takes in a process that has made none.
    pub compile_seconds_cold: Option<f64>,
    /// The same with a cache on disk; there is none, so it is the cold time again.
    pub compile_seconds_warm: Option<f64>,
    /// Sum over the result, as the workload says.
    pub checksum: f64,
    /// Median of `cpu_times`.
    pub cpu_seconds_median: Option<f64>,
    /// Wall-clock seconds of each repetition.
    pub times: Vec<f64>,
    /// Processor seconds of each repetition, all threads together.
    pub cpu_times: Vec<f64>,
    /// Machine threads that took part at most.
    pub threads: usize,
    /// Largest deviation from the reference arithmetic.
    pub max_err: Option<f64>,
    /// The reference's checksum, where one is known for these sizes.
    pub checksum_reference: Option<f64>,
    /// How far, relatively, a checksum may be from that.
    pub checksum_tolerance: Option<f64>,
}

/// What one workload found out, before it is known who asked.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Seconds of the repetitions.
    pub times: Times,
    /// Seconds of making native code.
    pub compile_seconds: Option<f64>,
    /// Sum over the result.
    pub checksum: f64,
    /// Largest deviation from the reference arithmetic.
    pub max_err: Option<f64>,
}

impl Report {
    /// The line of a run of `workload`.
    pub fn new(workload: &str, mode: &str, (n, steps): (usize, usize), threads: usize, run: Measured) -> Report {
        let Times { wall, processor } = run.times;
        let expected = expected(workload, mode, n, steps);
        Report {
            workload: workload.into(),
            peer: "warp-kernel",
            version: env!("CARGO_PKG_VERSION"),
            n,
            steps,
            mode: mode.into(),
            seconds_median: median(&wall).unwrap_or(f64::NAN),
            seconds_min: wall.iter().copied().fold(f64::INFINITY, f64::min),
            reps: wall.len(),
            compile_seconds_cold: run.compile_seconds,
            compile_seconds_warm: run.compile_seconds,
            checksum: run.checksum,
            cpu_seconds_median: median(&processor),
            times: wall,
            cpu_times: processor,
            threads,
            max_err: run.max_err,
            checksum_reference: expected.map(|e| e.checksum),
            checksum_tolerance: expected.map(|e| e.tolerance),
        }
    }

    /// Text of the line.
    pub fn line(&self, indented: bool) -> String {
        let text = if indented { serde_json::to_string_pretty(self) } else { serde_json::to_string(self) };
        text.expect("a report is plain data")
    }

    /// `Err` with a sentence where the run deviates from the reference by more than is allowed.
    pub fn verdict(&self) -> Result<(), String> {
        let Some(e) = expected(&self.workload, &self.mode, self.n, self.steps) else { return Ok(()) };
        e.check(self.checksum)?;
        match self.max_err {
            Some(error) if error.is_nan() || error > e.max_err => {
                Err(format!("The largest deviation from the reference is {error:.1e}, allowed are {:.0e}.", e.max_err))
            }
            _ => Ok(()),
        }
    }
}

/// What the reference programs found for one size of a workload.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    workload: &'static str,
    mode: &'static str,
    n: usize,
    steps: usize,
    /// The reference's checksum.
    pub checksum: f64,
    /// How far, relatively, a checksum may be off.
    pub tolerance: f64,
    /// How far a single result may be off.
    pub max_err: f64,
}

impl Expected {
    /// `Ok` with the relative deviation where `checksum` is near enough, `Err` with a sentence otherwise.
    pub fn check(&self, checksum: f64) -> Result<f64, String> {
        let off = (checksum - self.checksum).abs() / self.checksum.abs();
        if off <= self.tolerance {
            Ok(off)
        } else {
            Err(format!(
                "The checksum is {checksum}, the reference has {}: off by {off:.1e}, allowed are {:.0e}.",
                self.checksum, self.tolerance
            ))
        }
    }
}

/// The reference for this size, where there is one.
pub fn expected(workload: &str, mode: &str, n: usize, steps: usize) -> Option<Expected> {
    TABLE.iter().copied().find(|e| (e.workload, e.mode, e.n, e.steps) == (workload, mode, n, steps))
}

const fn row(
    workload: &'static str,
    mode: &'static str,
    (n, steps): (usize, usize),
    checksum: f64,
    tolerance: f64,
    max_err: f64,
) -> Expected {
    Expected { workload, mode, n, steps, checksum, tolerance, max_err }
}

/// Made by programs outside this repository, in `f64` except w1, w2 and w14 (`f32` without fused multiply-add).
const TABLE: [Expected; 23] = [
    row("w1", "", (16_777_216, 10), 218_096_705.152_894_97, 1e-8, 1e-5),
    row("w2", "", (100_000, 1000), 2_353_424.542_504_106, 1e-7, 1e-5),
    row("w2", "", (1_000_000, 100), 23_767_238.898_606_92, 1e-7, 1e-5),
    row("w2", "planes", (100_000, 1000), 2_353_424.542_504_106, 1e-7, 1e-5),
    row("w2", "planes", (1_000_000, 100), 23_767_238.898_606_92, 1e-7, 1e-5),
    row("w3", "", (4096, 10), 6_203.568_983_407_606, 1e-7, 1e-6),
    row("w4", "", (128, 200), 211_290.461_196_046_56, 1e-7, 5e-5),
    row("w4", "grad", (128, 200), 0.124_868_843_525_197_53, 1e-5, 1e-4),
    row("w5", "", (1024, 200), 524_408.748_687_362_1, 1e-7, 1e-6),
    row("w5", "grad", (512, 50), 261_881.631_848_866_5, 3e-6, 1e-5),
    row("w8", "", (4_194_304, 1), 8_423_957.987_381_235, 1e-7, 5e-6),
    row("w9", "", (1, 100_000), 100_000.0, 0.0, 0.0),
    // The sum of 2 i + 1 for the first 1024 numbers i: the square of 1024.
    row("w10", "", (1024, 1), 1_048_576.0, 0.0, 0.0),
    row("w14", "", (1024, 256), 65_571_216.0, 5e-4, 5e-3),
    row("w14", "shuffled", (1024, 256), 65_571_216.0, 5e-4, 5e-3),
    row("w15", "sin", (1_048_576, 16), 661_069.337_994_908_9, 1e-6, 4.0),
    row("w15", "cos", (1_048_576, 16), 676_010.991_979_057_2, 1e-6, 4.0),
    row("w15", "exp", (1_048_576, 16), 12_692_402_236_883.055, 1e-6, 4.0),
    row("w15", "log", (1_048_576, 16), 10_481_623.934_966_445, 1e-6, 4.0),
    row("w15", "pow", (1_048_576, 16), 44_963_568_263.597_244, 1e-6, 4.0),
    row("w15", "atan2", (1_048_576, 16), 1_646_402.720_130_141_1, 1e-6, 4.0),
    row("w15", "sqrt", (1_048_576, 16), 1_153_152_140.884_677, 1e-8, 0.501),
    row("w15", "div", (1_048_576, 16), 1_943_994.766_965_252_3, 1e-8, 0.501),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn run(checksum: f64, max_err: f64) -> Measured {
        let times = Times { wall: vec![2.0, 1.0, 3.0], processor: vec![4.0] };
        Measured { times, compile_seconds: Some(0.25), checksum, max_err: Some(max_err) }
    }

    #[test]
    fn a_line_has_the_keys_that_programs_read() {
        let line = Report::new("w9", "", (1, 100_000), 2, run(100_000.0, 0.0)).line(false);
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert!(!line.contains('\n'));
        for (key, value) in [("seconds_median", 2.0), ("seconds_min", 1.0), ("cpu_seconds_median", 4.0)] {
            assert_eq!(read[key].as_f64(), Some(value), "{key}");
        }
        assert_eq!((read["reps"].as_u64(), read["workload"].as_str()), (Some(3), Some("w9")));
    }

    #[test]
    fn deviations_are_sentences() {
        let verdict = |sum, err| Report::new("w9", "", (1, 100_000), 2, run(sum, err)).verdict();
        assert_eq!(verdict(100_000.0, 0.0), Ok(()));
        assert!(verdict(99_999.0, 0.0).unwrap_err().contains("The checksum is 99999"));
        assert!(verdict(100_000.0, 1e-3).unwrap_err().contains("1.0e-3"));
        assert!(verdict(100_000.0, f64::NAN).is_err());
        assert!(verdict(f64::NAN, 0.0).is_err());
    }

    #[test]
    fn unknown_sizes_are_not_judged() {
        assert_eq!(Report::new("w9", "", (1, 7), 2, run(3.0, 9.0)).verdict(), Ok(()));
    }
}
