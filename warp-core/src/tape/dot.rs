//! Tapes as pictures and tables.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Write};

use super::Tape;
use super::step::{Entry, Step, ordinal};

impl Tape {
    /// The tape as a graph in the DOT language: boxes for what happened, in order, and ellipses for arrays. Arrows lead
    /// from what is read to what is written; a label says the argument, and whether the tape keeps a copy of it. What
    /// several steps need stands at the first, and what a launch wrote down for its way back in its box.
    pub fn to_dot(&self) -> String {
        let mut arrays: HashMap<usize, usize> = HashMap::new();
        let (mut nodes, mut arrows) = (String::new(), String::new());
        for (position, (entry, kept)) in self.entries.iter().zip(self.kept()).enumerate() {
            let label = escaped(&format!("{}: {}", ordinal(position), entry.step.name()));
            let written = keeps(kept.written_down);
            let _ = writeln!(nodes, "    s{position} [shape=box, label=\"{label}{written}\"];");
            if position > 0 {
                let _ = writeln!(arrows, "    s{} -> s{position} [style=invis];", position - 1);
            }
            for (k, (memory, span, write)) in entry.step.uses().into_iter().enumerate() {
                let next = arrays.len();
                let array = *arrays.entry(memory.key()).or_insert(next);
                let name = escaped(&argument(entry, k));
                if array == next {
                    let _ = writeln!(nodes, "    a{array} [label=\"{name}\\n{} bytes\"];", memory.bytes);
                }
                let kept = keeps(kept.of_uses[k]);
                let part = match span.end - span.start == memory.bytes {
                    true => String::new(),
                    false => format!("\\nbytes {}..{}", span.start, span.end),
                };
                let (from, to) = match write {
                    true => (format!("s{position}"), format!("a{array}")),
                    false => (format!("a{array}"), format!("s{position}")),
                };
                let _ = writeln!(arrows, "    {from} -> {to} [label=\"{name}{part}{kept}\"];");
            }
        }
        format!("digraph tape {{\n    rankdir=LR;\n{nodes}{arrows}}}\n")
    }
}

/// A line of a label.
fn keeps(bytes: usize) -> String {
    if bytes > 0 { format!("\\nkeeps {bytes} bytes") } else { String::new() }
}

/// The name of what a step uses.
fn argument(entry: &Entry, k: usize) -> String {
    match &*entry.step {
        Step::Launch(launch) => launch.name_of(k),
        Step::Copy(_) if k == 0 => "from".into(),
        Step::Copy(_) | Step::Overwrite(_) | Step::Backward(_) => "to".into(),
        Step::Function(function) if k < function.inputs.len() => format!("input {k}"),
        Step::Function(function) => format!("output {}", k - function.inputs.len()),
    }
}

/// A text between the quotes of DOT.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

impl fmt::Display for Tape {
    /// A table: what is on the tape, how often, and the bytes of the copies that it keeps for it: what several need counts
    /// for the first of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (entry, kept) in self.entries.iter().zip(self.kept()) {
            let row = rows.entry(entry.step.name()).or_default();
            row.0 += 1;
            row.1 += kept.bytes();
        }
        let (steps, bytes) = (self.entries.len(), self.snapshot_bytes());
        write!(f, "a tape of {steps} steps that keeps {bytes} bytes")?;
        if let Some(segments) = &self.segments {
            write!(f, " at {} checkpoints", segments.all.len())?;
        }
        let width = rows.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, (count, bytes)) in rows {
            write!(f, "\n{name:width$} {count:>8} times {bytes:>14} bytes")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
