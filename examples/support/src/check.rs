//! What a device is held against the CPU for, and the table that says it.

use std::fmt;
use std::time::Duration;

/// Whether a device computes what the CPU does.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Bit for bit.
    Same,
    /// As near as sums in another order are: how far relative to the values.
    Near(f64),
    /// Not at all; in words.
    Differs(String),
}

impl Verdict {
    /// Holds results of a device against those of the CPU: numbers that all values went into. Those of workloads whose sums
    /// have no order may differ by `tolerance`, relative to the CPU's; others by nothing.
    pub fn of(device: &[f64], cpu: &[f64], tolerance: f64) -> Verdict {
        if device.len() != cpu.len() {
            return Verdict::Differs(format!("{} results, the CPU has {}", device.len(), cpu.len()));
        }
        let alike = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        let mut most = 0.0f64;
        for (&found, &expected) in device.iter().zip(cpu).filter(|(a, b)| !alike(**a, **b)) {
            let off = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
            // A NaN is near to no number.
            let near = tolerance > 0.0 && off <= tolerance;
            if !near {
                return Verdict::Differs(format!("{found:?}, the CPU has {expected:?}"));
            }
            most = most.max(off);
        }
        if device.iter().zip(cpu).all(|(a, b)| alike(*a, *b)) { Verdict::Same } else { Verdict::Near(most) }
    }

    /// Whether the device has passed.
    pub fn passes(&self) -> bool {
        !matches!(self, Verdict::Differs(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Same => f.pad("same bits"),
            Verdict::Near(off) => f.pad(&format!("within {off:.0e}")),
            Verdict::Differs(_) => f.pad("DIFFERS"),
        }
    }
}

/// What a device can do at most in a second; `None` where its driver does not tell.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Limits {
    /// Bytes between it and its memory.
    pub bytes: Option<f64>,
    /// Additions and multiplications of `f32`.
    pub operations: Option<f64>,
}

/// A line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What ran.
    pub name: String,
    /// Against the CPU.
    pub verdict: Verdict,
    /// How long it took: a launch, or a whole check.
    pub time: Duration,
    /// Bytes that a launch moves, as far as that is known.
    pub bytes: Option<f64>,
    /// Additions and multiplications of a launch, as far as that is known.
    pub operations: Option<f64>,
}

impl Row {
    /// What it does in a second, in words, and how much of what the device can do that is.
    fn rate(&self, limits: &Limits) -> (String, String) {
        let seconds = self.time.as_secs_f64();
        let (amount, limit, unit) = match (self.operations, self.bytes) {
            (Some(operations), _) => (operations, limits.operations, "GFLOP/s"),
            (None, Some(bytes)) => (bytes, limits.bytes, "GB/s"),
            (None, None) => return (String::new(), String::new()),
        };
        if seconds == 0.0 {
            return (String::new(), String::new());
        }
        let rate = amount / seconds;
        let share = limit.map_or("unknown".into(), |limit| format!("{:.1} %", 100.0 * rate / limit));
        (format!("{:.1} {unit}", rate / 1e9), share)
    }
}

/// All lines, with the limits that they are held against.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Table {
    /// What the device can do.
    pub limits: Limits,
    /// In the order in which they ran.
    pub rows: Vec<Row>,
}

impl Table {
    /// How many lines differ from the CPU.
    pub fn differences(&self) -> usize {
        self.rows.iter().filter(|row| !row.verdict.passes()).count()
    }
}

/// The lines, and below them in words what differs.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max("kernel".len());
        let line = |name: &str, verdict: &str, time: &str, rate: &str, share: &str| {
            format!("{name:width$}  {verdict:>13}  {time:>10}  {rate:>17}  {share:>8}").trim_end().to_owned()
        };
        writeln!(f, "{}", line("kernel", "against CPU", "time", "rate", "of limit"))?;
        for row in &self.rows {
            let (rate, share) = row.rate(&self.limits);
            let time = format!("{:.1?}", row.time);
            writeln!(f, "{}", line(&row.name, &row.verdict.to_string(), &time, &rate, &share))?;
        }
        for row in &self.rows {
            if let Verdict::Differs(why) = &row.verdict {
                writeln!(f, "\n{} differs: {}", row.name, why.trim_end())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_is_a_difference() {
        let one_more = f64::from_bits(1f64.to_bits() + 1);
        assert_eq!(Verdict::of(&[1.0, 2.0], &[1.0, 2.0], 0.0), Verdict::Same);
        assert_eq!(Verdict::of(&[f64::NAN], &[f64::NAN], 0.0), Verdict::Same);
        for (device, cpu) in [(one_more, 1.0), (0.0, -0.0), (f64::NAN, 1.0), (1.0, f64::NAN), (f64::INFINITY, 1.0)] {
            assert!(!Verdict::of(&[device], &[cpu], 0.0).passes(), "{device} and {cpu}");
        }
        assert!(!Verdict::of(&[1.0], &[1.0, 1.0], 1.0).passes());
    }

    #[test]
    fn sums_without_an_order_may_be_near() {
        assert_eq!(Verdict::of(&[1.25], &[1.0], 0.5), Verdict::Near(0.25));
        assert!(!Verdict::of(&[1.75], &[1.0], 0.5).passes());
        assert!(!Verdict::of(&[f64::NAN], &[1.0], 0.5).passes());
        assert!(!Verdict::of(&[1e-300], &[0.0], 0.5).passes());
    }

    #[test]
    fn the_table_says_rates_shares_and_differences() {
        let row = |name: &str, verdict, bytes, operations| Row {
            name: name.into(),
            verdict,
            time: Duration::from_millis(2),
            bytes,
            operations,
        };
        let limits = Limits { bytes: Some(1e12), operations: None };
        let mut table = Table { limits, rows: vec![row("copy", Verdict::Same, Some(1e9), None)] };
        assert_eq!(table.differences(), 0);
        let text = table.to_string();
        assert!(text.contains("500.0 GB/s    50.0 %") && text.contains("same bits"), "{text}");
        table.rows.push(row("bodies", Verdict::Differs("1.5, the CPU has 2.5".into()), None, Some(4e9)));
        assert_eq!(table.differences(), 1);
        let text = table.to_string();
        assert!(text.contains("2000.0 GFLOP/s   unknown") && text.contains("DIFFERS"), "{text}");
        assert!(text.ends_with("\nbodies differs: 1.5, the CPU has 2.5\n"), "{text}");
    }
}
