//! A plain interpreter of kernels: the reference that passes and backends are compared with. Clarity before speed.
//!
//! What a builtin computes is its row's host meaning. Threads run one after another in row-major order. A failed check
//! stops its thread; effects before it stay. Nothing here knows of vector lanes, chunks or elided checks.

mod memory;
mod reverse;
mod thread;

use std::fmt;

pub use memory::{Array, Layout};
pub use reverse::{Reversed, reverse, way_back};

use crate::ir::{CheckKind, Kernel, PrintId, Scalar, SourceId};
use crate::validate::Valid;

/// What a launch is given.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Inputs {
    /// Extent of each launch dimension, slowest first.
    pub dims: Vec<u64>,
    /// Bits of the scalar parameters.
    pub scalars: Vec<u64>,
    /// Bits of the user's constants, one for each slot.
    pub slots: Vec<u64>,
    /// Array arguments; the launch changes them in place.
    pub arrays: Vec<Array>,
}

/// What a launch did beside its arrays.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcome {
    /// The fault of the thread with the smallest number, if any thread failed a check.
    pub fault: Option<Fault>,
    /// How many threads failed a check.
    pub faults: u64,
    /// What threads printed, by thread, in order.
    pub prints: Vec<Printed>,
}

/// A thread that failed a check.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// The thread's row-major number.
    pub thread: u64,
    /// What the check guards.
    pub kind: CheckKind,
    /// The user's expression.
    pub source: SourceId,
    /// Types and bits of the check's operands.
    pub operands: Vec<(Scalar, u64)>,
}

/// A line that a thread printed.
#[derive(Clone, PartialEq, Debug)]
pub struct Printed {
    /// The thread's row-major number.
    pub thread: u64,
    /// The site.
    pub site: PrintId,
    /// Bits of the arguments.
    pub args: Vec<u64>,
}

/// Why a launch could not be carried through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It took more steps than allowed.
    Steps,
    /// The inputs do not suit the kernel.
    Inputs(String),
    /// An op without meaning: memory out of range, or an undefined division. A kernel that is `guarded` has none.
    Undefined(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Steps => f.write_str("the launch took more steps than allowed"),
            Trouble::Inputs(what) => write!(f, "the inputs do not suit the kernel: {what}"),
            Trouble::Undefined(what) => write!(f, "the kernel is undefined: {what}"),
        }
    }
}

impl std::error::Error for Trouble {}

/// Runs all threads of a launch, in at most `steps` ops.
pub fn run(kernel: &Valid<Kernel>, inputs: &mut Inputs, steps: u64) -> Result<Outcome, Trouble> {
    let threads = inputs.dims.iter().try_fold(1u64, |n, &d| n.checked_mul(d)).ok_or(Trouble::Steps)?;
    run_threads(kernel, inputs, steps, 0..threads)
}

/// Runs threads of a launch by their row-major numbers, in this order.
pub fn run_threads(
    kernel: &Valid<Kernel>,
    inputs: &mut Inputs,
    steps: u64,
    threads: impl IntoIterator<Item = u64>,
) -> Result<Outcome, Trouble> {
    check_inputs(kernel, inputs)?;
    let mut machine = thread::Machine::new(kernel, inputs, steps);
    for number in threads {
        machine.thread(number)?;
    }
    Ok(machine.outcome)
}

fn check_inputs(kernel: &Kernel, inputs: &Inputs) -> Result<(), Trouble> {
    let function = &kernel.function;
    let counts = [
        ("launch dimensions", inputs.dims.len(), kernel.rank as usize),
        ("scalars", inputs.scalars.len(), function.params.len()),
        ("slots", inputs.slots.len(), function.slots as usize),
        ("arrays", inputs.arrays.len(), function.arrays.len()),
    ];
    for (what, found, expected) in counts {
        if found != expected {
            return Err(Trouble::Inputs(format!("{what}: expected {expected}, found {found}")));
        }
    }
    for (param, array) in function.arrays.iter().zip(&inputs.arrays) {
        array.suits(param).map_err(|what| Trouble::Inputs(format!("array `{}`: {what}", param.name)))?;
    }
    Ok(())
}
