//! What a tape holds: the operations of a recording, in order.

use std::sync::Arc;

use super::function::Function;
use super::image::Image;
use super::memory::Memory;
use super::region::{Region, floats};
use super::value::{Counted, Value};
use crate::array::borrow::Span;
use crate::backend::How;
use crate::kernel::Definition;
use crate::program::Kind;

/// One operation on a tape.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) step: Arc<Step>,
    /// Of a launch: the value of each array that its adjoint reads.
    pub(crate) needs: Vec<Option<Arc<Value>>>,
    /// Of a launch: what it wrote down.
    pub(crate) records: Vec<Arc<Counted>>,
    /// What it left behind, where it cannot run again and the tape does so.
    pub(crate) images: Vec<Image>,
    /// Of a copy or a write by the host: what it left there, where the recording is to be run again.
    pub(crate) written: Option<Arc<Value>>,
    /// Whether it failed, so that what it left behind is no result.
    pub(crate) failed: bool,
}

/// What happened.
#[derive(Debug)]
pub(crate) enum Step {
    /// A kernel ran.
    Launch(Launch),
    /// An array was copied into another.
    Copy(Copied),
    /// The host wrote an array, in these words: `fill`.
    Overwrite(Overwritten),
    /// A function of the host ran, with a way back of its own.
    Function(Function),
    /// A backward pass filled these gradients.
    Backward(Vec<Memory>),
}

/// A launch with all that it takes to run it again.
#[derive(Debug)]
pub(crate) struct Launch {
    pub(crate) definition: &'static Definition,
    pub(crate) dims: Vec<u64>,
    pub(crate) how: How,
    /// The words of its arrays.
    pub(crate) words: Vec<u64>,
    /// The words of its values.
    pub(crate) values: Vec<u64>,
    pub(crate) args: Vec<Arg>,
}

/// An array argument.
#[derive(Debug)]
pub(crate) struct Arg {
    pub(crate) memory: Memory,
    pub(crate) span: Span,
    pub(crate) kind: Kind,
    /// Whether no gradient flows through it.
    pub(crate) detached: bool,
}

impl Arg {
    /// Whether its elements hold floats.
    pub(crate) fn has_floats(&self) -> bool {
        !floats(self.kind.layout).is_empty()
    }
}

impl Launch {
    /// The name of an array argument.
    pub(crate) fn name_of(&self, argument: usize) -> String {
        self.definition.array_name(argument)
    }

    /// Bytes of its array arguments.
    pub(crate) fn bytes(&self) -> u64 {
        self.args.iter().map(|arg| (arg.span.end - arg.span.start) as u64).sum()
    }

    /// Whether there are no threads.
    pub(crate) fn is_empty(&self) -> bool {
        self.dims.contains(&0)
    }
}

/// A copy from one array into another.
#[derive(Debug)]
pub(crate) struct Copied {
    pub(crate) from: Region,
    pub(crate) to: Region,
    /// Whether no gradient flows back to the source.
    pub(crate) detached: bool,
}

/// Elements that got values from the host.
#[derive(Debug)]
pub(crate) struct Overwritten {
    pub(crate) region: Region,
    /// The method that did it.
    pub(crate) by: &'static str,
    /// The bytes of an element, if all got the same value.
    pub(crate) fill: Option<Vec<u8>>,
}

/// A use of memory by a step, and whether it is written.
pub(crate) type StepUse<'a> = (&'a Memory, Span, bool);

impl Step {
    /// The memory that it reads or writes: of a launch, its arguments in order.
    pub(crate) fn uses(&self) -> Vec<StepUse<'_>> {
        match self {
            Step::Launch(launch) if launch.is_empty() => vec![],
            Step::Launch(launch) => launch.args.iter().map(|arg| (&arg.memory, arg.span, arg.kind.write)).collect(),
            Step::Copy(copied) => vec![read(&copied.from), written(&copied.to)],
            Step::Overwrite(overwritten) => vec![written(&overwritten.region)],
            Step::Function(function) => function
                .inputs
                .iter()
                .map(|input| read(&input.region))
                .chain(function.outputs.iter().map(written))
                .collect(),
            Step::Backward(_) => vec![],
        }
    }

    /// All memory that it knows.
    pub(crate) fn memories(&self) -> Vec<&Memory> {
        match self {
            Step::Launch(launch) => launch.args.iter().map(|arg| &arg.memory).collect(),
            _ => self.uses().into_iter().map(|(memory, ..)| memory).collect(),
        }
    }

    /// The memory that it writes.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Memory> {
        self.uses().into_iter().filter(|(_, _, write)| *write).map(|(memory, ..)| memory)
    }

    /// Whether nothing is left of what was there before in the memory of use `k`.
    pub(crate) fn overwrites_all(&self, k: usize) -> bool {
        match self {
            Step::Copy(copied) => k == 1 && copied.to.is_dense(),
            Step::Overwrite(overwritten) => overwritten.region.is_dense(),
            _ => false,
        }
    }

    /// Whether it is a launch whose threads see what others left, by code alone: another run may give something else.
    pub(crate) fn depends_on_order(&self) -> bool {
        let Step::Launch(launch) = self else { return false };
        let device = launch.args.first().map(|arg| &arg.memory.device);
        // A kernel that cannot be loaded was never run.
        device.and_then(|device| launch.definition.load(device).ok()).is_some_and(|loaded| loaded.depends_on_order)
    }

    /// What it is, for messages: "launch `step`".
    pub(crate) fn name(&self) -> String {
        match self {
            Step::Launch(launch) => format!("launch `{}`", launch.definition.name()),
            Step::Copy(_) => "`copy_from`".into(),
            Step::Overwrite(overwritten) => format!("`{}`", overwritten.by),
            Step::Function(function) => format!("function `{}`", function.name),
            Step::Backward(_) => "`backward`".into(),
        }
    }
}

fn read(region: &Region) -> StepUse<'_> {
    (&region.memory, region.span, false)
}

fn written(region: &Region) -> StepUse<'_> {
    (&region.memory, region.span, true)
}

/// A place in a row, in words: "3rd".
pub(crate) fn ordinal(position: usize) -> String {
    let n = position + 1;
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn places_are_said_as_people_say_them() {
        let said: Vec<String> = [0, 1, 2, 3, 10, 11, 12, 20, 21, 100, 110, 111].map(super::ordinal).to_vec();
        let spoken = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th", "112th"];
        assert_eq!(said, spoken);
    }
}
