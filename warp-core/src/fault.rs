//! What stopped a thread, in one sentence.

use std::fmt;

use warp_ir::ir::{CheckKind, Function, Mem, Scalar, Source};

use crate::format;
use crate::kernel::Spec;

/// A thread of a kernel failed a check and stopped. Other threads ran on, and what was written stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// The kernel.
    pub kernel: String,
    /// The source file of the expression.
    pub file: String,
    /// Its line; 0 when unknown.
    pub line: u32,
    /// The expression.
    pub text: String,
    /// What was wrong.
    pub kind: FaultKind,
    /// Row-major number of the thread: of all threads that failed, the lowest.
    pub thread: u64,
    /// The same as coordinates, one a dimension of the launch.
    pub index: Vec<u64>,
    /// How many threads failed.
    pub count: u64,
}

/// What was wrong.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum FaultKind {
    /// An index beyond an array.
    Index {
        /// The array's name in the kernel.
        array: String,
        /// The dimension, when the array has several.
        dim: Option<u8>,
        /// The index.
        index: u64,
        /// Its limit.
        extent: u64,
    },
    /// A range beyond a slice, or with its start after its end.
    SliceRange {
        /// The slice's name in the kernel.
        array: String,
        /// First index.
        start: u64,
        /// Index after the last.
        end: u64,
        /// Length of the slice.
        len: u64,
    },
    /// An integer divided by zero.
    DivideByZero,
    /// The lowest integer divided by -1.
    DivideOverflow,
    /// Crossed or NaN bounds of a `clamp`.
    ClampBounds {
        /// Lower bound, printed.
        low: String,
        /// Upper bound, printed.
        high: String,
    },
    /// A `step_by` of zero.
    StepZero,
    /// `unwrap` or `expect` of nothing.
    Unwrap {
        /// What `expect` says; empty for `unwrap`.
        message: String,
    },
    /// An assertion or `panic!`.
    Assert {
        /// The message with its arguments, or the condition; then the two sides of an `assert_eq!`.
        message: String,
    },
    /// A panic of the plain function, in its words.
    Panic {
        /// The words.
        message: String,
    },
}

impl Fault {
    /// What a backend reported.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn of_launch(
        spec: &Spec,
        function: &Function,
        dims: &[u64],
        thread: u64,
        kind: CheckKind,
        source: Source,
        operands: Vec<(Scalar, u64)>,
        count: u64,
    ) -> Fault {
        let (file, line) =
            if source.file.is_empty() { (spec.file.into(), spec.line) } else { (source.file, source.line) };
        Fault {
            kernel: spec.name.into(),
            file,
            line,
            text: source.text,
            kind: FaultKind::of_check(function, kind, &operands),
            thread,
            index: coordinates(thread, dims),
            count,
        }
    }
}

impl FaultKind {
    fn of_check(function: &Function, kind: CheckKind, operands: &[(Scalar, u64)]) -> FaultKind {
        let bits = |k: usize| operands.get(k).map_or(0, |o| o.1);
        let shown = |k: usize| operands.get(k).map_or_else(|| "?".into(), |o| format::scalar(o.0, o.1, "?"));
        match kind {
            CheckKind::Index { mem, dim } => {
                let (array, rank) = named(function, mem);
                FaultKind::Index { array, dim: (rank > 1).then_some(dim), index: bits(0), extent: bits(1) }
            }
            CheckKind::SliceRange { mem } => {
                FaultKind::SliceRange { array: named(function, mem).0, start: bits(0), end: bits(1), len: bits(2) }
            }
            CheckKind::DivideByZero => FaultKind::DivideByZero,
            CheckKind::DivideOverflow => FaultKind::DivideOverflow,
            CheckKind::ClampBounds => FaultKind::ClampBounds { low: shown(0), high: shown(1) },
            CheckKind::StepZero => FaultKind::StepZero,
            CheckKind::Unwrap { message } => FaultKind::Unwrap { message },
            CheckKind::Assert { message } => {
                let operands: Vec<u64> = operands.iter().map(|operand| operand.1).collect();
                let mut said = String::new();
                format::pieces(&mut said, &message, &operands);
                FaultKind::Assert { message: said }
            }
        }
    }
}

/// Name and rank of some memory of a kernel.
fn named(function: &Function, mem: Mem) -> (String, u8) {
    let found = match mem {
        Mem::Array(id) => function.arrays.get(id.0 as usize).map(|a| (a.name.clone(), a.rank)),
        Mem::Local(id) => function.locals.get(id.0 as usize).map(|l| (l.name.clone(), 1)),
    };
    found.unwrap_or_else(|| ("an array".into(), 1))
}

/// The coordinates of a row-major number.
pub(crate) fn coordinates(thread: u64, dims: &[u64]) -> Vec<u64> {
    let mut rest = thread;
    let mut index = vec![0; dims.len()];
    for d in (0..dims.len()).rev() {
        index[d] = rest % dims[d].max(1);
        rest /= dims[d].max(1);
    }
    index
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}` ({}", self.kernel, self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, "): {}, in thread {}", self.kind, SpokenIndex(&self.index, self.thread))?;
        if !self.text.is_empty() {
            write!(f, ": `{}`", self.text)?;
        }
        match self.count {
            0 | 1 => Ok(()),
            2 => f.write_str("; one more thread failed too"),
            n => write!(f, "; {} more threads failed too", n - 1),
        }
    }
}

impl std::error::Error for Fault {}

struct SpokenIndex<'a>(&'a [u64], u64);

impl fmt::Display for SpokenIndex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.len() < 2 {
            return write!(f, "{}", self.1);
        }
        let all: Vec<_> = self.0.iter().map(u64::to_string).collect();
        write!(f, "({})", all.join(", "))
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Index { array, dim: None, index, extent } => {
                write!(f, "index {index} is out of range for `{array}` of length {extent}")
            }
            FaultKind::Index { array, dim: Some(dim), index, extent } => {
                write!(f, "index {index} is out of range for dimension {dim} of `{array}`, which is {extent} long")
            }
            FaultKind::SliceRange { array, start, end, .. } if start > end => {
                write!(f, "the range {start}..{end} of `{array}` starts after its end")
            }
            FaultKind::SliceRange { array, start, end, len } => {
                write!(f, "the range {start}..{end} is out of range for `{array}` of length {len}")
            }
            FaultKind::DivideByZero => f.write_str("an integer was divided by zero"),
            FaultKind::DivideOverflow => f.write_str("a division overflowed (the lowest integer by -1)"),
            FaultKind::ClampBounds { low, high } => {
                write!(f, "clamp needs bounds in order, none of them NaN, and got {low} and {high}")
            }
            FaultKind::StepZero => f.write_str("a range cannot go in steps of zero"),
            FaultKind::Unwrap { message } if message.is_empty() => f.write_str("unwrap found None"),
            FaultKind::Unwrap { message } => write!(f, "expect found None: {message}"),
            FaultKind::Assert { message } => write!(f, "an assertion failed: {message}"),
            FaultKind::Panic { message } => f.write_str(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(kind: FaultKind) -> Fault {
        Fault {
            kernel: "gather".into(),
            file: "src/main.rs".into(),
            line: 12,
            text: "src[idx[i] as usize]".into(),
            kind,
            thread: 2,
            index: vec![2],
            count: 3,
        }
    }

    #[test]
    fn an_index_is_one_sentence() {
        let kind = FaultKind::Index { array: "src".into(), dim: None, index: 1000, extent: 4 };
        assert_eq!(
            fault(kind).to_string(),
            "kernel `gather` (src/main.rs:12): index 1000 is out of range for `src` of length 4, in thread 2: \
             `src[idx[i] as usize]`; 2 more threads failed too"
        );
    }

    #[test]
    fn threads_of_several_dimensions_are_tuples() {
        let mut f = fault(FaultKind::DivideByZero);
        (f.index, f.count) = (coordinates(17, &[3, 2, 5]), 1);
        assert_eq!(
            f.to_string(),
            "kernel `gather` (src/main.rs:12): an integer was divided by zero, in thread (1, 1, 2): `src[idx[i] as usize]`"
        );
    }
}
